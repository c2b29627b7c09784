"""Weights of one neuron as bars, of several as a map or as pictures."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_flag, check_float_array, describe_value
from linspike.errors import ParameterError, Words
from linspike.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OWNER = "plot_weights"
MANY = 60  # bars from which on they stand without gaps


def plot_weights(
    weights: Any,
    *,
    before: Any = None,
    sort: bool = False,
    shape: tuple[int, int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the weights of one neuron as bars, of several as a map, or as pictures of a shape.

    Parameters
    ----------
    weights : array of float, (channels,) or (neurons, channels)
        Weights of one neuron or of several.
    before : array of float, (channels,), optional
        Weights before learning, as dots beside the bars of one neuron.
    sort : bool
        Whether to order the channels of one neuron by their weights.
    shape : (rows, columns), optional
        Shape of the channels, such as that of an image: each neuron is drawn as a picture.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with bars, a map or pictures
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> ax = ls.plot_weights([0.3, -0.1, 0.2], before=[0.1, 0.1, 0.1])
    >>> ax.get_xlabel(), len(ax.patches)
    ('channel', 3)
    """
    rows, single = _check_weights(weights)
    ordered = check_flag(sort, "sort", OWNER)
    if shape is not None or not single:
        where = "several neurons" if shape is None else "pictures of a shape"
        for name, value in (("before", before), ("sort", ordered or None)):
            if value is not None:
                domain = f"left out for {where}"
                raise ParameterError.of(name, OWNER, domain, describe_value(value))
        return _draw_map(rows, ax) if shape is None else _draw_pictures(rows, shape, ax)
    start = None if before is None else check_float_array(before, "before", OWNER)
    if start is not None and start.shape != rows[0].shape:
        domain = f"as many weights as after learning, {rows.shape[1]}"
        raise ParameterError.of("before", OWNER, domain, Words(f"{start.size} weights"))
    if start is not None and not np.isfinite(start).all():
        raise ParameterError.of("before", OWNER, "finite numbers", describe_value(before))
    return _draw_bars(rows[0], start, ordered, ax)


def _check_weights(weights: Any) -> tuple[Floats, bool]:
    """Return a row of weights per neuron, and whether a single one came without a table."""
    try:
        table = np.asarray(weights)
    except ValueError:  # rows of different lengths
        domain = "as many weights for each neuron as for the others"
        raise ParameterError.of("weights", OWNER, domain, describe_value(weights)) from None
    rows = check_float_array(np.atleast_2d(table), "weights", OWNER, ndim=2)
    if not rows.size or not np.isfinite(rows).all():
        domain = "finite numbers, one at least"
        raise ParameterError.of("weights", OWNER, domain, describe_value(weights))
    return rows, table.ndim == 1


def _draw_bars(values: Floats, before: Floats | None, sort: bool, ax: Axes | None) -> Axes:
    ax = style.matplotlib_axes(ax, width=6.0, height=2.6)
    order = np.argsort(values, kind="stable") if sort else np.arange(values.size)
    places = np.arange(values.size)
    below = values[order] < 0.0
    width = 0.9 if values.size < MANY else 1.0
    for part, colour, label in ((~below, style.POTENTIAL, "after"), (below, style.THRESHOLD, None)):
        ax.bar(places[part], values[order][part], width=width, color=colour, label=label)
    ax.axhline(0.0, color=style.QUIET, lw=0.7)
    if before is not None:
        look: Any = {"ls": "", "marker": "o", "mfc": style.GROUND, "mec": style.INK, "mew": 0.8}
        size = float(np.clip(240.0 / values.size, 1.5, 5.0))
        ax.plot(places, before[order], ms=size, label="before", **look)
        style.add_legend(ax)
    label = "channel, by weight" if sort else "channel"
    ax.set(xlim=(-0.7, values.size - 0.3), xlabel=label, ylabel="weight")
    ax.locator_params(axis="x", integer=True)
    style.tidy(ax)
    return ax


def _draw_map(rows: Floats, ax: Axes | None) -> Axes:
    ax = style.matplotlib_axes(ax, width=6.0, height=min(5.0, 1.4 + 0.2 * len(rows)))
    drawn = _show(ax, rows, aspect="auto")
    ax.set(xlabel="channel", ylabel="neuron")
    for axis in ("x", "y"):
        ax.locator_params(axis=axis, integer=True)
    ax.figure.colorbar(drawn, ax=ax, label="weight", pad=0.02)
    style.tidy(ax)
    return ax


def _draw_pictures(rows: Floats, shape: Any, ax: Axes | None) -> Axes:
    """Draw the pictures of all neurons in one, with an empty line between them."""
    try:
        height, width = (operator.index(side) for side in shape)
    except (TypeError, ValueError):
        raise ParameterError.of("shape", OWNER, "two whole numbers", shape) from None
    if min(height, width) < 1 or height * width != rows.shape[1]:
        domain = f"rows and columns of {rows.shape[1]} channels"
        raise ParameterError.of("shape", OWNER, domain, shape)
    across = math.ceil(math.sqrt(len(rows)))
    down = math.ceil(len(rows) / across)
    tiles = np.full((down * (height + 1) - 1, across * (width + 1) - 1), np.nan)
    for number, row in enumerate(rows):
        top, left = (number // across) * (height + 1), (number % across) * (width + 1)
        tiles[top : top + height, left : left + width] = row.reshape(height, width)
    size = 1.6 * across
    ax = style.matplotlib_axes(ax, width=size + 0.9, height=size * down / across + 0.2)
    drawn = _show(ax, tiles, aspect="equal")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.figure.colorbar(drawn, ax=ax, label="weight", pad=0.02)
    return ax


def _show(ax: Any, values: Floats, *, aspect: str) -> Any:
    """Draw values in colours that are pale at 0."""
    most = float(np.nanmax(np.abs(values))) or 1.0
    ends = {"vmin": -most, "vmax": most}
    return ax.imshow(values, cmap="RdBu_r", aspect=aspect, interpolation="nearest", **ends)
