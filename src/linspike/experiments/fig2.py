"""Figure 2: mending one spike moves the other.

Two inputs, two wanted spikes (the toy of Figure 3). The first spike is in place, the second comes
too early. The first-error rule mends it by LTD, which lowers both weights, so the first spike
comes late; mending that by LTP raises V under the second as well; and so on. Each step is given
the size that puts the mended spike in its place exactly: what is left is interference alone, not
a step size.

Differs from the paper: it states neither times nor weights, so they are ours. A fourth panel goes
on mending, and a DTA step from the same weights stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike.experiments.base import (
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
from linspike.experiments.fig3 import optimum, toy
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.spikes.ragged import Floats
from linspike.spikes.targets import SpikeTimes
from linspike.training.trainer import Trainer

TOLERANCE = 1e-3  # a spike so near its wanted time is no error
LARGEST_STEP = 1.0
HALVINGS = 50
MENDINGS = {"smoke": 10, "laptop": 20, "paper": 20}
FIRST, SECOND = 0, 1


def cells(scale: str, done: Sequence[Trial]) -> list[Cell]:
    """One toy: wanted spikes 15 ms apart, the second weight too large by a third."""
    toy_of = {"delta": 15.0, "lag": 5.0, "excess": 0.3}
    return [{"scale": scale, **toy_of, "mendings": MENDINGS[scale]}]


def step(
    rule: str, weights: Floats, delta: float, lag: float, steps: int = 1, **settings: float
) -> Floats:
    """Weights after steps of a rule on the toy."""
    pattern, wanted = toy(delta, lag)
    trainer = Trainer(SRM(), rule_of(rule, "fig2", **settings))
    path = trainer.trajectory(weights, pattern, SpikeTimes([wanted]), steps=steps)
    return path[-1]


def displacements(weights: Floats, delta: float, lag: float) -> Floats:
    """How late the spike nearest to each wanted time is; nan where the neuron is silent."""
    pattern, wanted = toy(delta, lag)
    spikes = SRM().respond(weights, pattern).times
    if not spikes.size:
        return np.full(wanted.size, np.nan)
    late = spikes - wanted[:, np.newaxis]
    return late[np.arange(wanted.size), np.abs(late).argmin(axis=1)]


def mend(weights: Floats, delta: float, lag: float) -> Floats:
    """The first-error step whose size puts the earliest wrong spike at its wanted time."""
    before = displacements(weights, delta, lag)
    which = FIRST if abs(before[FIRST]) > TOLERANCE else SECOND
    low, high = 0.0, LARGEST_STEP
    changed = weights
    for _ in range(HALVINGS):
        eta = 0.5 * (low + high)
        changed = step("first_error", weights, delta, lag, eta=eta, tolerance=TOLERANCE)
        now = displacements(changed, delta, lag)[which]
        if now * before[which] > 0.0 and abs(now) <= abs(before[which]):  # not far enough yet
            low = eta
        else:
            high = eta
    return changed


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Weights and displacements before and after every mending, and after a step of DTA."""
    delta, lag = cell["delta"], cell["lag"]
    weights = optimum(SRM(), delta, lag) + np.array([0.0, cell["excess"]])
    path = [weights]
    for _ in range(cell["mendings"]):
        path.append(mend(path[-1], delta, lag))
    late = [displacements(w, delta, lag) for w in path]
    at_once = displacements(step("dta", weights, delta, lag, bound=3.0), delta, lag)
    record: Record = {
        "weights": np.ravel(path).tolist(),
        "first": [float(one[FIRST]) for one in late],
        "second": [float(one[SECOND]) for one in late],
        "dta": at_once.tolist(),
    }
    return [dict(record) for _ in seeds]


def _potential_panel(title: str, weights: Floats, cell: Cell) -> Panel:
    neuron = SRM()
    pattern, wanted = toy(cell["delta"], cell["lag"])
    # Just after a spike V is 0: drawn so, the reset is a vertical stroke.
    spikes = neuron.respond(weights, pattern).times
    at = np.sort(np.concatenate([np.linspace(0.0, 60.0, 241), spikes, spikes + 1e-9]))
    line = Line("V", at.tolist(), neuron.potential(weights, pattern, at).tolist())
    marks = [Mark("y", neuron.threshold, "threshold")]
    marks += [Mark("x", float(t), "wanted") for t in wanted]
    marks += [Mark("x", float(t), "input") for t in pattern.times]
    return Panel(title, "time (ms)", "V (thresholds)", (line,), marks=tuple(marks))


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Panels A to C, the mendings that follow, and what each did to the spike it did not mend."""
    cell, _, record = done[0]
    first, second = record["first"], record["second"]
    path = np.reshape(record["weights"], (-1, 2))
    rows = (
        Row("second spike, early before", -second[0], n=1, unit="ms"),
        Row("first spike moved by mending the second", first[1] - first[0], n=1, unit="ms"),
        Row("second spike moved by mending the first", second[2] - second[1], n=1, unit="ms"),
        Row("mendings until both are within 1 ms", _settled(first, second), n=1),
        Row("larger displacement after one step of dta", max(map(abs, record["dta"])), unit="ms"),
    )
    titles = ("A: the problem", "B: second mended by LTD", "C: first mended by LTP")
    panels = [_potential_panel(title, path[i], cell) for i, title in enumerate(titles)]
    steps = list(range(len(first)))
    lines = (Line("first spike", steps, first), Line("second spike", steps, second))
    panels.append(Panel("D: taking turns", "mendings", "late by (ms)", lines))
    note = "every step of the first-error rule is as large as it must be to mend its spike exactly"
    return Summary(rows, tuple(panels), (note,))


def _settled(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The mending after which both spikes stay within a millisecond, if there is one."""
    far = np.flatnonzero(np.maximum(np.abs(first), np.abs(second)) > 1.0)
    return None if far.size and far[-1] == len(first) - 1 else float(far[-1] + 1)


EXPERIMENT = Experiment(
    id="fig2",
    title="Mending one spike moves the other",
    place="Figure 2",
    cells=cells,
    seeds=one_seed,
    trials=trials,
    summarise=summarise,
)
