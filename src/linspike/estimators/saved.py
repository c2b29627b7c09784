"""Estimators in one npz file, written and read without pickle."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from importlib import metadata
from os import PathLike, fspath
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from linspike.errors import FileFormatError, ParameterError, Words
from linspike.estimators.classifier import SpikeClassifier
from linspike.estimators.codes import CountCode, TimeCode
from linspike.estimators.estimator import SpikeEstimator
from linspike.estimators.latency import LatencyEncoder
from linspike.estimators.mapper import SpikeMapper
from linspike.estimators.population import PopulationEncoder
from linspike.estimators.raster import RasterEncoder
from linspike.neuron.arguments import checked_weights
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, is_registered, rule_of
from linspike.spikes import files
from linspike.spikes.train import SpikeTrain
from linspike.training import models

FORMAT = "linspike.Estimator"
FORMAT_VERSION = 1
ESTIMATORS = {"SpikeClassifier": SpikeClassifier, "SpikeMapper": SpikeMapper}
ENCODERS: dict[str, tuple[type, tuple[str, ...]]] = {
    "PopulationEncoder": (PopulationEncoder, ("data_min_", "data_max_")),
    "LatencyEncoder": (LatencyEncoder, ("scale_",)),
    "RasterEncoder": (RasterEncoder, ("shape_",)),
}
APART = ("encoder", "rule", "neuron", "class_weight", "random_state")


def save(estimator: SpikeEstimator, path: str | PathLike[str], notes: dict[str, Any]) -> None:
    """Write a fitted estimator; the old file stays until all is written."""
    check_is_fitted(estimator)
    owner = type(estimator).__name__
    settings = estimator.get_params(deep=False)
    about: dict[str, Any] = {
        "linspike": metadata.version("linspike"),
        "estimator": owner,
        "settings": {name: _plain(settings[name]) for name in settings if name not in APART},
        "class_weight": _class_weight(settings.get("class_weight")),
        "random_state": _seed(settings["random_state"]),
        "neuron": asdict(estimator.neuron_),
        "rule": _rule(estimator, owner),
        "encoder": _encoder(estimator.encoder_, owner),
        "epochs": int(estimator.n_iter_),
        "order": int(estimator.seed_),
        "n_features": int(estimator.n_features_in_),
        "names": [str(name) for name in getattr(estimator, "feature_names_in_", ())],
        "notes": notes,
    }
    arrays: dict[str, Any] = {"weights": estimator.weights_, "classes": np.empty(0)}
    if isinstance(estimator, SpikeClassifier):
        arrays["classes"] = _classes(estimator.classes_)
        code = estimator.code_
        about["code"] = (
            [train.times.tolist() for train in code.trains]
            if isinstance(code, TimeCode)
            else asdict(code)  # type: ignore[call-overload]
        )
    try:
        text = np.str_(json.dumps(about))
    except (TypeError, ValueError):
        domain = "a dict of what JSON can hold (arrays as lists)"
        raise ParameterError.of("notes", f"{owner}.save", domain, notes) from None
    files.save_arrays(path, FORMAT, FORMAT_VERSION, about=text, **arrays)


def load_model(path: str | PathLike[str]) -> SpikeClassifier | SpikeMapper | models.Model:
    """Read what `save` of a classifier, a mapper or a `Model` wrote.

    Files are read without pickle, so that a file from elsewhere cannot run code. What was written
    as notes is the attribute `notes_` of an estimator, `notes` of a `Model`.
    """
    kind = files.kind_of(path)
    if kind == models.FORMAT:
        return models.load_model(path)
    if kind != FORMAT:
        raise FileFormatError(f"{fspath(path)!r} is not a model that linspike saved.")
    arrays = files.load_arrays(path, FORMAT, FORMAT_VERSION, ("about", "weights", "classes"))
    with files.refusing_damage(path):
        return _restored(json.loads(str(arrays["about"])), arrays)


def _restored(about: dict[str, Any], arrays: files.Arrays) -> SpikeClassifier | SpikeMapper:
    rule, stored = about["rule"], about["encoder"]
    if rule["key"] not in REGISTRY:
        raise FileFormatError(
            f"The model was learned with the rule {rule['key']!r}, which this linspike lacks."
        )
    how: dict[str, Any] = {
        **about["settings"],
        "rule": rule_of(rule["key"], "load_model", **rule["settings"]),
        "neuron": SRM(**about["neuron"]),
        "random_state": about["random_state"],
    }
    names = about["names"]
    encoder = None if stored is None else _restored_encoder(stored, about["n_features"])
    if encoder is not None:
        how["encoder"] = ENCODERS[stored["key"]][0](**stored["settings"])
    maker = ESTIMATORS[about["estimator"]]
    if maker is SpikeClassifier:
        pairs = about["class_weight"]
        how["class_weight"] = dict(pairs) if isinstance(pairs, list) else pairs
    estimator: Any = maker(**how)
    estimator.neuron_, estimator.rule_, estimator.encoder_ = how["neuron"], how["rule"], encoder
    width = arrays["weights"].shape[-1]
    estimator.weights_ = checked_weights(arrays["weights"], width, 2, "load_model")
    estimator.n_iter_, estimator.seed_ = int(about["epochs"]), int(about["order"])
    estimator.n_features_in_, estimator.notes_ = int(about["n_features"]), about["notes"]
    if names:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    if isinstance(estimator, SpikeMapper):
        estimator.n_outputs_ = len(estimator.weights_)
        return estimator
    estimator.classes_ = arrays["classes"]
    code = about["code"]
    estimator.code_ = (
        CountCode(**code)
        if isinstance(code, dict)
        else TimeCode(tuple(SpikeTrain(times) for times in code))
    )
    _check_whole(estimator)
    return estimator  # type: ignore[no-any-return]


def _check_whole(classifier: Any) -> None:
    """Parts that must fit each other; a file that was tampered with may hold any."""
    code, n_classes = classifier.code_, len(classifier.classes_)
    named = len(code.trains) if isinstance(code, TimeCode) else code.n_neurons
    if named != n_classes or len(classifier.weights_) != code.n_neurons:
        raise ValueError("weights, code and classes do not fit")


def _restored_encoder(stored: dict[str, Any], n_features: int) -> Any:
    maker, learned = ENCODERS[stored["key"]]
    encoder: Any = maker(**stored["settings"])
    for name in learned:
        value = stored["learned"][name]
        as_it_was: Callable[[Any], Any] = tuple if name == "shape_" else np.array
        setattr(encoder, name, as_it_was(value) if isinstance(value, list) else value)
    encoder.n_features_in_ = n_features
    return encoder


def _encoder(encoder: Any, owner: str) -> dict[str, Any] | None:
    if encoder is None:
        return None
    key = type(encoder).__name__
    if key not in ENCODERS or type(encoder) is not ENCODERS[key][0]:
        domain = f"one of {tuple(ENCODERS)} to be saved"
        remedy = "For other encoders, save the estimator with joblib or pickle."
        raise ParameterError.of("encoder", owner, domain, Words(key), remedy)
    learned = {name: _plain(getattr(encoder, name)) for name in ENCODERS[key][1]}
    settings = {name: _plain(value) for name, value in encoder.get_params(deep=False).items()}
    return {"key": key, "settings": settings, "learned": learned}


def _rule(estimator: SpikeEstimator, owner: str) -> dict[str, Any]:
    rule = estimator.rule_
    if not is_registered(rule):
        domain = f"one of the registered rules {tuple(REGISTRY)} to be saved"
        remedy = "A rule of your own cannot be restored from a file: use joblib or pickle."
        raise ParameterError.of("rule", owner, domain, rule, remedy)
    return {"key": rule.key, "settings": rule.settings()}


def _classes(classes: Any) -> Any:
    """Labels as an array that needs no pickle."""
    if classes.dtype != object:
        return classes
    if all(isinstance(label, str) for label in classes):
        return classes.astype(str)
    domain = "numbers, flags or texts to be saved"
    raise ParameterError.of("classes_", "SpikeClassifier", domain, classes.tolist())


def _class_weight(weights: Any) -> Any:
    if not isinstance(weights, dict):
        return weights
    return [[_plain(label), _plain(weight)] for label, weight in weights.items()]


def _seed(random_state: Any) -> int | None:
    """A seed; the state of a generator is not kept."""
    is_seed = isinstance(random_state, (int, np.integer))
    return int(random_state) if is_seed else None


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as what JSON can hold; floats keep all their digits."""
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else value
