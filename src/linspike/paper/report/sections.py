"""One experiment of a report, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from linspike.paper.report.verdicts import Result
from linspike.study.panels import Panel
from linspike.study.rows import RowKey


@dataclass(frozen=True)
class Section:
    """One experiment of a report.

    Parameters
    ----------
    id, title, place : str
        As of the experiment.
    command : str
        What to type to run it again.
    results : sequence of Result
        Its rows beside the paper's.
    keys : sequence of RowKey
        The row of each result.
    commands : sequence of str
        What to type for each result: its row alone where a row has trials of its own.
    panels : sequence of Panel
        Its figure.
    details : sequence of Panel
        Pictures for readers who ask for more.
    notes : sequence of str
        What a reader must know.
    trials : int
        Number of trials in the store.
    seconds : float
        The time they took, summed over processes.
    source : str
        The experiment whose trials they are, if not its own.
    skipped : str
        Why it was not run; empty if it was.
    """

    id: str
    title: str
    place: str
    command: str
    results: Sequence[Result] = ()
    keys: Sequence[RowKey] = ()
    commands: Sequence[str] = ()
    panels: Sequence[Panel] = ()
    details: Sequence[Panel] = ()
    notes: Sequence[str] = ()
    trials: int = 0
    seconds: float = 0.0
    source: str = ""
    skipped: str = ""

    @cached_property
    def by_key(self) -> dict[RowKey, Result]:
        """Results by their rows."""
        return dict(zip(self.keys, self.results, strict=True))

    def but(self, **changes: Any) -> Section:
        """Return the same section with some fields changed."""
        return replace(self, **changes)

    @property
    def scale(self) -> str:
        """Scale of its results; empty if nothing was run."""
        return self.results[0].scale if self.trials and self.results else ""


def find_in(sections: Sequence[Section], experiment: str, key: RowKey) -> Result | None:
    """Return the result of a row; None if no section has it."""
    found = (section.by_key.get(key) for section in sections if section.id == experiment)
    return next(found, None)
