"""Rows of a whole task: its points in time, their PSP rows, moving thresholds and maxima of V.

Everything is in thresholds: V/threshold, weights/threshold, and the reset sum C(t) of (11) in place
of the moving threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.rows.resets import fill_reset_sums
from linspike.kernels.rows.windows import fill_desired_rows, free_parts
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.threshold.maxima import find_maxima
from linspike.neuron.decay_tables import events_of
from linspike.neuron.srm import SRM
from linspike.neuron.windows import window_of
from linspike.spikes.pattern_set import PatternSet

MOST_MAXIMA = 100_000  # of one pattern


class Points(NamedTuple):
    """Times of patterns, in ascending order of pattern and time."""

    patterns: Ints
    times: Floats

    def select(self, which: np.ndarray) -> Points:
        """Return some of the points; `which` keeps their order."""
        return Points(self.patterns[which], self.times[which])


NO_POINTS = Points(np.empty(0, np.int64), np.empty(0))


def sort_points(patterns: Ints, times: Floats) -> Points:
    """Return points in their order."""
    order = np.lexsort((times, patterns))
    return Points(patterns[order], times[order])


class TaskRows:
    """Patterns of a task and the spikes that reset the neuron, which may be moved.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    patterns : PatternSet
        The inputs.
    spikes : Points
        Where V shall reach the threshold, and is reset.
    approach : float
        Milliseconds before a spike in which the margin shrinks to 0.
    """

    def __init__(self, neuron: SRM, patterns: PatternSet, spikes: Points, approach: float) -> None:
        self.neuron, self.spikes, self.approach = neuron, spikes, approach
        self.membrane, self.v_norm = neuron._membrane, neuron.v_norm
        self.psp = window_of("psp", neuron.tau_m, neuron.tau_s, neuron.v_norm, "SRM")
        self.durations, self.n_channels = patterns.durations, patterns.n_channels
        self.events: Events = events_of(patterns._ragged, self.membrane)
        self._found = np.empty((2, MOST_MAXIMA))

    @property
    def n_patterns(self) -> int:
        """Number of patterns."""
        return self.durations.size

    def bounds_of(self, points: Points) -> Ints:
        """Return where the points of each pattern begin, and the end."""
        return np.searchsorted(points.patterns, np.arange(self.n_patterns + 1))

    def design(self, points: Points) -> Floats:
        """Return the PSP rows X(t) of points, (points, channels)."""
        rows = np.empty((points.times.size, self.n_channels))
        times = np.ascontiguousarray(points.times)
        bounds = self.bounds_of(points)
        fill_desired_rows(self.events, times, bounds, self.psp, self.membrane, rows)
        return rows

    def reset_sums(self, points: Points) -> Floats:
        """Return C(t) at points: what V0 must reach for a spike, in thresholds."""
        sums = np.empty(points.times.size)
        times = np.ascontiguousarray(points.times)
        for part, resets in self._by_pattern(points):
            fill_reset_sums(resets, times[part], self.membrane.rate_m, sums[part])
        return 1.0 + sums

    def slopes(self, weights: Floats, points: Points) -> Floats:
        """Return the slopes V0'(t) at points, in thresholds per millisecond."""
        parts = np.empty((2, points.times.size))
        times = np.ascontiguousarray(points.times)
        bounds = self.bounds_of(points)
        for p in range(self.n_patterns):
            part = slice(bounds[p], bounds[p + 1])
            found = np.empty((2, bounds[p + 1] - bounds[p]))
            free_parts(self.events, p, weights, times[part], self.membrane, found)
            parts[:, part] = found
        m = self.membrane
        slopes: Floats = self.v_norm * (parts[1] * m.rate_s - parts[0] * m.rate_m)
        return slopes

    def time_left(self, points: Points) -> Floats:
        """Return how long it is from points to the next spike; infinite after the last."""
        left = np.full(points.times.size, np.inf)
        for part, resets in self._by_pattern(points):
            if resets.size:
                times = points.times[part]
                following = np.searchsorted(resets, times)
                last = following == resets.size
                gaps = resets[np.minimum(following, resets.size - 1)] - times
                left[part] = np.where(last, np.inf, gaps)
        return left

    def margins(self, points: Points) -> Floats:
        """Return the share of the margin that each point keeps: less within `approach`."""
        return np.clip(self.time_left(points) / self.approach, LEAST_MARGIN, 1.0)

    def maxima(self, weights: Floats, level: float) -> tuple[Points, Floats]:
        """Return the local maxima of V above a level, with resets at the spikes, and heights."""
        scale = 1.0 / self.v_norm
        bounds = self.bounds_of(self.spikes)
        points, heights = [], []
        for p in range(self.n_patterns):
            resets = np.ascontiguousarray(self.spikes.times[bounds[p] : bounds[p + 1]])
            span = span_until(self.events, p, self.durations[p], self.membrane)
            given = (self.events, span, weights, scale, self.membrane, resets, 0.0, level * scale)
            n = find_maxima(*given, self._found)
            points.append(Points(np.full(n, p), self._found[0, :n].copy()))
            heights.append(self._found[1, :n] / scale)
        return join_points(points), np.concatenate(heights)

    def _by_pattern(self, points: Points) -> list[tuple[slice, Floats]]:
        """Return the part of the points and the spikes of each pattern."""
        bounds, resets = self.bounds_of(points), self.bounds_of(self.spikes)
        times = np.ascontiguousarray(self.spikes.times)
        return [
            (slice(bounds[p], bounds[p + 1]), times[resets[p] : resets[p + 1]])
            for p in range(self.n_patterns)
        ]


LEAST_MARGIN = 1e-3


def join_points(parts: list[Points]) -> Points:
    """Return points of several groups, one after another."""
    patterns = np.concatenate([part.patterns for part in parts]).astype(np.int64)
    return Points(patterns, np.concatenate([part.times for part in parts]))


def spread_points(rows: TaskRows, every: float) -> Points:
    """Return points at regular times, and two on the approach to each spike."""
    parts = []
    for p in range(rows.n_patterns):
        times = np.arange(0.5 * every, rows.durations[p], every)
        parts.append(Points(np.full(times.size, p), times))
    for share in (0.1, 1.0):
        before = rows.spikes.times - share * rows.approach
        which = before > 0.0
        parts.append(Points(rows.spikes.patterns[which], before[which]))
    joined = join_points(parts)
    points = sort_points(*joined)
    return points.select(rows.time_left(points) > 0.0)
