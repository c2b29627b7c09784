"""One panel on its axes: the drawer of its kind, then references, ticks and labels."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from linspike.errors import ParameterError
from linspike.paper.report.drawing.flow import draw_flow
from linspike.paper.report.drawing.image import draw_image
from linspike.paper.report.drawing.lines import count_something, draw_lines
from linspike.paper.report.drawing.looks import Looks
from linspike.plotting import style
from linspike.plotting.critical_difference import draw_critical_difference
from linspike.study.panels import Mark, Panel


def draw_panel(ax: Any, panel: Panel, looks: Looks) -> None:
    """Draw a panel of any kind."""
    if panel.flow is not None:
        draw_flow(panel.flow, ax)
    elif panel.ranks is not None:
        ranks = panel.ranks
        draw_critical_difference(ranks.mean_ranks, ranks.critical_difference, ranks.names, ax)
    else:
        _draw_plot(ax, panel, looks)
    ax.set_title(fill(panel.title, 54), loc="left")


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
    over = 1.0 if panel.image is None else 0.8  # a map shows through
    for ends in panel.shaded:
        grey = {"fc": "#EEEEEE", "ec": "#B4B4B4", "alpha": over, "zorder": 3.0 * (over < 1.0)}
        ax.axvspan(*ends, hatch="//", lw=0, label=panel.shaded_name or None, **grey)


def _draw_mark(ax: Any, mark: Mark, dashes: Any) -> None:
    if mark.axis not in ("x", "y"):
        raise ParameterError.of("axis", "Mark", "'x' or 'y'", mark.axis)
    from matplotlib.patheffects import withStroke

    draw = ax.axvline if mark.axis == "x" else ax.axhline
    line = draw(mark.value, color=style.INK, lw=1.0, ls=dashes, label=mark.name or None)
    line.set(zorder=1.5, path_effects=[withStroke(linewidth=2.4, foreground="white")])


def _set_ticks(ax: Any, panel: Panel) -> None:
    """Name the places that have names; keep ticks of counts at whole numbers."""
    bars = any(line.style == "bars" for line in panel.lines)
    if panel.x_names:
        ax.set_xticks(range(1, len(panel.x_names) + 1), panel.x_names)
    elif not (panel.log_x or bars) and panel.lines and count_something(panel.lines):
        ax.locator_params(axis="x", integer=True)
    if panel.y_names:
        ax.set_yticks(range(1, len(panel.y_names) + 1), panel.y_names)
        ax.set_ylim(0.4, len(panel.y_names) + 0.6)


def _set_log_ticks(axis: Any) -> None:
    """Set plain numbers at 1, 2, 5 where powers of ten alone would leave a log axis almost bare."""
    low, high = axis.get_view_interval()
    if axis.get_scale() == "log" and high < 300.0 * low:
        from matplotlib import ticker

        axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(ticker.NullFormatter())
