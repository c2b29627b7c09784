"""A key inside the axes, for series whose names have no free place beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.paper.report.drawing.cells import CELL, count
from linspike.plotting import style

SAMPLE = 24.0  # pixels of a piece of the series
SPACE = 5.0  # pixels between that and the name
FREE = 7.0  # pixels around the key
LEADING = 1.1  # distance of lines, in heights of text


def find_room(grid: Floats, extents: Sequence[tuple[float, float]], ends: Floats) -> Floats | None:
    """Return the box of a key for names of these extents: free, near the upper right; or None."""
    width = SAMPLE + SPACE + max(extent[0] for extent in extents)
    size = np.array([width, LEADING * sum(extent[1] for extent in extents)])
    most = ends[2:] - size - FREE
    if (most < ends[:2] + FREE).any():
        return None
    x, y = (
        np.arange(high, low, -2.0 * CELL) for low, high in zip(ends[:2] + FREE, most, strict=True)
    )
    corners = np.array([grid.ravel() for grid in np.meshgrid(x, y, indexing="ij")]).T
    boxes = np.column_stack([corners, corners + size])
    free = boxes[count(grid, boxes, ends, FREE) == 0]
    if not len(free):
        return None
    away = np.hypot(*(ends[2:] - free[:, 2:]).T)
    best: Floats = free[np.argmin(away)]
    return best


def draw_key(
    ax: Any, entries: Sequence[tuple[str, str, Mapping[str, Any]]], box: Floats, size: float
) -> None:
    """Draw entries (name, colour, look) below each other: a piece of the series and the name."""
    to_axes = ax.transAxes.inverted().transform
    left, low, _, high = box
    row = (high - low) / sum(1 + name.count("\n") for name, _, _ in entries)
    y = high
    for name, colour, look in entries:
        half = 0.5 * row * (1 + name.count("\n"))
        y -= half
        (x0, at), (x1, _), (x2, _) = to_axes([(left + d, y) for d in (0.0, SAMPLE, SAMPLE + SPACE)])
        x = [x0, 0.5 * (x0 + x1), x1] if look.get("ls") else [0.5 * (x0 + x1)]
        middle = {"markevery": [1]} if len(x) > 1 else {}
        shape = {"color": colour, "lw": 1.4, "ms": 4, "transform": ax.transAxes}
        sample = ax.plot(x, [at] * len(x), **shape, **look, **middle)[0]
        sample.set(zorder=6, in_layout=False, gid="sample")
        text = ax.text(x2, at, name, va="center", size=size, color=style.darken(colour))
        text.set(transform=ax.transAxes, zorder=6, in_layout=False)
        y -= half
