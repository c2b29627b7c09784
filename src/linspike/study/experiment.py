"""An experiment: cells, pure trials, and a summary of what they found.

One experiment is one file, named by its id. Nothing here runs, stores or draws: the runner runs,
the store stores, the report draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from linspike.errors import LinspikeError
from linspike.study.cells import Cell, Record, Trial
from linspike.study.panels import Panel
from linspike.study.rows import Row

SCALES = ("smoke", "laptop", "paper")


class NotEnoughTrials(LinspikeError):  # noqa: N818 (a state of the store, not a failure)
    """Raised by a summary whose trials do not suffice yet; every other error is an error."""


@dataclass(frozen=True)
class Summary:
    """Findings of an experiment: numbers, pictures, and remarks a reader must know.

    Pictures in `details` are for readers who ask for more: variants, tuning, tests.
    """

    rows: tuple[Row, ...] = ()
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    details: tuple[Panel, ...] = ()


class Heading(NamedTuple):
    """Name and place of an experiment.

    Parameters
    ----------
    id : str
        Name on the command line.
    place : str
        Where in the paper, or what it belongs to.
    title : str
        What it shows, in a line.
    """

    id: str
    place: str
    title: str


class Protocol(NamedTuple):
    """An experiment as pure functions of typed cells.

    Parameters
    ----------
    cell_type : type
        Class of its cells, derived from `Cell`.
    cells : callable
        (scale, trials so far) -> cells to have. Called again when all of them are done, until it
        names nothing new, so that a search can go on from what it found.
    seeds : callable
        (scale, cell) -> seeds of its trials.
    trials : callable
        (cell, seeds) -> one record per seed; the data of a seed are the same for every rule.
    summarise : callable
        (scale, trials) -> Summary. Raises `NotEnoughTrials` if there is nothing to say yet.
    """

    cell_type: type[Cell]
    cells: Callable[[str, Sequence[Trial]], list[Any]]
    seeds: Callable[[str, Any], Sequence[int]]
    trials: Callable[[Any, Sequence[int]], list[Record]]
    summarise: Callable[[str, Sequence[Trial]], Summary]


@dataclass(frozen=True)
class Experiment:
    """A table or figure: heading, protocol, and how it is run.

    Parameters
    ----------
    heading : Heading
        Name and place.
    protocol : Protocol
        Cells, seeds, trials and summary.
    needs : callable
        () -> why the experiment must be skipped here (data or extras are missing), or "".
    unable : callable
        cell -> why this cell cannot be run here, or ""; trials of it in a store still count.
    batch : int
        Seeds handed to one worker at once.
    cost : callable
        cell -> seconds of a trial on one core, roughly, for the estimate of a dry run.
    source : str
        Id of the experiment whose trials it looks at; empty for its own.
    threaded : bool
        Whether a trial uses all cores by itself, so that processes would only add memory.
    """

    heading: Heading
    protocol: Protocol
    needs: Callable[[], str] = field(default=lambda: "")
    unable: Callable[[Any], str] = field(default=lambda cell: "")
    batch: int = 8
    cost: Callable[[Any], float] = field(default=lambda cell: 0.01)
    source: str = ""
    threaded: bool = False

    @property
    def id(self) -> str:
        """Name on the command line."""
        return self.heading.id

    @property
    def cells(self) -> Callable[[str, Sequence[Trial]], list[Any]]:
        """See `Protocol`."""
        return self.protocol.cells

    @property
    def seeds(self) -> Callable[[str, Any], Sequence[int]]:
        """See `Protocol`."""
        return self.protocol.seeds

    @property
    def trials(self) -> Callable[[Any, Sequence[int]], list[Record]]:
        """See `Protocol`."""
        return self.protocol.trials

    @property
    def summarise(self) -> Callable[[str, Sequence[Trial]], Summary]:
        """See `Protocol`."""
        return self.protocol.summarise

    @property
    def store_id(self) -> str:
        """Id under which its trials are stored."""
        return self.source or self.id

    def change(self, **functions: Any) -> Experiment:
        """Return the same experiment with other functions of its protocol."""
        return replace(self, protocol=self.protocol._replace(**functions))
