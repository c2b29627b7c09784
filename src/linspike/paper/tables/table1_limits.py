"""Table 1's limit: how much any weights can learn, found by `solve_task` on the rules' own tasks.

"exact limit": spikes at the desired times, decided for every task. "found within 1 ms": spikes
anywhere within 1 ms, as the strict criterion asks, by `solve_task` or by DTA on the same task; what
is not found may exist, so that this is a lower bound. `solve_task` sees all patterns at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from linspike.constraints import solve_task
from linspike.paper.common.capacity_cells import EncodingCell
from linspike.paper.common.capacity_rows import collect_outcomes
from linspike.paper.common.methods import PROJECTION
from linspike.paper.tables.table1_methods import LOAD_MS, STRICT
from linspike.spikes.targets import SpikeTimes
from linspike.study.analysis.capacity import find_half_point
from linspike.study.cells import Record, Trial
from linspike.study.rows import Row, RowKey

SOLVER = "solve_task"  # in place of the key of a rule
LIMIT, FOUND = "exact limit", "found within 1 ms (lower bound)"
SHARE = "share of the exact limit"
WITHIN_MS = 1.0  # as the strict criterion
START = 1.5  # of the bound, where the search begins
SECONDS = {LIMIT: 1.5, FOUND: 8.0}


def limit_rows(scale: str, scenario: str, n_channels: int) -> list[EncodingCell]:
    """Return both rows of a scenario, at no load yet."""
    rows = (
        (RowKey(scenario, LIMIT), "exact", 0.0),
        (RowKey(scenario, FOUND, STRICT), STRICT, WITHIN_MS),
    )
    return [
        EncodingCell(
            scale=scale,
            row=row,
            rule=SOLVER,
            settings={"tolerance": tolerance, "objective": "feasible"},
            n_channels=n_channels,
            max_epochs=0,
            criterion=criterion,
            task=scenario,
        )
        for row, criterion, tolerance in rows
    ]


def is_limit(cell: EncodingCell) -> bool:
    """Return whether a cell's tasks are solved, not learned."""
    return cell.rule == SOLVER


def solve_tasks(cell: EncodingCell, seeds: Sequence[int]) -> list[Record]:
    """Solve one task per seed; "learned" counts those with weights, "decided" also refused ones."""
    return [_solve(cell, seed) for seed in seeds]


def _solve(cell: EncodingCell, seed: int) -> Record:
    _, patterns, targets = cell.make_task(seed)
    assert isinstance(targets, SpikeTimes)
    bounds = cell.weight_bounds()
    found = solve_task(cell.make_neuron(), patterns, targets, weight_bounds=bounds, **cell.settings)
    return {
        "learned": found.solvable is True,
        "decided": found.solvable is not None,
        "margin": float(found.margin) if math.isfinite(found.margin) else None,
        "rounds": int(found.rounds),
    }


def add_learned(trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials, with those of DTA among what was found within 1 ms.

    A task that DTA learned strictly is found, also at loads at which none was solved.
    """
    found = {_task_of(trial): trial for trial in trials if trial.cell.row.method == FOUND}
    cells = {trial.cell.task: trial.cell for trial in found.values()}
    for trial in trials:
        cell = cells.get(trial.cell.task)
        if cell is None or trial.cell.row != RowKey(cell.task, PROJECTION, STRICT):
            continue
        learned = trial.record["learned"]
        own = found.get(_task_of(trial))
        if own is None or (learned and not own.record["learned"]):
            record = {"learned": learned, "decided": learned}
            found[_task_of(trial)] = Trial(cell.but(load=trial.cell.load), trial.seed, record)
    others = [trial for trial in trials if trial.cell.row.method != FOUND]
    return [*others, *found.values()]


def _task_of(trial: Trial) -> tuple[str, int, int]:
    return trial.cell.task, trial.cell.load, trial.seed


def describe_limit(trials: Sequence[Trial]) -> str:
    """Return what a row counts, and the share of its trials that were not decided."""
    tolerance = trials[0].cell.settings["tolerance"]
    records = [trial.record for trial in trials]
    undecided = sum(not record["decided"] for record in records) / len(records)
    if tolerance:
        return (
            f"tasks with weights that a simulation confirms, every spike within {tolerance:g} ms, "
            f"by solve_task or by {PROJECTION}; a lower bound: for {100.0 * undecided:.1f} % of "
            "the tasks none were found, which proves nothing"
        )
    text = (
        "spikes at the desired times: confirmed by simulation or refused with a proof; "
        f"{100.0 * undecided:.1f} % of the tasks undecided"
    )
    if not undecided:
        return text
    return f"{text}, counted as not solvable{_say_otherwise(trials)}"


def _say_otherwise(trials: Sequence[Trial]) -> str:
    """Return what the limit would be if all undecided tasks were solvable."""
    row = trials[0].cell.row
    taken = [
        trial._replace(record={"learned": trial.record["learned"] or not trial.record["decided"]})
        for trial in trials
    ]
    value = find_half_point(collect_outcomes(taken, row)).value
    return "" if value is None else f" (as solvable: {value * LOAD_MS[trials[0].cell.task]:.0f} ms)"


def repeat_strict(rows: Iterable[Row]) -> list[Row]:
    """Return the exact limits as rows of the strict criterion: exact times meet every criterion."""
    note = "the row without strict: spikes at the desired times meet every criterion"
    return [
        row._replace(key=row.key.but(criterion=STRICT), note=note)
        for row in rows
        if row.key.method == LIMIT
    ]


def share_rows(rows: Sequence[Row]) -> list[Row]:
    """Return capacities in per cent of the scenario's exact limit, of all rows on the same tasks.

    The interval holds those of both: the lowest capacity over the highest limit, and the reverse.
    """
    limits = {row.key.scenario: row for row in rows if row.key == RowKey(row.key.scenario, LIMIT)}
    shares = []
    for row in rows:
        limit = limits.get(row.key.scenario)
        if limit is None or row.key.method == LIMIT or row.key.variant == "no gap":
            continue
        ends = (row.value, row.lo, row.hi, limit.value, limit.lo, limit.hi)
        if None in ends:
            continue
        value, lo, hi, whole, least, most = (float(end or 0.0) for end in ends)
        strict = row.key.criterion == STRICT
        note = (
            "strict criterion: every spike within 1 ms"
            if strict
            else "the paper's criterion, which lets spikes be misplaced: above 100 % is possible"
        )
        key = row.key.but(quantity=SHARE)
        numbers = (100.0 * value / whole, 100.0 * lo / most, 100.0 * hi / least)
        shares.append(Row(key, *numbers, row.n, "%", note))
    return shares
