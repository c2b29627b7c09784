"""Images to features: MNIST, and the small convolution in front of the spiking layer."""

from linspike.datasets.mnist import Images, load_mnist, mnist_missing
from linspike.datasets.mnist_features import Filters, load_filters, save_filters, shipped_filters

__all__ = [
    "Filters",
    "Images",
    "load_filters",
    "load_mnist",
    "mnist_missing",
    "save_filters",
    "shipped_filters",
]
