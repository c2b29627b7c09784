"""Inputs of estimators: numbers for an encoder, or spikes as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import InputTags, get_tags
from sklearn.utils.validation import validate_data

from linspike._typing import Floats
from linspike.encoders.population import PopulationEncoder
from linspike.encoders.spike_transformer import takes_spikes
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.neuron.arguments import LISTS
from linspike.spikes.pattern_set import PatternSet


def new_encoder(encoder: Any, owner: str) -> Any:
    """Return an encoder to be fitted: a copy of the given one, or population coding."""
    if encoder is None:
        return PopulationEncoder()
    needed = ("fit", "transform", "get_params")  # the last to be cloned
    if isinstance(encoder, type) or not all(hasattr(encoder, name) for name in needed):
        domain = "None or a transformer that returns a PatternSet"
        raise ParameterError.of("encoder", owner, domain, encoder)
    return clone(encoder)


def input_tags(encoder: Any) -> InputTags:
    """Return the tags of what an encoder takes: a table of floats unless it says otherwise."""
    try:
        return get_tags(PopulationEncoder() if encoder is None else encoder).input_tags
    except (AttributeError, TypeError):  # a transformer from elsewhere without tags
        return InputTags()


def count_samples(values: Any) -> int:
    """Return the number of checked samples: patterns, rows of an array or of a sparse table."""
    return len(values) if isinstance(values, PatternSet) else int(values.shape[0])


def check_numbers(estimator: Any, X: Any, encoder: Any, *, fitting: bool) -> Any:
    """Return X as an array, or as a sparse CSR table if the encoder takes such.

    The shape of rasters is left to their encoder.
    """
    domain = "a table of numbers, or spikes as a PatternSet"
    if _has_fields(X):
        got, remedy = Words("structured arrays"), "Use PatternSet.from_structured(events, ...)."
        raise ParameterError.of("X", type(estimator).__name__, domain, got, remedy)
    if _is_ragged(X):
        got = Words("nested lists of different lengths")
        raise ParameterError.of("X", type(estimator).__name__, domain, got, LISTS)
    tags = input_tags(encoder)
    accept_sparse = "csr" if tags.sparse else False
    if not tags.three_d_array:
        values = _validate_floats(estimator, X, reset=fitting, accept_sparse=accept_sparse)
        if values.ndim > 2:
            domain = "a table of numbers, (n_samples, n_features)"
            remedy = f"Rasters of spikes need encoder=ls.RasterEncoder(dt=...). {LISTS}"
            got = Words(f"shape {values.shape}")
            raise ParameterError.of("X", type(estimator).__name__, domain, got, remedy)
        return values
    loose = {"dtype": "numeric", "allow_nd": True, "ensure_2d": False}
    values = validate_data(estimator, X, reset=fitting, accept_sparse=accept_sparse, **loose)
    if fitting:
        estimator.n_features_in_ = math.prod(values.shape[1:])
    return values


def _has_fields(X: Any) -> bool:
    """Return whether X is a structured array or a list of them; mostly these are events."""
    first = X[0] if isinstance(X, (list, tuple)) and len(X) else X
    return isinstance(first, np.ndarray) and first.dtype.names is not None


def _is_ragged(X: Any) -> bool:
    """Return whether X is made of lists of different lengths; mostly these are spike times."""
    if isinstance(X, np.ndarray):
        parts = X.ravel() if X.dtype == object else ()
        return any(isinstance(part, (list, tuple, np.ndarray)) for part in parts)
    try:
        np.asarray(X if isinstance(X, (list, tuple)) else ())
    except ValueError:
        return True
    return False


def _validate_floats(estimator: Any, X: Any, **how: Any) -> Any:
    """Return X as an array of floats, checked as scikit-learn does; texts get a remedy."""
    try:
        return validate_data(estimator, X, dtype=np.float64, allow_nd=True, **how)
    except ValueError as error:
        text = _find_text(X)
        if text is None:
            raise
        remedy = "Leave columns of texts out, or encode them before (sklearn's OneHotEncoder)."
        got, owner = Words(f"the text {text!r}"), type(estimator).__name__
        raise ParameterError.of("X", owner, "a table of numbers", got, remedy) from error


def _find_text(X: Any) -> str | None:
    """Return the first text in X that is no number, or None."""
    try:
        cells = np.asarray(X, dtype=object).ravel()
    except ValueError:  # rows of different lengths
        return None
    return next((cell for cell in cells if isinstance(cell, str) and not _is_number(cell)), None)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_encoded(patterns: Any, n_samples: int, owner: str) -> PatternSet:
    """Return what an encoder returned, if it is a pattern per sample."""
    if not isinstance(patterns, PatternSet) or len(patterns) != n_samples:
        domain = "a transformer that returns a PatternSet with a pattern per sample"
        got = patterns if isinstance(patterns, PatternSet) else Words(type(patterns).__name__)
        raise ParameterError.of("encoder", owner, domain, got)
    return patterns


def check_channels(patterns: PatternSet, expected: int, owner: str) -> None:
    """Refuse spikes with another number of channels than in fit."""
    if patterns.n_channels != expected:
        raise SpikeDataError(
            f"X has {patterns.n_channels} channels, but {owner} is expecting {expected} as in fit."
        )


def refuse_encoder(encoder: Any, owner: str) -> None:
    """Refuse an encoder of numbers where X is spikes: it would not be used, so it is a mistake."""
    if encoder is not None and not takes_spikes(encoder):
        domain = "None or a transformer of spikes, such as FirstEvents, if X is spikes"
        remedy = "Leave the encoder out, or pass the numbers that it encodes."
        raise ParameterError.of("encoder", owner, domain, encoder, remedy)


def check_init(init: Any, owner: str) -> None:
    """Refuse what cannot be initial weights; their shape is checked when it is known."""
    domain = "'drive', a mean and a deviation of at least 0 in thresholds, or an array of weights"
    if isinstance(init, str):
        if init != "drive":
            raise ParameterError.of("init", owner, domain, init)
        return
    try:
        values = np.asarray(init, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError.of("init", owner, domain, init) from None
    is_pair = values.shape == (2,) and values[1] >= 0.0
    if not ((is_pair or values.ndim == 2) and np.isfinite(values).all()):
        raise ParameterError.of("init", owner, domain, init)


def check_initial_weights(init: Any, shape: tuple[int, int], owner: str) -> Floats:
    """Return given initial weights as a new array, (neurons, channels)."""
    weights = np.array(init, dtype=np.float64)
    if weights.shape != shape:
        domain = f"an array of shape {shape}, a row of weights for each neuron"
        raise ParameterError.of("init", owner, domain, Words(f"shape {weights.shape}"))
    return weights


def refuse_numbers(X: Any, encoder: Any, owner: str, *, fitting: bool) -> None:
    """Refuse numbers where spikes were learned, or where the encoder transforms spikes."""
    if takes_spikes(encoder) or (encoder is None and not fitting):
        domain = "a PatternSet, as in fit" if not fitting else "a PatternSet for this encoder"
        remedy = LISTS if isinstance(X, (list, tuple)) else ""
        raise ParameterError.of("X", owner, domain, Words(type(X).__name__), remedy)
