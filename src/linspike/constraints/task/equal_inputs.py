"""Patterns with the same input and different targets."""

from __future__ import annotations

import numpy as np

from linspike.constraints.task.solution import Constraint
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeTimes


def find_equal_inputs(patterns: PatternSet, targets: SpikeTimes) -> tuple[Constraint, ...]:
    """Return two constraints that contradict each other because their patterns are equal.

    Up to the first desired time that only one of them has, V is the same for both: there it must
    reach the threshold and stay below it. Empty if there is no such pair.
    """
    first_of: dict[tuple[bytes, bytes, float], int] = {}
    for q, pattern in enumerate(patterns):
        key = (pattern.times.tobytes(), pattern.channels.tobytes(), pattern.duration)
        p = first_of.setdefault(key, q)
        one, other = targets[p].times, targets[q].times
        different = np.setxor1d(one, other)
        if different.size:
            time = float(different[0])
            sign = 1.0 if time in one else -1.0
            return Constraint(p, time, -sign), Constraint(q, time, sign)
    return ()
