"""The tool that trains the shipped filters, where PyTorch is installed."""

import sys

import numpy as np
import pytest
from tests.support import small_mnist

from linspike.datasets import Filters, load_filters, load_mnist
from tools import train_mnist_filters


@pytest.fixture
def folder(tmp_path, monkeypatch):
    small_mnist.install(monkeypatch)
    return small_mnist.write(tmp_path / "mnist", small_mnist.packed())


def test_versions_of_absent_packages(monkeypatch):
    monkeypatch.setattr(train_mnist_filters, "PACKAGES", ("no-such-package",))
    versions = train_mnist_filters.provenance(1, "relu", "Adam", "")["versions"]
    assert versions["no-such-package"] == "not installed"


def test_a_file_says_how_its_network_was_trained(folder, tmp_path, monkeypatch):
    asked = []

    def train_filters(seed, train, test, **options):
        asked.append((seed, len(train.images), len(test.images), options))
        weights = np.full((6, 5, 5), float(seed))
        return Filters(weights, np.zeros(6), 0.9, options["activation"])

    path = tmp_path / "f.npz"
    options = "--seeds 2 --epochs 4 --activation tanh --optimiser SGD"
    monkeypatch.setattr(train_mnist_filters, "train_filters", train_filters)
    monkeypatch.setattr(
        sys, "argv", ["tool", *options.split(), "--data-dir", str(folder), "-o", str(path)]
    )
    train_mnist_filters.main()
    settings = {"epochs": 4, "activation": "tanh", "optimiser": "SGD"}
    assert asked == [(seed, 20, 10, settings) for seed in (0, 1)]
    found = load_filters(path)
    assert [one.activation for one in found.filters] == ["tanh", "tanh"]
    assert found.about["command"].endswith(options)
    assert "Tanh" in found.about["network"]
    assert (found.about["optimiser"], found.about["rate"]) == ("SGD", 0.1)


def test_training_depends_on_the_seed_alone(folder):
    torch = pytest.importorskip("torch")
    train, test = (load_mnist(part, data_dir=folder) for part in ("train", "test"))
    seen, threads, state = [], torch.get_num_threads(), torch.get_rng_state()
    train_filters = train_mnist_filters.train_filters
    one = train_filters(5, train, test, epochs=2, progress=lambda *done: seen.append(done))
    torch.rand(3)
    two = train_filters(5, train, test, epochs=2)
    np.testing.assert_array_equal(one.weights, two.weights)
    np.testing.assert_array_equal(one.bias, two.bias)
    assert [epoch for epoch, _ in seen] == [1, 2]
    assert one.accuracy == seen[-1][1]
    assert torch.get_num_threads() == threads
    torch.set_rng_state(state)
    other = train_filters(6, train, test, epochs=2)
    assert torch.equal(torch.get_rng_state(), state)
    assert not np.array_equal(one.weights, other.weights)


def test_training_learns(folder):
    pytest.importorskip("torch")
    train = load_mnist("train", data_dir=folder)
    assert train_mnist_filters.train_filters(0, train, train, epochs=60).accuracy > 0.9


@pytest.mark.parametrize(("activation", "optimiser"), [("sigmoid", "Adam"), ("relu", "SGD")])
def test_other_networks_have_other_filters(folder, activation, optimiser):
    pytest.importorskip("torch")
    train = load_mnist("train", data_dir=folder)
    how = {"activation": activation, "optimiser": optimiser}
    other = train_mnist_filters.train_filters(0, train, train, epochs=2, **how)
    plain = train_mnist_filters.train_filters(0, train, train, epochs=2)
    assert (other.activation, plain.activation) == (activation, "relu")
    assert not np.array_equal(other.weights, plain.weights)
