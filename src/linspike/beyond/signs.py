"""Capacity for desired times when the sign of every weight is fixed, as by Dale's law.

A first share of the channels is excitatory, with weights of at least 0, the others are inhibitory.
DTA learns within these bounds; beside it the exact limit of the same tasks within the same bounds.
Tasks, loads and criterion are those of table 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linspike.paper.common.capacity_cells import EncodingCell, WeightBounds, train_chains
from linspike.paper.common.capacity_rows import (
    capacity_row,
    describe_setting,
    group_trials,
    measured_rows,
    search_cells,
    share_line,
)
from linspike.paper.tables.table1_limits import (
    LIMIT,
    SOLVER,
    describe_limit,
    is_limit,
    share_rows,
    solve_tasks,
)
from linspike.paper.tables.table1_methods import LOAD_MS, LONG, PROJECTION, SHORT, STRICT
from linspike.study.analysis.capacity import Search
from linspike.study.cells import Record, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Mark, Panel
from linspike.study.rows import RowKey
from linspike.study.tasks import Task


class Size(NamedTuple):
    """Trials a load, channels and epochs."""

    trials: int
    n_channels: int
    max_epochs: int


SIZES = {
    "smoke": Size(2, 60, 30),
    "laptop": Size(10, 500, 500),
    "paper": Size(50, 500, 500),
}
# Name of each division of the channels, and the share of them that is excitatory.
DIVISIONS = {"half excitatory": 0.5, "80 % excitatory": 0.8}
TITLES = {SHORT: "Short patterns", LONG: "One long pattern"}
START_MS = 25.0  # length of input for each channel where the search begins


@dataclass(frozen=True, kw_only=True)
class SignedCell(EncodingCell):
    """Desired times, learned or solved with weights of fixed signs.

    Parameters
    ----------
    excitatory : float
        Share of the channels whose weights are at least 0; those of the others are at most 0.
    """

    excitatory: float

    def is_excitatory(self) -> np.ndarray:
        """Return which channels are excitatory: the first ones."""
        return np.arange(self.n_channels) < round(self.excitatory * self.n_channels)

    def weight_bounds(self) -> WeightBounds:
        """Return the bounds that fix the signs."""
        excitatory = self.is_excitatory()
        return np.where(excitatory, 0.0, -np.inf), np.where(excitatory, np.inf, 0.0)

    def make_task(self, seed: int) -> Task:
        """Return the task of table 1; initial weights have the signs of their channels."""
        task = super().make_task(seed)
        size = np.abs(task.weights)
        return task._replace(weights=np.where(self.is_excitatory(), size, -size))


def _scenario(task: str, division: str) -> str:
    return f"{task}, {division}"


def _bases(scale: str) -> list[SignedCell]:
    """Return the cell of every row, at no load yet."""
    size = SIZES[scale]
    cells = []
    for task in LOAD_MS:
        for division, share in DIVISIONS.items():
            scenario = _scenario(task, division)
            learned = SignedCell(
                scale=scale,
                row=PROJECTION.key(scenario, STRICT),
                rule=PROJECTION.rule,
                settings=PROJECTION.settings_at(),
                n_channels=size.n_channels,
                max_epochs=size.max_epochs,
                criterion=STRICT,
                task=task,
                excitatory=share,
            )
            solved = learned.but(
                row=RowKey(scenario, LIMIT),
                rule=SOLVER,
                settings={"tolerance": 0.0, "objective": "feasible"},
                max_epochs=0,
                criterion="exact",
            )
            cells += [learned, solved]
    return cells


def cells(scale: str, trials: Sequence[Trial]) -> list[SignedCell]:
    """Return every load that the searches ask for."""
    size = SIZES[scale]
    own = group_trials(trials)
    found: list[SignedCell] = []
    for base in _bases(scale):
        start = int(START_MS * size.n_channels / LOAD_MS[base.task])
        search = Search(max(2, start), 1, 2, 6 * max(2, start))
        found += search_cells(base, search, own[base.row], size.trials)
    return found


def seeds(scale: str, cell: SignedCell) -> Sequence[int]:
    """Return the seeds of a cell."""
    return range(SIZES[scale].trials)


def trials(cell: SignedCell, seeds: Sequence[int]) -> list[Record]:
    """Return one record per seed: of a trained chain, or of a solved task."""
    return solve_tasks(cell, seeds) if is_limit(cell) else train_chains(cell, seeds)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return capacities in milliseconds, shares of the limit, and the share learned by load."""
    own = group_trials(trials)
    measured = measured_rows(trials)
    rows = []
    for key, cell in measured.items():
        assert isinstance(cell, SignedCell)
        note = describe_limit(own[key]) if is_limit(cell) else describe_setting(cell)
        rows.append(capacity_row(key, own[key], "ms", LOAD_MS[cell.task], note))
    rows += share_rows(rows)
    panels = tuple(_draw(task, division, trials) for task in LOAD_MS for division in DIVISIONS)
    size = SIZES[scale]
    notes = (
        f"N = {size.n_channels}, rates 0.005, {size.trials} trials a load, {size.max_epochs} "
        "epochs, strict criterion. The first channels are excitatory, with weights of at least 0, "
        "the others inhibitory.",
        "Initial weights are those of table 1 without their signs, each with the sign of its "
        "channel.",
    )
    return Summary(tuple(rows), tuple(panel for panel in panels if panel.lines), notes)


def _draw(task: str, division: str, trials: Sequence[Trial]) -> Panel:
    """Return the share of trials learned by load, of DTA and of the limit."""
    own = group_trials(trials)
    scenario = _scenario(task, division)
    lines = tuple(
        share_line(key.method, own[key], key, LOAD_MS[task])
        for key in measured_rows(trials)
        if key.scenario == scenario
    )
    labels = ("length of input (ms)", "share of trials learned")
    title = f"{TITLES[task]}, {division}"
    return Panel(title, *labels, lines, marks=(Mark("y", 0.5, "half"),), y_ends=(0.0, 1.0))


EXPERIMENT = Experiment(
    Heading("signs", "Beyond", "Capacity for desired times with weights of fixed signs"),
    Protocol(SignedCell, cells, seeds, trials, summarise),
    batch=5,
    cost=lambda cell: 1.0 if is_limit(cell) else 0.8,
)
