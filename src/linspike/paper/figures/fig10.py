"""Figure 10: accuracy on MNIST, epoch by epoch.

The trials of table 4 looked at after every epoch, with the network without spikes beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linspike.paper.common import mnist
from linspike.paper.common.mnist import CNN, CONTENDERS, LP, OURS, RIVALS
from linspike.paper.tables import table4
from linspike.study.experiment import Cell, Experiment, Panel, Row, Summary, Trial, percent_interval
from linspike.study.analysis.learning_curves import (
    Curves,
    Means,
    Question,
    answered,
    curves_of,
    first_epoch,
    line_of,
)

GOOD = 90.0  # percent
NEAR = 1.0  # points from the last epoch: where the paper would stop
# What the paper calls DTA is its program here; ours stands beside it.
NAMED = {LP: "DTA", OURS: "DTA, ours", **{rival: rival for rival in RIVALS}}
PANELS = (
    ("", "test", "Test images, the paper's step size"),
    ("best: ", "test", "Test images, each rule at its best"),
    ("", "train", "Training images, the paper's step size"),
)


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """The rows of table 4 that are tested: its tuning, too, as the best are found by it."""
    return [
        cell
        for cell in table4.cells(scale, trials)
        if not cell["row"].startswith((table4.CHANGE, "stopped early: ", "kept: "))
    ]


def _near(who: str) -> Question:
    return lambda means: first_epoch(means[who], means[who][-1] - NEAR)


def _good(who: str) -> Question:
    return lambda means: first_epoch(means[who], GOOD)


def _gap(who: str, epoch: int) -> Question:
    def gap(means: Means) -> float:
        return float(means[CNN][epoch] - means[who][epoch])

    return gap


def _claims(variant: str, curves: Curves) -> list[Row]:
    """Epochs to good and to nearly final accuracy, and the distance to the reference."""
    rows = []
    for who, name in NAMED.items():
        row = f"{variant}{who}"
        first, _, more = name.partition(", ")
        rest = f", {more}" if more else ""
        asked: dict[str, tuple[Callable[[str], Question], str]] = {
            f"{variant}epochs to 1 % of the last, {name}": (_near, "epochs"),
            f"{variant}epochs to {GOOD:g} %, {name}": (_good, "epochs"),
            f"{variant}CNN over {first}, first epoch{rest}": (lambda who: _gap(who, 0), "points"),
            f"{variant}CNN over {first}, last epoch{rest}": (lambda who: _gap(who, -1), "points"),
        }
        for label, (make, unit) in asked.items():
            rows.append(answered(label, make(row), curves, unit))
    return rows


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Epochs of the paper's claims, first epochs, and the curves; of trials that all rules have."""
    rows: list[Row] = []
    panels = []
    for variant, part, title in PANELS:
        names = [*(f"{variant}{who.name}" for who in CONTENDERS), CNN]
        curves = curves_of(trials, names, part)
        if not len(curves[CNN]):
            continue
        if part == "test":
            rows += _claims(variant, curves)
            for who, curve in curves.items():
                if who != CNN or not variant:
                    about = percent_interval(curve[:, 0])
                    rows.append(Row(f"first epoch, {who}", *about, n=len(curve), unit="%"))
        lines = tuple(line_of(who.removeprefix(variant), curve) for who, curve in curves.items())
        panels.append(Panel(title, "epoch", "accuracy (%)", lines))
    if not panels:
        return Summary(notes=("No trial is there for every rule yet.",))
    notes = (
        "Bars are standard deviations over trials, as in the paper.",
        "best: as in table 4, chosen on training images alone; given no verdict.",
    )
    return Summary(tuple(rows), tuple(panels), notes)


EXPERIMENT = Experiment(
    id="fig10",
    title="MNIST: accuracy epoch by epoch",
    place="Figure 10",
    cells=cells,
    seeds=table4.seeds,
    trials=mnist.trials,
    summarise=summarise,
    needs=table4.missing,
    source="table4",
    batch=1,
    cost=table4.cost,
    threaded=True,
)
