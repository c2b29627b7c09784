"""Sums of a learning window over the inputs of each channel, and V without resets."""

from __future__ import annotations

import math
from typing import NamedTuple

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane

# Contributions below this fraction of a window's scale are smaller than one rounding of the sum.
NEGLIGIBLE = 1e-18


class Window(NamedTuple):
    """Coefficients of a learning window kappa, (12).

    kappa(s) = m exp(-s/tau_m) + s exp(-s/tau_s) for s >= 0, after exp(s after_rate) for s < 0.
    """

    m: float
    s: float
    after: float
    after_rate: float


@borrowing
def add_row(
    events: Events, first: int, stop: int, at: float, window: Window, m: Membrane, row: Floats
) -> None:
    """Add the row Z(at) of window sums, with kappa of (12), to row (one entry a channel).

    Cost: two exponentials and as many events as still matter, not the whole pattern.
    """
    low = first
    high = stop
    while low < high:  # bisection for the first event after `at`
        middle = (low + high) // 2
        if events.times[middle] <= at:
            low = middle + 1
        else:
            high = middle
    if low > first:
        age = at - events.times[low - 1]
        decay_m = math.exp(-age * m.rate_m)
        decay_s = math.exp(-age * m.rate_s)
        e = low - 1
        # kappa(s) for s >= 0, from the newest input backwards: the prepared decays give exp(-s/tau)
        # of each older input by one multiplication. tau_s < tau_m, so decay_m bounds both terms.
        while decay_m >= NEGLIGIBLE:
            row[events.channels[e]] += window.m * decay_m + window.s * decay_s
            e -= 1
            if e < first:
                break
            decay_m *= events.decay_m[e]
            decay_s *= events.decay_s[e]
    if window.after != 0.0:  # kappa(s) for s < 0
        for e in range(low, stop):
            decay = math.exp(-(events.times[e] - at) * window.after_rate)
            if decay < NEGLIGIBLE:
                break
            row[events.channels[e]] += window.after * decay


@borrowing
def copy_row(source: Floats, row: Floats) -> None:
    """Copy a row; a slice assignment would compile a check of shapes with its messages."""
    for c in range(row.size):
        row[c] = source[c]


@borrowing
def fill_rows(
    events: Events, p: int, at: Floats, window: Window, m: Membrane, rows: Floats
) -> None:
    """Fill rows with the window sums of pattern p at each time; rows is (times, channels)."""
    for i in range(at.size):
        rows[i, :] = 0.0
        add_row(events, events.offsets[p], events.offsets[p + 1], at[i], window, m, rows[i])


@borrowing
def fill_desired_rows(
    events: Events, times: Floats, offsets: Ints, window: Window, m: Membrane, rows: Floats
) -> None:
    """Fill rows with the window sums at times[offsets[p]:offsets[p + 1]] of every pattern p."""
    for p in range(offsets.size - 1):
        part = slice(offsets[p], offsets[p + 1])
        fill_rows(events, p, times[part], window, m, rows[part])


@borrowing
def free_parts(
    events: Events, p: int, weights: Floats, at: Floats, m: Membrane, parts: Floats
) -> None:
    """Fill parts with the two terms of V0, in units of Vn, at ascending times; one pass.

    parts is (2, times): V0 is parts[0] - parts[1], its slope parts[1]/tau_s - parts[0]/tau_m.
    """
    first = events.offsets[p]
    stop = events.offsets[p + 1]
    e = first
    a = 0.0
    b = 0.0
    # (a, b) of (5) just after the newest event before at[i], without resets.
    for i in range(at.size):
        while e < stop and events.times[e] < at[i]:
            if e > first:
                a *= events.decay_m[e - 1]
                b *= events.decay_s[e - 1]
            g = weights[events.channels[e]]
            a += g
            b += g
            e += 1
        age = at[i] - events.times[e - 1] if e > first else 0.0
        parts[0, i] = a * math.exp(-age * m.rate_m)
        parts[1, i] = b * math.exp(-age * m.rate_s)
