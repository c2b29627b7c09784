"""Gradient of the critical threshold with respect to the weights.

At the critical threshold th* the neuron fires at t_1 < ... < t_m and V just touches th* at t*.
With C(t) = 1 + sum_{t_j < t} exp(-(t - t_j)/tau_m) all of these times t_k satisfy

    V0(t_k) / C(t_k) = th*.

Weights move the earlier spikes, and these move the later ones through C. A smooth maximum does
not move th* by moving itself, and a cusp or the horizon does not move, so t* needs no slope.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.rows.windows import free_parts
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_near, free_maximum
from linspike.kernels.training.protocol import StepInput
from linspike.kernels.training.updates import resets_before

# A spike that only just happens has next to no slope, and its time no derivative to speak of.
# Slopes below this many thresholds per tau_m are taken for it, so that one such spike cannot
# carry the whole gradient away.
LEAST_SLOPE = 1e-3


@kernel
def critical_shares(
    events: Events,
    p: int,
    weights: Floats,
    m: Membrane,
    times: Floats,
    parts: Floats,
    shares: Floats,
) -> None:
    """Shares of the rows X(t) in the gradient of the critical threshold.

    times are the spikes before t* and then t* itself; the gradient is the sum of shares[k] times
    X(times[k]). parts is (2, times) work space. Cost: quadratic in the number of spikes.

    Solved backwards: u_k says how much of th* hangs on the k-th condition, with u = 1 at t*.
    """
    n = times.size
    free_parts(events, p, weights, times, m, parts)
    for k in range(n):
        shares[k] = 0.0
    shares[n - 1] = 1.0
    total = 0.0
    for k in range(n - 1, -1, -1):
        v0 = parts[0, k] - parts[1, k]
        c = resets_before(times[k], times[:k], m.rate_m)
        if k < n - 1:
            slope = parts[1, k] * m.rate_s - parts[0, k] * m.rate_m
            rise = slope / c + v0 * (c - 1.0) * m.rate_m / (c * c)
            shares[k] /= -max(rise, LEAST_SLOPE * (v0 / c) * m.rate_m)
        total += shares[k]
        pull = -shares[k] * v0 * m.rate_m / (c * c)
        for j in range(k):
            shares[j] += pull * math.exp(-(times[k] - times[j]) * m.rate_m)
        shares[k] /= c
    for k in range(n):
        shares[k] /= total


@kernel
def critical_mixture(s: StepInput, k: int, weights: Floats, room: Floats) -> int:
    """The gradient of the critical threshold for k spikes, as a mixture of rows X(t).

    Writes their times to room[0] and their shares to room[1] (four rows, k columns at least) and
    returns how many there are: none if V never leaves rest upwards.
    """
    constants = s.constants
    span = span_until(s.events, s.p, s.until, constants.m)
    # Where V never rises, the search would go down through all thresholds there are.
    if (
        k > 1
        and s.actual.size == 0
        and free_maximum(s.events, span, weights, constants.m)[0] <= 0.0
    ):
        return 0
    scaled = constants.threshold / constants.v_norm
    value, which, when, _ = critical_near(s.events, span, weights, scaled, constants.m, room[0, :k])
    if value <= 0.0:
        return 0
    room[0, which] = when
    n = which + 1
    critical_shares(s.events, s.p, weights, constants.m, room[0, :n], room[2:4], room[1, :n])
    return n
