"""What estimators are handed: numbers for an encoder, or spikes as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.estimators.population import PopulationEncoder
from linspike.spikes.pattern import Pattern
from linspike.spikes.patternset import PatternSet


def as_patterns(X: Any) -> PatternSet | None:
    """The patterns if X is spikes: a set, or a list of patterns as scikit-learn cuts it up."""
    if isinstance(X, PatternSet):
        return X
    if isinstance(X, Pattern):
        return PatternSet.from_patterns([X])
    if isinstance(X, (list, tuple)) and len(X) and all(isinstance(p, Pattern) for p in X):
        return PatternSet.from_patterns(X)
    return None


def new_encoder(encoder: Any, owner: str) -> Any:
    """An encoder to be fitted: a copy of the given one, or population coding."""
    if encoder is None:
        return PopulationEncoder()
    if not (hasattr(encoder, "fit") and hasattr(encoder, "transform")):
        domain = "None or a transformer that returns a PatternSet"
        raise ParameterError.of("encoder", owner, domain, encoder)
    return clone(encoder)


def accepts_rasters(encoder: Any) -> bool:
    """Whether an encoder takes arrays of three dimensions."""
    try:
        return bool(get_tags(encoder).input_tags.three_d_array)
    except (AttributeError, TypeError):  # a transformer from elsewhere without tags
        return False


def checked_patterns(patterns: Any, n_samples: int, owner: str) -> PatternSet:
    """What an encoder returned, if it is a pattern per sample."""
    if not isinstance(patterns, PatternSet) or len(patterns) != n_samples:
        domain = "a transformer that returns a PatternSet with a pattern per sample"
        raise ParameterError.of("encoder", owner, domain, Words(f"{type(patterns).__name__}"))
    return patterns


def check_channels(patterns: PatternSet, expected: int, owner: str) -> None:
    """Refuse spikes over other channels than those learned."""
    if patterns.n_channels != expected:
        raise SpikeDataError(
            f"X has {patterns.n_channels} channels, but {owner} is expecting {expected} as in fit."
        )


def refuse_encoder(encoder: Any, owner: str) -> None:
    """Spikes need no encoder: one that was given would not be used, so it is a mistake."""
    if encoder is not None:
        remedy = "Leave the encoder out, or hand over the numbers it is to encode."
        raise ParameterError.of("encoder", owner, "None if X is spikes", encoder, remedy)


def numeric_dtype(encoder: Any) -> Any:
    """Rasters are checked by their encoder; tables are floats."""
    return "numeric" if accepts_rasters(encoder) else np.float64
