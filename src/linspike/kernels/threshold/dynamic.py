"""Desired times for a desired count: vary the threshold until there is one spike more or less."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import passed
from linspike.kernels.simulation.events import Events, Span
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.simulation.single import simulate
from linspike.kernels.threshold.critical import critical_near

TOP = 10.0  # the search goes up to this many thresholds
MOST_HALVINGS = 60


@passed
def times_by_halving(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    target: int,
    more: bool,
    out: Floats,
) -> int:
    """Find the spikes at the first threshold of a bisection that gives exactly `target` of them.

    threshold is the neuron's own, in units of Vn; the search is below it for more spikes, above
    it for fewer. Writes the spikes to out (target + 1 places at least) and returns how many:
    target, or, if two spikes come and go together and the count jumps over the target, as many as
    the last threshold gave; 0 if no threshold gives any.
    """
    low, high = (0.0, threshold) if more else (threshold, TOP * threshold)
    n = 0
    # The count falls as the threshold rises, so halving keeps the target inside the bracket. One
    # place more than the target is enough to see that there are too many.
    for _ in range(MOST_HALVINGS):
        middle = 0.5 * (low + high)
        n, _ = simulate(events, span, weights, middle, m, out[: target + 1])
        if n == target:
            return n
        if n > target:
            low = middle
        else:
            high = middle
    if more and low == 0.0:
        return 0
    n, _ = simulate(events, span, weights, low if more else high, m, out)
    return n


@passed
def times_at_critical(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    target: int,
    more: bool,
    out: Floats,
) -> int:
    """Find the spikes at the critical threshold itself, or just above it for fewer.

    threshold is the neuron's own, in units of Vn: the search begins there. Writes the spikes to
    out (target + 1 places at least) and returns how many.
    """
    if more:
        value, _, _, _ = critical_near(events, span, weights, threshold, m, out[:target])
        return target if value > 0.0 else 0
    value, _, _, _ = critical_near(events, span, weights, threshold, m, out[: target + 1])
    n, _ = simulate(events, span, weights, value * (1.0 + 1e-12), m, out)
    return n
