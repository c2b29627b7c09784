"""Estimators in one npz file, written and read without pickle.

Estimators register themselves, so that this module need not know them.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import metadata
from os import PathLike, fspath
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from linspike import _files
from linspike._validation import check_flag, check_integer
from linspike.errors import FileFormatError, ParameterError
from linspike.estimators.saved_encoders import (
    describe_encoder,
    make_encoder,
    make_sample,
    restore_encoder,
    seed_of,
    to_plain,
)
from linspike.neuron.arguments import check_weight_bounds, check_weights, freeze_weight_bounds
from linspike.neuron.arrivals import check_all_delays
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, is_registered, rule_of
from linspike.spikes.pattern_set import PatternSet
from linspike.training import model as models
from linspike.training.schedule import KINDS, Schedule

FORMAT = "linspike.Estimator"
FORMAT_VERSION, OLDEST_VERSION = 4, 3  # 3 knows no delays
MOST_SEED = 2**31 - 1
ESTIMATORS: dict[str, Any] = {}  # by the name of their class
APART = (
    "encoder",
    "rule",
    "neuron",
    "weight_bounds",
    "class_weight",
    "random_state",
    "schedule",
)

E = TypeVar("E")


def register(kind: type[E]) -> type[E]:
    """Make a class of estimators known to `load_model`.

    It has `_state`, which returns what a file holds besides that of every estimator, and
    `_restore`, which takes it over.
    """
    ESTIMATORS[kind.__name__] = kind
    return kind


def save(estimator: Any, path: str | PathLike[str], notes: Any) -> None:
    """Write a fitted estimator; an old file stays until all is written."""
    check_is_fitted(estimator)
    estimator._check_parameters()
    owner = type(estimator).__name__
    settings = estimator.get_params(deep=False)
    check_weight_bounds(settings["weight_bounds"], estimator.weights_.shape[1], owner)
    about: dict[str, Any] = {
        "linspike": metadata.version("linspike"),
        "estimator": owner,
        "settings": {name: to_plain(settings[name]) for name in settings if name not in APART},
        "weight_bounds": _weight_bounds(settings["weight_bounds"], owner),
        "class_weight": _class_weight(settings.get("class_weight")),
        "random_state": seed_of(settings["random_state"]),
        "schedule": _schedule(settings.get("schedule")),
        "neuron": asdict(estimator.neuron_),
        "rule": _rule(estimator, owner),
        "encoder": describe_encoder(estimator.encoder_, owner),
        "epochs": int(estimator.n_iter_),
        "order": int(estimator.seed_),
        "converged": bool(estimator.converged_),
        "reason": list(estimator.reason_),
        "history": {name: values.tolist() for name, values in estimator.history_.items()},
        "n_features": int(estimator.n_features_in_),
        "names": [str(name) for name in getattr(estimator, "feature_names_in_", ())],
        "notes": notes,
    }
    more, classes = estimator._state()
    about |= more
    arrays = {"weights": estimator.weights_, "classes": _classes(classes, owner)}
    if estimator.delays_ is not None:
        arrays["delays"] = estimator.delays_
    # The rule is the one that learned, which parameters set since then may not go with.
    _restore_settings(about)._check_parameters()
    _files.save_arrays(path, FORMAT, FORMAT_VERSION, about=_text(about, owner), **arrays)


def load_model(path: str | PathLike[str], *, max_bytes: int | None = None) -> Any:
    """Return the classifier, mapper or `Model` that its `save` wrote to a file.

    Files are read without pickle, so that a file from elsewhere cannot run code.

    Parameters
    ----------
    path : str or path
        The file.
    max_bytes : int, optional
        The most memory that the arrays may take. Unless given, 1 GiB or fifty times the size of
        the file, whichever is more.

    Returns
    -------
    SpikeClassifier, SpikeMapper or Model
        What was written as notes is the attribute `notes_` of an estimator, `notes` of a `Model`.
        Of an estimator, rule and neuron are those that learned.
    """
    kind = _files.kind_of(path, max_bytes)
    if kind == models.FORMAT:
        return models.load_model(path, max_bytes=max_bytes)
    if kind != FORMAT:
        raise FileFormatError(f"{fspath(path)!r} is not a model that linspike saved.")
    names = ("about", "weights", "classes")
    version = FORMAT_VERSION
    arrays = _files.load_arrays(
        path, FORMAT, version, names, max_bytes, oldest=OLDEST_VERSION, optional=("delays",)
    )
    with _files.refusing_damage(path):
        about = json.loads(str(arrays["about"]))
        estimator = _restore_settings(about)
        _restore_learned(estimator, about, arrays)
        _check_parts(estimator)
        return estimator


def _restore_settings(about: dict[str, Any]) -> Any:
    """Return an estimator with the settings of the saved one, not fitted yet."""
    rule, encoder, pairs = about["rule"], about["encoder"], about["class_weight"]
    if rule["key"] not in REGISTRY:
        raise FileFormatError(
            f"The model was learned with the rule {rule['key']!r}, which this linspike lacks."
        )
    learned_by, neuron = (
        rule_of(rule["key"], "load_model", **rule["settings"]),
        SRM(**about["neuron"]),
    )
    # What nobody set is not shown: the key of a rule as it comes, no neuron for the default one.
    apart: dict[str, Any] = {
        "encoder": None if encoder is None else make_encoder(encoder),
        "rule": rule["key"] if learned_by == rule_of(rule["key"], "load_model") else learned_by,
        "neuron": None if neuron == SRM() else neuron,
        "weight_bounds": _weight_bounds(about.get("weight_bounds"), "load_model"),
        "random_state": about["random_state"],
    }
    if pairs is not None:
        apart["class_weight"] = dict(pairs) if isinstance(pairs, list) else pairs
    if about["schedule"] is not None:
        apart["schedule"] = _restore_schedule(about["schedule"])
    return ESTIMATORS[about["estimator"]](**about["settings"], **apart)


def _restore_learned(estimator: Any, about: dict[str, Any], arrays: _files.Arrays) -> None:
    owner, stored = "load_model", about["encoder"]
    n_features = check_integer(about["n_features"], "n_features", owner, least=1)
    estimator.neuron_, estimator.rule_ = estimator.neuron or SRM(), rule_of(estimator.rule, owner)
    estimator.encoder_ = None if stored is None else restore_encoder(stored, n_features)
    width = arrays["weights"].shape[-1]
    estimator.weights_ = check_weights(arrays["weights"], width, 2, owner)
    estimator.delays_ = check_all_delays(arrays.get("delays"), arrays["weights"].shape, owner)
    estimator.n_iter_ = check_integer(about["epochs"], "epochs", owner, least=0)
    estimator.seed_ = check_integer(about["order"], "order", owner, least=0, most=MOST_SEED)
    estimator.converged_ = check_flag(about["converged"], "converged", owner)
    estimator.reason_ = [str(reason) for reason in about["reason"]]
    history = {**about["history"]}
    estimator.history_ = {name: np.array(values, float) for name, values in history.items()}
    estimator.n_features_in_, estimator.notes_ = n_features, {**about["notes"]}
    if about["names"]:
        estimator.feature_names_in_ = np.array(about["names"], dtype=object)
    estimator._restore(about, arrays["classes"])


def _check_parts(estimator: Any) -> None:
    """Check that the parts fit each other; a file that was tampered with may hold any."""
    estimator._check_parameters()
    width = estimator.weights_.shape[1]
    channels = estimator.n_features_in_
    if estimator.encoder_ is not None:
        sample = make_sample(estimator.encoder_)
        channels = estimator.encoder_.transform(sample).n_channels
        size = sample.n_channels if isinstance(sample, PatternSet) else sample[0].size
        if size != estimator.n_features_in_:
            raise ValueError("encoder and number of features do not fit")
    check_weight_bounds(estimator.weight_bounds, width, "load_model")
    if len(estimator.reason_) != len(estimator.weights_):
        raise ValueError("reasons and weights do not fit")
    if channels != width:
        raise ValueError(f"weights for {width} channels, but {channels} come in")
    if len(getattr(estimator, "feature_names_in_", ())) not in (0, estimator.n_features_in_):
        raise ValueError("names and number of features do not fit")


def _rule(estimator: Any, owner: str) -> dict[str, Any]:
    rule = estimator.rule_
    if not is_registered(rule):
        domain = f"one of the registered rules {tuple(REGISTRY)} to be saved"
        remedy = "A rule of your own cannot be restored from a file: use joblib or pickle."
        raise ParameterError.of("rule", owner, domain, rule, remedy)
    return {"key": rule.key, "settings": rule.settings()}


def _classes(classes: Any, owner: str) -> Any:
    """Return labels as an array that needs no pickle."""
    if classes.dtype != object:
        return classes
    for label in classes:
        if not isinstance(label, str):
            raise ParameterError.of("y", owner, "all texts or all numbers to be saved", label)
    return classes.astype(str)


def _weight_bounds(weight_bounds: Any, owner: str) -> Any:
    """Return bounds as numbers and tuples of numbers; JSON makes lists of tuples."""
    return None if weight_bounds is None else freeze_weight_bounds(weight_bounds, owner)


def _class_weight(weights: Any) -> Any:
    if not isinstance(weights, dict):
        return weights
    return [[to_plain(label), to_plain(weight)] for label, weight in weights.items()]


def _schedule(schedule: Any) -> Any:
    """Return a schedule by its name and numbers, a pair as a list."""
    if isinstance(schedule, Schedule):
        return {"kind": type(schedule).__name__, **asdict(schedule)}
    return None if schedule is None else [float(factor) for factor in schedule]


def _restore_schedule(stored: Any) -> Any:
    if isinstance(stored, list):
        return tuple(stored)
    numbers = {**stored}
    return KINDS[numbers.pop("kind")](**numbers)


def _text(about: dict[str, Any], owner: str) -> np.str_:
    """Return all that is no array; the notes are the only part that JSON may be unable to hold."""
    try:
        if not isinstance(about["notes"], dict):
            raise TypeError
        return np.str_(json.dumps(about))
    except (TypeError, ValueError):
        domain = "a dict of what JSON can hold (arrays as lists)"
        raise ParameterError.of("notes", f"{owner}.save", domain, about["notes"]) from None
