"""Images to features and events: MNIST, a small convolution, a simulated event camera."""

from linspike.datasets.mnist import Images, load_mnist, mnist_missing
from linspike.datasets.mnist_features import Filters, load_filters, save_filters, shipped_filters
from linspike.datasets.moving_sensor import moving_sensor_events

__all__ = [
    "Filters",
    "Images",
    "load_filters",
    "load_mnist",
    "mnist_missing",
    "moving_sensor_events",
    "save_filters",
    "shipped_filters",
]
