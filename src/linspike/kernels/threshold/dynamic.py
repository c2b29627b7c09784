"""Desired times for a desired count: lower or raise the threshold until the count is one off."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.simulation.single import simulate
from linspike.kernels.threshold.critical import critical_near

HALVING, CRITICAL = 0, 1
TOP = 10.0  # the search goes up to this many thresholds
MOST_HALVINGS = 60


@kernel
def times_by_halving(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    goal: int,
    more: bool,
    out: Floats,
) -> int:
    """Spikes at the first threshold that interval halving meets with exactly `goal` of them.

    threshold is the neuron's own, in units of Vn; the search is below it for more spikes, above
    it for fewer. Writes the spikes to out (room for goal + 1 at least) and returns how many: goal,
    or, if two spikes come and go together and the count jumps over the goal, what the last
    threshold gave; 0 if no threshold gives any.
    """
    low, high = (0.0, threshold) if more else (threshold, TOP * threshold)
    n = 0
    for _ in range(MOST_HALVINGS):
        middle = 0.5 * (low + high)
        n, _ = simulate(events, span, weights, middle, m, out[: goal + 1])
        if n == goal:
            return n
        if n > goal:
            low = middle
        else:
            high = middle
    if more and low == 0.0:
        return 0
    n, _ = simulate(events, span, weights, low if more else high, m, out)
    return n


@kernel
def times_at_critical(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    goal: int,
    more: bool,
    out: Floats,
) -> int:
    """Spikes at the critical threshold itself, or just above it for fewer; returns how many.

    threshold is the neuron's own, in units of Vn: the search begins there.
    """
    if more:
        value, _, _, _ = critical_near(events, span, weights, threshold, m, out[:goal])
        return goal if value > 0.0 else 0
    value, _, _, _ = critical_near(events, span, weights, threshold, m, out[: goal + 1])
    n, _ = simulate(events, span, weights, value * (1.0 + 1e-12), m, out)
    return n
