"""Train the convolution filters that ship with linspike, by backpropagation; needs PyTorch.

python tools/train_mnist_filters.py --seeds 10 -o src/linspike/datasets/filters.npz
python tools/train_mnist_filters.py --seeds 3 --activation tanh -o FILE
python tools/train_mnist_filters.py --seeds 3 --optimiser SGD -o FILE
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from linspike.datasets.mnist import FILES, Images, load_mnist
from linspike.datasets.mnist_features import FEATURES, FIELD, MAPS, POOL, Filters, save_filters

EPOCHS = 30
BATCH = 100
ACTIVATIONS = {"relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh"}
RATES = {"Adam": 1e-3, "SGD": 0.1}
CLASSES = 10
PACKAGES = ("linspike", "numpy", "torch")


def train_filters(
    seed: int,
    train: Images,
    test: Images,
    *,
    epochs: int = EPOCHS,
    activation: str = "relu",
    optimiser: str = "Adam",
    progress: Callable[[int, float], None] | None = None,
) -> Filters:
    """Train the network 6C5-2P2-10 with cross-entropy and return its filters.

    The last layer is dropped; its test accuracy is kept with the filters.

    Parameters
    ----------
    seed : int
        Seed of the initial weights and of the order of the images.
    train, test : Images
    epochs : int
    activation : {"relu", "sigmoid", "tanh"}
        Activation function after the convolution.
    optimiser : {"Adam", "SGD"}
    progress : function of (epoch, accuracy), optional
        Called after each epoch with the share of test images classified correctly.
    """
    import torch

    accuracy = float("nan")
    with _repeatable(torch, seed):
        network = _network(torch, activation)
        steps = getattr(torch.optim, optimiser)(network.parameters(), lr=RATES[optimiser])
        pictures, digits = _tensors(torch, train)
        for epoch in range(epochs):
            _learn(torch, network, steps, pictures, digits)
            accuracy = _accuracy(torch, network, test)
            if progress is not None:
                progress(epoch + 1, accuracy)
    weights = network[0].weight.detach().numpy()[:, 0].astype(np.float64)
    bias = network[0].bias.detach().numpy().astype(np.float64)
    return Filters(weights, bias, accuracy, activation)


def provenance(epochs: int, activation: str, optimiser: str, command: str) -> dict[str, Any]:
    """Return how the filters were trained, for the file that holds them."""
    layers = f"{MAPS}C{FIELD}-{POOL}P{POOL}-{CLASSES}"
    return {
        "network": f"{layers}, valid convolution, {ACTIVATIONS[activation]}, max-pooling",
        "loss": "cross-entropy",
        "optimiser": optimiser,
        "epochs": epochs,
        "batch": BATCH,
        "rate": RATES[optimiser],
        "pixels": "0 to 1",
        "data": {"name": "MNIST", "sha256": dict(FILES)},
        "versions": {"python": platform.python_version(), **_versions()},
        "command": command,
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


@contextmanager
def _repeatable(torch: Any, seed: int) -> Iterator[None]:
    """Fix the seed and use one thread, so that sums have one order; restore both at the end."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


def _network(torch: Any, activation: str) -> Any:
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, MAPS, FIELD),
        getattr(torch.nn, ACTIVATIONS[activation])(),
        torch.nn.MaxPool2d(POOL),
        torch.nn.Flatten(),
        torch.nn.Linear(FEATURES, CLASSES),
    )


def _learn(torch: Any, network: Any, steps: Any, pictures: Any, digits: Any) -> None:
    loss_of = torch.nn.CrossEntropyLoss()
    for batch in torch.randperm(len(digits)).split(BATCH):
        steps.zero_grad()
        loss_of(network(pictures[batch]), digits[batch]).backward()
        steps.step()


def _tensors(torch: Any, images: Images) -> tuple[Any, Any]:
    pictures = torch.from_numpy(images.images.astype(np.float32) / 255.0)[:, None]
    return pictures, torch.from_numpy(images.digits)


def _accuracy(torch: Any, network: Any, images: Images) -> float:
    pictures, digits = _tensors(torch, images)
    with torch.no_grad():
        guesses = torch.cat([network(part).argmax(1) for part in pictures.split(1000)])
    return int((guesses == digits).sum()) / len(digits)


def main() -> None:
    """Train one set of filters per seed and write them to one file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="seeds 0 to SEEDS - 1")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--activation", choices=ACTIVATIONS, default="relu")
    parser.add_argument("--optimiser", choices=RATES, default="Adam")
    parser.add_argument("--data-dir", type=Path, help="folder with the MNIST files")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    train = load_mnist("train", data_dir=options.data_dir)
    test = load_mnist("test", data_dir=options.data_dir)
    trained = []
    for seed in range(options.seeds):
        one = train_filters(
            seed,
            train,
            test,
            epochs=options.epochs,
            activation=options.activation,
            optimiser=options.optimiser,
        )
        trained.append(one)
        print(f"seed {seed}: test accuracy {trained[-1].accuracy:.2%}", flush=True)
    command = (
        f"python tools/train_mnist_filters.py --seeds {options.seeds} --epochs {options.epochs} "
        f"--activation {options.activation} --optimiser {options.optimiser}"
    )
    about = provenance(options.epochs, options.activation, options.optimiser, command)
    save_filters(options.output, trained, list(range(options.seeds)), about)


if __name__ == "__main__":
    main()
