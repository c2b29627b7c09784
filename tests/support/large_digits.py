"""Scikit-learn's small digits, blown up to MNIST's size, in its place."""

import numpy as np
from sklearn.datasets import load_digits

import linspike.datasets as features
from linspike.datasets import Filters, Images
from linspike.paper.common import mnist, mnist_trials

TRAIN, ASIDE = 1500, 200


def install(monkeypatch):
    """Put the digits in place of MNIST; return the list of parts that are read."""
    small, shown = load_digits(return_X_y=True)
    large = np.zeros((len(shown), 28, 28), np.uint8)
    large[:, 2:26, 2:26] = np.kron(small.reshape(-1, 8, 8), np.ones((3, 3))) * 15
    parts = {
        "train": Images(large[:TRAIN], shown[:TRAIN]),
        "test": Images(large[TRAIN:], shown[TRAIN:]),
    }
    read = []

    def load(part):
        read.append(part)
        return parts[part]

    monkeypatch.setattr(features, "load_mnist", load)
    monkeypatch.setattr(features, "mnist_missing", lambda: "")
    monkeypatch.setattr(mnist, "VALIDATION", ASIDE)
    monkeypatch.setattr(mnist_trials._Encoded, "key", ())
    return read


def install_networks(monkeypatch):
    """Let the filters of every network be those of the first, with another activation function."""
    shipped = features.shipped_filters()

    def load(network="relu"):
        kind = network.split(",")[0]
        return [Filters(one.weights, one.bias, one.accuracy, kind) for one in shipped]

    monkeypatch.setattr(features, "shipped_filters", load)
