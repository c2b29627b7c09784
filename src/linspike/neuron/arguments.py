"""What the neuron's methods are handed: checks, and times brought into order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_integer, check_real
from linspike.errors import ParameterError, Words
from linspike.spikes.ragged import real_array

FREE_SPIKES = 1000
SPIKES_PER_INPUT = 10
MOST_SPIKES = 10**9


def checked_weights(weights: Any, n_channels: int, ndim: int, owner: str) -> Floats:
    """Finite weights of the right shape, contiguous; ndim 2 has a row per neuron."""
    if type(weights) is not np.ndarray or weights.dtype != np.float64:
        weights = real_array(weights, "weights", owner, np.ndim(weights))
    if weights.ndim != ndim or weights.shape[-1] != n_channels or weights.shape[0] == 0:
        shape = f"({n_channels},)" if ndim == 1 else f"(neurons, {n_channels})"
        domain = f"of shape {shape}, one weight per channel"
        raise ParameterError.of("weights", owner, domain, Words(f"shape {weights.shape}"))
    # One product is cheaper than a look at each weight; it overflows only on very large ones.
    if not math.isfinite(np.vdot(weights, weights)) and not np.isfinite(weights).all():
        bad = np.argwhere(~np.isfinite(weights))[0]
        where = ", ".join(
            f"{axis} {index}"
            for axis, index in zip(("neuron", "channel")[2 - ndim :], bad, strict=True)
        )
        got = Words(f"{weights[tuple(bad)]} for {where}")
        raise ParameterError.of("weights", owner, "finite", got)
    # Kernels are compiled for writable arrays alone: a read-only one would compile them anew.
    fits = weights.flags.c_contiguous and weights.flags.writeable
    array: Floats = weights if fits else weights.copy(order="C")
    return array


def checked_horizon(until: float | None, duration: float, owner: str) -> float:
    """The horizon asked for, or the duration."""
    if until is None:
        return duration
    horizon = check_real(until, "until", owner, least=0.0, domain="at least 0", infinite=True)
    return horizon + 0.0  # no negative zero


def spike_cap(max_spikes: int | None, n_inputs: int, owner: str) -> int:
    """Most spikes of one answer: 1000 and 10 for every input, unless given."""
    if max_spikes is None:
        return FREE_SPIKES + SPIKES_PER_INPUT * n_inputs
    return check_integer(max_spikes, "max_spikes", owner, least=1, most=MOST_SPIKES)


def checked_moments(at: Any, owner: str) -> Floats:
    """Finite times as an array of any shape."""
    moments = real_array(at, "at", owner, np.ndim(at))
    if not np.isfinite(moments).all():
        raise ParameterError.of("at", owner, "finite", at)
    return moments


def ascending(moments: Floats) -> tuple[Floats, Ints]:
    """Times flat and in order, with the order for `in_place`."""
    flat = moments.ravel()
    order = np.argsort(flat, kind="stable")
    return flat[order], order


def in_place(values: Floats, order: Ints, shape: tuple[int, ...]) -> Floats:
    """Values of ascending times back in the order and shape of the question."""
    result = np.empty_like(values)
    result[order] = values
    return result.reshape(shape)
