"""Images to features: MNIST, and the small convolution in front of the spiking layer."""

from linspike.features.filters import Filters, load_filters, save_filters, shipped_filters
from linspike.features.mnist import Images, load_mnist, mnist_missing

__all__ = [
    "Filters",
    "Images",
    "load_filters",
    "load_mnist",
    "mnist_missing",
    "save_filters",
    "shipped_filters",
]
