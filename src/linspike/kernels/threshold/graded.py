"""Counts made continuous: how far a neuron is from one spike less and from one spike more."""

from __future__ import annotations

import math

from linspike._typing import Bools, Floats, Ints
from linspike.kernels.jit import borrowing
from linspike.kernels.simulation.batch import BatchInput
from linspike.kernels.simulation.events import Events, Presented, Span, forget, present, span_until
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_near
from linspike.kernels.threshold.maxima import free_maximum

TOLERANCE = 1e-9  # grades end so far below 1: a count is never reached by a smaller one


@borrowing
def grade(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    count: int,
    buffer: Floats,
) -> float:
    """Return where in [0, 1) the threshold lies between those that give a spike less and more.

    That is log(th_k/th) / log(th_k/th_(k+1)) of (54): 0 when the last spike is about to be lost,
    nearly 1 when the next is about to come. A silent neuron has no spike to lose; its grade is the
    largest V in thresholds, 0 if V never rises. buffer has at least count + 1 places. Cost: about
    fifteen simulations.
    """
    if count == 0:
        highest, _, _ = free_maximum(events, span, weights, m)
        return min(highest / threshold, 1.0 - TOLERANCE)
    next_lower, _, _, _ = critical_near(events, span, weights, threshold, m, buffer[: count + 1])
    if next_lower <= 0.0:
        return 0.0
    own, _, _, _ = critical_near(events, span, weights, threshold, m, buffer[:count])
    if own <= next_lower:  # two spikes that come and go together
        return 0.0
    share = math.log(own / threshold) / math.log(own / next_lower)
    return min(max(share, 0.0), 1.0 - TOLERANCE)


@borrowing
def grade_patterns(
    given: BatchInput,
    patterns: tuple[int, int],
    weights: Floats,
    delays: Floats,
    presented: Presented,
    counts: Ints,
    selected: Bools,
    grades: Floats,
    buffer: Floats,
) -> None:
    """Fill the grades of all neurons for patterns[0] up to patterns[1], where they are selected.

    weights is (neurons, channels), and so is delays, or (neurons, 0) without any; counts, selected
    and grades are (neurons, patterns); buffer has a place more than the largest count.
    """
    events, m, threshold = presented.events, given.m, given.threshold
    for p in range(patterns[0], patterns[1]):
        for neuron in range(weights.shape[0]):
            if selected[neuron, p]:
                forget(presented)
                present(given.events, p, delays[neuron], m, presented)
                span = span_until(events, p, given.horizons[p], m)
                count = counts[neuron, p]
                grades[neuron, p] = grade(
                    events, span, weights[neuron], threshold, m, count, buffer
                )
