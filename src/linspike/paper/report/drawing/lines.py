"""Series of a panel: curves, points, steps and bars, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from textwrap import fill
from typing import Any

import numpy as np

from linspike.errors import ParameterError
from linspike.paper.report.drawing.looks import Look
from linspike.paper.report.names import show_name
from linspike.plotting import style
from linspike.study.panels import Line

STYLES = ("line", "points", "steps", "bars")
MARKED = 30  # lines of up to so many points show each of them
CLOUD = 400  # points beyond this are small, and an image inside SVG and PDF
FEW_PLACES = 12  # of bars, up to which each has a tick


def draw_lines(ax: Any, lines: Sequence[Line], looks: dict[str, Look]) -> None:
    """Draw every series in its style, and name or number the places of bars."""
    bars = [line for line in lines if line.style == "bars"]
    for line in lines:
        if line.style not in STYLES:
            raise ParameterError.of("style", "Line", f"one of {STYLES}", line.style)
        if line.style == "bars":
            _draw_bars(ax, line, bars, looks[line.name])
        elif line.style == "points":
            _draw_points(ax, line, looks[line.name])
        else:
            _draw_curve(ax, line, looks[line.name])
    if have_own_places(lines):
        names = [fill(show_name(line.name), 12) for line in bars]
        ax.set_xticks([line.x[0] for line in bars], names)
    elif bars and len(set(bars[0].x)) <= FEW_PLACES:
        ax.set_xticks(sorted({x for line in bars for x in line.x}))


def have_own_places(lines: Sequence[Line]) -> bool:
    """Return whether every line is a bar at a place of its own: then names stand below the bars."""
    places = {line.x[0] for line in lines if line.style == "bars" and len(line.x) == 1}
    return len(places) == len(lines) > 1


def is_marked(line: Line) -> bool:
    """Return whether each point of a series is shown."""
    return line.style == "points" or (line.style == "line" and len(line.x) <= MARKED)


def count_something(lines: Sequence[Line]) -> bool:
    """Return whether all x are whole numbers, so that ticks between them would make no sense."""
    return all(float(x).is_integer() for line in lines for x in line.x)


def _draw_points(ax: Any, line: Line, look: Look) -> None:
    errors = _errors(line)
    if errors is not None:
        ax.errorbar(line.x, line.y, errors, fmt="none", ecolor=look.colour, lw=0.9, capsize=2)
    many = len(line.x) > CLOUD
    drawn = ax.plot(line.x, line.y, look.marker, color=look.colour)[0]
    drawn.set(ms=2.0 if many else 4.5, mew=0, alpha=0.8 if many else 1.0, rasterized=many)


def _draw_curve(ax: Any, line: Line, look: Look) -> None:
    steps = line.style == "steps"
    if line.lo is not None and line.hi is not None:
        step = "post" if steps else None
        ax.fill_between(line.x, line.lo, line.hi, color=look.colour, alpha=0.13, lw=0, step=step)
    drawn = ax.plot(line.x, line.y, lw=1.4, ls=look.dashes, color=look.colour)[0]
    drawn.set_drawstyle("steps-post" if steps else "default")
    if is_marked(line):
        drawn.set(marker=look.marker, ms=4)


def _draw_bars(ax: Any, line: Line, all_bars: list[Line], look: Look) -> None:
    """Draw the bars of one series, beside those of the others at the same x."""
    places = sorted({x for other in all_bars for x in other.x})
    gap = min((b - a for a, b in pairwise(places)), default=1.0)
    count = 1 if have_own_places(all_bars) else len(all_bars)
    width = 0.8 * gap / count
    shift = 0.0 if count == 1 else (all_bars.index(line) - 0.5 * (count - 1)) * width
    ax.bar(
        [x + shift for x in line.x],
        line.y,
        0.92 * width,
        yerr=_errors(line),
        color=look.colour,
        hatch="" if count == 1 else look.hatch,
        edgecolor=style.GROUND,
        lw=0,
        error_kw={"elinewidth": 1.0, "capsize": 2.5, "ecolor": style.INK},
    )


def _errors(line: Line) -> Any:
    if line.lo is None or line.hi is None:
        return None
    y = np.asarray(line.y, dtype=np.float64)
    return np.maximum(0.0, [y - np.asarray(line.lo), np.asarray(line.hi) - y])
