"""A part of an experiment: some of its rows, with the tuning they need."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from linspike.study.cells import RowCell, Trial
from linspike.study.experiment import Experiment


def list_rows(experiment: Experiment, scale: str) -> list[str]:
    """Return the labels of rows that can be asked for before anything has been run."""
    cells = experiment.cells(scale, [])
    return list(dict.fromkeys(cell.row.label for cell in cells if isinstance(cell, RowCell)))


def select_rows(experiment: Experiment, patterns: Sequence[str]) -> Experiment:
    """Return the same experiment with only the cells whose row matches one of the patterns.

    Patterns are those of a shell, matched against `RowKey.label`: "short, *" are all rows of short
    patterns. A tuning cell has the row that is tuned, so "*, FILT, tuned" selects it as well.
    """

    def matches(cell: Any) -> bool:
        return isinstance(cell, RowCell) and any(
            fnmatchcase(cell.row.label, pattern) for pattern in patterns
        )

    def cells(scale: str, trials: Sequence[Trial]) -> list[Any]:
        return [cell for cell in experiment.cells(scale, trials) if matches(cell)]

    return experiment.change(cells=cells)
