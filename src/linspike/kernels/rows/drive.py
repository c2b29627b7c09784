"""The drive |X(t)|^2: how strongly a pattern can move the potential, and its peak."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane


@borrowing
def norm_after(saa: float, sab: float, sbb: float, x: float, m: Membrane) -> float:
    """Return |X|^2 in units of Vn^2 by (25), x after a moment with these sums over channels."""
    u = math.exp(-x * m.rate_m)
    v = math.exp(-x * m.rate_s)
    return saa * u * u - 2.0 * sab * u * v + sbb * v * v


@borrowing
def best_within(saa: float, sab: float, sbb: float, gap: float, m: Membrane) -> tuple[float, float]:
    """Return the largest |X|^2 within a gap, and the time from its beginning."""
    best = norm_after(saa, sab, sbb, gap, m) if gap < math.inf else 0.0
    when = gap
    # Roots z = exp(-x (1/tau_s - 1/tau_m)) of (26), where the derivative of (25) is 0.
    p = saa * m.rate_m
    q = 0.5 * sab * (m.rate_m + m.rate_s)
    r = sbb * m.rate_s
    root = q * q - p * r
    if root >= 0.0 and r > 0.0:
        root = math.sqrt(root)
        for z in ((q + root) / r, (q - root) / r):
            if z > 0.0 and z < 1.0:
                x = -math.log(z) / (m.rate_s - m.rate_m)
                if x < gap:
                    value = norm_after(saa, sab, sbb, x, m)
                    if value > best:
                        best = value
                        when = x
    return best, when


@borrowing
def max_drive(
    events: Events, p: int, until: float, m: Membrane, parts: Floats
) -> tuple[float, float]:
    """Return the largest |X(t)|^2 of pattern p, in units of Vn^2, and its time.

    Both are 0 without inputs. parts is (3, channels) work space: a, b and the time of the last
    input of each channel.
    """
    parts[:] = 0.0
    saa = 0.0
    sab = 0.0
    sbb = 0.0
    best = 0.0
    when = 0.0
    stop = events.offsets[p + 1]
    # S_aa, S_ab, S_bb of (25) in constant time per event: an input changes the a and b of its own
    # channel alone, from (a, b) to (a + 1, b + 1), and between inputs the sums decay as wholes.
    for e in range(events.offsets[p], stop):
        now = events.times[e]
        if now >= until:
            break
        c = events.channels[e]
        a = parts[0, c] * math.exp(-(now - parts[2, c]) * m.rate_m)
        b = parts[1, c] * math.exp(-(now - parts[2, c]) * m.rate_s)
        parts[0, c] = a + 1.0
        parts[1, c] = b + 1.0
        parts[2, c] = now
        saa += 2.0 * a + 1.0
        sab += a + b + 1.0
        sbb += 2.0 * b + 1.0
        following = min(events.times[e + 1] if e + 1 < stop else until, until)
        gap = following - now
        value, after = best_within(saa, sab, sbb, gap, m)
        if value > best:
            best = value
            when = now + after
        u = math.exp(-gap * m.rate_m)
        v = math.exp(-gap * m.rate_s)
        saa *= u * u
        sab *= u * v
        sbb *= v * v
    return best, when


@borrowing
def find_peak(events: Events, p: int, until: float, m: Membrane, parts: Floats) -> float:
    """Return when |X(t)| is largest, `until` if no input arrives before it; parts as above."""
    best, when = max_drive(events, p, until, m, parts)
    return when if best > 0.0 else until


@borrowing
def fill_max_drives(
    events: Events, untils: Floats, m: Membrane, parts: Floats, values: Floats, times: Floats
) -> None:
    """Fill values and times with `max_drive` of every pattern."""
    for p in range(untils.size):
        values[p], times[p] = max_drive(events, p, untils[p], m, parts)
