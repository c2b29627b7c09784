"""Cutting planes: which maxima of V become constraints, and which constraints are dropped."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.constraints.task.rows import Points, TaskRows

HALF = 0.5  # of the margin: a maximum that keeps so much of it is no cut while any margin will do
NEARLY = 0.05  # of the margin: where the largest is sought, or none is positive
SLACK = 0.3  # thresholds: a point this far below its margin is dropped
APART = 1e-3  # ms: a point this near to another is the same one


def lowest_allowed(margin: float, *, largest: bool) -> float:
    """Return the margin that a maximum must keep, or it becomes a cut."""
    if margin < 0.0:
        return (1.0 + NEARLY) * margin
    return (1.0 - NEARLY if largest else HALF) * margin


def find_cuts(
    rows: TaskRows, weights: Floats, margin: float, *, largest: bool
) -> tuple[Points, float]:
    """Return the maxima that do not keep the margin, and the height of the highest of all.

    Heights are in thresholds, and the highest is 0 if V never rises above rest.
    """
    least = lowest_allowed(margin, largest=largest)
    points, heights = rows.maxima(weights, min(1.0, 1.0 - least))
    if heights.size == 0:
        return points, 0.0
    broken = heights > 1.0 - least * rows.margins(points)
    return points.select(broken), float(heights.max())


def is_slack(distances: Floats, margin: float) -> np.ndarray:
    """Return which points are far from their bound; distances are those of V from its own."""
    slack: np.ndarray = distances > SLACK + abs(margin)
    return slack


def drop_known(new: Points, old: Points) -> Points:
    """Return the new points without those that stand next to an old one of their pattern."""
    if old.times.size == 0 or new.times.size == 0:
        return new
    keep = np.ones(new.times.size, bool)
    for p in np.unique(new.patterns):
        known = np.sort(old.times[old.patterns == p])
        if known.size == 0:
            continue
        mine = new.patterns == p
        after = np.searchsorted(known, new.times[mine])
        left = np.abs(new.times[mine] - known[np.maximum(after - 1, 0)])
        right = np.abs(new.times[mine] - known[np.minimum(after, known.size - 1)])
        keep[mine] = np.minimum(left, right) > APART
    return new.select(keep)
