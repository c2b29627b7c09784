"""A part of an experiment: some of its rows, with the tuning they stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from linspike.study.experiment import Cell, Experiment, Trial

TUNING = "tuning "  # how rows of tuning begin; the rest is the name of what is tuned


def names_of(cell: Cell) -> tuple[str, ...]:
    """The rows a cell belongs to: its own or, if it is tuning, those at the best setting."""
    row = str(cell.get("row", ""))
    if not row.startswith(TUNING):
        return (row,)
    tuned = row.removeprefix(TUNING)
    # Capacity tables have "short, FILT, best", those of accuracies "best: MST".
    return (f"{tuned}, best",) if ", " in tuned else (f"{tuned}, best", f"best: {tuned}")


def row_behind(name: str) -> str:
    """The row whose trials a number comes from: accuracies name their part behind it."""
    return name.removesuffix(", test").removesuffix(", train")


def row_names(experiment: Experiment, scale: str) -> list[str]:
    """Rows that can be asked for before anything has been run."""
    cells = experiment.cells(scale, [])
    return list(dict.fromkeys(names_of(cell)[0] for cell in cells if "row" in cell))


def only_rows(experiment: Experiment, patterns: Sequence[str]) -> Experiment:
    """The same experiment with the cells alone whose row matches one of the patterns.

    Patterns are those of a shell: "short, *" are all rows of short patterns.
    """

    def desired(cell: Cell) -> bool:
        names = names_of(cell)
        return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)

    def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
        return [cell for cell in experiment.cells(scale, trials) if desired(cell)]

    chosen: Callable[[str, Sequence[Trial]], list[Cell]] = cells
    return replace(experiment, cells=chosen)
