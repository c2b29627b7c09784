"""Delays of channels: checks, and patterns as they arrive at a neuron."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_float_array
from linspike.errors import ParameterError, Words
from linspike.kernels.simulation.arrivals import fill_all_arrived, make_sort_space
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.ragged import Ragged


def check_delays(
    delays: Any, n_channels: int, owner: str, *, most: float = math.inf
) -> Floats | None:
    """Return the delays of one neuron, finite and at least 0, or None if there are none.

    most is the longest delay that a rule allows.
    """
    if delays is None:
        return None
    array = check_float_array(delays, "delays", owner, None)
    if array.shape != (n_channels,):
        domain = f"of shape ({n_channels},), one delay per channel in milliseconds"
        raise ParameterError.of("delays", owner, domain, Words(f"shape {array.shape}"))
    _check_values(array, most, owner)
    return array


def check_all_delays(
    delays: Any, shape: tuple[int, int], owner: str, *, most: float = math.inf
) -> Floats | None:
    """Return the delays of many neurons, (channels,) if they share them, or None."""
    if delays is None:
        return None
    neurons, n_channels = shape
    array = check_float_array(delays, "delays", owner, None)
    if array.shape not in ((n_channels,), shape):
        domain = (
            f"of shape ({n_channels},), which all neurons share, or {(neurons, n_channels)}, in "
            "milliseconds"
        )
        raise ParameterError.of("delays", owner, domain, Words(f"shape {array.shape}"))
    _check_values(array, most, owner)
    return array


def _check_values(delays: Floats, most: float, owner: str) -> None:
    """Refuse delays that are not finite, negative or too long."""
    bad = np.argwhere(~(np.isfinite(delays) & (delays >= 0.0)))
    if bad.size:
        remedy = "An input cannot arrive before it was sent." if (delays < 0.0).any() else ""
        _refuse(delays, bad[0], "finite and at least 0 ms", owner, remedy)
    late = np.argwhere(delays > most)
    if late.size:
        remedy = "Raise max_delay of the rule, or start with shorter ones."
        _refuse(delays, late[0], f"at most max_delay = {most:g} ms", owner, remedy)


def _refuse(delays: Floats, at: Any, domain: str, owner: str, remedy: str) -> NoReturn:
    *neuron, channel = at.tolist()
    where = f"neuron {neuron[0]}, channel {channel}" if neuron else f"channel {channel}"
    got = Words(f"{float(delays[tuple(at)])} for {where}")
    raise ParameterError.of("delays", owner, domain, got, remedy)


def arrive(ragged: Ragged, delays: Floats) -> Ragged:
    """Return the inputs as they arrive, those of each pattern in the order in which they do.

    Arrivals may be later than the pattern's duration: only the neuron sees such a set.
    """
    longest = int(np.diff(ragged.offsets).max())
    arrived = ragged.stretch(0, ragged.durations.size)
    arrived.times, arrived.channels = np.empty_like(ragged.times), np.empty_like(ragged.channels)
    fill_all_arrived(
        ragged.times,
        ragged.channels.view(np.uint32),
        ragged.offsets,
        delays,
        make_sort_space(longest),
        arrived.times,
        arrived.channels.view(np.uint32),
    )
    return arrived


def arrived_pattern(pattern: Pattern, delays: Floats | None) -> Pattern:
    """Return a pattern as it arrives; as it is without delays."""
    if delays is None:
        return pattern
    own = pattern._ragged.stretch(pattern._index, pattern._index + 1)
    return Pattern._view(arrive(own, delays), 0)


def arrived_set(patterns: PatternSet, delays: Floats | None) -> PatternSet:
    """Return a set of patterns as they arrive; as it is without delays."""
    return patterns if delays is None else PatternSet._view(arrive(patterns._ragged, delays))
