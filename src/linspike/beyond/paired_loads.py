"""Loads in equal steps, the same tasks for every method, and capacities of single seeds.

A search stops near the half point of one method; a paired test needs for each seed what every
method learns of it, so loads are tried from where nearly all is learned to where nearly nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from linspike.paper.common.capacity_cells import CapacityCell
from linspike.paper.common.capacity_rows import collect_outcomes
from linspike.study.analysis.intervals import paired
from linspike.study.analysis.statistics import paired_difference
from linspike.study.cells import Trial
from linspike.study.rows import Row, RowKey

AnyCell = TypeVar("AnyCell", bound=CapacityCell)
NEARLY_ALL, NEARLY_NONE = 0.9, 0.1
DRAWS = 2000


class Grid(NamedTuple):
    """Loads from the first to the last; more by the same step where the ends are in between."""

    first: int
    last: int
    step: int
    highest: int


def grid_cells(base: AnyCell, grid: Grid, trials: Sequence[Trial], n_trials: int) -> list[AnyCell]:
    """Return the base cell at the loads of a grid, wider by a step if its trials ask for it."""
    found = collect_outcomes(trials, base.row)
    share = {
        load: sum(seeds.values()) / len(seeds)
        for load, seeds in found.items()
        if len(seeds) >= n_trials
    }
    loads = {*found, *range(grid.first, grid.last + 1, grid.step)}
    if loads <= set(share):
        low, high = min(loads), max(loads)
        if share[low] < NEARLY_ALL and low > grid.step:
            loads.add(low - grid.step)
        if share[high] > NEARLY_NONE and high + grid.step <= grid.highest:
            loads.add(high + grid.step)
    return [base.but(load=load) for load in sorted(loads)]


def seed_capacities(trials: Sequence[Trial], row: RowKey) -> dict[int, float]:
    """Return what each seed learned: the load half a step above the last of as many as it learned.

    Loads are in equal steps, below the first all counts as learned, and a seed that learned a load
    but not a smaller one has the mean of both orders.
    """
    outcomes = collect_outcomes(trials, row)
    loads = sorted(outcomes)
    if len(loads) < 2:
        return {}
    step = loads[1] - loads[0]
    seeds = set.intersection(*(set(of_load) for of_load in outcomes.values()))
    return {
        seed: loads[0] + step * (sum(outcomes[load][seed] for load in loads) - 0.5)
        for seed in sorted(seeds)
    }


def gain_rows(
    capacities: Mapping[RowKey, dict[int, float]],
    key: RowKey,
    reference: RowKey,
    name: str,
    factors: Sequence[float] = (),
) -> list[Row]:
    """Return how many times the reference a row learns, with p of paired tests.

    Parameters
    ----------
    capacities : dict of RowKey to dict
        What each seed learned, of all rows.
    key, reference : RowKey
        The row, and that which it is set beside.
    name : str
        Name of the reference.
    factors : sequence of float
        Further tests, against so many times the reference.
    """
    columns = [capacities.get(row, {}) for row in (key, reference)]
    both = paired(columns)
    if len(both) < 2:
        return []
    own, other = both.T
    rng = np.random.default_rng(0)
    drawn = both[rng.integers(0, len(both), (DRAWS, len(both)))].mean(axis=1)
    lo, hi = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    n = len(both)
    note = f"mean load of the same {n} tasks, {own.mean():.3g} against {other.mean():.3g}"
    quantity = f"times {name}"
    ratio = float(own.mean() / other.mean())
    rows = [Row(key.but(quantity=quantity), ratio, float(lo), float(hi), n, "", note)]
    for factor in (1.0, *factors):
        tested = paired_difference(own, factor * other)
        against = name if factor == 1.0 else f"{factor:g} times {name}"
        note = f"difference {tested.mean:+.3g} ({tested.lo:+.3g} to {tested.hi:+.3g})"
        quantity = f"Wilcoxon p to {against}"
        rows.append(Row(key.but(quantity=quantity), tested.p, n=n, note=note))
    return rows
