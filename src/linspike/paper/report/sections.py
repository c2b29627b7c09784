"""One experiment of a report, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linspike.paper.report.verdicts import Result
from linspike.study.panels import Panel


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
    commands : sequence of str
        What to type for each result: its row alone where a row has trials of its own.
    panels : sequence of Panel
        Its figure.
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
    commands: Sequence[str] = ()
    panels: Sequence[Panel] = ()
    notes: Sequence[str] = ()
    trials: int = 0
    seconds: float = 0.0
    source: str = ""
    skipped: str = ""
