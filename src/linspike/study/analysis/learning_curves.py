"""Accuracy over epochs: last accuracies, mean curves, and statistics of them.

A record holds one curve for each part of the data, such as "train" and "test": the accuracy in
percent after every epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from linspike._typing import Floats
from linspike.study.analysis.intervals import paired, percent_interval
from linspike.study.cells import RowCell, Trial
from linspike.study.panels import Line
from linspike.study.rows import Row, RowKey

DRAWS = 500  # of the bootstrap
Curves = dict[str, Floats]  # (trials, epochs) of each method
MeanCurves = dict[str, Floats]  # (epochs,) of each method
Statistic = Callable[[MeanCurves], float]
AnyCell = TypeVar("AnyCell", bound=RowCell)


def trials_of(trials: Sequence[Trial], row: RowKey) -> list[Trial]:
    """Return the trials of a row, without those that tuned it."""
    return [trial for trial in trials if trial.cell.row == row and not trial.cell.tuning]


def last_accuracies(trials: Sequence[Trial], row: RowKey, part: str) -> dict[int, float]:
    """Return the accuracy after the last epoch of each trial of a row, by seed."""
    return {trial.seed: trial.record[part][-1] for trial in trials_of(trials, row)}


def accuracy_rows(trials: Sequence[Trial], row: RowKey, note: str = "") -> list[Row]:
    """Return training and test accuracy of a row, none without trials; the note ends in the sd."""
    rows = []
    for part in ("train", "test"):
        found = np.array(list(last_accuracies(trials, row, part).values()))
        if found.size:
            sd = f", sd {found.std(ddof=1):.2f}" if found.size > 1 else ""
            mean = percent_interval(found)
            rows.append(Row(row.but(quantity=part), *mean, found.size, "%", f"{note}{sd}"))
    return rows


def best_cell(trials: Sequence[Trial], grid: Sequence[AnyCell], count: int) -> AnyCell | None:
    """Return the cell of a tuning grid with the highest mean accuracy, the first of equals.

    None if one of them has fewer than `count` trials.
    """
    names = [cell.digest for cell in grid]
    found: dict[str, list[float]] = {name: [] for name in names}
    for trial in trials:
        name = trial.cell.but(seed_block=grid[0].seed_block).digest
        if name in found:
            found[name].append(trial.record["test"][-1])
    if any(len(accuracies) < count for accuracies in found.values()):
        return None
    return grid[max(range(len(grid)), key=lambda number: float(np.mean(found[names[number]])))]


def paired_curves(trials: Sequence[Trial], rows: Sequence[RowKey], part: str) -> Curves:
    """Return the curves of each row's method in the trials that all rows share."""
    found = paired([{t.seed: t.record[part] for t in trials_of(trials, row)} for row in rows])
    return {row.method: found[:, number] for number, row in enumerate(rows)}


def first_epoch(mean_curve: Floats, level: float) -> float:
    """Return the first epoch, from 1, at which a mean curve reaches a level, or infinity."""
    reached = np.flatnonzero(mean_curve >= level - 1e-9)
    return float(reached[0] + 1) if reached.size else np.inf


def bootstrap_row(key: RowKey, statistic: Statistic, curves: Curves, unit: str = "epochs") -> Row:
    """Return a statistic of mean curves with its 95 % bootstrap interval.

    Every draw takes the same trials of all methods. Where the statistic is infinite, nothing
    within the epochs of the curves reached the level: the row has no value, and the last epoch as
    the lower end.
    """
    n, epochs = next(iter(curves.values())).shape
    value = statistic({method: curve.mean(axis=0) for method, curve in curves.items()})
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        drawn = rng.integers(n, size=n)
        means = {method: curve[drawn].mean(axis=0) for method, curve in curves.items()}
        draws.append(statistic(means))
    lo, hi = np.quantile(draws, [0.025, 0.975], method="inverted_cdf")
    return Row(
        key,
        value if np.isfinite(value) else None,
        lo=float(lo) if np.isfinite(lo) else float(epochs),
        hi=float(hi) if np.isfinite(hi) else None,
        n=n,
        unit=unit,
        note="" if np.isfinite(value) else f"not within {epochs} epochs",
    )


def first_epoch_rows(curves: Curves, rows: Sequence[RowKey]) -> list[Row]:
    """Return the mean accuracy of each row after the first epoch."""
    found = []
    for row in rows:
        curve = curves[row.method]
        mean = percent_interval(curve[:, 0])
        found.append(Row(row.but(quantity="first epoch"), *mean, len(curve), "%"))
    return found


def mean_line(name: str, curve: Floats) -> Line:
    """Return the mean of curves over trials, with standard deviations."""
    mean = curve.mean(axis=0)
    spread = curve.std(axis=0, ddof=1) if len(curve) > 1 else np.zeros_like(mean)
    epochs = np.arange(1, mean.size + 1).tolist()
    lo, hi = (mean - spread).tolist(), np.minimum(mean + spread, 100.0).tolist()
    return Line(name, epochs, mean.tolist(), lo, hi)
