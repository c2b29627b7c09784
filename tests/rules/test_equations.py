"""The update equation of every baseline rule against an obvious twin, none of it compiled.

Twins follow the docstrings of the rules. They are given the response of the neuron (and, for MST
and EML, its critical threshold), which tests/neuron judges; all else is found from definitions.
"""

from functools import partial
from itertools import chain, combinations, pairwise
from typing import NamedTuple

import numpy as np
import pytest
from tests.support import naive
from tests.support.step_inputs import NEURON, Scene, patterns_of, random_weights, targets_of

import linspike as ls

ETA, HORIZON, GRID, SEEDS = 0.07, 100.0, 0.02, range(6)
TAUS = (NEURON.tau_m, NEURON.tau_s)


class Step(NamedTuple):
    pattern: ls.Pattern
    weights: np.ndarray
    actual: np.ndarray
    desired: np.ndarray  # times, or a count
    change: np.ndarray

    def rows(self, at, window="psp"):
        return naive.window_sums(self.pattern, np.asarray(at), window, *TAUS)

    def potential(self, at, resets):
        return naive.potential(self.weights, self.pattern, at, resets, *TAUS, NEURON.threshold)

    def grid(self, left, right):
        """Fine, with the inputs, where V has its cusps."""
        inputs = self.pattern.times
        even = np.append(np.arange(left + 1e-9, right, GRID), right)
        return np.union1d(even, inputs[(inputs > left) & (inputs < right)])

    def changes_by(self, expected, rtol=1e-9):
        return np.abs(self.change - expected).max() <= rtol * (np.abs(expected).max() + 1e-3 * ETA)


def steps(rule, make_targets):
    """One step of the rule for each random pattern."""
    for seed in SEEDS:
        patterns, weights = patterns_of(seed), random_weights(seed)
        actual = [NEURON.respond(weights, pattern).times for pattern in patterns]
        desired = make_targets(seed, patterns, actual)
        targets = ls.SpikeTimes(desired) if "times" in rule.targets else ls.SpikeCounts(desired)
        scene = Scene(rule, patterns, targets)
        for p, pattern in enumerate(patterns):
            yield Step(pattern, weights, actual[p], desired[p], scene.step(weights, p)[0])


def random_times(seed, patterns, actual):
    return [train.times for train in targets_of(ls.rules.PSD(), seed, patterns)]


def times_at_inputs(seed, patterns, actual):
    """One desired time is exactly that of an input."""
    trains = random_times(seed, patterns, actual)
    return [np.union1d(t, x.times[50]) for t, x in zip(trains, patterns, strict=True)]


def moved_times(seed, patterns, actual, by=0.45):
    """Every spike of the response, moved; unless told, within the tolerance."""
    rng = np.random.default_rng(seed)
    moved = [t + rng.uniform(-by, by, t.size) for t in actual]
    return [np.unique(np.clip(t, 1.0, HORIZON - 1.0)) for t in moved]


def late_times(seed, patterns, actual):
    """Nothing is wrong but a missing spike near the horizon."""
    return [np.append(t[t < HORIZON - 3.0], HORIZON - 0.4) for t in actual]


def counts_off_by(sign):
    return lambda seed, patterns, actual: [max(t.size + sign, 0) for t in actual]


def resets_before(t, spikes):
    """C = 1 + the decayed resets of earlier spikes."""
    return 1.0 + sum(np.exp(-(t - s) / NEURON.tau_m) for s in spikes if s < t)


def highest_maximum(step, resets, guard):
    """Height and time of the highest maximum of V; the guard before each reset is left out."""
    found = []
    for left, right in pairwise([0.0, *resets, HORIZON]):
        stop = right if right == HORIZON else right - guard
        if stop <= left:
            continue
        grid = step.grid(left, stop)
        v = step.potential(grid, resets)
        inner = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:])
        end = (right == HORIZON or guard > 0.0) and v[-1] > v[-2]
        tops = np.flatnonzero([False, *inner, end])
        found += [(v[i], grid[i - 1], grid[min(i + 1, grid.size - 1)]) for i in tops]
    _, low, high = max(found)
    for _ in range(3):  # narrow the grid around it
        fine = np.linspace(low, high, 101)
        v = step.potential(fine, resets)
        i = int(np.argmax(v))
        low, high = fine[max(i - 1, 0)], fine[min(i + 1, 100)]
    return v[i], fine[i]


@pytest.mark.parametrize(
    ("rule", "window"),
    [
        (ls.rules.PSD(eta=ETA), "psp"),
        (ls.rules.FILT(eta=ETA), "filt"),
        (ls.rules.FILT(eta=ETA, window="filt-gardner"), "filt-gardner"),
        (ls.rules.ReSuMe(eta=ETA), "stdp"),
    ],
)
def test_rules_of_two_sums(rule, window):
    for step in steps(rule, times_at_inputs):
        pull, push = (step.rows(at, window) for at in (step.desired, step.actual))
        assert step.changes_by(ETA * (pull.sum(axis=0) - push.sum(axis=0)))


def first_unpaired(desired, actual, tolerance):
    paired = [abs(d - o) <= tolerance for d, o in zip(desired, actual, strict=False)]
    i = [*paired, False].index(False)
    return min([(d, 1) for d in desired[i:]] + [(o, -1) for o in actual[i:]], default=None)


def first_breach(desired, actual, tolerance):
    """Walk through spikes and ends of windows in time; a spike on an end is still in time."""
    ends, empty = [(min(d + tolerance, HORIZON), 1, d) for d in desired], list(desired)
    for t, is_end, d in sorted([(o, 0, o) for o in actual] + ends):
        fitting = [d] if is_end else [w for w in empty if abs(w - t) <= tolerance]
        if is_end and d in empty:
            return t, 1
        if not fitting:
            return t, -1
        empty = [w for w in empty if w != fitting[0]]
    return None


# Windows of 2 ms may overlap.
@pytest.mark.parametrize("tolerance", [1.0, 2.0])
@pytest.mark.parametrize("make", [ls.rules.FirstError, ls.rules.FP])
def test_rules_of_one_error(make, tolerance):
    rule = make(eta=ETA, tolerance=tolerance)
    first = first_breach if rule.key == "fp" else first_unpaired
    seen, targets = set(), (random_times, moved_times, late_times)
    for step in chain.from_iterable(steps(rule, make_targets) for make_targets in targets):
        found, within = None, 2.0 * tolerance
        while found is None and within > 1e-3:
            within /= 2.0
            found = first(step.desired, step.actual, within)
        at, sign = found or (0.0, 0)
        assert step.changes_by(sign * ETA * step.rows([at])[0])
        seen |= {("sign", sign), ("within", within), ("at", at)}
    assert {("sign", 1), ("sign", -1), ("within", tolerance), ("within", 0.25)} <= seen
    assert (("at", HORIZON) in seen) == (rule.key == "fp")


@pytest.mark.parametrize("tolerance", [1.0, 4.0])
def test_htp(tolerance):
    pushed = 0
    for step in steps(ls.rules.HTP(eta=ETA, tolerance=tolerance), random_times):
        height, at = highest_maximum(step, step.desired, tolerance)
        forbidden = height >= NEURON.threshold
        pushed += forbidden
        expected = -ETA * forbidden * step.rows([at])[0]
        if step.desired.size:
            k = step.rows(step.desired)
            theta = np.array([resets_before(d, step.desired) for d in step.desired])
            assert np.abs(theta - k @ step.weights).max() > 1e-3  # else the tolerance is refined
            assert np.abs(k @ (step.weights + step.change) - theta).max() < 1e-9
            expected += np.linalg.pinv(k) @ (theta - k @ (step.weights + expected))
        assert step.changes_by(expected, 1e-5)
    assert pushed > 5


def cheapest_matching(actual, desired, cost):
    """Pairs of indices, by trying every choice that keeps the order."""
    tried = []
    for n in range(min(actual.size, desired.size) + 1):
        for some in combinations(range(actual.size), n):
            for others in combinations(range(desired.size), n):
                pairs = list(zip(some, others, strict=True))
                tried.append((sum(cost(actual[i] - desired[j]) for i, j in pairs) - 2 * n, pairs))
    return min(tried)[1]


@pytest.mark.parametrize("given", [{}, {"tau_q": 15.0, "gamma_r": 3.0}])
def test_e_learning(given):
    tau_q, gamma_r = given.get("tau_q", NEURON.tau_m), given.get("gamma_r", NEURON.tau_m)
    differ = 0
    for step in steps(ls.rules.ELearning(eta=ETA, **given), partial(moved_times, by=40.0)):
        o, d = step.actual, step.desired
        pairs = cheapest_matching(o, d, lambda gap: 0.5 * (gap / tau_q) ** 2)
        differ += pairs != cheapest_matching(o, d, lambda gap: abs(gap) / tau_q)
        factor, missing = -np.ones(o.size), np.ones(d.size)
        for i, j in pairs:
            factor[i] = gamma_r / tau_q**2 * (o[i] - d[j])
            missing[j] = 0.0
        assert step.changes_by(ETA * (missing @ step.rows(d) + factor @ step.rows(o)))
    assert differ > 0  # or the cost of a move would not matter


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("rule", [ls.rules.MST(eta=ETA), ls.rules.EML(eta=ETA)])
def test_rules_of_the_critical_threshold(rule, sign):
    directions, earlier = np.random.default_rng(0).normal(0.0, 1e-6, (4, 60)), 0
    for step in (s for s in steps(rule, counts_off_by(sign)) if s.actual.size != s.desired):
        k = max(step.actual.size, step.desired)
        critical = NEURON.critical_threshold(step.weights, step.pattern, k)
        c = resets_before(critical.time, critical.before.times)
        earlier += c > 1.01
        if rule.key == "eml":
            assert step.changes_by(sign * ETA * step.rows([critical.time])[0] / c)
            continue
        for direction in directions:
            ends = (step.weights + direction, step.weights - direction)
            up, down = (NEURON.critical_threshold(w, step.pattern, k).value for w in ends)
            error = step.change @ direction - sign * ETA * (up - down) / 2.0
            assert abs(error) < 1e-4 * np.linalg.norm(step.change) * np.linalg.norm(direction)
    assert earlier > 5


def test_emlc_raises_the_highest_maximum():
    for step in steps(ls.rules.EMLC(eta=ETA), counts_off_by(1)):
        height, at = highest_maximum(step, step.actual, 0.0)
        assert 0.0 < height < NEURON.threshold
        expected = ETA * step.rows([at])[0] / resets_before(at, step.actual)
        assert step.changes_by(expected, 1e-5)


def test_emlc_lowers_the_weakest_spike():
    by_slope, by_peak = ls.rules.EMLC(eta=ETA), ls.rules.EMLC(eta=ETA, weakest="peak")
    less, differ = counts_off_by(-1), 0
    for sloped, peaked in zip(steps(by_slope, less), steps(by_peak, less), strict=True):
        slopes, peaks = [], []
        for i, t in enumerate(sloped.actual):
            slopes.append(np.diff(sloped.potential([t - 1e-6, t], sloped.actual[:i])))
            v = sloped.potential(sloped.grid(t, HORIZON), sloped.actual[:i])
            peaks.append(v[[*(np.diff(v) <= 0.0), True].index(True)])  # where V first falls
        for step, scores in ((sloped, slopes), (peaked, peaks)):
            if scores:
                at = step.actual[np.argmin(scores)]
                assert step.changes_by(-ETA * step.rows([at])[0] / resets_before(at, step.actual))
        differ += bool(slopes) and np.argmin(slopes) != np.argmin(peaks)
    assert differ > 0
