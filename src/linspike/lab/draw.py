"""Random spikes and starting weights, drawn by the library from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike.lab.document import (
    LONGEST,
    MOST_CHANNELS,
    MOST_DESIRED,
    MOST_SEED,
    MOST_SPIKES,
    plain_pattern,
    read_document,
    read_patterns,
)
from linspike.lab.plain import as_plain, read_choice, read_number, read_whole, refuse
from linspike.spikes.generators import jitter, poisson_patterns, poisson_trains
from linspike.training.initial import driven_weights, initial_weights

KINDS = ("spikes", "jitter", "desired", "weights")
WEIGHTS = ("zero", "small", "driven")
HIGHEST = 1.0  # spikes per ms of a channel


def draw(entries: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked for, drawn from a seed."""
    kind = read_choice(entries.get("kind"), "kind", KINDS)
    seed = read_whole(entries.get("seed", 0), "seed", 0, MOST_SEED)
    made: dict[str, Any] = _MAKERS[kind](entries, seed)
    return made


def _draw_spikes(entries: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return Poisson spikes of some channels in a stretch of time."""
    n = read_whole(entries.get("n_channels"), "n_channels", 1, MOST_CHANNELS)
    length = read_number(entries.get("duration"), "duration", 1e-3, LONGEST)
    rate = read_number(entries.get("rate"), "rate", 0.0, HIGHEST)
    if rate * n * length > MOST_SPIKES / 2:
        raise refuse("rate", f"low enough for {MOST_SPIKES // 2} spikes", rate)
    patterns = poisson_patterns(1, n_channels=n, duration=length, rate=rate, rng=seed)
    return plain_pattern(patterns[0])


def _jitter_spikes(entries: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a pattern, every spike of which was moved a little."""
    n = read_whole(entries.get("n_channels"), "n_channels", 1, MOST_CHANNELS)
    sd = read_number(entries.get("sd"), "sd", 0.0, LONGEST)
    patterns = read_patterns([entries.get("pattern")], n)
    return plain_pattern(jitter(patterns[0], sd, rng=seed))


def _draw_desired(entries: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return desired times with a gap between them."""
    length = read_number(entries.get("duration"), "duration", 1e-3, LONGEST)
    rate = read_number(entries.get("rate"), "rate", 0.0, HIGHEST)
    gap = read_number(entries.get("gap", 5.0), "gap", 0.0, LONGEST)
    onset = read_number(entries.get("onset", 10.0), "onset", 0.0, LONGEST)
    how = {"rate": rate, "min_gap": gap, "min_onset": onset}
    (train,) = poisson_trains(1, duration=length, rng=seed, **how)
    return {"times": train.times[:MOST_DESIRED].tolist()}


def _draw_weights(entries: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return weights to start from: zero, small, or such that about half of the spikes come."""
    how = read_choice(entries.get("how"), "how", WEIGHTS)
    document = read_document(entries.get("document"))
    neuron, n = document.neuron, document.weights.size
    if how == "zero":
        return {"weights": as_plain(np.zeros(n))}
    if how == "small":
        return {"weights": as_plain(initial_weights(neuron, 1, n, seed)[0])}
    found = driven_weights(neuron, document.patterns, [document.targets], seed)
    return {"weights": as_plain(found[0])}


_MAKERS = {
    "spikes": _draw_spikes,
    "jitter": _jitter_spikes,
    "desired": _draw_desired,
    "weights": _draw_weights,
}
