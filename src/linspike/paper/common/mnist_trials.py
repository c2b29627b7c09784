"""Trials on MNIST: images as activations or first spikes, and ten outputs that learn them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from linspike._threads import available_cores
from linspike._typing import Floats, Ints
from linspike.encoders.latency import LatencyEncoder
from linspike.kernels.rng import shuffle
from linspike.kernels.training.sigmoid_outputs import learn_rates
from linspike.paper.common import mnist
from linspike.paper.common.mnist import MnistCell
from linspike.spikes.pattern_set import PatternSet
from linspike.study.cells import Record
from linspike.training.result import raise_if_interrupted

Part = tuple[npt.NDArray[np.float32], Ints]  # activations and digits


def load_parts(cell: MnistCell, seed: int) -> dict[str, Part]:
    """Return the images of a trial as activations, by part.

    The last training images are set aside: for validation, so that test images are not used, or
    for early stopping.
    """
    from linspike.datasets import load_mnist, shipped_filters

    shipped = shipped_filters(cell.filters)
    filters = shipped[seed % len(shipped)]

    def activate(images: Any, digits: Ints) -> Part:
        return filters.features(images), digits

    images, digits = load_mnist("train")
    aside = len(images) - (mnist.VALIDATION if cell.validation else cell.held)
    learn = min(cell.images, aside)
    found = {"train": activate(images[:learn], digits[:learn])}
    last = images[aside:][: cell.tests], digits[aside:][: cell.tests]
    if cell.held:
        found["held"] = activate(*last)
    if cell.validation:
        found["test"] = activate(*last)
    else:
        images, digits = load_mnist("test")
        found["test"] = activate(images[: cell.tests], digits[: cell.tests])
    return found


class Outputs(Protocol):
    """Ten outputs that learn the images of a trial."""

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image once per epoch, until `after_epoch` returns True."""
        ...

    def accuracies(self, part: str, other_ties: Sequence[str] = ()) -> list[float]:
        """Return the share of right digits in a part, then that by other readings of ties."""
        ...


class _Encoded:
    """The spikes encoded last: trials that differ in their rule alone share them."""

    key: tuple[Any, ...] = ()
    spikes: ClassVar[dict[str, tuple[PatternSet, Ints]]] = {}


def _make_encoder(cell: MnistCell, activations: npt.NDArray[np.float32]) -> LatencyEncoder:
    """Return the encoder of a cell; what is divided by the largest of an image ends at 1."""
    if cell.activation == "unclipped":  # time 0 is where the largest of training spikes
        largest = float(activations.max())
        return LatencyEncoder(cell.duration * largest, largest).fit(activations)
    scale = 1.0 if isinstance(cell.activation, str) else cell.activation
    return LatencyEncoder(cell.duration, scale).fit(activations)


def encode_parts(cell: MnistCell, seed: int) -> dict[str, tuple[PatternSet, Ints]]:
    """Return the images of a trial as first spikes, by part; activations are freed on the way."""
    images = cell.images, cell.tests, cell.held, cell.validation
    key = (seed, *images, cell.duration, cell.filters, cell.activation)
    if key != _Encoded.key:
        _Encoded.key, _Encoded.spikes = (), {}  # freed before the next are made
        parts = load_parts(cell, seed)
        encoder = _make_encoder(cell, parts["train"][0])
        for name in list(parts):
            activations, digits = parts.pop(name)
            if cell.activation == "image":
                largest = activations.max(axis=1, keepdims=True)
                activations = activations / np.maximum(largest, np.finfo(np.float32).tiny)
            _Encoded.spikes[name] = encoder.transform(activations), digits
        _Encoded.key = key
    return _Encoded.spikes


class SpikingOutputs:
    """Ten neurons on first spikes."""

    def __init__(self, cell: MnistCell, seed: int) -> None:
        from linspike.estimators.classes.readout import CountCode
        from linspike.neuron.srm import SRM
        from linspike.training import Inverse, Trainer, initial_weights

        self.spikes = encode_parts(cell, seed)
        self._seed = seed
        neuron = SRM(tau_m=cell.tau_m, tau_s=cell.tau_s)
        at_least = cell.target == "at_least"
        self.trainer = Trainer(
            neuron,
            cell.make_rule(),
            max_epochs=cell.epochs,
            at_least=at_least,
            until=float(self.spikes["train"][0].durations[0]) + cell.horizon,
            schedule=Inverse(cell.decay_rate),
        )
        patterns, digits = self.spikes["train"]
        self.weights = initial_weights(neuron, mnist.DIGITS, patterns.n_channels, seed)
        self._code = CountCode(mnist.DIGITS, cell.spikes, at_least, cell.ties == "graded")
        self.targets = self._code.targets(digits)
        self._average = cell.average
        self._seen: list[Floats] = []

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image to all ten neurons once per epoch, on all cores."""
        patterns, _ = self.spikes["train"]
        stopped = False

        def end_epoch(end: Any = None) -> bool:
            nonlocal stopped
            if end is not None:
                self.weights = end.weights
            self._seen.append(self.weights)
            stopped = after_epoch()
            return stopped

        results = self.trainer.fit_many(
            self.weights,
            patterns,
            self.targets,
            seeds=[self._seed] * mnist.DIGITS,
            threads=available_cores(),
            on_epoch=end_epoch,
        )
        raise_if_interrupted(results)
        # Neurons that have learned all images stay as they are, but count as trained to the end.
        while not stopped and len(self._seen) < epochs:
            end_epoch()

    def accuracies(self, part: str, other_ties: Sequence[str] = ()) -> list[float]:
        """Return the shares of right digits, by the weights or their mean over recent epochs."""
        from linspike.estimators.classes.readout import Reader

        weights = self.weights
        if self._average:
            weights = np.mean(self._seen[len(self._seen) // 2 :], axis=0)
        patterns, digits = self.spikes[part]
        reader = Reader(self.trainer.neuron, weights, self.trainer.until, available_cores())
        if not other_ties:
            return [float((self._code.decide(reader, patterns) == digits).mean())]
        counts = self._code.scores(reader, patterns)
        first = counts.argmax(axis=1) == digits
        return [float(first.mean()), *(judge_ties(counts, digits, ties) for ties in other_ties)]


def judge_ties(counts: Floats, digits: Ints, ties: str) -> float:
    """Return the share of images whose own digit is among those with most spikes."""
    most = counts.max(axis=1)
    right = counts[np.arange(len(digits)), digits] == most
    if ties == mnist.AMONG_SPIKING:
        right &= most > 0.0
    return float(right.mean())


class SigmoidOutputs:
    """Ten sigmoid outputs on the activations themselves, in the same order of presentation."""

    def __init__(self, cell: MnistCell, seed: int) -> None:
        self._parts = load_parts(cell, seed)
        activations, digits = self._parts["train"]
        self._settings, self._seed = cell.settings, seed
        self._weights = np.zeros((mnist.DIGITS, activations.shape[1] + 1))
        self._order = np.arange(len(digits))

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image once an epoch."""
        eta, noise = self._settings["eta"], self._settings["noise"]
        activations, digits = self._parts["train"]
        for epoch in range(epochs):
            shuffle(self._order, self._seed, epoch)
            noise_seed = self._seed * 1000 + epoch
            learn_rates(self._weights, activations, digits, self._order, eta, noise, noise_seed)
            if after_epoch():
                break

    def accuracies(self, part: str, other_ties: Sequence[str] = ()) -> list[float]:
        """Return the share of images whose own digit has the highest rate."""
        activations, digits = self._parts[part]
        drives = activations @ self._weights[:, :-1].T.astype(np.float32) + self._weights[:, -1]
        return [float((drives.argmax(axis=1) == digits).mean())]


def learn(cell: MnistCell, outputs: Outputs) -> Record:
    """Return the accuracy in percent of every part after every epoch.

    That under another reading of ties has the part's name followed by that of the reading. With
    held images, learning stops after `patience` epochs without a better accuracy on them.
    """
    from linspike.estimators.monitor import BestWeights

    names = {part: [part, *(f"{part}, {ties}" for ties in cell.other_ties)] for part in cell.parts}
    curves: dict[str, list[float]] = {name: [] for own in names.values() for name in own}
    best = BestWeights(cell.patience)

    def add_accuracies() -> bool:
        for part, own in names.items():
            shares = outputs.accuracies(part, cell.other_ties)
            for name, share in zip(own, shares, strict=True):
                curves[name].append(100.0 * share)
        return bool(cell.held) and best.update(curves["held"][-1], np.empty(0))

    outputs.train(cell.epochs, add_accuracies)
    return curves


def trials(cell: MnistCell, seeds: Sequence[int]) -> list[Record]:
    """Learn, and test after every epoch."""
    kind = SigmoidOutputs if cell.rule == mnist.RATES else SpikingOutputs
    return [learn(cell, kind(cell, seed)) for seed in seeds]
