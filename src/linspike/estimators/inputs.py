"""What estimators are handed: numbers for an encoder, or spikes as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import InputTags, get_tags
from sklearn.utils.validation import validate_data

from linspike.encoders.population import PopulationEncoder
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.rules import REGISTRY
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet


def as_patterns(X: Any) -> PatternSet | None:
    """The patterns if X is spikes: a set, or a list or array of patterns, as sets are cut up."""
    if isinstance(X, PatternSet):
        return X
    if isinstance(X, Pattern):
        return PatternSet.from_patterns([X])
    listed = isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.ndim == 1)
    if listed and len(X) and all(isinstance(p, Pattern) for p in X):
        return PatternSet.from_patterns(X)
    return None


def new_encoder(encoder: Any, owner: str) -> Any:
    """An encoder to be fitted: a copy of the given one, or population coding."""
    if encoder is None:
        return PopulationEncoder()
    needed = ("fit", "transform", "get_params")  # the last to be cloned
    if isinstance(encoder, type) or not all(hasattr(encoder, name) for name in needed):
        domain = "None or a transformer that returns a PatternSet"
        raise ParameterError.of("encoder", owner, domain, encoder)
    return clone(encoder)


def nested_remedy(part: str, setting: str, held: Any) -> str:
    """How to vary a setting of a part that cannot be changed in place."""
    if part == "encoder" and held is None:
        return f"Hand in encoder=ls.PopulationEncoder() to search over encoder__{setting}."
    if part == "neuron":
        return f"Hand in whole neurons: {{'neuron': [ls.SRM({setting}=value) for value in ...]}}."
    if part == "rule":
        name = REGISTRY.get(held, "DTA") if isinstance(held, str) else type(held).__name__
        made = f"ls.rules.{name}({setting}=value)"
        return f"Hand in whole rules: {{'rule': [{made} for value in ...]}}."
    return ""


def input_tags(encoder: Any) -> InputTags:
    """What scikit-learn may hand to an encoder: a table of floats unless it says otherwise."""
    try:
        return InputTags() if encoder is None else get_tags(encoder).input_tags
    except (AttributeError, TypeError):  # a transformer from elsewhere without tags
        return InputTags()


def checked_numbers(estimator: Any, X: Any, encoder: Any, *, fitting: bool) -> Any:
    """X as an array; the shape of rasters is left to their encoder."""
    if not input_tags(encoder).three_d_array:
        values = validate_data(estimator, X, dtype=np.float64, reset=fitting, allow_nd=True)
        if values.ndim > 2:
            domain = "a table of numbers, (n_samples, n_features)"
            remedy = "Rasters of spikes need encoder=ls.RasterEncoder(dt=...)."
            got = Words(f"shape {values.shape}")
            raise ParameterError.of("X", type(estimator).__name__, domain, got, remedy)
        return values
    loose = {"dtype": "numeric", "allow_nd": True, "ensure_2d": False}
    values = validate_data(estimator, X, reset=fitting, **loose)
    if fitting:
        estimator.n_features_in_ = math.prod(values.shape[1:])
    return values


def checked_patterns(patterns: Any, n_samples: int, owner: str) -> PatternSet:
    """What an encoder returned, if it is a pattern per sample."""
    if not isinstance(patterns, PatternSet) or len(patterns) != n_samples:
        domain = "a transformer that returns a PatternSet with a pattern per sample"
        got = patterns if isinstance(patterns, PatternSet) else Words(type(patterns).__name__)
        raise ParameterError.of("encoder", owner, domain, got)
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
