"""The base of transformers from spikes to spikes, which stand in front of a classifier."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from linspike._typing import Ints
from linspike.encoders.base import Encoder
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.spikes.listed import as_patterns
from linspike.spikes.pattern_set import PatternSet


class SpikeTransformer(Encoder):
    """A transformer from a `PatternSet` to another, with a pattern for each pattern."""

    takes_spikes = True
    n_features_in_: int

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the patterns and remember the number of channels; y is ignored."""
        self._check_parameters()
        patterns = self._read(X)
        self._learn(patterns)
        self.n_features_in_ = patterns.n_channels
        return self

    def transform(self, X: Any) -> PatternSet:
        """Return one pattern per pattern of X."""
        check_is_fitted(self, "n_features_in_")
        self._check_parameters()
        patterns = self._read(X)
        if patterns.n_channels != self.n_features_in_:
            raise SpikeDataError(
                f"X has {patterns.n_channels} channels, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} as in fit."
            )
        return self._change(patterns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags

    def _read(self, X: Any) -> PatternSet:
        patterns = as_patterns(X)
        if patterns is None:
            got, owner = Words(type(X).__name__), type(self).__name__
            remedy = "Numbers become spikes with ls.PopulationEncoder or ls.LatencyEncoder."
            raise ParameterError.of("X", owner, "a PatternSet or a list of Pattern", got, remedy)
        return patterns

    @abstractmethod
    def _check_parameters(self) -> None:
        """Refuse parameters outside their domains."""

    def _learn(self, patterns: PatternSet) -> None:
        """Learn what `transform` needs to know of the patterns to learn from."""

    @abstractmethod
    def _change(self, patterns: PatternSet) -> PatternSet:
        """Return the patterns transformed."""


def takes_spikes(encoder: Any) -> bool:
    """Return whether an encoder, or the first step of a pipeline, transforms spikes."""
    steps = getattr(encoder, "steps", None)
    first = steps[0][1] if isinstance(steps, list) and steps else encoder
    return bool(getattr(first, "takes_spikes", False))


def pattern_of_spikes(patterns: PatternSet) -> Ints:
    """Return the pattern that each spike belongs to."""
    return np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))


def keep_spikes(patterns: PatternSet, kept: Any) -> PatternSet:
    """Return the patterns with the spikes that a mask picks."""
    offsets = np.concatenate([[0], np.cumsum(kept)])[patterns.offsets]
    channels = patterns.channels[kept]
    return PatternSet(
        patterns.times[kept], channels, offsets, patterns.n_channels, patterns.durations
    )
