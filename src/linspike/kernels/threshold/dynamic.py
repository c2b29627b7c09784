"""Desired times for a desired count: vary the threshold until there is one spike more or less."""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import passed
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import Events, Span
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_near

TOP = 10.0  # the search goes up to this many thresholds
MOST_HALVINGS = 60


class CountSearch(NamedTuple):
    """What a time finder looks for: one spike more or fewer in the response to a pattern.

    Attributes
    ----------
    events, span : Events, Span
        The pattern.
    threshold : float
        The neuron's own, in units of Vn.
    m : Membrane
        Its membrane.
    target : int
        Number of spikes to find.
    more : bool
        Whether that is more than now.
    """

    events: Events
    span: Span
    threshold: float
    m: Membrane
    target: int
    more: bool


@passed
def times_by_halving(search: CountSearch, weights: Floats, out: Floats) -> int:
    """Find the spikes at the first threshold of a bisection that gives exactly `target` of them.

    The search is below the neuron's own threshold for more spikes, above it for fewer. Writes the
    spikes to out (target + 1 places at least) and returns how many: target, or, if two spikes come
    and go together and the count jumps over the target, as many as the last threshold gave; 0 if
    no threshold gives any.
    """
    events, span, threshold, m = search.events, search.span, search.threshold, search.m
    target, more = search.target, search.more
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
def times_at_critical(search: CountSearch, weights: Floats, out: Floats) -> int:
    """Find the spikes at the critical threshold itself, or just above it for fewer.

    The search begins at the neuron's own threshold. Writes the spikes to out (target + 1 places at
    least) and returns how many.
    """
    events, span, threshold, m = search.events, search.span, search.threshold, search.m
    target, more = search.target, search.more
    if more:
        value, _, _, _ = critical_near(events, span, weights, threshold, m, out[:target])
        return target if value > 0.0 else 0
    value, _, _, _ = critical_near(events, span, weights, threshold, m, out[: target + 1])
    n, _ = simulate(events, span, weights, value * (1.0 + 1e-12), m, out)
    return n
