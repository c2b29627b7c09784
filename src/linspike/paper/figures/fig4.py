"""Figure 4: desired times for a desired count, by moving the threshold.

A neuron with two spikes. Lowering the threshold, and with it the reset, until there is one spike
more says where a further spike would cost least; raising it until there is one less says which
spike is held most loosely. The spikes at that threshold are the desired times of the next step.

Differs from the paper: the pattern is ours. The critical thresholds, between which halving may stop
anywhere, are given beside the ones it found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linspike._typing import Floats
from linspike.kernels.threshold.dynamic import MOST_HALVINGS, TOP
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern
from linspike.study.cells import Cell, Record, Trial, one_seed
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey

# Three bumps of V: a strong one, one that just fails, one that just fires.
PATTERN = Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)
WEIGHTS = np.array([1.5, 0.85, 0.95])


@dataclass(frozen=True, kw_only=True)
class CountCell(Cell):
    """Cell of one desired change of the count; negative for fewer spikes."""

    more: int


def halve(neuron: SRM, weights: Floats, pattern: Pattern, target_count: int) -> list[float]:
    """Return the thresholds that interval halving tries; the last is the first with the count."""
    count = len(neuron.respond(weights, pattern))
    highest = TOP * neuron.threshold
    low, high = (0.0, neuron.threshold) if target_count > count else (neuron.threshold, highest)
    tried: list[float] = []
    while count != target_count and len(tried) < MOST_HALVINGS:
        tried.append(0.5 * (low + high))
        count = len(replace(neuron, threshold=tried[-1]).respond(weights, pattern))
        low, high = (tried[-1], high) if count > target_count else (low, tried[-1])
    return tried


def cells(scale: str, done: Sequence[Trial]) -> list[CountCell]:
    """Return the neuron as it is, with one spike more, and with one less."""
    return [CountCell(scale=scale, more=more) for more in (0, 1, -1)]


def trials(cell: CountCell, seeds: Sequence[int]) -> list[Record]:
    """Return the threshold found, its spikes, and the critical thresholds to either side of it."""
    neuron = SRM()
    target_count = len(neuron.respond(WEIGHTS, PATTERN)) + cell.more
    tried = halve(neuron, WEIGHTS, PATTERN, target_count) if cell.more else []
    threshold = tried[-1] if tried else neuron.threshold
    counts = (target_count, target_count + 1)
    critical = [neuron.critical_threshold(WEIGHTS, PATTERN, count).value for count in counts]
    record: Record = {
        "threshold": threshold,
        "halvings": len(tried),
        "spikes": replace(neuron, threshold=threshold).respond(WEIGHTS, PATTERN).times.tolist(),
        "most": critical[0],
        "least": critical[1],
    }
    return [dict(record) for _ in seeds]


def _panel(title: str, record: Record, true_threshold: float) -> Panel:
    """Return V and V0 at the threshold found, with the spikes it gives."""
    neuron = SRM(threshold=record["threshold"])
    spikes = np.array(record["spikes"])
    # Just after a spike V is 0: drawn so, the reset is a vertical stroke.
    at = np.sort(np.concatenate([np.linspace(0.0, PATTERN.duration, 301), spikes, spikes + 1e-9]))
    lines = tuple(
        Line(
            name,
            at.tolist(),
            neuron.potential(WEIGHTS, PATTERN, at, reset=reset).tolist(),
            method="V",
        )
        for name, reset in (("V", True), ("V0, no resets", False))
    )
    marks = [Mark("y", true_threshold, "threshold")]
    if record["threshold"] != true_threshold:
        marks.append(Mark("y", record["threshold"], "threshold found"))
    marks += [Mark("x", t, "spike") for t in record["spikes"]]
    return Panel(title, "time (ms)", "potential", lines, marks=tuple(marks))


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Return three panels, and the thresholds found with the interval they could come from."""
    by = {trial.cell.more: trial.record for trial in done}
    if len(by) < 3:
        raise NotEnoughTrials("The dynamic threshold needs trials of all three counts.")
    true = float(by[0]["threshold"])
    rows = [
        _row("spikes at the true threshold", len(by[0]["spikes"])),
        *_rows("one more", by[1]),
        *_rows("one fewer", by[-1]),
        _row("new spike", _odd_one(by[1], by[0]), "ms"),
        _row("lost spike", _odd_one(by[0], by[-1]), "ms"),
    ]
    titles = {0: "A: as it is", 1: "B: lowered, one more", -1: "C: raised, one fewer"}
    panels = tuple(_panel(title, by[more], true) for more, title in titles.items())
    note = "lo and hi are the critical thresholds: any threshold between them has this count"
    return Summary(tuple(rows), panels, (note,))


def _row(quantity: str, value: float, unit: str = "") -> Row:
    return Row(RowKey(quantity=quantity), float(value), n=1, unit=unit)


def _rows(name: str, record: Record) -> list[Row]:
    found = _row(f"threshold, {name}", record["threshold"], "thresholds")
    return [
        found._replace(lo=record["least"], hi=record["most"]),
        _row(f"halvings, {name}", record["halvings"]),
    ]


def _odd_one(longer: Record, shorter: Record) -> float:
    """Return the spike of the longer train farthest from all of the shorter."""
    gaps = np.abs(np.subtract.outer(longer["spikes"], shorter["spikes"])).min(axis=1)
    return float(longer["spikes"][int(gaps.argmax())])


EXPERIMENT = Experiment(
    Heading("fig4", "Figure 4", "Desired times by a dynamic threshold"),
    Protocol(CountCell, cells, one_seed, trials, summarise),
)
