"""Panels of an experiment as one figure (needs the `report` extra).

Series are told apart by colour, line and marker alike, so that print in grey and colour-blind eyes
lose nothing. A series keeps its look in all panels of a figure.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._files import write_whole
from linspike.errors import ParameterError
from linspike.paper.report.network_drawing import draw_flow
from linspike.plotting import style
from linspike.plotting.critical_difference import draw_critical_difference
from linspike.study.experiment import Image, Line, Mark, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

# Okabe and Ito's colours; grey for black, which marks have, and no yellow, lost on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6E6E6E")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---")
MARK_DASHES = ((0, (4, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (2, 2)))
STYLES = ("line", "points", "steps", "bars")
MARKED = 30  # lines of up to so many points show each of them
CLOUD = 400  # points beyond this are small, and an image inside SVG and PDF
SMALL, GAP = 12, "no value"  # maps of up to so many rows and columns show values in equal cells

_LOOK: Any = {
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "axes.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "linspike",  # the same figure gives the same file
    "pdf.fonttype": 42,
}
_LEGEND_LINE, _LETTERS = 0.18, 12  # inches of a legend's line, letters to an inch of it
_BESIDE = {0: 2, 1: 1, 2: 2, 4: 2}  # panels in a row, by how many there are; else three


def figure(panels: Sequence[Panel]) -> Figure:
    """All panels of one experiment as one figure, two or three beside each other.

    A flow is as wide as the figure and has a row to itself.
    """
    if not panels:
        raise ParameterError.of("panels", "figure", "one panel at least", panels)
    columns = _BESIDE.get(sum(panel.flow is None for panel in panels), 3)
    width, height = (6.2, 3.4) if columns == 1 else (4.3, 2.9)
    shared = _shared_legend(panels)
    rows = _rows(panels, columns)
    lines = [0 if shared else max(_legend_lines(panel, width) for panel in row) for row in rows]
    heights = [height + _LEGEND_LINE * count for count in lines]
    below = _LEGEND_LINE * _legend_lines(panels[0], width * columns) if shared else 0.0
    size = {"width": width * columns, "height": sum(heights) + below}
    made: Figure = style.matplotlib_axes(None, **size).figure
    made.clear()
    looks = _looks(panels)
    marks = list(dict.fromkeys(mark.name for panel in panels for mark in panel.marks))
    with _look():
        for cell, panel in zip(_cells(made, rows, columns, heights), panels, strict=True):
            ax = cell.subplots()
            _panel(ax, panel, looks, marks)
            if not shared:
                _legend(cell, ax, panel, width)
        if shared:
            _legend(made, made.axes[0], panels[0], width * columns)
        made.draw_without_rendering()
    made.set_layout_engine("none")  # laid out once is enough for all files
    _align(made, panels)
    return made


def _align(made: Any, panels: Sequence[Panel]) -> None:
    """Axes below each other begin and end at the same place."""
    below: dict[float, list[Any]] = {}
    for cell, panel in zip(made.subfigs, panels, strict=True):
        if panel.lines and panel.image is None:
            below.setdefault(round(cell.bbox.x0), []).append(cell.axes[0])
    for column in below.values():
        boxes = [ax.get_position() for ax in column]
        left, right = max(box.x0 for box in boxes), min(box.x1 for box in boxes)
        for ax, box in zip(column, boxes, strict=True):
            ax.set_position((left, box.y0, right - left, box.height))


def _rows(panels: Sequence[Panel], columns: int) -> list[list[Panel]]:
    """Panels that stand beside each other."""
    rows: list[list[Panel]] = []
    for panel in panels:
        if panel.flow or not rows or rows[-1][0].flow or len(rows[-1]) == columns:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _cells(made: Any, rows: list[list[Panel]], columns: int, heights: list[float]) -> list[Any]:
    """A part of the figure for each panel."""
    whole = {"left": 0, "right": 1, "bottom": 0, "top": 1}
    grid = made.add_gridspec(len(rows), columns, height_ratios=heights, **whole)
    return [
        made.add_subfigure(grid[row, :] if panel.flow else grid[row, column])
        for row, beside in enumerate(rows)
        for column, panel in enumerate(beside)
    ]


def _look() -> Any:
    from matplotlib import rc_context

    return rc_context(_LOOK)


def save(drawn: Figure, folder: Any, name: str, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write a figure as `folder/name.png` and so on; returns the paths."""
    paths = {kind: Path(folder) / f"{name}.{kind}" for kind in formats}
    for kind, path in paths.items():
        write_whole(path, encoded(drawn, kind))
    return list(paths.values())


def encoded(drawn: Figure, kind: str) -> bytes:
    """The bytes of a file of this kind; the same for the same figure, whatever the date."""
    if kind not in FORMATS:
        raise ParameterError.of("kind", "encoded", f"one of {FORMATS}", kind)
    undated: Any = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    stream = io.BytesIO()
    with _look():
        drawn.savefig(stream, format=kind, dpi=200, metadata=undated)
    return stream.getvalue()


def _looks(panels: Sequence[Panel]) -> dict[str, Any]:
    """Colour, line, marker and hatch of each series, by name, over all panels."""
    names = dict.fromkeys(line.name for panel in panels for line in panel.lines)
    return {
        name: {
            "color": COLOURS[index % len(COLOURS)],
            "ls": DASHES[index % len(DASHES)],
            "marker": MARKERS[index % len(MARKERS)],
            "hatch": HATCHES[index % len(HATCHES)],
        }
        for index, name in enumerate(names)
    }


def _panel(ax: Any, panel: Panel, looks: dict[str, Any], marks: list[str]) -> None:
    if panel.ranks is not None or panel.flow is not None:
        if panel.flow is not None:
            draw_flow(panel.flow, ax)
        if panel.ranks is not None:
            ranks = panel.ranks
            draw_critical_difference(ranks.mean_ranks, ranks.critical_difference, ranks.names, ax)
        ax.set_title(fill(panel.title, 54), loc="left")
        return
    over = 1.0 if panel.image is None else 0.8  # a map shows through
    for ends in panel.shaded:
        grey = {"fc": "#EEEEEE", "ec": "#B4B4B4", "alpha": over, "zorder": 3.0 * (over < 1.0)}
        ax.axvspan(*ends, hatch="//", lw=0, label=panel.shaded_name or None, **grey)
    ax.set(xscale="log" if panel.log_x else "linear", yscale="log" if panel.log_y else "linear")
    if panel.image is not None:
        _map(ax, panel, panel.image)
    bars = [line for line in panel.lines if line.style == "bars"]
    for line in panel.lines:
        if line.style not in STYLES:
            raise ParameterError.of("style", "Line", f"one of {STYLES}", line.style)
        if line.style == "bars":
            _bars(ax, line, bars, looks[line.name])
        else:
            (_points if line.style == "points" else _curve)(ax, line, looks[line.name])
    if _apart(panel.lines):
        ax.set_xticks([line.x[0] for line in bars], [line.name for line in bars])
    elif bars and len(set(bars[0].x)) <= 12:
        ax.set_xticks(sorted({x for line in bars for x in line.x}))
    for mark in panel.marks:
        _mark(ax, mark, marks.index(mark.name))
    if not panel.lines and panel.image is None:
        ax.text(0.5, 0.5, "nothing to show", ha="center", color=style.QUIET, transform=ax.transAxes)
    if panel.x_names:
        ax.set_xticks(range(1, len(panel.x_names) + 1), panel.x_names)
    elif not (panel.log_x or bars) and panel.lines and _whole(panel.lines):
        ax.locator_params(axis="x", integer=True)
    if panel.y_names:
        ax.set_yticks(range(1, len(panel.y_names) + 1), panel.y_names)
        ax.set_ylim(0.4, len(panel.y_names) + 0.6)
    ax.set(xlabel=panel.x_label, ylabel=panel.y_label)
    ax.set_title(fill(panel.title, 54), loc="left")
    style.tidy(ax)
    if panel.image is not None and panel.image.picture:
        ax.set(aspect="equal", xticks=[], yticks=[])
        ax.invert_yaxis()
        ax.spines[:].set_visible(False)
    _log_ticks(ax.xaxis)
    _log_ticks(ax.yaxis)


def _whole(lines: Sequence[Line]) -> bool:
    """Whether x counts something, and ticks between whole numbers would make no sense."""
    return all(float(x).is_integer() for line in lines for x in line.x)


def _log_ticks(axis: Any) -> None:
    """Plain numbers at 1, 2, 5 where powers of ten alone would leave a log axis almost bare."""
    low, high = axis.get_view_interval()
    if axis.get_scale() == "log" and high < 300.0 * low:
        from matplotlib import ticker

        axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(ticker.NullFormatter())


def _points(ax: Any, line: Line, look: dict[str, Any]) -> None:
    errors = _errors(line)
    if errors is not None:
        ax.errorbar(line.x, line.y, errors, fmt="none", ecolor=look["color"], lw=0.9, capsize=2)
    many = len(line.x) > CLOUD
    drawn = ax.plot(line.x, line.y, look["marker"], color=look["color"], label=line.name)[0]
    drawn.set(ms=1.6 if many else 4.5, mew=0, alpha=0.5 if many else 1.0, rasterized=many)


def _curve(ax: Any, line: Line, look: dict[str, Any]) -> None:
    steps = line.style == "steps"
    colour, name = look["color"], line.name
    if line.lo is not None and line.hi is not None:
        step = "post" if steps else None
        ax.fill_between(line.x, line.lo, line.hi, color=colour, alpha=0.18, lw=0, step=step)
    drawn = ax.plot(line.x, line.y, lw=1.4, ls=look["ls"], color=colour, label=name)[0]
    drawn.set_drawstyle("steps-post" if steps else "default")
    if not steps and len(line.x) <= MARKED:
        drawn.set(marker=look["marker"], ms=4)


def _bars(ax: Any, line: Line, all_bars: list[Line], look: dict[str, Any]) -> None:
    """Bars of one series, beside those of the others at the same x."""
    places = sorted({x for other in all_bars for x in other.x})
    gap = min((b - a for a, b in pairwise(places)), default=1.0)
    count = 1 if _apart(all_bars) else len(all_bars)
    width = 0.8 * gap / count
    shift = 0.0 if count == 1 else (all_bars.index(line) - 0.5 * (count - 1)) * width
    ax.bar(
        [x + shift for x in line.x],
        line.y,
        0.92 * width,
        yerr=_errors(line),
        color=look["color"],
        hatch=look["hatch"],
        edgecolor="white",
        lw=0,
        error_kw={"elinewidth": 1.0, "capsize": 2.5, "ecolor": style.INK},
        label=line.name,
    )


def _apart(lines: Sequence[Line]) -> bool:
    """Whether every line is a bar at a place of its own: then names stand below the bars."""
    places = {line.x[0] for line in lines if line.style == "bars" and len(line.x) == 1}
    return len(places) == len(lines) > 1


def _errors(line: Line) -> Any:
    if line.lo is None or line.hi is None:
        return None
    y = np.asarray(line.y, dtype=np.float64)
    return np.maximum(0.0, [y - np.asarray(line.lo), np.asarray(line.hi) - y])


def _map(ax: Any, panel: Panel, image: Image) -> None:
    """A map in colours of even brightness; hatched where there is nothing."""
    values = np.array(image.values, dtype=np.float64)  # None becomes nan
    small = max(values.shape) <= SMALL and not (panel.lines or panel.marks or panel.shaded)
    if small:  # settings rather than a scale: cells of equal size
        ax.set(xscale="linear", yscale="linear")
        x, y = np.arange(len(image.x)), np.arange(len(image.y))
        ax.set_xticks(x, [f"{value:g}" for value in image.x])
        ax.set_yticks(y, [f"{value:g}" for value in image.y])
    else:
        x, y = np.asarray(image.x, dtype=np.float64), np.asarray(image.y, dtype=np.float64)
    edges = [_edges(x, panel.log_x and not small), _edges(y, panel.log_y and not small)]
    if not image.picture:
        gaps = {"fc": "#F2F2F2", "ec": "#B8B8B8", "hatch": "xx", "label": GAP}
        ax.axvspan(edges[0][0], edges[0][-1], lw=0, zorder=0, **gaps)
    ends = dict(zip(("vmin", "vmax"), image.ends or (), strict=False))
    shown = np.ma.masked_invalid(values)
    drawn = ax.pcolormesh(*edges, shown, cmap="viridis", rasterized=True, **ends)
    # A picture is smaller than the place it has: its colours stand at the picture itself.
    place = {"cax": ax.inset_axes((1.03, 0.0, 0.04, 1.0))} if image.picture else {"ax": ax}
    ax.figure.colorbar(drawn, label=fill(image.label, 32), pad=0.02, **place)
    for (row, column), value in np.ndenumerate(values if small else []):
        if np.isfinite(value):
            ink = "white" if drawn.norm(value) < 0.55 else "black"
            ax.text(column, row, f"{value:.3g}", ha="center", va="center", color=ink, size=7.5)


def _edges(centres: Any, log: bool) -> Any:
    """Ends of the cells around ascending centres."""
    at = np.log(centres) if log else centres
    if at.size == 1:
        ends = np.array([at[0] - 0.5, at[0] + 0.5])
    else:
        inner = 0.5 * (at[1:] + at[:-1])
        ends = np.concatenate([[2 * at[0] - inner[0]], inner, [2 * at[-1] - inner[-1]]])
    return np.exp(ends) if log else ends


def _mark(ax: Any, mark: Mark, number: int) -> None:
    if mark.axis not in ("x", "y"):
        raise ParameterError.of("axis", "Mark", "'x' or 'y'", mark.axis)
    from matplotlib.patheffects import withStroke

    draw = ax.axvline if mark.axis == "x" else ax.axhline
    dashes = MARK_DASHES[number % len(MARK_DASHES)]
    line = draw(mark.value, color=style.INK, lw=1.0, ls=dashes, label=mark.name or None)
    line.set(zorder=1.5, path_effects=[withStroke(linewidth=2.4, foreground="white")])


def _names(panel: Panel) -> list[str]:
    """What the legend of a panel lists."""
    lines = [] if _apart(panel.lines) else [line.name for line in panel.lines]
    shaded = [panel.shaded_name] if panel.shaded else []
    image = panel.image
    holes = image and not image.picture and any(None in row for row in image.values)
    gaps = [GAP] if holes else []
    marks = [mark.name for mark in panel.marks]
    return list(dict.fromkeys(name for name in (*shaded, *gaps, *lines, *marks) if name))


def _shared_legend(panels: Sequence[Panel]) -> bool:
    """Whether one legend serves all panels: the same entries, more than fit in a line each."""
    listed = [set(_names(panel)) for panel in panels]
    return len(panels) > 1 and len(listed[0]) > 3 and all(names == listed[0] for names in listed)


def _legend_columns(names: Sequence[str], width: float) -> int:
    longest = max(map(len, names)) + 7
    return max(1, min(len(names), int(_LETTERS * width) // longest))


def _legend_lines(panel: Panel, width: float) -> int:
    names = _names(panel)
    return math.ceil(len(names) / _legend_columns(names, width)) if names else 0


def _legend(cell: Any, ax: Any, panel: Panel, width: float) -> None:
    """Below the axes, where it covers nothing."""
    handles, labels = ax.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    names = [name for name in _names(panel) if name in found]
    if names:
        place = {"loc": "outside lower center", "ncols": _legend_columns(names, width)}
        handles = [found[name] for name in names]
        made = cell.legend(handles, names, frameon=False, handlelength=2.6, **place)
        for handle in made.legend_handles:
            if hasattr(handle, "set_markersize"):
                handle.set(markersize=4.5, alpha=1.0)  # those of a cloud are too small to see
