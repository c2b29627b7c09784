"""Panels of an experiment: one figure for files, or one SVG element each for the page.

Needs the `report` extra.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linspike._files import write_whole
from linspike.errors import ParameterError
from linspike.paper.report.drawing.inline import make_inline, mark_halos
from linspike.paper.report.drawing.looks import Looks, assign_looks
from linspike.paper.report.drawing.panel import (
    WIDTH,
    describe_panel,
    draw_panel,
    label_panel,
    panel_height,
)
from linspike.plotting import style
from linspike.study.panels import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

_SETTINGS: Any = {
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.labelsize": 9.5,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "axes.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "text.color": style.INK,
    "axes.labelcolor": style.INK,
    "axes.edgecolor": style.QUIET,
    "xtick.color": style.QUIET,
    "ytick.color": style.QUIET,
    "xtick.labelcolor": style.INK,
    "ytick.labelcolor": style.INK,
    "svg.hashsalt": "linspike",  # the same figure gives the same file
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
_BESIDE = {0: 1, 1: 1, 2: 2, 4: 2}  # panels in a row, by how many there are; else three


def draw_figure(panels: Sequence[Panel]) -> Figure:
    """Draw all panels of one experiment as one figure, two or three beside each other.

    A flow has a row to itself.
    """
    if not panels:
        raise ParameterError.of("panels", "draw_figure", "one panel at least", panels)
    columns = _BESIDE.get(sum(panel.flow is None for panel in panels), 3)
    rows = _split_rows(panels, columns)
    heights = [max(map(panel_height, row)) for row in rows]
    made: Figure = _new_figure(WIDTH * columns, sum(heights))
    looks = assign_looks(panels)
    with _settings():
        for cell, panel in zip(_add_cells(made, rows, columns, heights), panels, strict=True):
            draw_panel(cell.subplots(), panel, looks)
        _settle(made)
        _align(made, panels)
        for cell, panel in zip(made.subfigs, panels, strict=True):
            label_panel(cell.axes[0], panel, looks)
    return made


def encode_panels(panels: Sequence[Panel]) -> list[str]:
    """Return one SVG element per panel, to stand inside a page.

    Its width is that of its place, its text that of the page, and its colours are the page's
    variables --ink, --quiet and --ground, with dark on white where the page has none.
    """
    looks = assign_looks(panels)
    return [
        make_inline(_encode_panel(panel, looks), describe_panel(panel), i)
        for i, panel in enumerate(panels)
    ]


def save_figure(
    drawn: Figure, folder: Any, name: str, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write a figure as `folder/name.png` and so on; return the paths."""
    paths = {kind: Path(folder) / f"{name}.{kind}" for kind in formats}
    for kind, path in paths.items():
        write_whole(path, encode_figure(drawn, kind))
    return list(paths.values())


def encode_figure(drawn: Figure, kind: str) -> bytes:
    """Return the bytes of a file of this kind; the same for the same figure, whatever the date."""
    if kind not in FORMATS:
        raise ParameterError.of("kind", "encode_figure", f"one of {FORMATS}", kind)
    undated: Any = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    stream = io.BytesIO()
    with _settings():
        drawn.savefig(stream, format=kind, dpi=200, metadata=undated)
    return stream.getvalue()


def _encode_panel(panel: Panel, looks: Looks) -> str:
    """Return the SVG file of one panel."""
    made = _new_figure(WIDTH, panel_height(panel))
    made.patch.set_visible(False)  # the page's ground shows through
    with _settings():
        ax = made.subplots()
        ax.patch.set_visible(False)
        draw_panel(ax, panel, looks)
        _settle(made)
        label_panel(ax, panel, looks)
        mark_halos(made)
    return encode_figure(made, "svg").decode()


def _settings() -> Any:
    from matplotlib import rc_context

    return rc_context(_SETTINGS)


def _new_figure(width: float, height: float) -> Any:
    made: Any = style.matplotlib_axes(None, width=width, height=height).figure
    made.clear()
    return made


def _settle(made: Any) -> None:
    """Lay a figure out, once and for all its files."""
    made.draw_without_rendering()
    made.set_layout_engine("none")


def _split_rows(panels: Sequence[Panel], columns: int) -> list[list[Panel]]:
    """Return the panels that stand beside each other."""
    rows: list[list[Panel]] = []
    for panel in panels:
        if panel.flow or not rows or rows[-1][0].flow or len(rows[-1]) == columns:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _add_cells(made: Any, rows: list[list[Panel]], columns: int, heights: list[float]) -> list[Any]:
    """Add a part of the figure for each panel."""
    whole = {"left": 0, "right": 1, "bottom": 0, "top": 1}
    grid = made.add_gridspec(len(rows), columns, height_ratios=heights, **whole)
    return [
        made.add_subfigure(grid[row, :] if panel.flow else grid[row, column])
        for row, beside in enumerate(rows)
        for column, panel in enumerate(beside)
    ]


def _align(made: Any, panels: Sequence[Panel]) -> None:
    """Let axes below each other begin and end at the same place."""
    below: dict[float, list[Any]] = {}
    for cell, panel in zip(made.subfigs, panels, strict=True):
        if panel.lines and panel.image is None:
            below.setdefault(round(cell.bbox.x0), []).append(cell.axes[0])
    for column in below.values():
        boxes = [ax.get_position() for ax in column]
        left, right = max(box.x0 for box in boxes), min(box.x1 for box in boxes)
        for ax, box in zip(column, boxes, strict=True):
            ax.set_position((left, box.y0, right - left, box.height))
