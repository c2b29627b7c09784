"""Figure 10: accuracy on MNIST, epoch by epoch.

Shows the trials of table 4 after every epoch, with the network without spikes beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from linspike.datasets.mnist import mnist_missing
from linspike.paper.common import mnist, mnist_trials
from linspike.paper.common.mnist import CNN, METHODS, OTHER_TIES, REFERENCE, MnistCell
from linspike.study.analysis.intervals import paired
from linspike.study.analysis.learning_curves import (
    Curves,
    MeanCurves,
    Statistic,
    bootstrap_row,
    first_epoch,
    first_epoch_rows,
    mean_line,
    paired_curves,
    trials_of,
)
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.methods import TUNED
from linspike.study.panels import Panel
from linspike.study.rows import Row, RowKey

GOOD = 90.0  # percent
NEAR = 1.0  # points from the last epoch: where the paper would stop
# Variant, part of the images, title.
PANELS = (
    ("", "test", "Test images"),
    (TUNED, "test", "Test images, each method tuned"),
    ("", "train", "Training images"),
)


def epochs_to_last(name: str) -> Statistic:
    """Return the statistic that counts the epochs of a method to nearly its last accuracy."""
    return lambda means: first_epoch(means[name], means[name][-1] - NEAR)


def epochs_to_good(name: str) -> Statistic:
    """Return the statistic that counts the epochs of a method to good accuracy."""
    return lambda means: first_epoch(means[name], GOOD)


def points_below_cnn(name: str, epoch: int) -> Statistic:
    """Return the statistic that takes a method's accuracy from the reference's at an epoch."""

    def subtract(means: MeanCurves) -> float:
        return float(means[CNN][epoch] - means[name][epoch])

    return subtract


def claim_rows(curves: Curves, key: RowKey) -> list[Row]:
    """Return epochs to good and to nearly final accuracy, and the distance to the reference."""
    name = key.method
    found = (
        ("epochs to 1 % of the last", epochs_to_last(name), "epochs"),
        (f"epochs to {GOOD:g} %", epochs_to_good(name), "epochs"),
        ("below CNN, first epoch", points_below_cnn(name, 0), "points"),
        ("below CNN, last epoch", points_below_cnn(name, -1), "points"),
    )
    return [
        bootstrap_row(key.but(quantity=quantity), statistic, curves, unit)
        for quantity, statistic, unit in found
    ]


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return epochs of the paper's claims, first epochs, and curves, of trials all methods have."""
    rows: list[Row] = []
    panels = []
    reference = REFERENCE.key()
    for variant, part, title in PANELS:
        keys = [method.key(variant=variant) for method in METHODS]
        curves = paired_curves(trials, [*keys, reference], part)
        if not len(curves[CNN]):
            continue
        if part == "test":
            for key in keys:
                rows += claim_rows(curves, key)
            rows += first_epoch_rows(curves, keys if variant else [*keys, reference])
        lines = tuple(mean_line(name, curve) for name, curve in curves.items())
        panels.append(Panel(title, "epoch", "accuracy (%)", lines))
    rows += _tie_rows(trials)
    if not panels:
        raise NotEnoughTrials("There is no trial of figure 10 that every method has.")
    notes = (
        "Bars are standard deviations over trials, as in the paper.",
        "Tuned: as in table 4, chosen on training images alone; without a verdict.",
        "Among: a test image is right where its own digit is among those with most spikes. Among, "
        "not silent: the same, but wrong where no neuron responds.",
    )
    return Summary(tuple(rows), tuple(panels[:1]), notes, tuple(panels[1:]))


def _tie_rows(trials: Sequence[Trial]) -> list[Row]:
    """Return the distance to the reference under other readings of equal counts."""
    rows: list[Row] = []
    reference = {trial.seed: trial.record["test"] for trial in trials_of(trials, REFERENCE.key())}
    for method, ties in product(METHODS, OTHER_TIES):
        own, part = trials_of(trials, method.key()), f"test, {ties}"
        found = {trial.seed: trial.record[part] for trial in own if part in trial.record}
        both = paired([reference, found])
        if not len(both):
            continue
        curves = {CNN: both[:, 0], method.name: both[:, 1]}
        key = method.key(variant=ties)
        rows += [row for row in claim_rows(curves, key) if row.key.quantity.startswith("below")]
    return rows


EXPERIMENT = Experiment(
    Heading("fig10", "Figure 10", "MNIST: accuracy epoch by epoch"),
    Protocol(MnistCell, mnist.method_cells, mnist.seeds, mnist_trials.trials, summarise),
    needs=mnist_missing,
    source="table4",
    batch=1,
    cost=mnist.cost,
    threaded=True,
)
