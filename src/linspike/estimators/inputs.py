"""Inputs of estimators: numbers for an encoder, or spikes as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import InputTags, get_tags
from sklearn.utils.validation import validate_data

from linspike.encoders.population import PopulationEncoder
from linspike.encoders.spike_transformer import takes_spikes
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.neuron.arguments import LISTS
from linspike.rules import REGISTRY, Rule, rule_of
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


def explain_nested(part: str, setting: str, held: Any) -> str:
    """Return why a setting of a part cannot be set, and what to pass instead."""
    if part == "encoder" and held is None:
        return "encoder=None. Pass encoder=ls.PopulationEncoder()."
    if part == "neuron":
        given = "neuron=None" if held is None else "a neuron cannot be changed"
        return f"{given}. Pass neuron=ls.SRM({setting}=...)."
    if part == "rule":
        return _explain_rule(setting, held)
    return f"{part!r} has no parameters of its own."


def _explain_rule(setting: str, held: Any) -> str:
    """Return which rule to pass instead of changing one, and what settings the one at hand has."""
    known = isinstance(held, str) and held in REGISTRY
    rule = held if isinstance(held, Rule) else rule_of(held if known else "dta", "rule")
    name, why = type(rule).__name__, "a rule cannot be changed"
    if setting in rule.settings():
        return f"{why}. Pass rule=ls.rules.{name}({setting}=...)."
    own = ", ".join(rule.settings())
    why = f"{why}, and {name} has no {setting!r}. Its settings are {own}."
    others = [REGISTRY[key] for key in REGISTRY if setting in rule_of(key, "rule").settings()]
    if not others:
        return why
    other = "MST" if "MST" in others else others[0]
    return f"{why} Pass a rule that has it, such as rule=ls.rules.{other}({setting}=...)."


def input_tags(encoder: Any) -> InputTags:
    """Return the tags of what an encoder takes: a table of floats unless it says otherwise."""
    try:
        return InputTags() if encoder is None else get_tags(encoder).input_tags
    except (AttributeError, TypeError):  # a transformer from elsewhere without tags
        return InputTags()


def check_numbers(estimator: Any, X: Any, encoder: Any, *, fitting: bool) -> Any:
    """Return X as an array; the shape of rasters is left to their encoder."""
    if _is_ragged(X):
        domain = "a table of numbers, or spikes as a PatternSet"
        got = Words("nested lists of different lengths")
        raise ParameterError.of("X", type(estimator).__name__, domain, got, LISTS)
    if not input_tags(encoder).three_d_array:
        values = _validate_floats(estimator, X, fitting=fitting)
        if values.ndim > 2:
            domain = "a table of numbers, (n_samples, n_features)"
            remedy = f"Rasters of spikes need encoder=ls.RasterEncoder(dt=...). {LISTS}"
            got = Words(f"shape {values.shape}")
            raise ParameterError.of("X", type(estimator).__name__, domain, got, remedy)
        return values
    loose = {"dtype": "numeric", "allow_nd": True, "ensure_2d": False}
    values = validate_data(estimator, X, reset=fitting, **loose)
    if fitting:
        estimator.n_features_in_ = math.prod(values.shape[1:])
    return values


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


def _validate_floats(estimator: Any, X: Any, *, fitting: bool) -> Any:
    """Return X as an array of floats, checked as scikit-learn does; texts get a remedy."""
    try:
        return validate_data(estimator, X, dtype=np.float64, reset=fitting, allow_nd=True)
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


def refuse_numbers(X: Any, encoder: Any, owner: str, *, fitting: bool) -> None:
    """Refuse numbers where spikes were learned, or where the encoder transforms spikes."""
    if takes_spikes(encoder) or (encoder is None and not fitting):
        domain = "a PatternSet, as in fit" if not fitting else "a PatternSet for this encoder"
        raise ParameterError.of("X", owner, domain, Words(type(X).__name__))
