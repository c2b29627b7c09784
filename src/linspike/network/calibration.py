"""Random weights scaled so that neurons fire at a rate."""

from __future__ import annotations

import numpy as np

from linspike._threads import available_cores
from linspike._typing import Bools, Floats, Ints
from linspike.errors import SpikeDataError
from linspike.neuron.responses import make_batch_input, respond_all
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet

CLOSE = 0.01  # share of the desired spikes by which a neuron may miss them, if above half a spike
MOST_RATE = 1000.0  # spikes of a neuron in a pattern, in the mean
MOST_DOUBLINGS = 100  # of a scale, up or down: the first one is a guess
MOST_HALVINGS = 50  # of a bracket; more where two spikes come at once, and no scale is right


def calibrate(
    neuron: SRM,
    weights: Floats,
    patterns: PatternSet,
    rate: float,
    owner: str,
    *,
    delays: Floats | None = None,
) -> Floats:
    """Return weights (neurons, channels), each row scaled to `rate` spikes a pattern in the mean.

    A larger scale never gives fewer spikes, so bisection finds one with which the spikes over all
    patterns are within half a spike of the desired number, or 1 % of it if that is more. Two
    spikes may come at once; then the nearer number is taken. A row whose V never rises above 0
    changes its sign first, so that V does.
    """
    search = _Search(neuron, weights, delays, patterns, rate)
    silent = search.find_brackets(np.ones(len(weights), bool))
    if silent.any():
        search.weights[silent] *= -1.0
        silent = search.find_brackets(silent)
    if silent.any():
        raise SpikeDataError(
            f"{owner}: {int(silent.sum())} of {silent.size} neurons stay silent on these patterns, "
            "however large their weights. Pass patterns with input spikes before their end."
        )
    search.bisect()
    return search.scales[:, np.newaxis] * search.weights


class _Search:
    """Bisection over the scales of all neurons at once, on a logarithmic axis."""

    def __init__(
        self,
        neuron: SRM,
        weights: Floats,
        delays: Floats | None,
        patterns: PatternSet,
        rate: float,
    ) -> None:
        self.weights, self.delays = weights.copy(), delays
        self.desired = rate * len(patterns)
        self.close = max(0.5, CLOSE * self.desired)
        # One response at the cap is too many spikes already, however many more there were.
        cap = int(self.desired + self.close) + 1
        self.given = make_batch_input(patterns, delays, None, cap, neuron, "calibrate")
        self.start = neuron.threshold
        self.scales, self.low, self.high = np.empty((3, len(weights)))
        # Spikes less those desired, at these scales.
        self.errors, self.low_errors, self.high_errors = np.empty((3, len(weights)))

    def find_brackets(self, chosen: Bools) -> Bools:
        """Double or halve scales until they are right or in between; return who never fires."""
        self.scales[chosen], self.low[chosen], self.high[chosen] = self.start, 0.0, np.inf
        left = chosen
        for _ in range(MOST_DOUBLINGS):
            left = left & self._measure(left)
            left &= (self.low == 0.0) | (self.high == np.inf)
            if not left.any():
                break
            self.scales[left] *= np.where(self.high[left] == np.inf, 2.0, 0.5)
        return np.asarray(left & (self.high == np.inf))

    def bisect(self) -> None:
        """Halve all brackets until the scales are right, or two spikes come at once."""
        left = np.abs(self.errors) > self.close
        for _ in range(MOST_HALVINGS):
            if not left.any():
                return
            self.scales[left] = np.sqrt(self.low[left] * self.high[left])
            left = left & self._measure(left)
        below = -self.low_errors <= self.high_errors
        self.scales[left] = np.where(below, self.low, self.high)[left]

    def _measure(self, chosen: Bools) -> Bools:
        """Count the spikes of the chosen neurons and narrow their brackets; return who is wrong."""
        rows = self.scales[chosen, np.newaxis] * self.weights[chosen]
        late = None if self.delays is None else self.delays[chosen]
        counts: Ints = respond_all(self.given, rows, late, available_cores()).counts
        self.errors[chosen] = counts.sum(axis=1) - self.desired
        few, many = chosen & (self.errors < 0.0), chosen & (self.errors >= 0.0)
        self.low[few], self.low_errors[few] = self.scales[few], self.errors[few]
        self.high[many], self.high_errors[many] = self.scales[many], self.errors[many]
        return np.abs(self.errors) > self.close
