"""Gradient of the critical threshold with respect to the weights: (48) to (53).

At the critical threshold th* the neuron fires at t_1 < ... < t_m and V just touches th* at t*. All
of these times satisfy V0(t_k)/C(t_k) = th*. Weights move the earlier spikes, and these move the
later ones through C. A smooth maximum does not move th* by moving itself, and a cusp or the horizon
does not move, so t* needs no slope.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.rows.windows import free_parts
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_near
from linspike.kernels.threshold.maxima import free_maximum

# A spike that only just happens has almost no slope, and its time almost no derivative. Slopes
# below this many thresholds per tau_m are replaced by it, so that one such spike cannot dominate
# the gradient.
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
    """Fill shares: the coefficients of the rows X(t) in the gradient of the critical threshold.

    times are the spikes before t* and then t* itself; the gradient is the sum of shares[k] times
    X(times[k]). parts is (2, times) work space. Cost: quadratic in the number of spikes.
    """
    n = times.size
    free_parts(events, p, weights, times, m, parts)
    for k in range(n):
        shares[k] = 0.0
    shares[n - 1] = 1.0
    total = 0.0
    # u_k of (52), from the last condition to the first: when the loop comes to k, shares[k] holds
    # the sum over later conditions, and is divided by - dF_k/dt_k of (50).
    for k in range(n - 1, -1, -1):
        v0 = parts[0, k] - parts[1, k]
        c = reset_sum(times[k], times[:k], m.rate_m)
        if k < n - 1:
            slope = parts[1, k] * m.rate_s - parts[0, k] * m.rate_m
            own = slope / c + v0 * (c - 1.0) * m.rate_m / (c * c)
            shares[k] /= -max(own, LEAST_SLOPE * (v0 / c) * m.rate_m)
        total += shares[k]
        coupling = -shares[k] * v0 * m.rate_m / (c * c)  # u_k dF_k/dt_j of (51), less its decay
        for j in range(k):
            shares[j] += coupling * math.exp(-(times[k] - times[j]) * m.rate_m)
        shares[k] /= c
    for k in range(n):
        shares[k] /= total


@kernel
def critical_mixture(
    events: Events,
    p: int,
    until: float,
    weights: Floats,
    threshold: float,
    m: Membrane,
    silent: bool,
    k: int,
    buffer: Floats,
) -> int:
    """Find the gradient of the critical threshold for k spikes, as a mixture of rows X(t).

    The search begins at the neuron's own threshold, in units of Vn; silent says that it gives no
    spike. Writes the times of the rows to buffer[0] and their shares to buffer[1] (four rows, k
    columns at least) and returns how many there are: none if V never leaves rest upwards.
    """
    span = span_until(events, p, until, m)
    # Where V never rises, the search would go down through all thresholds there are.
    if k > 1 and silent and free_maximum(events, span, weights, m)[0] <= 0.0:
        return 0
    value, which, when, _ = critical_near(events, span, weights, threshold, m, buffer[0, :k])
    if value <= 0.0:
        return 0
    buffer[0, which] = when
    n = which + 1
    critical_shares(events, p, weights, m, buffer[0, :n], buffer[2:4], buffer[1, :n])
    return n
