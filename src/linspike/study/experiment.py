"""What an experiment is: cells, pure trials, and a summary of what they found.

One experiment is one file, named by its id. Nothing here runs, stores or draws: the runner runs,
the store stores, the reports draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

SCALES = ("smoke", "laptop", "paper")

# A cell is one setting of an experiment, a record what one trial of it found: flat dicts of what
# JSON can hold (numbers, texts, flags, lists of numbers). A cell names its scale.
Cell = dict[str, Any]
Record = dict[str, Any]


class Trial(NamedTuple):
    """One stored trial."""

    cell: Cell
    seed: int
    record: Record


class Row(NamedTuple):
    """One number, to be set beside the paper's. `name` is its key in `reports.paper`.

    value is None where the number could not be had, and note says why. n counts trials.
    """

    name: str
    value: float | None
    lo: float | None = None
    hi: float | None = None
    n: int = 0
    unit: str = ""
    note: str = ""


class Line(NamedTuple):
    """One series of a panel; lo and hi are the ends of its intervals."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    lo: Sequence[float] | None = None
    hi: Sequence[float] | None = None
    style: str = "line"  # or "points", "steps", "bars"


class Image(NamedTuple):
    """A map: values[row][column] over x (columns) and y (rows); None where there is nothing.

    ends are the ends of its colours; those of the values unless given. A picture is a map of
    pixels: square cells, the first row on top, nothing in place of what is missing.
    """

    x: Sequence[float]
    y: Sequence[float]
    values: Sequence[Sequence[float | None]]
    label: str
    ends: tuple[float, float] | None = None
    picture: bool = False


class Ranks(NamedTuple):
    """Mean ranks of methods, and by how much two must differ to be told apart."""

    names: Sequence[str]
    mean_ranks: Sequence[float]
    critical_difference: float


class Stage(NamedTuple):
    """One layer of a flow: sheets of rows by columns of units, in one of its parts.

    A unit looks at a patch of the stage before that is `sees` wide; at one unit if that is 1, at
    all of them if it is 0.
    """

    name: str
    text: Sequence[str]  # lines below the name; the same line of all stages has one height
    part: str
    rows: int
    columns: int = 1
    sheets: int = 1
    sees: int = 1


class Flow(NamedTuple):
    """Layers from the first to the last; neighbours of the same part are drawn as one."""

    stages: Sequence[Stage]


class Mark(NamedTuple):
    """A reference: a straight line at a value of "x" or "y"."""

    axis: str
    value: float
    name: str


@dataclass(frozen=True)
class Panel:
    """One picture: lines, a map, ranks or a flow, with references and shaded stretches of x."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...] = ()
    image: Image | None = None
    ranks: Ranks | None = None
    flow: Flow | None = None
    marks: tuple[Mark, ...] = ()
    shaded: tuple[tuple[float, float], ...] = ()
    shaded_name: str = ""
    x_names: tuple[str, ...] = ()  # of the places 1, 2, ... on x, where these are no numbers
    y_names: tuple[str, ...] = ()
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Summary:
    """What an experiment found: numbers, pictures, and remarks a reader must know."""

    rows: tuple[Row, ...] = ()
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A table or figure as pure functions.

    Attributes
    ----------
    id : name on the command line, and of the file
    title : what it shows, in a line
    place : where in the paper
    cells : (scale, trials done so far) -> cells to have; called again when all of them are done,
        until it names nothing new, so a search may go on from what it found
    seeds : (scale, cell) -> seeds of its trials
    trials : (cell, seeds) -> one record per seed; the same for every rule with the same seed
    summarise : (scale, trials) -> Summary
    batch : seeds handed to one worker at once
    cost : cell -> seconds of a trial on one core, roughly, for the estimate of a dry run
    source : id of the experiment whose trials it looks at; its own unless given
    threaded : whether a trial uses all cores by itself, so that processes would only add memory
    needs : data or extras it cannot do without: () -> reason why it must be skipped, or ""
    unable : cell -> reason why this cell cannot be run here, or ""; what a store holds of it counts
    """

    id: str
    title: str
    place: str
    cells: Callable[[str, Sequence[Trial]], list[Cell]]
    seeds: Callable[[str, Cell], Sequence[int]]
    trials: Callable[[Cell, Sequence[int]], list[Record]]
    summarise: Callable[[str, Sequence[Trial]], Summary]
    needs: Callable[[], str] = field(default=lambda: "")
    unable: Callable[[Cell], str] = field(default=lambda cell: "")
    batch: int = 8  # seeds handed to one worker at once
    cost: Callable[[Cell], float] = field(default=lambda cell: 0.01)
    source: str = ""
    threaded: bool = False

    @property
    def shelf(self) -> str:
        """The id under which its trials are stored."""
        return self.source or self.id


def one_seed(scale: str, cell: Cell) -> Sequence[int]:
    """For experiments without chance."""
    return range(1)


def mean_interval(values: Sequence[float] | npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Mean and its 95 % interval by Student's t; the interval is the mean itself for one value."""
    from scipy import stats

    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    if array.size < 2:
        return mean, mean, mean
    spread = array.std(ddof=1)
    if spread <= 1e-12 * abs(mean):  # equal but for rounding
        return mean, mean, mean
    half = float(stats.t.ppf(0.975, array.size - 1) * spread / np.sqrt(array.size))
    return mean, mean - half, mean + half


def percent_interval(
    values: Sequence[float] | npt.NDArray[np.float64],
) -> tuple[float, float, float]:
    """`mean_interval` of percentages, which end at 0 and 100."""
    mean, lo, hi = mean_interval(values)
    return mean, max(lo, 0.0), min(hi, 100.0)


def paired(columns: Sequence[dict[int, Any]]) -> npt.NDArray[np.float64]:
    """What several methods found in the same trials: a row for each seed that all of them have."""
    common = sorted(set.intersection(*(set(column) for column in columns)))
    shape = () if not common else np.shape(columns[0][common[0]])
    table = np.array([[column[seed] for column in columns] for seed in common], dtype=np.float64)
    return table.reshape(len(common), len(columns), *shape)
