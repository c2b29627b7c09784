"""Figure 6: steps until a count is learned, as the threshold grows.

A neuron is to respond to one pattern with five spikes, from weights that stay the same while the
threshold grows. A rule whose multipliers have a size of their own needs steps in proportion to
the threshold; one whose bounds are measured in thresholds, or that has none, does not.

By the law of scale (weights, threshold) may be divided by the threshold, so a growing threshold is
the same as smaller initial weights, and as a smaller step size if that is absolute. So DTA's
constancy is a matter of the unit of its bounds, and is no more than that: the same projection with
absolute bounds scales as the others do.

Differs from the paper: the projection appears with relative bounds, with absolute ones and without
bounds, beside the linear program of `DTA.paper`, whose bounds are absolute, and the same with all
its settings measured in thresholds; MST is added. The paper does not state thresholds, desired
count or bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike.neuron.srm import SRM
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.rules.base import STEADY
from linspike.rules.dta import DTA
from linspike.spikes.targets import SpikeCounts
from linspike.study.analysis.intervals import mean_interval
from linspike.study.cells import Record, RuleCell, Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import decoding
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

# The linear program with settings that are measured in thresholds.
RELATIVE = RowKey(method=LINEAR_PROGRAM, variant="in thresholds")
IN_THRESHOLDS = ("bound", "min_multiplier", "margin", "fallback_step")
COUNT = 5
MAX_STEPS = 20_000
# The absolute bound is the step size of the other rules; 1e6 is no bound at any threshold here.
RULES: dict[RowKey, tuple[str, dict[str, Any]]] = {
    RowKey(method=PROJECTION): ("dta", {"bound": 0.4}),
    RowKey(method=PROJECTION, variant="absolute bounds"): (
        "dta",
        {"absolute": True, "bound": 0.01, "margin": 0.1},
    ),
    RowKey(method=PROJECTION, variant="no bounds"): (
        "dta",
        {"absolute": True, "bound": 1e6, "margin": 0.0},
    ),
    RowKey(method=LINEAR_PROGRAM): ("dta_lp", DTA.paper().settings()),
    RELATIVE: ("dta_lp", DTA.paper().settings()),
    RowKey(method="EMLC"): ("emlc", {"eta": 0.01}),
    RowKey(method="MST"): ("mst", {"eta": 0.01}),
}
THRESHOLDS = {
    "smoke": (1.0, 4.0, 16.0),
    "laptop": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    "paper": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0),
}
FIT_FROM = 4.0  # below, the initial weights are a good part of what is needed
TRIALS = {"smoke": 2, "laptop": 20, "paper": 50}


@dataclass(frozen=True, kw_only=True)
class ThresholdCell(RuleCell):
    """A rule that learns a count of spikes at one threshold."""

    threshold: float
    count: int


def cells(scale: str, done: Sequence[Trial]) -> list[ThresholdCell]:
    """Return every rule at every threshold."""

    def settings_at(row: RowKey, settings: dict[str, Any], threshold: float) -> dict[str, Any]:
        scaled = IN_THRESHOLDS if row == RELATIVE else ()
        return {**settings, **{name: threshold * settings[name] for name in scaled}}

    return [
        ThresholdCell(
            scale=scale,
            row=row,
            rule=rule,
            settings=settings_at(row, settings, threshold),
            threshold=threshold,
            count=COUNT,
        )
        for row, (rule, settings) in RULES.items()
        for threshold in THRESHOLDS[scale]
    ]


def seeds(scale: str, cell: ThresholdCell) -> Sequence[int]:
    """Return the seeds of a cell, the same for all rules and thresholds."""
    return range(TRIALS[scale])


def trials(cell: ThresholdCell, seeds: Sequence[int]) -> list[Record]:
    """Return presentations until the count is right; with one pattern an epoch is a step."""
    neuron = SRM(threshold=cell.threshold)
    trainer = Trainer(neuron, cell.make_rule(), max_epochs=MAX_STEPS, schedule=STEADY)
    records = []
    for seed in seeds:
        weights, patterns, _ = decoding(seed, 1)
        target = SpikeCounts([cell.count])
        (result,) = raise_if_interrupted([trainer.fit(weights, patterns, target, seed=seed)])
        records.append({"steps": result.epochs, "converged": result.converged})
    return records


def exponent(thresholds: Sequence[float], steps: Sequence[float]) -> float:
    """Return the slope of log steps against log threshold."""
    # A count that is right from the start takes no step; one keeps the logarithm finite.
    logs = np.log(np.maximum(steps, 1.0))
    return float(np.polyfit(np.log(thresholds), logs, 1)[0])


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Return an exponent per rule, the mean over seeds; and the steps themselves."""
    ends = THRESHOLDS[scale][0], THRESHOLDS[scale][-1]
    exponents, growths, lines = [], [], []
    for row in RULES:
        mine = [trial for trial in done if trial.cell.row == row]
        if set(ends) <= {trial.cell.threshold for trial in mine}:
            line = _line(row, mine)
            exponents.append(_exponent_row(row, mine))
            growths.append(_growth_row(row, line, ends, TRIALS[scale]))
            lines.append(line)
    if not lines:
        raise NotEnoughTrials("No rule has trials at the smallest and the largest threshold.")
    failed = sum(not trial.record["converged"] for trial in done)
    title = f"Steps until the response has {COUNT} spikes"
    panel = Panel(title, "threshold", "steps", tuple(lines), log_x=True, log_y=True)
    notes = (
        "relative bounds are measured in thresholds, so by the scale law a larger threshold is "
        "only a start from smaller weights: that DTA's steps stay constant follows from the unit",
        f"exponents are fitted from threshold {FIT_FROM:g} on, where the initial weights are a "
        "small part of the way",
        f"{failed} of {len(done)} trials stopped at {MAX_STEPS} steps and count as so many",
    )
    return Summary((*exponents, *growths), (panel,), notes)


def _exponent_row(row: RowKey, done: Sequence[Trial]) -> Row:
    slopes = []
    for seed in sorted({trial.seed for trial in done}):
        mine = [t for t in done if t.seed == seed and t.cell.threshold >= FIT_FROM]
        if len(mine) > 1:  # a line needs two points; a run that was interrupted may lack them
            thresholds = [trial.cell.threshold for trial in mine]
            slopes.append(exponent(thresholds, [trial.record["steps"] for trial in mine]))
    if not slopes:
        raise NotEnoughTrials(f"{row.label} has no seed with trials at two thresholds.")
    return Row(row.but(quantity="exponent"), *mean_interval(slopes), n=len(slopes))


def _growth_row(row: RowKey, line: Line, ends: tuple[float, float], n: int) -> Row:
    note = f"steps at threshold {ends[1]:g} over those at {ends[0]:g}"
    return Row(row.but(quantity="growth"), line.y[-1] / line.y[0], n=n, note=note)


def _line(row: RowKey, done: Sequence[Trial]) -> Line:
    thresholds = sorted({float(trial.cell.threshold) for trial in done})
    groups = [[t.record["steps"] for t in done if t.cell.threshold == th] for th in thresholds]
    mean, lo, hi = zip(*[mean_interval(group) for group in groups], strict=True)
    # Student's interval of a few trials may reach below 0, which a logarithmic axis cannot show.
    lower = np.maximum(lo, 0.5).tolist()
    name = row.label if row.method == LINEAR_PROGRAM or not row.variant else f"DTA, {row.variant}"
    return Line(name, thresholds, mean, lower, hi, method=row.method)


EXPERIMENT = Experiment(
    Heading("fig6", "Figure 6", "Steps to learn a count against the threshold"),
    Protocol(ThresholdCell, cells, seeds, trials, summarise),
)
