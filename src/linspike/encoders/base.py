"""What the encoders share: from numbers and dense rasters to spikes, and pictures of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from linspike.plotting import style
from linspike.spikes.pattern_set import PatternSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Encoder(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """What the encoders share: they return a `PatternSet`, and can draw it."""

    @abstractmethod
    def transform(self, X: Any) -> PatternSet:
        """The rows of X as patterns of spikes."""

    def plot_patterns(self, X: Any, *, ax: Axes | None = None) -> Axes:
        """Draw the spikes of each row of X, a band per pattern and within it a row per channel.

        ax says where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
        `linspike.plot_raster` draws one pattern, or a set with one row per pattern.
        """
        patterns = self.transform(X)
        pattern = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
        # The band of pattern p goes from p - 1/2 to p + 1/2, so that whole numbers name patterns.
        rows = pattern - 0.5 + (patterns.channels + 0.5) / patterns.n_channels
        n_rows = len(patterns) * patterns.n_channels
        end = float(patterns.durations.max())
        ax = style.matplotlib_axes(ax, width=6.0, height=min(6.0, 1.6 + 0.08 * n_rows))
        size = float(np.clip(480.0 / n_rows, 3.0, 10.0))
        ax.hlines(np.arange(1, len(patterns)) - 0.5, 0.0, end, color=style.QUIET, lw=0.5)
        ax.plot(patterns.times, rows, ls="", marker="|", ms=size, mew=1.2, color=style.INK)
        # Many spikes fall on the very first and last instant: room for their ticks.
        ax.set(xlim=(-0.01 * end, 1.01 * end), ylim=(-0.5, len(patterns) - 0.5))
        ax.set(xlabel="time (ms)", ylabel="pattern")
        ax.locator_params(axis="y", integer=True)
        style.tidy(ax)
        return ax
