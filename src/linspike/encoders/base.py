"""The base of all encoders: scikit-learn transformers that return patterns, and can draw them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin

from linspike.plotting.encodings import draw_patterns
from linspike.spikes.pattern_set import PatternSet


class Encoder(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A transformer that returns a `PatternSet`."""

    @abstractmethod
    def transform(self, X: Any) -> PatternSet:
        """Return the rows of X as patterns of spikes."""

    def plot_patterns(self, X: Any, *, ax: Any = None) -> Any:
        """Draw the spikes of each row of X, a band per pattern and within it a row per channel.

        `linspike.plot_raster` draws one pattern, or a set with one row per pattern.

        Parameters
        ----------
        X : array
            What to encode.
        ax : matplotlib axes, optional
            Where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
        """
        return draw_patterns(self.transform(X), ax)
