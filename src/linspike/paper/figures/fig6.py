"""Figure 6: steps until a count is learned, as the threshold grows.

One pattern is to be answered with five spikes, from weights that stay what they are while the
threshold grows. A rule whose multipliers have a size of their own needs steps in proportion to
the threshold; one whose bounds are measured in thresholds, or that has none, does not.

By the law of scale (weights, threshold) may be divided by the threshold, so a growing threshold is
the same as smaller initial weights, and as a smaller step size if that is absolute. So DTA's
constancy is a matter of the unit of its bounds, and is no more than that: the same program with
absolute bounds scales as the others do.

Differs from the paper: DTA appears with relative bounds, with absolute ones, without bounds, and as
the linear program of `DTA.paper`, whose bounds are absolute; MST is added. The paper does not
state thresholds, desired count or bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import STEADY
from linspike.rules.dta import DTA
from linspike.spikes.targets import SpikeCounts
from linspike.study.experiment import (
    Cell,
    Experiment,
    Line,
    Panel,
    Record,
    Row,
    Summary,
    Trial,
    mean_interval,
)
from linspike.study.tasks import decoding
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

COUNT = 5
MOST_STEPS = 20_000
# The absolute bound is the step size of the other rules; 1e6 is no bound at any threshold here.
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "DTA relative": ("dta", {"bound": 0.4}),
    "DTA absolute": ("dta", {"absolute": True, "bound": 0.01, "margin": 0.1}),
    "DTA unbounded": ("dta", {"absolute": True, "bound": 1e6, "margin": 0.0}),
    "DTA paper": ("dta_lp", DTA.paper().settings()),
    "EMLC": ("emlc", {"eta": 0.01}),
    "MST": ("mst", {"eta": 0.01}),
}
THRESHOLDS = {
    "smoke": (1.0, 4.0, 16.0),
    "laptop": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    "paper": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0),
}
FIT_FROM = 4.0  # below, the initial weights are a good part of what is needed
TRIALS = {"smoke": 2, "laptop": 20, "paper": 50}


def cells(scale: str, done: Sequence[Trial]) -> list[Cell]:
    """Every rule at every threshold."""
    return [
        {
            "scale": scale,
            "label": label,
            "rule": rule,
            "settings": settings,
            "threshold": threshold,
            "count": COUNT,
        }
        for label, (rule, settings) in RULES.items()
        for threshold in THRESHOLDS[scale]
    ]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """The same for all rules and thresholds."""
    return range(TRIALS[scale])


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Presentations until the count is right; with one pattern an epoch is a step."""
    rule = rule_of(cell["rule"], "fig6", **cell["settings"])
    trainer = Trainer(
        SRM(threshold=cell["threshold"]), rule, max_epochs=MOST_STEPS, schedule=STEADY
    )
    records = []
    for seed in seeds:
        weights, patterns, _ = decoding(seed, 1)
        target = SpikeCounts([cell["count"]])
        (result,) = raise_if_interrupted([trainer.fit(weights, patterns, target, seed=seed)])
        records.append({"steps": result.epochs, "converged": result.converged})
    return records


def exponent(thresholds: Sequence[float], steps: Sequence[float]) -> float:
    """Slope of log steps against log threshold."""
    # A count that is right from the start takes no step; one keeps the logarithm finite.
    logs = np.log(np.maximum(steps, 1.0))
    return float(np.polyfit(np.log(thresholds), logs, 1)[0])


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """An exponent per rule, the mean over seeds; and the steps themselves."""
    rows, lines = [], []
    for label in RULES:
        of = [trial for trial in done if trial.cell["label"] == label]
        rows.append(_exponent_row(label, of))
        lines.append(_line(label, of))
    ends = THRESHOLDS[scale][0], THRESHOLDS[scale][-1]
    rows += [
        Row(f"growth, {line.name}", line.y[-1] / line.y[0], n=TRIALS[scale], note=note)
        for line in lines
        for note in (f"steps at threshold {ends[1]:g} over those at {ends[0]:g}",)
    ]
    failed = sum(not trial.record["converged"] for trial in done)
    title = f"Steps until a pattern is answered with {COUNT} spikes"
    panel = Panel(title, "threshold", "steps", tuple(lines), log_x=True, log_y=True)
    notes = (
        "relative bounds are measured in thresholds, so by the scale law a larger threshold is "
        "only a start from smaller weights: that DTA's steps stay constant follows from the unit",
        f"exponents are fitted from threshold {FIT_FROM:g} on, where the initial weights are a "
        "small part of the way",
        f"{failed} of {len(done)} trials stopped at {MOST_STEPS} steps and count as so many",
    )
    return Summary(tuple(rows), (panel,), notes)


def _exponent_row(label: str, of: Sequence[Trial]) -> Row:
    slopes = []
    for seed in sorted({trial.seed for trial in of}):
        mine = [t for t in of if t.seed == seed and t.cell["threshold"] >= FIT_FROM]
        thresholds = [trial.cell["threshold"] for trial in mine]
        slopes.append(exponent(thresholds, [trial.record["steps"] for trial in mine]))
    return Row(f"exponent, {label}", *mean_interval(slopes), n=len(slopes))


def _line(label: str, of: Sequence[Trial]) -> Line:
    thresholds = sorted({float(trial.cell["threshold"]) for trial in of})
    groups = [[t.record["steps"] for t in of if t.cell["threshold"] == th] for th in thresholds]
    mean, lo, hi = zip(*[mean_interval(group) for group in groups], strict=True)
    # Student's interval of a few trials may reach below 0, which a logarithmic axis cannot show.
    return Line(label, thresholds, mean, np.maximum(lo, 0.5).tolist(), hi)


EXPERIMENT = Experiment(
    id="fig6",
    title="Steps to learn a count against the threshold",
    place="Figure 6",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
)
