"""Legends below panels, or one below a figure whose panels have the same entries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from linspike.paper.report.drawing.image import GAP, has_gaps
from linspike.paper.report.drawing.lines import have_own_places
from linspike.study.panels import Panel

LINE_HEIGHT = 0.18  # inches of a legend's line
LETTERS = 12  # to an inch of it


def legend_names(panel: Panel) -> list[str]:
    """Return what the legend of a panel lists."""
    lines = [] if have_own_places(panel.lines) else [line.name for line in panel.lines]
    shaded = [panel.shaded_name] if panel.shaded else []
    gaps = [GAP] if has_gaps(panel.image) else []
    marks = [mark.name for mark in panel.marks]
    return list(dict.fromkeys(name for name in (*shaded, *gaps, *lines, *marks) if name))


def share_legend(panels: Sequence[Panel]) -> bool:
    """Return whether one legend serves all panels: same entries, more than fit in a line each."""
    listed = [set(legend_names(panel)) for panel in panels]
    return len(panels) > 1 and len(listed[0]) > 3 and all(names == listed[0] for names in listed)


def legend_height(panel: Panel, width: float) -> float:
    """Return the height of a panel's legend of this width, in inches."""
    names = legend_names(panel)
    lines = math.ceil(len(names) / _columns(names, width)) if names else 0
    return LINE_HEIGHT * lines


def _columns(names: Sequence[str], width: float) -> int:
    longest = max(map(len, names)) + 7
    return max(1, min(len(names), int(LETTERS * width) // longest))


def draw_legend(cell: Any, ax: Any, panel: Panel, width: float) -> None:
    """Draw the legend below the axes, where it covers nothing."""
    handles, labels = ax.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    names = [name for name in legend_names(panel) if name in found]
    if names:
        place = {"loc": "outside lower center", "ncols": _columns(names, width)}
        handles = [found[name] for name in names]
        made = cell.legend(handles, names, frameon=False, handlelength=2.6, **place)
        for handle in made.legend_handles:
            if hasattr(handle, "set_markersize"):
                handle.set(markersize=4.5, alpha=1.0)  # those of a cloud are too small to see
