"""Rows of all parameters: how V0 changes with the weights, and with the delays of the channels.

An input that arrives a little later moves its PSP along: the derivative of V0(t) with respect to
the delay of channel c is minus w_c times the sum of the PSP's slopes at t over the channel's
arrivals before t, (73). Arrivals at t itself do not count: what comes later than t has no effect.
"""

from __future__ import annotations

import math

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.rows.windows import NEGLIGIBLE, Window, free_parts
from linspike.kernels.simulation.events import ONE, Events
from linspike.kernels.simulation.membrane import Membrane


@borrowing
def count_before(events: Events, p: int, at: float) -> int:
    """Return the index of the first event of pattern p at `at` or later, by bisection."""
    low, high = int(events.offsets[p]), int(events.offsets[p + 1])
    while low < high:
        middle = (low + high) // 2
        if events.times[middle] < at:
            low = middle + 1
        else:
            high = middle
    return low


@borrowing
def fill_both_rows(
    events: Events, p: int, at: float, psp: Window, m: Membrane, weights: Floats, row: Floats
) -> None:
    """Fill the first half of row with X(at), the second with the gradient of V0 in the delays.

    Cost: that of a PSP row and a little more; the two share exponentials and the walk.
    """
    n = weights.size
    slope_m, slope_s = psp.m * m.rate_m, psp.s * m.rate_s
    row[:] = 0.0
    late = row[n:]
    first = np.uint64(events.offsets[p])
    e = np.uint64(count_before(events, p, at))
    if e > first:
        e -= ONE
        age = at - events.times[e]
        decay_m = math.exp(-age * m.rate_m)
        decay_s = math.exp(-age * m.rate_s)
        # From the newest arrival backwards, as in `add_row`; less the slope of (1) is the same sum
        # with other coefficients.
        while decay_m >= NEGLIGIBLE:
            c = events.channels[e]
            row[c] += psp.m * decay_m + psp.s * decay_s
            late[c] += slope_m * decay_m + slope_s * decay_s
            if e == first:
                break
            e -= ONE
            decay_m *= events.decay_m[e]
            decay_s *= events.decay_s[e]
    for c in range(n):
        late[c] *= weights[c]


@borrowing
def fill_delay_mixture(
    events: Events,
    p: int,
    at: Floats,
    factors: Floats,
    psp: Window,
    m: Membrane,
    weights: Floats,
    out: Floats,
) -> None:
    """Fill out with the sum of factors[i] times the gradient of V0(at[i]) in the delays.

    Times are ascending. One walk from the newest arrival backwards for all of them together.
    """
    slope_m, slope_s = psp.m * m.rate_m, psp.s * m.rate_s
    out[:] = 0.0
    part_m = 0.0
    part_s = 0.0
    i = at.size - 1
    for e in range(events.offsets[p + 1] - 1, events.offsets[p] - 1, -1):
        part_m *= events.decay_m[e]
        part_s *= events.decay_s[e]
        while i >= 0 and at[i] > events.times[e]:
            age = at[i] - events.times[e]
            part_m += factors[i] * math.exp(-age * m.rate_m)
            part_s += factors[i] * math.exp(-age * m.rate_s)
            i -= 1
        out[events.channels[e]] += slope_m * part_m + slope_s * part_s
    for c in range(out.size):
        out[c] *= weights[c]


@borrowing
def add_cusp(
    events: Events,
    p: int,
    at: Floats,
    shares: Floats,
    psp: Window,
    m: Membrane,
    weights: Floats,
    parts: Floats,
    out: Floats,
) -> None:
    """Add to out what the critical threshold gains where the last of its times is a cusp, (76).

    A cusp is where inhibition arrives: with the delay of that input it moves along the rising V,
    and the threshold that V just touches rises with it. parts is (2, 1) work space.
    """
    last = at.size - 1
    e = count_before(events, p, at[last])
    stop = events.offsets[p + 1]
    while e < stop and events.times[e] == at[last] and weights[events.channels[e]] >= 0.0:
        e += 1
    if e == stop or events.times[e] != at[last]:
        return
    free_parts(events, p, weights, at[last:], m, parts)
    c = reset_sum(at[last], at[:last], m.rate_m)
    slope = parts[1, 0] * m.rate_s - parts[0, 0] * m.rate_m
    slope += (parts[0, 0] - parts[1, 0]) * (c - 1.0) / c * m.rate_m
    out[events.channels[e]] += shares[last] * psp.m * slope
