"""Encoders as parts of a saved estimator: single ones, and pipelines of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from linspike.encoders.addresses import DelayLines, PoolEvents
from linspike.encoders.latency import LatencyEncoder
from linspike.encoders.population import PopulationEncoder
from linspike.encoders.random_layer import RandomLayer
from linspike.encoders.raster import RasterEncoder
from linspike.encoders.selection import FirstEvents, ThinEvents
from linspike.encoders.spike_transformer import takes_spikes
from linspike.errors import ParameterError, Words
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet

# Each encoder, and what it learns.
ENCODERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "PopulationEncoder": (PopulationEncoder, ("data_min_", "data_max_")),
    "LatencyEncoder": (LatencyEncoder, ("scale_",)),
    "RasterEncoder": (RasterEncoder, ("shape_",)),
    "FirstEvents": (FirstEvents, ()),
    "ThinEvents": (ThinEvents, ()),
    "PoolEvents": (PoolEvents, ("pooled_size_",)),
    "DelayLines": (DelayLines, ("duration_",)),
    "RandomLayer": (RandomLayer, ("weights_", "neuron_")),
}
PIPELINE = "Pipeline"
SHAPES = ("shape_", "pooled_size_")


def describe_encoder(encoder: Any, owner: str) -> dict[str, Any] | None:
    """Return what a file holds of a fitted encoder, or of the steps of a pipeline."""
    if encoder is None:
        return None
    key = type(encoder).__name__
    if type(encoder) is Pipeline:
        steps = [[name, describe_encoder(step, owner)] for name, step in encoder.steps]
        return {"key": PIPELINE, "steps": steps}
    if key not in ENCODERS or type(encoder) is not ENCODERS[key][0]:
        domain = f"one of {tuple(ENCODERS)} to be saved"
        remedy = "For other encoders, save the estimator with joblib or pickle."
        raise ParameterError.of("encoder", owner, domain, Words(key), remedy)
    settings = encoder.get_params(deep=False)
    if "random_state" in settings:  # the state of a generator is not kept
        settings["random_state"] = seed_of(settings["random_state"])
    return {
        "key": key,
        "settings": {name: to_plain(value) for name, value in settings.items()},
        "learned": {name: to_plain(getattr(encoder, name)) for name in ENCODERS[key][1]},
    }


def make_encoder(stored: dict[str, Any]) -> Any:
    """Return an encoder with the settings of the saved one."""
    if stored["key"] == PIPELINE:
        return Pipeline([(str(name), make_encoder(step)) for name, step in stored["steps"]])
    settings = {name: _restore(value) for name, value in stored["settings"].items()}
    return ENCODERS[stored["key"]][0](**settings)


def _restore(value: Any) -> Any:
    """Return a setting: JSON makes lists of tuples, and a neuron comes as its parameters."""
    if isinstance(value, dict):
        return SRM(**value)
    return tuple(value) if isinstance(value, list) else value


def restore_encoder(stored: dict[str, Any], n_features: int) -> Any:
    """Return the encoder with what it learned."""
    if stored["key"] == PIPELINE:
        return _restore_steps(stored, n_features)
    encoder, learned = make_encoder(stored), ENCODERS[stored["key"]][1]
    encoder.n_features_in_ = n_features
    for name in learned:
        value = stored["learned"][name]
        if isinstance(value, list) and name not in SHAPES:
            value = np.array(value, float)
        value = _restore(value)
        if not isinstance(value, SRM) and not np.isfinite(value).all():
            raise ValueError(f"{name} is not finite")
        setattr(encoder, name, value)
    return encoder


def _restore_steps(stored: dict[str, Any], n_features: int) -> Pipeline:
    """Return the steps, each with as many features as the step before has channels."""
    steps = []
    for name, part in stored["steps"]:
        step = restore_encoder(part, n_features)
        n_features = step.transform(make_sample(step)).n_channels
        steps.append((str(name), step))
    return Pipeline(steps)


def make_sample(encoder: Any) -> Any:
    """Return samples that the encoder must be able to encode."""
    if takes_spikes(encoder):
        return PatternSet([], [], [0, 0], encoder.n_features_in_, 1.0)
    first = encoder.steps[0][1] if isinstance(encoder, Pipeline) else encoder
    if isinstance(first, PopulationEncoder):
        return np.stack([first.data_min_, first.data_max_])
    shape = first.shape_ if isinstance(first, RasterEncoder) else (first.n_features_in_,)
    return np.zeros((1, *shape))


def seed_of(random_state: Any) -> int | None:
    """Return a seed; the state of a generator is not kept."""
    is_seed = isinstance(random_state, (int, np.integer))
    return int(random_state) if is_seed else None


def to_plain(value: Any) -> Any:
    """Return NumPy's numbers and arrays, and neurons, as what JSON can hold, with all digits."""
    if isinstance(value, SRM):
        return asdict(value)
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value
