"""One panel on its axes: the drawer of its kind, then references, ticks and names."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from linspike.errors import ParameterError
from linspike.paper.report.drawing.flow import draw_flow, flow_height
from linspike.paper.report.drawing.forest import TITLE_SIZE, draw_forest, forest_height
from linspike.paper.report.drawing.image import draw_image
from linspike.paper.report.drawing.labels import Track, draw_labels, trace
from linspike.paper.report.drawing.lines import (
    count_something,
    draw_lines,
    have_own_places,
    is_marked,
)
from linspike.paper.report.drawing.looks import Looks
from linspike.paper.report.names import show_name
from linspike.plotting import style
from linspike.plotting.critical_difference import draw_critical_difference
from linspike.study.panels import Line, Mark, Panel

WIDTH, HEIGHT = 4.6, 3.1  # inches
NAMED_ROW = 0.19  # inches of a named place on y
SIZE = 9.5  # points of names
SMALL = 8.5  # points where rows are narrow


def panel_height(panel: Panel) -> float:
    """Return the height that a panel of the usual width needs, in inches."""
    if panel.forest is not None:
        return forest_height(panel.forest)
    if panel.flow is not None:
        return flow_height(panel.flow)
    if panel.ranks is not None:
        return 1.3 + 0.15 * len(panel.ranks.names)
    return max(HEIGHT, 0.9 + NAMED_ROW * len(panel.y_names))


def describe_panel(panel: Panel) -> str:
    """Return what a panel shows in words, for those who do not see it."""
    x, y = panel.x_label, panel.y_label
    if panel.flow is not None:
        shown = f"{len(panel.flow.stages)} layers from left to right"
    elif panel.ranks is not None:
        shown = f"mean ranks of {len(panel.ranks.names)} methods; numbers in the table"
    elif panel.forest is not None:
        shown = f"{x} by method, {len(panel.forest.rows)} rows with intervals; numbers in the table"
    elif panel.image is not None:
        axes = "" if panel.image.picture else f" over {x} and {y}"
        shown = f"map of {panel.image.label}{axes}"
    elif have_own_places(panel.lines):
        shown = f"{y}, {len(panel.lines)} bars; numbers in the table"
    else:
        kinds = {line.style for line in panel.lines}
        kind = "series" if kinds & {"points", "bars"} else "lines"
        against = f"{y} against {x}" if x else y
        shown = f"{against}, {len(panel.lines)} {kind}; numbers in the table"
    return f"{panel.title}: {shown}"


def draw_panel(ax: Any, panel: Panel, looks: Looks) -> None:
    """Draw a panel of any kind; `label_panel` names its series when it stands where it stays."""
    if panel.flow is not None:
        draw_flow(panel.flow, ax)
    elif panel.ranks is not None:
        ranks = panel.ranks
        names = [show_name(name) for name in ranks.names]
        draw_critical_difference(ranks.mean_ranks, ranks.critical_difference, names, ax)
    elif panel.forest is not None and panel.forest.rows:
        draw_forest(ax, panel, panel.forest, SMALL)
        _set_log_ticks(ax.xaxis)
    else:
        _draw_plot(ax, panel, looks)
    if panel.forest is None or not panel.forest.rows:
        # At the edge of the picture, not of the axes: names on the left may take half of it.
        ax.set_title("", loc="left")
        whole = ax.get_figure(root=False)
        whole.suptitle(fill(panel.title, 50), x=0.01, ha="left", size=TITLE_SIZE)


def label_panel(ax: Any, panel: Panel, looks: Looks) -> None:
    """Write the names of series, references and shaded stretches beside them."""
    unnamed = have_own_places(panel.lines) or _is_only_cloud(panel)
    tracks = []
    for line in panel.lines:
        at = trace(ax, line.x, line.y, joined=line.style in ("line", "steps"))
        name = "" if unnamed else show_name(line.name)
        look = looks.series[line.name]
        sample = {"marker": look.marker if is_marked(line) else "", "ls": look.dashes}
        sample["ls"] = sample["ls"] if line.style in ("line", "steps") else ""
        tracks.append(Track(name, look.colour, at, sample, _trace_around(ax, line)))
    named = set()
    for mark in panel.marks:
        low, high = ax.get_ylim() if mark.axis == "x" else ax.get_xlim()
        ends = ([mark.value] * 2, [low, high])
        at = trace(ax, *(ends if mark.axis == "x" else ends[::-1]), joined=True)
        name = "" if mark.name in named else mark.name
        tracks.append(Track(name, style.INK, at, {"ls": looks.marks[mark.name]}))
        named.add(mark.name)
    draw_labels(ax, tracks, SIZE)


def _trace_around(ax: Any, line: Line) -> Any:
    """Return the pixels of intervals of points, and of bars."""
    low, high = line.lo, line.hi
    if line.style == "bars":
        low, high = [0.0] * len(line.y), line.y if high is None else high
    if line.style not in ("points", "bars") or low is None or high is None:
        return np.empty((0, 2))
    ends = zip(line.x, low, high, strict=True)
    return np.concatenate([trace(ax, [x, x], [lo, hi], joined=True) for x, lo, hi in ends])


def _is_only_cloud(panel: Panel) -> bool:
    """Return whether a panel has points of one kind alone, which its title names."""
    return len(panel.lines) == 1 and panel.lines[0].style == "points"


def _draw_plot(ax: Any, panel: Panel, looks: Looks) -> None:
    _draw_shaded(ax, panel)
    ax.set(xscale="log" if panel.log_x else "linear", yscale="log" if panel.log_y else "linear")
    if panel.image is not None:
        draw_image(ax, panel, panel.image)
    draw_lines(ax, panel.lines, looks.series)
    for mark in panel.marks:
        _draw_mark(ax, mark, looks.marks[mark.name])
    if not panel.lines and panel.image is None:
        ax.text(0.5, 0.5, "nothing to show", ha="center", color=style.QUIET, transform=ax.transAxes)
    _set_ticks(ax, panel)
    ax.set(xlabel=panel.x_label, ylabel=panel.y_label)
    style.tidy(ax)
    if panel.image is not None and panel.image.picture:
        ax.set(aspect="equal", xticks=[], yticks=[])
        ax.invert_yaxis()
        ax.spines[:].set_visible(False)
    _set_log_ticks(ax.xaxis)
    _set_log_ticks(ax.yaxis)


def _draw_shaded(ax: Any, panel: Panel) -> None:
    """Hatch stretches of x, and write what they are into the widest."""
    over = 1.0 if panel.image is None else 0.8  # a map shows through
    for ends in panel.shaded:
        grey = {"fc": style.SHADE, "ec": style.QUIET, "alpha": over, "zorder": 3.0 * (over < 1.0)}
        ax.axvspan(*ends, hatch="//", lw=0, **grey)
    if panel.shaded_name and panel.shaded:
        low, high = max(panel.shaded, key=lambda ends: ends[1] - ends[0])
        text = ax.text(0.5 * (low + high), 0.5, panel.shaded_name, ha="center", va="center")
        text.set(transform=ax.get_xaxis_transform(), rotation=90, size=SIZE, zorder=7)
        text.set_bbox({"fc": style.GROUND, "ec": "none", "pad": 1.5})


def _draw_mark(ax: Any, mark: Mark, dashes: Any) -> None:
    if mark.axis not in ("x", "y"):
        raise ParameterError.of("axis", "Mark", "'x' or 'y'", mark.axis)
    from matplotlib.patheffects import withStroke

    draw = ax.axvline if mark.axis == "x" else ax.axhline
    line = draw(mark.value, color=style.INK, lw=1.0, ls=dashes)
    line.set(zorder=1.5, path_effects=[withStroke(linewidth=2.4, foreground=style.GROUND)])


def _set_ticks(ax: Any, panel: Panel) -> None:
    """Name the places that have names; keep ticks of counts at whole numbers."""
    bars = any(line.style == "bars" for line in panel.lines)
    if panel.x_names:
        names = [fill(name, 14) for name in panel.x_names]
        ax.set_xticks(range(1, len(names) + 1), names)
    elif not (panel.log_x or bars) and panel.lines and count_something(panel.lines):
        ax.locator_params(axis="x", integer=True)
    if panel.y_names:
        ax.set_yticks(range(1, len(panel.y_names) + 1), panel.y_names)
        ax.set_ylim(0.4, len(panel.y_names) + 0.6)
    if panel.y_ends is not None:
        low, high = panel.y_ends
        ax.set_ylim(low - 0.04 * (high - low), high + 0.04 * (high - low))


def _set_log_ticks(axis: Any) -> None:
    """Set plain numbers, at 1, 2, 5 where powers of ten alone would leave a log axis almost bare.

    Powers as matplotlib writes them would be mathematics, with fonts of its own.
    """
    low, high = axis.get_view_interval()
    if axis.get_scale() == "log":
        from matplotlib import ticker

        if high < 300.0 * low:
            axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(ticker.NullFormatter())
