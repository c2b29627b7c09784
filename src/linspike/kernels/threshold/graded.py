"""Counts made continuous: how far a neuron is from one spike less and from one spike more."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, span_until
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_near, free_maximum

TOLERANCE = 1e-9  # grades end so far below 1: a count is never reached by a smaller one


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
    room has at least count + 1 places. Cost: about fifteen simulations.
    """
    if count == 0:
        highest, _, _ = free_maximum(events, span, weights, m)
        return min(highest / threshold, 1.0 - TOLERANCE)
    one_more, _, _, _ = critical_near(events, span, weights, threshold, m, room[: count + 1])
    if one_more <= 0.0:
        return 0.0
    enough, _, _, _ = critical_near(events, span, weights, threshold, m, room[:count])
    if enough <= one_more:  # two spikes that come and go together
        return 0.0
    share = math.log(enough / threshold) / math.log(enough / one_more)
    return min(max(share, 0.0), 1.0 - TOLERANCE)


@kernel
def grade_patterns(
    events: Events,
    stretch: tuple[int, int],
    horizons: Floats,
    weights: Floats,
    threshold: float,
    m: Membrane,
    counts: Ints,
    desired: npt.NDArray[np.bool_],
    grades: Floats,
    room: Floats,
) -> None:
    """Grades of all neurons for a stretch of patterns, where they are desired.

    weights is (neurons, channels); counts, desired and grades are (neurons, patterns); room has a
    place more than the largest count.
    """
    for p in range(stretch[0], stretch[1]):
        span = span_until(events, p, horizons[p], m)
        for neuron in range(weights.shape[0]):
            if desired[neuron, p]:
                count = counts[neuron, p]
                grades[neuron, p] = grade(events, span, weights[neuron], threshold, m, count, room)
