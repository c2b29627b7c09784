"""Units of time: conversion to milliseconds, and warnings where they look mistaken."""

from __future__ import annotations

import warnings

from linspike._typing import Floats
from linspike.errors import UnitWarning, caller_level

TIME_UNITS = ("s", "ms", "us", "ns")
PER_MS = {"us": 1e3, "ns": 1e6}
HIGH_RATE = 1.0  # spikes per ms and channel, in the mean: a thousand hertz
FEWEST_SPIKES = 1000  # below, a high rate may well be meant


def to_ms(times: Floats, unit: str) -> Floats:
    """Return times in milliseconds; those in milliseconds as they are."""
    if unit == "s":
        return times * 1e3
    return times / PER_MS[unit] if unit in PER_MS else times


def from_ms(times: Floats, unit: str) -> Floats:
    """Return times in milliseconds in another unit."""
    if unit == "s":
        return times / 1e3
    return times * PER_MS[unit] if unit in PER_MS else times


def warn_high_rate(n_spikes: float, channel_ms: float, owner: str, remedy: str) -> None:
    """Warn if so many spikes in so many milliseconds of all channels make an unlikely rate."""
    if n_spikes < FEWEST_SPIKES or n_spikes < HIGH_RATE * channel_ms:
        return
    rate = n_spikes / channel_ms
    warnings.warn(
        f"{owner}: channels fire {rate:.3g} spikes per millisecond in the mean, "
        f"{1e3 * rate:.3g} hertz. {remedy}",
        UnitWarning,
        stacklevel=caller_level(),
    )
