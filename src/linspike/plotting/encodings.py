"""Pictures of encoders: receptive fields, and patterns as they were encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linspike._typing import Floats
from linspike.plotting import style
from linspike.spikes.pattern_set import PatternSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_patterns(patterns: PatternSet, ax: Axes | None = None) -> Axes:
    """Draw a band per pattern and within it a row of spikes per channel."""
    pattern = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
    # The band of pattern p goes from p - 1/2 to p + 1/2, so that whole numbers name patterns.
    rows = pattern - 0.5 + (patterns.channels + 0.5) / patterns.n_channels
    n_rows = len(patterns) * patterns.n_channels
    end = float(patterns.durations.max())
    ax = style.matplotlib_axes(ax, width=6.0, height=min(6.0, 1.6 + 0.08 * n_rows))
    size = float(np.clip(480.0 / n_rows, 3.0, 10.0))
    ax.hlines(np.arange(1, len(patterns)) - 0.5, 0.0, end, color=style.QUIET, lw=0.5)
    ax.plot(patterns.times, rows, ls="", marker="|", ms=size, mew=1.2, color=style.INK)
    # Many spikes fall on the very first and last instant: a margin for their ticks.
    ax.set(xlim=(-0.01 * end, 1.01 * end), ylim=(-0.5, len(patterns) - 0.5))
    ax.set(xlabel="time (ms)", ylabel="pattern")
    ax.locator_params(axis="y", integer=True)
    style.tidy(ax)
    return ax


def draw_fields(
    x: Floats, fields: Floats, seen: tuple[float, float], ax: Axes | None = None
) -> Axes:
    """Draw receptive fields, (values, fields), over the values x; the range `seen` is shaded."""
    ax = style.matplotlib_axes(ax, width=6.0, height=2.8)
    ax.axvspan(*seen, color=style.QUIET, alpha=0.15, lw=0.5)
    ax.plot(x, fields, color=style.POTENTIAL, lw=1.0)
    ax.set(xlim=(x[0], x[-1]), ylim=(0.0, 1.05))
    style.tidy(ax)
    return ax
