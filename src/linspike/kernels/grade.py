"""Counts made continuous: how far a neuron is from one spike less and from one spike more."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from linspike.kernels.critical import free_maximum
from linspike.kernels.events import Events, Floats, Ints, Span, span_until
from linspike.kernels.jit import kernel
from linspike.kernels.membrane import Membrane
from linspike.kernels.simulate import simulate

TOLERANCE = 1e-9  # of a threshold; grades need no more, and each digit costs three simulations
FAR = 60  # doublings or halvings of the threshold after which a spike counts as out of reach


@kernel
def narrowed(
    events: Events, span: Span, weights: Floats, m: Membrane, many: float, few: float, out: Floats
) -> float:
    """Largest threshold with out.size spikes, between one that gives them and one that does not."""
    while few - many > TOLERANCE * few:
        middle = 0.5 * (few + many)
        n, _ = simulate(events, span, weights, middle, m, out)
        if n == out.size:
            many = middle
        else:
            few = middle
    return many


@kernel
def grade(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    count: int,
    room: Floats,
) -> float:
    """Where in [0, 1) the threshold lies between those that give one spike less and one more.

    With th_k the largest threshold that gives k spikes, log(th_k/th) / log(th_k/th_(k+1)): 0 when
    the last spike is about to be lost, nearly 1 when the next is about to come. A silent neuron
    has no spike to lose; its grade is the largest V in thresholds, 0 if V never rises.
    room has at least count + 1 places. Cost: about sixty simulations.
    """
    if count == 0:
        highest, _, _ = free_maximum(events, span, weights, m)
        return min(highest / threshold, 1.0 - TOLERANCE)
    one_more, below = threshold, threshold
    for _ in range(FAR):
        below = 0.5 * one_more
        n, _ = simulate(events, span, weights, below, m, room[: count + 1])
        if n == count + 1:
            break
        one_more = below
    if one_more == below:
        return 0.0
    one_more = narrowed(events, span, weights, m, below, one_more, room[: count + 1])
    enough, above = threshold, threshold
    for _ in range(FAR):
        above = 2.0 * enough
        n, _ = simulate(events, span, weights, above, m, room[:count])
        if n < count:
            break
        enough = above
    enough = narrowed(events, span, weights, m, enough, above, room[:count])
    share = math.log(enough / threshold) / math.log(enough / one_more)
    return min(share, 1.0 - TOLERANCE)


@kernel
def grade_patterns(
    events: Events,
    stretch: tuple[int, int],
    horizons: Floats,
    weights: Floats,
    threshold: float,
    m: Membrane,
    counts: Ints,
    wanted: npt.NDArray[np.bool_],
    grades: Floats,
    room: Floats,
) -> None:
    """Grades of all neurons for a stretch of patterns, where they are wanted.

    weights is (neurons, channels); counts, wanted and grades are (neurons, patterns); room has a
    place more than the largest count.
    """
    for p in range(stretch[0], stretch[1]):
        span = span_until(events, p, horizons[p], m)
        for neuron in range(weights.shape[0]):
            if wanted[neuron, p]:
                count = counts[neuron, p]
                grades[neuron, p] = grade(events, span, weights[neuron], threshold, m, count, room)
