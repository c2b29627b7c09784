"""MNIST as the paper learns it: what table 4 and figures 9 and 10 share.

Frozen filters turn an image into 864 activations, these into first spikes within 50 ms, and ten
neurons learn to respond to their own digit with ten spikes. Trial k takes the k-th of ten sets of
filters; weights and order of presentation depend on the trial alone, so all rules start alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from linspike.paper.common.methods import baseline, linear_program, projection, tuning_seeds
from linspike.study.analysis.learning_curves import best_cell
from linspike.study.cells import RuleCell, Trial
from linspike.study.methods import TUNED, Method

CNN, RATES = "CNN", "rates"
DIGITS = 10
TRAINING_IMAGES = 60_000
VALIDATION = 10_000  # the last of the training images, where settings are chosen
TUNING_EPOCHS = 5
PAPERS_ETA = 0.001
# Right where the own digit is among those with most spikes; or only if one of them has any.
AMONG, AMONG_SPIKING = "among", "among, not silent"
OTHER_TIES = (AMONG, AMONG_SPIKING)
DIVIDED = "activations / largest"  # variant of rows, of training
ETAS = (0.001, 0.003, 0.01, 0.03, 0.1)  # the paper's and larger ones: smaller are worse
BOUNDS = (0.03, 0.1, 0.3, 1.0, 3.0)


class Size(NamedTuple):
    """Images, epochs and trials of the rows, and of what is tried on validation images."""

    images: int
    tests: int
    epochs: int
    trials: int
    tuning: int = 0  # trials of a setting
    tuning_images: int = 0
    changes: int = 0  # trials of a change


SIZES = {
    "smoke": Size(images=300, tests=200, epochs=2, trials=1),
    "laptop": Size(10_000, 10_000, epochs=10, trials=3, tuning=1, tuning_images=5_000, changes=1),
    "paper": Size(60_000, 10_000, epochs=20, trials=10, tuning=1, tuning_images=50_000, changes=3),
}

METHODS = (
    linear_program(fallback_step=PAPERS_ETA, fallback_per="row").but(
        common=PAPERS_ETA, grid=(0.002, 0.006, 0.02, 0.06, 0.2)
    ),
    projection().but(common=0.3, grid=BOUNDS),
    baseline("EMLC", "emlc").but(common=PAPERS_ETA, grid=ETAS),
    baseline("MST", "mst").but(common=PAPERS_ETA, grid=ETAS),
)
BASELINES = ("EMLC", "MST")
# The network without spikes: the paper states neither its step size nor what its noise is added to.
REFERENCE = Method(CNN, RATES, {"noise": 0.1}, "eta", 0.003, (0.0003, 0.001, 0.003, 0.01, 0.03))


@dataclass(frozen=True, kw_only=True)
class MnistCell(RuleCell):
    """Ten outputs that learn digits. The defaults are the paper's protocol.

    Parameters
    ----------
    epochs, images, tests : int
        Epochs of training, images to learn, images to test on.
    held : int
        Training images held back for early stopping.
    patience : int
        Epochs without a better accuracy on held images after which learning stops.
    validation : bool
        Whether to test on the last training images in place of test images.
    spikes : int
        Desired number of spikes of a neuron for its own digit.
    duration, horizon : float
        Time of the input spikes, and time after it in which neurons may respond (ms).
    filters : str
        Network whose filters are taken, see `shipped_filters`.
    activation : float, str or None
        Activation of the earliest spike, see `LatencyEncoder`: a number, None for the largest in
        training, "image" for the largest of each image. "unclipped": 1 spikes at time 0, and larger
        ones before it.
    tau_m, tau_s : float
        Membrane and synaptic time constants (ms).
    target, ties : str
        As of `SpikeClassifier`.
    other_ties : tuple of str
        Other readings of equal counts under which responses are judged too, of `OTHER_TIES`.
    decay_rate : float
        Steps of epoch e, counted from 0, are 1/(1 + decay_rate e) of the rule's.
    average : bool
        Whether to test the mean of the weights over the second half of the epochs so far.
    """

    epochs: int
    images: int
    tests: int
    held: int = 0
    patience: int = 0
    validation: bool = False
    spikes: int = 10
    duration: float = 50.0
    horizon: float = 0.0
    filters: str = "relu"
    activation: float | str | None = 1.0
    tau_m: float = 20.0
    tau_s: float = 5.0
    target: str = "exact"
    ties: str = "paper"
    other_ties: tuple[str, ...] = ()
    decay_rate: float = 0.0
    average: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts of the images whose accuracy is recorded."""
        return ("train", "held", "test") if self.held else ("train", "test")


def make_cell(scale: str, method: Method, size: Size, value: float | None = None) -> MnistCell:
    """Return a method under the paper's protocol, at its common setting or at another value."""
    return MnistCell(
        scale=scale,
        epochs=size.epochs,
        images=size.images,
        tests=size.tests,
        **method.cell_fields(value),
    )


AT_LEAST: dict[str, Any] = {"target": "at_least", "ties": "graded"}
SLOW = "slow"
# How to encode and to read: as the paper does; few spikes, on stronger activations; and a
# membrane slow enough that V follows all activations at once, with hardly any spikes.
CODINGS: dict[str, dict[str, Any]] = {
    "ten spikes": {**AT_LEAST, "spikes": 10, "activation": None},
    "few spikes": {**AT_LEAST, "spikes": 3, "activation": 2.0},
    SLOW: {**AT_LEAST, "spikes": 2, "activation": 4.0, "tau_m": 200.0, "tau_s": 50.0},
}


def coded_cell(scale: str, method: Method, coding: str, value: float | None = None) -> MnistCell:
    """Return a method at one value, tested on validation images; coding "" is the paper's."""
    size = SIZES[scale]._replace(epochs=TUNING_EPOCHS, images=SIZES[scale].tuning_images)
    fields = CODINGS[coding] if coding else {}
    cell = make_cell(scale, method, size, value).but(validation=True, **fields)
    # With few spikes DTA learns better from desired times at critical thresholds.
    if coding == SLOW and method.name not in BASELINES:
        return cell.but(settings={**cell.settings, "count_target": "critical"})
    return cell


def coding_of(cell: MnistCell) -> str:
    """Return the coding of a cell; "" is the paper's."""
    if cell.target == "exact":
        return ""
    return next(
        name
        for name, fields in CODINGS.items()
        if all(getattr(cell, field) == value for field, value in fields.items())
    )


def method_cells(scale: str, trials: Sequence[Trial]) -> list[MnistCell]:
    """Return the paper's rows and the reference, tuning, and each method tuned."""
    size = SIZES[scale]
    found = [make_cell(scale, method, size).but(other_ties=OTHER_TIES) for method in METHODS]
    if not size.tuning:
        return [*found, make_cell(scale, REFERENCE, size)]
    for method in (REFERENCE, *METHODS):
        grid = tuning_grid(scale, method)
        found += grid
        best = best_cell(trials, grid, size.tuning)
        if best is not None:
            tuned = best.but(tuning=False, validation=False)
            found.append(tuned.but(epochs=size.epochs, images=size.images))
    return found


def tuning_grid(scale: str, method: Method) -> list[MnistCell]:
    """Return every setting of a method that is tried on a part of the training images."""
    codings, variant = (CODINGS, TUNED) if method is not REFERENCE else ([""], "")
    return [
        coded_cell(scale, method, coding, value).vary(variant, tuning=True)
        for coding in codings
        for value in method.grid
    ]


def seeds(scale: str, cell: MnistCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    size = SIZES[scale]
    if not cell.validation:
        return range(size.trials)
    return tuning_seeds(size.tuning if cell.tuning else size.changes)


def cost(cell: MnistCell) -> float:
    """Return the seconds of a trial on one core: activations and spikes, then presentations."""
    each = {RATES: 5e-6, "dta": 6e-5, "dta_lp": 1.8e-4, "emlc": 1e-4, "mst": 2e-4}[cell.rule]
    return 0.3 + cell.images * (2e-4 + cell.epochs * each)
