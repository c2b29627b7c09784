"""Rows of the capacity tables: the search over loads, tuning, and the 50 % point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from linspike.paper.common.capacity_cells import CapacityCell
from linspike.paper.common.methods import PROJECTION, SCHEDULES, STEADY
from linspike.study.analysis.capacity import Search, find_half_point, next_loads
from linspike.study.cells import Record, Trial
from linspike.study.methods import Method
from linspike.study.panels import Line
from linspike.study.rows import Row, RowKey, Status

AnyCell = TypeVar("AnyCell", bound=CapacityCell)


def group_trials(trials: Iterable[Trial]) -> defaultdict[RowKey, list[Trial]]:
    """Return the trials of each row, tuning included: a table asks for every row many times."""
    found: defaultdict[RowKey, list[Trial]] = defaultdict(list)
    for trial in trials:
        found[trial.cell.row].append(trial)
    return found


def collect_outcomes(trials: Iterable[Trial], row: RowKey) -> dict[int, dict[int, bool]]:
    """Return whether the trials of a row learned, by load and seed."""
    found: dict[int, dict[int, bool]] = {}
    for trial in trials:
        if trial.cell.row == row and not trial.cell.tuning:
            found.setdefault(trial.cell.load, {})[trial.seed] = trial.record["learned"]
    return found


def search_cells(
    base: AnyCell, search: Search, trials: Sequence[Trial], n_trials: int
) -> list[AnyCell]:
    """Return the base cell at all loads tried so far and at those to try next."""
    found = collect_outcomes(trials, base.row)
    complete = {load: seeds for load, seeds in found.items() if len(seeds) >= n_trials}
    share = {load: sum(seeds.values()) / len(seeds) for load, seeds in complete.items()}
    started = [load for load in found if load not in complete]  # a run that was cut off
    loads = [*complete, *(started or next_loads(search, share))]
    return [base.but(load=load) for load in sorted(loads)]


class GridPoint(NamedTuple):
    """One setting of a tuning grid: a value of the method's parameter, and the schedule."""

    value: float
    schedule: tuple[float, float]


def list_points(method: Method) -> list[GridPoint]:
    """Return every point that tuning tries of a method, in order."""
    return [GridPoint(value, schedule) for value in method.grid for schedule in SCHEDULES]


def tuning_cells(base: AnyCell, method: Method, loads: Sequence[int]) -> list[AnyCell]:
    """Return one tuning cell for each grid point and load; base has the row to be tuned."""
    return [
        base.but(
            tuning=True,
            load=load,
            settings=method.settings_at(point.value),
            schedule=point.schedule,
        )
        for point in list_points(method)
        for load in loads
    ]


def select_point(
    tuning: Iterable[Trial], method: Method, n_trials: int, *, by_spikes: bool = False
) -> GridPoint | None:
    """Return the best grid point, or None if one of them has fewer than `n_trials` tuning trials.

    The best one learned most trials of all loads. If no point learned any, or with `by_spikes`,
    for a criterion that counts them, the one with fewest wrong spikes is next. Then fewest epochs.
    """
    found: dict[GridPoint, list[Record]] = {}
    for trial in tuning:
        cell, record = trial.cell, trial.record
        # A chain that ran away stopped early, which is no merit.
        used = record["epochs"] if record["learned"] else cell.max_epochs
        point = GridPoint(cell.settings[method.parameter], cell.schedule)
        found.setdefault(point, []).append({**record, "epochs": used})
    scores = {}
    for point in list_points(method):
        records = found.get(point, [])
        if len(records) < n_trials:
            return None
        learned = sum(record["learned"] for record in records)
        epochs = sum(record["epochs"] for record in records)
        wrong = sum(record.get("missed", 0) + record.get("extra", 0) for record in records)
        scores[point] = (learned, -wrong if by_spikes or learned == 0 else 0, -epochs)
    return max(scores, key=lambda point: scores[point])


def tuning_trials(trials: Iterable[Trial], row: RowKey) -> list[Trial]:
    """Return the tuning trials of a row."""
    return [trial for trial in trials if trial.cell.tuning and trial.cell.row == row]


def measured_rows(trials: Iterable[Trial]) -> dict[RowKey, CapacityCell]:
    """Return each row with one of its cells: our projection first, then by label."""
    cells = {trial.cell.row: trial.cell for trial in trials if not trial.cell.tuning}
    ordered = sorted(cells, key=lambda row: (row.scenario, row.method != PROJECTION, row.label))
    return {row: cells[row] for row in ordered}


def describe_setting(cell: CapacityCell) -> str:
    """Return a rule's step size or bound, and its schedule, for a note."""
    name = "eta" if "eta" in cell.settings else "bound"
    first, last = cell.schedule or cell.settings.get("schedule") or STEADY
    schedule = "" if (first, last) == STEADY else f", annealed {first:g} to {last:g}"
    return f"{name} {cell.settings[name]:g}{schedule}"


def capacity_row(
    key: RowKey, trials: Iterable[Trial], unit: str, per_load: float = 1.0, note: str = ""
) -> Row:
    """Return the 50 % point of a row, in its unit."""
    outcomes = collect_outcomes(trials, key)
    point = find_half_point(outcomes)
    value, lo, hi = (None if x is None else x * per_load for x in point[:3])
    n = max((len(seeds) for seeds in outcomes.values()), default=0)
    notes = "; ".join(part for part in (point.note, note) if part)
    status = Status.NO_RESULT if value is lo is hi is None else Status.MEASURED
    return Row(key, value, lo, hi, n, unit, notes, status)


def share_line(
    name: str, trials: Iterable[Trial], row: RowKey, per_load: float = 1.0, method: str = ""
) -> Line:
    """Return the share of trials learned against the load, in the colour of the row's method."""
    outcomes = collect_outcomes(trials, row)
    loads = sorted(outcomes)
    shares = [sum(outcomes[load].values()) / len(outcomes[load]) for load in loads]
    at = [per_load * load for load in loads]
    return Line(name, at, shares, method=method or row.method)
