"""Figure 4: desired times for a desired count, by moving the threshold.

A neuron with two spikes. Lowering the threshold, and with it the reset, until there is one spike
more says where a further spike would cost least; raising it until there is one less says which
spike is held most loosely. The spikes at that threshold are the desired times of the next step.

Differs from the paper: the pattern is ours. The critical thresholds, between which halving may stop
anywhere, are given beside the ones it found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern
from linspike.study.experiment import (
    Cell,
    Experiment,
    Line,
    Mark,
    Panel,
    Record,
    Row,
    Summary,
    Trial,
    one_seed,
)

# Three bumps of V: a strong one, one that just fails, one that just fires.
PATTERN = Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)
WEIGHTS = np.array([1.5, 0.85, 0.95])
TOP = 10.0  # the search goes up to this many thresholds
MOST_HALVINGS = 60


def halve(neuron: SRM, weights: Floats, pattern: Pattern, goal: int) -> list[float]:
    """Thresholds that interval halving tries; the last is the first with exactly `goal` spikes."""
    count = len(neuron.respond(weights, pattern))
    low, high = (0.0, neuron.threshold) if goal > count else (neuron.threshold, TOP)
    tried: list[float] = []
    while count != goal and len(tried) < MOST_HALVINGS:
        tried.append(0.5 * (low + high))
        count = len(replace(neuron, threshold=tried[-1]).respond(weights, pattern))
        low, high = (tried[-1], high) if count > goal else (low, tried[-1])
    return tried


def cells(scale: str, done: Sequence[Trial]) -> list[Cell]:
    """The neuron as it is, with one spike more, and with one less."""
    return [{"scale": scale, "more": more} for more in (0, 1, -1)]


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """The threshold found, its spikes, and the critical thresholds to either side of it."""
    neuron = SRM()
    goal = len(neuron.respond(WEIGHTS, PATTERN)) + cell["more"]
    tried = halve(neuron, WEIGHTS, PATTERN, goal) if cell["more"] else []
    threshold = tried[-1] if tried else neuron.threshold
    critical = [neuron.critical_threshold(WEIGHTS, PATTERN, k).value for k in (goal, goal + 1)]
    record: Record = {
        "threshold": threshold,
        "halvings": len(tried),
        "spikes": replace(neuron, threshold=threshold).respond(WEIGHTS, PATTERN).times.tolist(),
        "most": critical[0],
        "least": critical[1],
    }
    return [dict(record) for _ in seeds]


def _panel(title: str, record: Record, true_threshold: float) -> Panel:
    """V and V0 at the threshold found, with the spikes it gives."""
    neuron = SRM(threshold=record["threshold"])
    spikes = np.array(record["spikes"])
    # Just after a spike V is 0: drawn so, the reset is a vertical stroke.
    at = np.sort(np.concatenate([np.linspace(0.0, PATTERN.duration, 301), spikes, spikes + 1e-9]))
    lines = tuple(
        Line(name, at.tolist(), neuron.potential(WEIGHTS, PATTERN, at, reset=reset).tolist())
        for name, reset in (("V", True), ("V0, without resets", False))
    )
    marks = [Mark("y", true_threshold, "threshold")]
    if record["threshold"] != true_threshold:
        marks.append(Mark("y", record["threshold"], "threshold found"))
    marks += [Mark("x", t, "spike") for t in record["spikes"]]
    return Panel(title, "time (ms)", "potential", lines, marks=tuple(marks))


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Three panels; rows are the thresholds found and the interval any of them could come from."""
    by = {trial.cell["more"]: trial.record for trial in done}
    true = float(by[0]["threshold"])
    rows = [
        Row("spikes at the true threshold", float(len(by[0]["spikes"])), n=1),
        *_rows("one more", by[1]),
        *_rows("one fewer", by[-1]),
        Row("new spike", _odd_one(by[1], by[0]), n=1, unit="ms"),
        Row("lost spike", _odd_one(by[0], by[-1]), n=1, unit="ms"),
    ]
    titles = {0: "A: as it is", 1: "B: lowered, one more", -1: "C: raised, one fewer"}
    panels = tuple(_panel(title, by[more], true) for more, title in titles.items())
    note = "lo and hi are the critical thresholds: any threshold between them has this count"
    return Summary(tuple(rows), panels, (note,))


def _rows(name: str, record: Record) -> list[Row]:
    found = (record["threshold"], record["least"], record["most"])
    return [
        Row(f"threshold, {name}", *found, n=1, unit="thresholds"),
        Row(f"halvings, {name}", float(record["halvings"]), n=1),
    ]


def _odd_one(longer: Record, shorter: Record) -> float:
    """The spike of the longer train farthest from all of the shorter."""
    gaps = np.abs(np.subtract.outer(longer["spikes"], shorter["spikes"])).min(axis=1)
    return float(longer["spikes"][int(gaps.argmax())])


EXPERIMENT = Experiment(
    id="fig4",
    title="Desired times by a dynamic threshold",
    place="Figure 4",
    cells=cells,
    seeds=one_seed,
    trials=trials,
    summarise=summarise,
)
