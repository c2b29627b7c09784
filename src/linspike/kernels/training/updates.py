"""Parts of weight changes that several rules share: window rows at single times."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.rows.windows import NEGLIGIBLE, Window, add_row
from linspike.kernels.threshold.gradient import critical_mixture
from linspike.kernels.training.outcomes import DEAD, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import StepInput
from linspike.kernels.trains.matching import first_breach, first_unpaired

FINEST = 1e-3  # smallest tolerance in milliseconds


@borrowing
def add_at(s: StepInput, at: float, factor: float, window: Window, change: Floats) -> None:
    """Add factor times the window sums at one time to change."""
    scaled = Window(factor * window.m, factor * window.s, factor * window.after, window.after_rate)
    first, stop = s.events.offsets[s.p], s.events.offsets[s.p + 1]
    add_row(s.events, first, stop, at, scaled, s.constants.m, change)


@borrowing
def add_mixture(s: StepInput, at: Floats, factors: Floats, window: Window, change: Floats) -> None:
    """Add the sum of factors[i] times the causal window sums at ascending times at[i] to change.

    One walk from the newest input backwards for all times together.
    """
    times, decay_m, decay_s = s.events.times, s.events.decay_m, s.events.decay_s
    m = s.constants.m
    part_m = 0.0
    part_s = 0.0
    faded = 1.0  # what is left of the time added last
    i = at.size - 1
    for e in range(s.events.offsets[s.p + 1] - 1, s.events.offsets[s.p] - 1, -1):
        part_m *= decay_m[e]
        part_s *= decay_s[e]
        faded *= decay_m[e]
        while i >= 0 and at[i] >= times[e]:
            age = at[i] - times[e]
            part_m += factors[i] * math.exp(-age * m.rate_m)
            part_s += factors[i] * math.exp(-age * m.rate_s)
            faded = 1.0
            i -= 1
        if faded < NEGLIGIBLE:
            part_m = 0.0
            part_s = 0.0
            if i < 0:
                break
        change[s.events.channels[e]] += window.m * part_m + window.s * part_s


@borrowing
def correlate(s: StepInput, eta: float, change: Floats) -> None:
    """Set change to eta times (window rows at desired times - window rows at actual ones)."""
    change[:] = 0.0
    for i in range(s.desired.size):
        for c in range(change.size):
            change[c] += eta * s.z_desired[i, c]
    for o in s.actual:
        add_at(s, o, -eta, s.constants.window, change)


@borrowing
def critical_rows(s: StepInput, k: int, weights: Floats, buffers: Floats) -> int:
    """Find the gradient of the critical threshold of k spikes, as a mixture of PSP rows.

    Writes their times to buffers[0] and their shares to buffers[1] (four rows, k columns at least)
    and returns how many there are: none if V never rises above rest.
    """
    constants = s.constants
    scaled = constants.threshold / constants.v_norm
    silent = s.actual.size == 0
    return critical_mixture(
        s.events, s.p, s.until, weights, scaled, constants.m, silent, k, buffers
    )


@borrowing
def add_reset_row(s: StepInput, at: float, eta: float, resets: Floats, change: Floats) -> None:
    """Add eta X(at)/C(at) to change, with the reset sum C of the spikes before that time."""
    constants = s.constants
    add_at(s, at, eta / reset_sum(at, resets, constants.m.rate_m), constants.psp, change)


@borrowing
def raise_dead(s: StepInput, eta: float, change: Floats) -> int:
    """Add eta X at the time of the largest drive, where V never rises above rest; return DEAD."""
    add_at(s, s.peak_drive_time, eta, s.constants.psp, change)
    return DEAD


@borrowing
def find_first_error(s: StepInput, tolerance: float, by_windows: bool) -> tuple[float, float]:
    """Return time and sign of the first error: +1 for a missing spike, -1 for a wrong one, or 0.

    It is the earliest spike without a partner, or the first breach of the tolerance windows.
    """
    if by_windows:
        return first_breach(s.desired, s.actual, tolerance, s.until)
    return first_unpaired(s.desired, s.actual, tolerance)


@borrowing
def correct_first_error(
    s: StepInput, eta: float, tolerance: float, by_windows: bool, change: Floats
) -> int:
    """Set change to eta X(t), with its sign, at the first error; return the outcome.

    A step is asked for though all is within the tolerance if the criterion is finer: the
    tolerance is then halved until an error shows.
    """
    change[:] = 0.0
    at, sign = find_first_error(s, tolerance, by_windows)
    while sign == 0.0 and tolerance > FINEST:
        tolerance *= 0.5
        at, sign = find_first_error(s, tolerance, by_windows)
    if sign == 0.0:
        return UNCHANGED
    add_at(s, at, sign * eta, s.constants.psp, change)
    return SOLVED
