"""MNIST as the paper learns it: what table 4 and figures 9 and 10 share.

Frozen filters turn an image into 864 activations, these into first spikes within 50 ms, and ten
neurons learn to answer their own digit with ten spikes. Trial k takes the k-th of ten sets of
filters; weights and order of presentation depend on the trial alone, so all rules start alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from linspike._threads import available_cores
from linspike._typing import Floats, Ints
from linspike.kernels.rng import shuffle
from linspike.kernels.training.sigmoid_outputs import learn_rates
from linspike.paper.common.capacity_rows import (
    Contender,
    contender,
    make_rule,
    ours,
    papers_programme,
)
from linspike.spikes.pattern_set import PatternSet
from linspike.study.experiment import Cell, Record
from linspike.training.result import raise_if_interrupted

LP = "DTA (paper's LP)"
OURS = "DTA (ours)"
CNN, RATES = "CNN", "rates"
RIVALS = ("EMLC", "MST")
DIGITS = 10
PICTURES = 60_000  # to learn from, in all
SIZES = {
    "smoke": {"images": 300, "tests": 200, "epochs": 2, "trials": 1, "tuning": 0},
    "laptop": {
        "images": 10_000,
        "tests": 10_000,
        "epochs": 10,
        "trials": 3,
        "tuning": 1,
        "tuning_images": 5_000,
        "changes": 1,
    },
    "paper": {
        "images": 60_000,
        "tests": 10_000,
        "epochs": 20,
        "trials": 10,
        "tuning": 1,
        "tuning_images": 50_000,
        "changes": 3,
    },
}
TUNING_EPOCHS = 5
VALIDATION = 10_000  # the last of the training images, where settings are chosen
PAPERS_ETA = 0.001
STEPS = (0.001, 0.003, 0.01, 0.03, 0.1)
BOUNDS = (0.03, 0.1, 0.3, 1.0, 3.0)


def _with_steps(who: Contender) -> Contender:
    """A rule with the paper's step size for MNIST and larger ones: smaller are worse."""
    return who._replace(common=PAPERS_ETA, values=STEPS)


CONTENDERS = (
    papers_programme(LP, fallback_step=PAPERS_ETA, fallback_per="row")._replace(
        common=0.02, values=(0.002, 0.006, 0.02, 0.06, 0.2)
    ),
    ours(OURS)._replace(common=0.3, values=BOUNDS),
    _with_steps(contender("EMLC", "emlc")),
    _with_steps(contender("MST", "mst")),
)
# The network without spikes: the paper states neither its step size nor what its noise is added to.
REFERENCE = Contender(CNN, RATES, {"noise": 0.1}, "eta", 0.003, (0.0003, 0.001, 0.003, 0.01, 0.03))

# As the paper has it; what it divides activations by is not stated, and the largest one gives
# times within the 50 ms without clipping. Own digit: exactly ten spikes; the first of equals wins.
PROTOCOL: dict[str, Any] = {
    "spikes": 10,
    "duration": 50.0,
    "activation": None,
    "tau_m": 20.0,
    "tau_s": 5.0,
    "horizon": 0.0,
    "target": "exact",
    "ties": "paper",
    "decay": 0.0,
    "average": False,
    "patience": 0,
}


def base(scale: str, who: Contender, value: float, row: str, size: dict[str, int]) -> Cell:
    """A rule at one setting of its tuned parameter, under the paper's protocol."""
    return {
        "scale": scale,
        "row": row,
        "tuning": False,
        "rule": who.rule,
        "settings": {**who.settings, who.parameter: value},
        "epochs": size["epochs"],
        "images": size["images"],
        "held": 0,
        "tests": size["tests"],
        **PROTOCOL,
    }


Part = tuple[npt.NDArray[np.float32], Ints]  # activations and digits


def parts_of(cell: Cell) -> tuple[str, ...]:
    """Parts of a trial: to learn from, held back to stop by (if any), to be tested on."""
    return ("train", "held", "test") if cell["held"] else ("train", "test")


def part_of(cell: Cell, seed: int) -> dict[str, Part]:
    """Images of a trial as activations.

    The last training images are set aside: in tuning to be tested on, so that test images are
    never looked at, or to stop by.
    """
    from linspike.datasets import load_mnist, shipped_filters

    filters = shipped_filters()[seed % len(shipped_filters())]

    def activations(images: Any, digits: Ints) -> Part:
        return filters.features(images), digits

    images, digits = load_mnist("train")
    aside = len(images) - (VALIDATION if cell["tuning"] else cell["held"])
    learn = min(cell["images"], aside)
    found = {"train": activations(images[:learn], digits[:learn])}
    last = images[aside:][: cell["tests"]], digits[aside:][: cell["tests"]]
    if cell["held"]:
        found["held"] = activations(*last)
    if cell["tuning"]:
        found["test"] = activations(*last)
    else:
        images, digits = load_mnist("test")
        found["test"] = activations(images[: cell["tests"]], digits[: cell["tests"]])
    return found


class Learner(Protocol):
    """What learns the images of a trial, epoch by epoch."""

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image once an epoch, until `after_epoch` returns True."""
        ...

    def accuracy(self, part: str) -> float:
        """Share of right answers in a part of the trial."""
        ...


class _Last:
    """The spikes made last: trials that differ in their rule alone share them."""

    key: tuple[Any, ...] = ()
    spikes: ClassVar[dict[str, tuple[PatternSet, Ints]]] = {}


def spikes_of(cell: Cell, seed: int) -> dict[str, tuple[PatternSet, Ints]]:
    """Images of a trial as first spikes; activations are let go of once they are spikes."""
    from linspike.encoders.latency import LatencyEncoder

    names = ("images", "tests", "held", "tuning", "duration", "activation")
    key = (seed, *(cell[name] for name in names))
    if key != _Last.key:
        _Last.key, _Last.spikes = (), {}  # before the next are made: memory
        part = part_of(cell, seed)
        encoder = LatencyEncoder(cell["duration"], cell["activation"]).fit(part["train"][0])
        for name in list(part):
            activations, digits = part.pop(name)
            _Last.spikes[name] = encoder.transform(activations), digits
        _Last.key = key
    return _Last.spikes


class Spiking:
    """Ten neurons on first spikes."""

    def __init__(self, cell: Cell, seed: int) -> None:
        from linspike.estimators.readout import CountCode
        from linspike.neuron.srm import SRM
        from linspike.training import Inverse, Trainer, initial_weights

        self.spikes = spikes_of(cell, seed)
        self._seed = seed
        neuron = SRM(tau_m=cell["tau_m"], tau_s=cell["tau_s"])
        at_least = cell["target"] == "at_least"
        self.trainer = Trainer(
            neuron,
            make_rule(cell),
            max_epochs=cell["epochs"],
            at_least=at_least,
            until=cell["duration"] + cell["horizon"],
            schedule=Inverse(cell["decay"]),
        )
        patterns, digits = self.spikes["train"]
        self.weights = initial_weights(neuron, DIGITS, patterns.n_channels, seed)
        self._code = CountCode(DIGITS, cell["spikes"], at_least, cell["ties"] == "graded")
        self.targets = self._code.targets(digits)
        self._average = cell["average"]
        self._seen: list[Floats] = []

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image to all ten neurons once an epoch, on all cores."""
        patterns, _ = self.spikes["train"]

        def end_epoch(end: Any = None) -> bool:
            if end is not None:
                self.weights = end.weights
            self._seen.append(self.weights)
            return after_epoch()

        results = self.trainer.fit_many(
            self.weights,
            patterns,
            self.targets,
            seeds=[self._seed] * DIGITS,
            threads=available_cores(),
            on_epoch=end_epoch,
        )
        raise_if_interrupted(results)
        # Neurons that have learned all images stay as they are, but count as trained to the end.
        stopped = any(result.reason.startswith("stopped") for result in results)
        while not stopped and len(self._seen) < epochs:
            stopped = end_epoch()

    def accuracy(self, part: str) -> float:
        """By the weights as they are, or by their mean over the second half of the epochs."""
        from linspike.estimators.readout import Reader

        weights = self.weights
        if self._average:
            weights = np.mean(self._seen[len(self._seen) // 2 :], axis=0)
        patterns, digits = self.spikes[part]
        reader = Reader(self.trainer.neuron, weights, self.trainer.until, available_cores())
        return float((self._code.decide(reader, patterns) == digits).mean())


class Rates:
    """Ten sigmoid outputs on the activations themselves, in the same order of presentation."""

    def __init__(self, cell: Cell, seed: int) -> None:
        self._parts = part_of(cell, seed)
        activations, digits = self._parts["train"]
        self._settings, self._seed = cell["settings"], seed
        self._weights = np.zeros((DIGITS, activations.shape[1] + 1))
        self._order = np.arange(len(digits))

    def train(self, epochs: int, after_epoch: Callable[[], bool]) -> None:
        """Present every image once an epoch."""
        for epoch in range(epochs):
            shuffle(self._order, self._seed, epoch)
            how = self._settings["eta"], self._settings["noise"], self._seed * 1000 + epoch
            learn_rates(self._weights, *self._parts["train"], self._order, *how)
            if after_epoch():
                break

    def accuracy(self, part: str) -> float:
        """The output with the highest rate names the digit."""
        activations, digits = self._parts[part]
        drives = activations @ self._weights[:, :-1].T.astype(np.float32) + self._weights[:, -1]
        return float((drives.argmax(axis=1) == digits).mean())


def learned(cell: Cell, learner: Learner) -> Record:
    """Accuracy in percent of every part after every epoch.

    With images held back, learning ends when `patience` epochs brought nothing better on them.
    """
    from linspike.estimators.monitor import BestWeights

    curves: dict[str, list[float]] = {part: [] for part in parts_of(cell)}
    best = BestWeights(cell["patience"])

    def add_accuracies() -> bool:
        for part, curve in curves.items():
            curve.append(100.0 * learner.accuracy(part))
        return bool(cell["held"]) and best.update(curves["held"][-1], np.empty(0))

    learner.train(cell["epochs"], add_accuracies)
    return curves


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Learn, and be tested after every epoch."""
    kind = Rates if cell["rule"] == RATES else Spiking
    return [learned(cell, kind(cell, seed)) for seed in seeds]
