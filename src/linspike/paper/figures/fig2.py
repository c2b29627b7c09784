"""Figure 2: correcting one spike moves the other.

Two inputs, two desired spikes (the toy of Figure 3). The first spike is in place, the second comes
too early. The first-error rule corrects it by LTD, which lowers both weights, so the first spike
comes late; correcting that by LTP raises V under the second as well; and so on. Each step has the
size that puts the corrected spike in its place exactly: what is left is interference alone, not
a step size.

Differs from the paper: it states neither times nor weights, so they are ours. A fourth panel shows
many small steps of the same rule, and the steps of DTA from the same weights are counted beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.paper.common.two_spikes import optimum, two_spikes
from linspike.spikes.targets import SpikeTimes
from linspike.study.cells import Cell, Record, Trial, one_seed, rule_of_cell
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey
from linspike.training.trainer import Trainer

EXACT = 1e-3  # tolerance of the exact steps
SMALL = {"eta": 0.01, "tolerance": 0.1}  # of the many small ones
NEAR = 0.5  # milliseconds within which both spikes count as corrected
FIRST_STEP, GROWTH = 0.01, 1.1  # sizes tried until one goes far enough
HALVINGS = 40
DTA_STEPS = 20
STEPS = {"smoke": 120, "laptop": 300, "paper": 300}
FIRST, SECOND = 0, 1


@dataclass(frozen=True, kw_only=True)
class CorrectionCell(Cell):
    """The toy, and how many small steps are taken.

    Parameters
    ----------
    delta : float
        Distance of the two desired spikes, in ms.
    lag : float
        From an input to its desired spike, in ms.
    excess : float
        What the second weight has above its optimum, in thresholds.
    steps : int
        Number of small steps.
    """

    delta: float
    lag: float
    excess: float
    steps: int


def cells(scale: str, done: Sequence[Trial]) -> list[CorrectionCell]:
    """Return one toy: desired spikes 15 ms apart, the second weight too large by a good third."""
    toy = CorrectionCell(scale=scale, delta=15.0, lag=5.0, excess=0.3, steps=STEPS[scale])
    return [toy]


def walk(weights: Floats, cell: CorrectionCell, rule: str, steps: int, **settings: float) -> Floats:
    """Return the weights before and after every step of a rule on the toy."""
    pattern, desired = two_spikes(cell.delta, cell.lag)
    trainer = Trainer(SRM(), rule_of_cell(rule, settings))
    return trainer.trajectory(weights, pattern, SpikeTimes([desired]), steps=steps)


def displacements(weights: Floats, cell: CorrectionCell) -> Floats:
    """Return how late the spike nearest to each desired time is."""
    pattern, desired = two_spikes(cell.delta, cell.lag)
    spikes = SRM().respond(weights, pattern).times
    if not spikes.size:  # a silent neuron: as late as can be
        return np.asarray(pattern.duration - desired, dtype=np.float64)
    late = spikes - desired[:, np.newaxis]
    nearest = np.abs(late).argmin(axis=1)
    return np.asarray(late[np.arange(desired.size), nearest], dtype=np.float64)


def correct(weights: Floats, cell: CorrectionCell) -> Floats:
    """Return the weights after the step that puts the earliest wrong spike in its place."""
    before = displacements(weights, cell)
    which = FIRST if abs(before[FIRST]) > EXACT else SECOND

    def stepped(eta: float) -> Floats:
        _, after = walk(weights, cell, "first_error", 1, eta=eta, tolerance=EXACT)
        return np.asarray(after, dtype=np.float64)

    def is_short(eta: float) -> bool:
        return bool(displacements(stepped(eta), cell)[which] * before[which] > 0.0)

    # From below and in small strides: a far larger step loses the first spike, and with it the
    # reset, which brings the second back to the side it came from.
    high = FIRST_STEP
    while is_short(high):
        high *= GROWTH
    low = 0.0
    for _ in range(HALVINGS):
        eta = 0.5 * (low + high)
        low, high = (eta, high) if is_short(eta) else (low, eta)
    return stepped(high)


def trials(cell: CorrectionCell, seeds: Sequence[int]) -> list[Record]:
    """Return the two exact steps of panels B and C, the small steps of D, and those of DTA."""
    start = optimum(SRM(), cell.delta, cell.lag) + np.array([0.0, cell.excess])
    corrected = correct(start, cell)
    exact = [start, corrected, correct(corrected, cell)]
    small = walk(start, cell, "first_error", cell.steps, **SMALL)
    late = np.array([displacements(weights, cell) for weights in small])
    dta = [displacements(weights, cell) for weights in walk(start, cell, "dta", DTA_STEPS)]
    record: Record = {
        "weights": np.ravel(exact).tolist(),
        "moved": np.ravel([displacements(weights, cell) for weights in exact]).tolist(),
        "first": late[:, FIRST].tolist(),
        "second": late[:, SECOND].tolist(),
        "small_steps": steps_needed(late),
        "dta_steps": steps_needed(np.array(dta)),
    }
    return [dict(record) for _ in seeds]


def steps_needed(late: Floats) -> int:
    """Return the step from which on both spikes are near; the number of rows if never."""
    far = np.flatnonzero(np.abs(late).max(axis=1) > NEAR)
    return int(far[-1]) + 1 if far.size else 0


def _potential_panel(title: str, weights: Floats, cell: CorrectionCell) -> Panel:
    neuron = SRM()
    pattern, desired = two_spikes(cell.delta, cell.lag)
    # Just after a spike V is 0: drawn so, the reset is a vertical stroke.
    spikes = neuron.respond(weights, pattern).times
    at = np.sort(np.concatenate([np.linspace(0.0, 60.0, 241), spikes, spikes + 1e-9]))
    line = Line("V", at.tolist(), neuron.potential(weights, pattern, at).tolist())
    marks = [Mark("y", neuron.threshold, "threshold")]
    marks += [Mark("x", float(t), "desired") for t in desired]
    marks += [Mark("x", float(t), "input") for t in pattern.times]
    return Panel(title, "time (ms)", "V (thresholds)", (line,), marks=tuple(marks))


def _row(quantity: str, value: float, unit: str = "") -> Row:
    return Row(RowKey(quantity=quantity), float(value), n=1, unit=unit)


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Return panels A to D, and how far each exact step moved the spike it did not correct."""
    cell, _, record = done[0]
    moved = np.reshape(record["moved"], (3, 2))
    path = np.reshape(record["weights"], (3, 2))
    by = np.diff(moved, axis=0)
    rows = (
        _row("second spike moved by its own correction", by[0, SECOND], "ms"),
        _row("first spike moved by correcting the second", by[0, FIRST], "ms"),
        _row("second spike moved by correcting the first", by[1, SECOND], "ms"),
        _row("first-error steps until both are near", record["small_steps"]),
        _row("dta steps until both are near", record["dta_steps"]),
    )
    titles = ("A: the problem", "B: second corrected by LTD", "C: first corrected by LTP")
    panels = [_potential_panel(title, path[i], cell) for i, title in enumerate(titles)]
    steps = list(range(len(record["first"])))
    lines = tuple(Line(f"{name} spike", steps, record[name]) for name in ("first", "second"))
    marks = (Mark("y", 0.0, "desired"),)
    panels.append(Panel("D: many small steps", "steps", "late by (ms)", lines, marks=marks))
    notes = (
        "B and C: every step is as large as it must be to correct its spike exactly",
        f"near is within {NEAR} ms; first error with {SMALL}, dta with its defaults",
    )
    return Summary(rows, tuple(panels), notes)


EXPERIMENT = Experiment(
    Heading("fig2", "Figure 2", "Correcting one spike moves the other"),
    Protocol(CorrectionCell, cells, one_seed, trials, summarise),
)
