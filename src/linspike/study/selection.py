"""A part of an experiment: some of its rows, with the tuning they need."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import Any

from linspike.study.cells import RowCell, Trial
from linspike.study.experiment import Experiment
from linspike.study.rows import RowKey


def list_rows(experiment: Experiment, scale: str) -> list[str]:
    """Return the labels of rows that can be asked for before anything has been run."""
    cells = experiment.cells(scale, [])
    return list(dict.fromkeys(cell.row.label for cell in cells if isinstance(cell, RowCell)))


def select_rows(
    experiment: Experiment, patterns: Sequence[str], keys: Collection[RowKey] = ()
) -> Experiment:
    """Return the same experiment with only the cells of some rows.

    Parameters
    ----------
    experiment : Experiment
        The whole experiment.
    patterns : list of str
        Patterns of a shell, matched against `RowKey.label`: "short, *" are all rows of short
        patterns. A tuning cell has the row that is tuned, so "*, FILT, tuned" selects it as well.
    keys : collection of RowKey
        Further rows, by their keys.
    """

    def matches(cell: Any) -> bool:
        if not isinstance(cell, RowCell):
            return False
        by_label = any(fnmatchcase(cell.row.label, pattern) for pattern in patterns)
        return by_label or cell.row in keys

    def cells(scale: str, trials: Sequence[Trial]) -> list[Any]:
        return [cell for cell in experiment.cells(scale, trials) if matches(cell)]

    return experiment.change(cells=cells)
