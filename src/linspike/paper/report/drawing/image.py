"""Maps in colours of even brightness; hatched where there is no value."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from linspike.plotting import style
from linspike.study.panels import Image, Panel

GAP = "hatched: no value"
# Of numbers on colours that are the same on any ground; ink and ground would follow the page.
LIGHT, DARK = "#FEFEFE", "#010101"
SMALL = 12  # maps of up to so many rows and columns show values in equal cells


def has_gaps(image: Image | None) -> bool:
    """Return whether some place of a map is hatched."""
    if image is None or image.picture:
        return False
    return any(None in row for row in image.values)


def draw_image(ax: Any, panel: Panel, image: Image) -> None:
    """Draw the map of a panel, with its colours beside it."""
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
        gaps = {"fc": style.SHADE, "ec": style.QUIET, "hatch": "xx"}
        ax.axvspan(edges[0][0], edges[0][-1], lw=0, zorder=0, **gaps)
    ends = dict(zip(("vmin", "vmax"), image.ends or (), strict=False))
    shown = np.ma.masked_invalid(values)
    drawn = ax.pcolormesh(*edges, shown, cmap="viridis", rasterized=not small, **ends)
    # A picture is smaller than the place it has: its colours stand at the picture itself.
    place = {"cax": ax.inset_axes((1.03, 0.0, 0.04, 1.0))} if image.picture else {"ax": ax}
    label = f"{image.label} ({GAP})" if has_gaps(image) else image.label
    bar = ax.figure.colorbar(drawn, label=fill(label, 32), pad=0.02, **place)
    bar.outline.set_visible(False)
    if small:
        _write_values(ax, values, drawn.norm)


def _write_values(ax: Any, values: Any, norm: Any) -> None:
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            ink = LIGHT if norm(value) < 0.55 else DARK
            ax.text(column, row, f"{value:.3g}", ha="center", va="center", color=ink)


def _edges(centres: Any, log: bool) -> Any:
    """Return the ends of the cells around ascending centres."""
    at = np.log(centres) if log else centres
    if at.size == 1:
        ends = np.array([at[0] - 0.5, at[0] + 0.5])
    else:
        inner = 0.5 * (at[1:] + at[:-1])
        ends = np.concatenate([[2 * at[0] - inner[0]], inner, [2 * at[-1] - inner[-1]]])
    return np.exp(ends) if log else ends
