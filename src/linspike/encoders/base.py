"""The base of all encoders: scikit-learn transformers that return patterns, and can draw them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from linspike.errors import ParameterError
from linspike.plotting.encodings import draw_patterns
from linspike.spikes.pattern_set import PatternSet


class Encoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A transformer that returns a `PatternSet`, with a channel for each feature or several."""

    def __init_subclass__(cls, **settings: Any) -> None:
        # A PatternSet is no table: scikit-learn must not make a data frame of it.
        super().__init_subclass__(auto_wrap_output_keys=None, **settings)

    @abstractmethod
    def transform(self, X: Any) -> PatternSet:
        """Return the rows of X as patterns of spikes."""

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels, made of the names of the features.

        Parameters
        ----------
        input_features : list of str, optional
            Names of the features; unless given those of the data frame in `fit`, else x0, x1, ...
        """
        return super().get_feature_names_out(input_features)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Refuse data frames as output: patterns are no table. "default" changes nothing."""
        if transform not in (None, "default"):
            owner, domain = f"{type(self).__name__}.set_output", "'default' or None"
            remedy = (
                "An encoder returns a PatternSet, which is no table; its to_events() has one "
                "column per field, and get_feature_names_out() names the channels."
            )
            raise ParameterError.of("transform", owner, domain, transform, remedy)
        return self

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
