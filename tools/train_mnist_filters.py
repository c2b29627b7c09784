"""Training the convolution that stands in front of the spiking layer; needs PyTorch."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

import numpy as np

from linspike.errors import MissingExtraError
from linspike.features.filters import FEATURES, FIELD, MAPS, POOL, Filters
from linspike.features.mnist import FILES, Images

EPOCHS = 30
BATCH = 100
RATE = 1e-3
CLASSES = 10
PACKAGES = ("linspike", "numpy", "torch")


def trained(
    seed: int,
    train: Images,
    test: Images,
    *,
    epochs: int = EPOCHS,
    progress: Callable[[int, float], None] | None = None,
) -> Filters:
    """Filters of the network 6C5-2P2-10 after backpropagation with cross-entropy (Adam).

    The last layer is thrown away; what it reached on the test images is kept as a remark.

    Parameters
    ----------
    seed : int
        Of the first weights and the order of the images.
    train, test : Images
    epochs : int
    progress : function of (epoch, accuracy), optional
        Called after each epoch with the share of test images classified rightly.
    """
    torch = require_torch()
    accuracy = float("nan")
    with _repeatable(torch, seed):
        network = _network(torch)
        optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
        pictures, digits = _tensors(torch, train)
        for epoch in range(epochs):
            _learn(torch, network, optimiser, pictures, digits)
            accuracy = _accuracy(torch, network, test)
            if progress is not None:
                progress(epoch + 1, accuracy)
    weights = network[0].weight.detach().numpy()[:, 0].astype(np.float64)
    return Filters(weights, network[0].bias.detach().numpy().astype(np.float64), accuracy)


def provenance(epochs: int, command: str) -> dict[str, Any]:
    """How filters come about, for the file that holds them."""
    return {
        "network": f"{MAPS}C{FIELD}-{POOL}P{POOL}-{CLASSES}, valid convolution, ReLU, max-pooling",
        "loss": "cross-entropy",
        "optimiser": "Adam",
        "epochs": epochs,
        "batch": BATCH,
        "rate": RATE,
        "pixels": "0 to 1",
        "data": {"name": "MNIST", "sha256": dict(FILES)},
        "versions": {"python": platform.python_version(), **_versions()},
        "command": command,
    }


def require_torch() -> Any:
    """PyTorch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            "Training filters needs PyTorch: pip install 'linspike[cnn]'. "
            "The filters that come with linspike need nothing."
        ) from error
    return torch


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
    """One seed and one order of sums; the caller's own seed and threads come back after."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


def _network(torch: Any) -> Any:
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, MAPS, FIELD),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(POOL),
        torch.nn.Flatten(),
        torch.nn.Linear(FEATURES, CLASSES),
    )


def _learn(torch: Any, network: Any, optimiser: Any, pictures: Any, digits: Any) -> None:
    loss_of = torch.nn.CrossEntropyLoss()
    for batch in torch.randperm(len(digits)).split(BATCH):
        optimiser.zero_grad()
        loss_of(network(pictures[batch]), digits[batch]).backward()
        optimiser.step()


def _tensors(torch: Any, images: Images) -> tuple[Any, Any]:
    pictures = torch.from_numpy(images.images.astype(np.float32) / 255.0)[:, None]
    return pictures, torch.from_numpy(images.digits)


def _accuracy(torch: Any, network: Any, images: Images) -> float:
    pictures, digits = _tensors(torch, images)
    with torch.no_grad():
        guesses = torch.cat([network(part).argmax(1) for part in pictures.split(1000)])
    return int((guesses == digits).sum()) / len(digits)
