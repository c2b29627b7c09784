"""Arguments of the neuron's methods: checks, and times brought into order."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_float_array, check_integer, check_real, describe_value
from linspike.errors import ParameterError, RunawayWarning, UnitWarning, Words, caller_level
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.ragged import Ragged
from linspike.spikes.units import HIGH_RATE, warn_high_rate

FREE_SPIKES = 1000
SPIKES_PER_INPUT = 10
MOST_SPIKES = 10**9
SHORTEST = 0.1  # pattern that a neuron can respond to, in tau_s
MANY = 100  # spikes; a few may all come early
SECONDS = (
    "If the times are in seconds, multiply them by 1000, or name the unit: "
    "PatternSet.from_events(..., time_unit='s')."
)
NO_BOUND = "A side without a bound is infinite: (0.0, float('inf')) are weights of at least 0."
LISTS = (
    "Of spike times in lists, [sample][channel], make one with "
    "ls.PatternSet.from_lists(lists, duration)."
)


def check_time_step(dt: Any, tau_s: float, name: str, owner: str) -> float:
    """Return the length of a time step in milliseconds, in which a current must not die out."""
    domain = f"positive and below tau_s = {tau_s:g} ms"
    step = check_real(dt, name, owner, above=0.0, domain=domain)
    if step >= tau_s:
        raise ParameterError.of(name, owner, domain, step, "Time steps are in milliseconds.")
    return step


def check_weights(weights: Any, n_channels: int, ndim: int, owner: str) -> Floats:
    """Return finite, contiguous weights of the right shape, or raise; ndim 2: a row per neuron."""
    if type(weights) is not np.ndarray or weights.dtype != np.float64:
        weights = check_float_array(weights, "weights", owner, None)
    if weights.ndim != ndim or weights.shape[-1] != n_channels or weights.shape[0] == 0:
        shape = f"({n_channels},)" if ndim == 1 else f"(neurons, {n_channels})"
        domain = f"of shape {shape}, one weight per channel"
        remedy = ""
        if weights.ndim != ndim:
            remedy = "Use weights[np.newaxis] for one neuron." if weights.ndim == 1 else ""
        elif weights.shape[-1] != n_channels:
            remedy = (
                f"The input has {n_channels} channels, the weights are for {weights.shape[-1]}."
            )
        raise ParameterError.of("weights", owner, domain, Words(f"shape {weights.shape}"), remedy)
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


def check_weight_bounds(
    weight_bounds: Any, n_channels: int | None, owner: str
) -> tuple[Floats, Floats]:
    """Return the lowest and the highest weight of every channel, -inf and inf where any is allowed.

    `weight_bounds` is None or a pair (low, high), each a number or one number per channel. Where
    the number of channels is not known yet (None), numbers make arrays as long as the bounds
    given per channel, or of length 1.
    """
    if weight_bounds is None:
        weight_bounds = (-math.inf, math.inf)
    domain = "a pair (low, high), each a number or one number per channel"
    name = "weight_bounds"
    is_pair = isinstance(weight_bounds, (tuple, list)) or getattr(weight_bounds, "ndim", 0) > 0
    if not is_pair or len(weight_bounds) != 2:
        raise ParameterError.of(name, owner, domain, describe_value(weight_bounds), NO_BOUND)
    sides = [_check_side(side, owner, domain) for side in weight_bounds]
    given = max(side.size for side in sides)
    count = given if n_channels is None else n_channels
    for side in sides:
        if side.ndim and side.size != count:
            got = Words(f"{side.size} numbers for {count} channels")
            raise ParameterError.of(name, owner, domain, got)
    low, high = (np.array(np.broadcast_to(side, count)) for side in sides)
    _refuse_bounds(low == math.inf, low, high, "finite or -inf where it is the lowest", owner)
    _refuse_bounds(high == -math.inf, low, high, "finite or inf where it is the highest", owner)
    _refuse_bounds(low > high, low, high, "a pair (low, high) with low <= high", owner)
    return low, high


def freeze_weight_bounds(weight_bounds: Any, owner: str) -> tuple[Any, Any]:
    """Return checked bounds as numbers and tuples of numbers, which compare and never change."""
    check_weight_bounds(weight_bounds, None, owner)
    low, high = (
        float(side) if np.ndim(side) == 0 else tuple(np.asarray(side, np.float64).tolist())
        for side in weight_bounds
    )
    return low, high


def refuse_outside(weights: Floats, weight_bounds: Any, owner: str, name: str = "weights") -> None:
    """Refuse weights, (channels,) or (neurons, channels), of which one is beyond its bounds."""
    if weight_bounds is None:
        return
    low, high = check_weight_bounds(weight_bounds, weights.shape[-1], owner)
    outside = (weights < low) | (weights > high)
    for at in np.argwhere(outside)[:1]:
        *neuron, channel = at.tolist()
        where = f"neuron {neuron[0]}, channel {channel}" if neuron else f"channel {channel}"
        domain = f"within weight_bounds, which are ({low[channel]:g}, {high[channel]:g}) there"
        got = Words(f"{float(weights[tuple(at)])} for {where}")
        remedy = f"Start within them: numpy.clip({name}, low, high)."
        raise ParameterError.of(name, owner, domain, got, remedy)


def _check_side(side: Any, owner: str, domain: str) -> Floats:
    """Return the bounds of one side as an array of dimension 0 or 1."""
    name = "weight_bounds"
    if isinstance(side, (tuple, list)) or getattr(side, "ndim", 0) > 0:
        array = check_float_array(side, name, owner)
    else:
        try:
            array = check_float_array(side, name, owner, 0)
        except ParameterError:
            got = describe_value(side)
            raise ParameterError.of(name, owner, domain, got, NO_BOUND) from None
    if array.ndim and not array.size:
        raise ParameterError.of(name, owner, domain, Words("an empty array"))
    if np.isnan(array).any():
        raise ParameterError.of(name, owner, "without NaN", describe_value(side))
    return array + 0.0  # no negative zero


def _refuse_bounds(refused: Any, low: Floats, high: Floats, domain: str, owner: str) -> None:
    """Raise for the first channel whose bounds are refused."""
    for at in np.flatnonzero(refused)[:1]:
        where = f" for channel {at}" if low.size > 1 else ""
        got = Words(f"({low[at]:g}, {high[at]:g}){where}")
        raise ParameterError.of("weight_bounds", owner, domain, got)


def check_horizon(until: float | None, duration: float, owner: str) -> float:
    """Return the given horizon, or the duration if it is None."""
    if until is None:
        return duration
    horizon = check_real(until, "until", owner, least=0.0, infinite=True)
    return horizon + 0.0  # no negative zero


def check_max_spikes(max_spikes: int | None, n_inputs: int, owner: str) -> int:
    """Return the cap on spikes of one response: 1000 and 10 for every input, unless given."""
    if max_spikes is None:
        return FREE_SPIKES + SPIKES_PER_INPUT * n_inputs
    return check_integer(max_spikes, "max_spikes", owner, least=1, most=MOST_SPIKES)


def check_times(at: Any, owner: str) -> Floats:
    """Return finite times as an array of any shape, or raise."""
    times = check_float_array(at, "at", owner, None)
    if not np.isfinite(times).all():
        raise ParameterError.of("at", owner, "finite", at)
    return times


def sort_times(times: Floats) -> tuple[Floats, Ints]:
    """Return the times flat and ascending, and the order for `restore_order`."""
    flat = times.ravel()
    order = np.argsort(flat, kind="stable")
    return flat[order], order


def restore_order(values: Floats, order: Ints, shape: tuple[int, ...]) -> Floats:
    """Return values of sorted times in the order and shape that the times came in."""
    result = np.empty_like(values)
    result[order] = values
    return result.reshape(shape)


def check_pattern(pattern: Any, owner: str) -> Pattern:
    """Return the pattern, or raise with a remedy if it is a set of patterns."""
    if isinstance(pattern, Pattern):
        return pattern
    remedy = ""
    if isinstance(pattern, PatternSet):
        remedy = "Use respond_many, or patterns[i]." if owner == "respond" else "Use patterns[i]."
    raise ParameterError.of("pattern", owner, "a Pattern", pattern, remedy)


def check_patterns(patterns: Any, owner: str) -> PatternSet:
    """Return the set of patterns, or raise."""
    if isinstance(patterns, PatternSet):
        return patterns
    remedy = ""
    listed = isinstance(patterns, (list, tuple)) or (
        isinstance(patterns, np.ndarray) and patterns.ndim > 0
    )
    if isinstance(patterns[0] if listed and len(patterns) else patterns, Pattern):
        remedy = "Make a set of single patterns with PatternSet.from_patterns([pattern])."
    elif listed:
        remedy = LISTS
    raise ParameterError.of("patterns", owner, "a PatternSet", describe_value(patterns), remedy)


def warn_units(ragged: Ragged, horizons: Floats, tau_s: float, owner: str) -> None:
    """Warn if all patterns or all their spikes end very early for the neuron, or rates are high."""
    longest = max(float(ragged.durations.max()), float(horizons.max()))
    if longest < SHORTEST * tau_s:
        return warn_short(longest, tau_s, owner)
    if ragged.times.size >= MANY and 0.0 < ragged.times.max() < SHORTEST * tau_s:
        warnings.warn(
            f"{owner}: all spikes come within {ragged.times.max():.3g} ms, which is short for a "
            f"neuron with tau_s = {tau_s:g} ms. {SECONDS}",
            UnitWarning,
            stacklevel=caller_level(),
        )
    total = ragged.n_channels * float(ragged.durations.sum())
    if ragged.times.size >= HIGH_RATE * total:
        warn_high_rate(ragged.times.size, total, owner, SECONDS)


def warn_short(longest: float, tau_s: float, owner: str) -> None:
    """Warn if even the longest pattern is much shorter than tau_s."""
    if longest < SHORTEST * tau_s:
        warnings.warn(
            f"{owner}: the patterns are at most {longest:.3g} ms long, which is short for a "
            f"neuron with tau_s = {tau_s:g} ms. {SECONDS}",
            UnitWarning,
            stacklevel=caller_level(),
        )


def warn_runaway(responses: int, cap: str, remedy: str, owner: str) -> None:
    """Warn that responses were cut off at the cap on spikes."""
    which = "a response" if responses == 1 else f"{responses} responses"
    warnings.warn(
        f"{owner} cut {which} off at {cap}: the weights are very large for this threshold. "
        f"{remedy}",
        RunawayWarning,
        stacklevel=caller_level(),
    )
