"""Pictures as data: lines, maps, ranks, forests and flows, which the report draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """One series of a panel; lo and hi are the ends of its intervals.

    A method has one colour in all figures; without one, the series' name counts as its method.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    lo: Sequence[float] | None = None
    hi: Sequence[float] | None = None
    style: str = "line"  # or "points", "steps", "bars"
    method: str = ""


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
    """Mean ranks of methods, and the difference above which two are distinguished."""

    names: Sequence[str]
    mean_ranks: Sequence[float]
    critical_difference: float


class Estimate(NamedTuple):
    """One row of a forest plot: a method's number with its interval, and what it is set beside.

    common is the number at the setting that all methods share, reference the one of the literature;
    each may be None. A row has the colour of its method, which is its name unless given.
    """

    name: str
    value: float | None
    lo: float | None = None
    hi: float | None = None
    common: float | None = None
    reference: float | None = None
    method: str = ""


class Forest(NamedTuple):
    """Numbers of several methods below each other; limit, where known, bounds them all."""

    rows: Sequence[Estimate]
    limit: float | None = None


class Stage(NamedTuple):
    """One layer of a flow: sheets of rows by columns of units, in one of its parts.

    A unit looks at a patch of the stage before that is `sees` wide; at one unit if that is 1, at
    all of them if it is 0.
    """

    name: str
    text: Sequence[str]  # what it does, its shape, its units, its parameters
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
    """One picture of any kind, with references and shaded stretches of x."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...] = ()
    image: Image | None = None
    ranks: Ranks | None = None
    forest: Forest | None = None
    flow: Flow | None = None
    marks: tuple[Mark, ...] = ()
    shaded: tuple[tuple[float, float], ...] = ()
    shaded_name: str = ""
    x_names: tuple[str, ...] = ()  # of the places 1, 2, ... on x, where these are no numbers
    y_names: tuple[str, ...] = ()
    y_ends: tuple[float, float] | None = None  # ends of y, where they are known
    log_x: bool = False
    log_y: bool = False
