"""The update equation of every baseline rule against an obvious twin, none of it compiled.

Twins follow the docstrings of the rules. They are given the response of the neuron (and, for MST
and EML, its critical threshold), which tests/neuron judges; all else is found from definitions.
"""

from itertools import combinations, pairwise
from typing import NamedTuple

import naive
import numpy as np
import pytest
from situations import NEURON, Scene, patterns_of, random_weights, targets_of

import linspike as ls
from linspike.kernels.protocol import SOLVED

ETA, HORIZON, GRID = 0.07, 100.0, 0.02
TAUS = (NEURON.tau_m, NEURON.tau_s)
SEEDS = range(6)


class Step(NamedTuple):
    pattern: ls.Pattern
    weights: np.ndarray
    actual: np.ndarray
    wanted: np.ndarray  # times, or a count
    change: np.ndarray
    outcome: int


def steps(rule, make_targets):
    """One step of the rule for each random pattern."""
    for seed in SEEDS:
        patterns, weights = patterns_of(seed), random_weights(seed)
        actual = [NEURON.respond(weights, pattern).times for pattern in patterns]
        wanted = make_targets(seed, patterns, actual)
        counts = not rule.learns_times
        targets = ls.SpikeCounts(wanted) if counts else ls.SpikeTimes(wanted)
        scene = Scene(rule, patterns, targets)
        for p, pattern in enumerate(patterns):
            yield Step(pattern, weights, actual[p], wanted[p], *scene.step(weights, p))


def random_times(seed, patterns, actual):
    return [train.times for train in targets_of(ls.rules.PSD(), seed, patterns)]


def times_at_inputs(seed, patterns, actual):
    """One wanted time is exactly that of an input."""
    trains = random_times(seed, patterns, actual)
    return [np.union1d(t, x.times[50]) for t, x in zip(trains, patterns, strict=True)]


def near_times(seed, patterns, actual):
    """Within the tolerance of every spike, by differing amounts."""
    rng = np.random.default_rng(seed)
    return [np.sort(t + rng.uniform(-0.45, 0.45, t.size)) for t in actual]


def late_times(seed, patterns, actual):
    """Nothing wrong but a wanted spike near the horizon, which is missing."""
    return [np.append(t[t < HORIZON - 3.0], HORIZON - 0.4) for t in actual]


def one_more(seed, patterns, actual):
    return [t.size + 1 for t in actual]


def one_less(seed, patterns, actual):
    return [max(t.size - 1, 0) for t in actual]


def rows(pattern, at, window="psp"):
    return naive.window_sums(pattern, np.asarray(at), window, *TAUS)


def row(pattern, t, window="psp"):
    return rows(pattern, [t], window)[0]


def potential(step, at, resets):
    return naive.potential(step.weights, step.pattern, at, resets, *TAUS, NEURON.threshold)


def resets_before(t, spikes):
    """C = 1 + the decayed resets of earlier spikes."""
    return 1.0 + sum(np.exp(-(t - s) / NEURON.tau_m) for s in spikes if s < t)


def grid_between(step, left, right):
    inputs = step.pattern.times
    inside = inputs[(inputs > left) & (inputs < right)]
    return np.union1d(np.append(np.arange(left + 1e-9, right, GRID), right), inside)


def highest_maximum(step, resets, guard):
    """Height and time of the highest maximum of V; the guard before each reset is left out."""
    found = [(-np.inf, np.nan)]
    for left, right in pairwise([0.0, *resets, HORIZON]):
        stop = right if right == HORIZON else right - guard
        if stop <= left:
            continue
        grid = grid_between(step, left, stop)
        v = potential(step, grid, resets)
        top = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:])
        end = (right == HORIZON or guard > 0.0) and v[-1] > v[-2]
        for i in np.flatnonzero([False, *top, end]):
            low, high = grid[i - 1], grid[min(i + 1, grid.size - 1)]
            for _ in range(3):  # narrow the grid around it
                fine = np.linspace(low, high, 101)
                height = potential(step, fine, resets)
                j = int(np.argmax(height))
                low, high = fine[max(j - 1, 0)], fine[min(j + 1, 100)]
            found.append((height[j], fine[j]))
    return max(found)


def close(step, expected, rtol=1e-9):
    return np.abs(step.change - expected).max() <= rtol * (np.abs(expected).max() + 1e-3 * ETA)


@pytest.mark.parametrize(
    ("rule", "window", "bias"),
    [
        (ls.rules.PSD(eta=ETA), "psp", 0.0),
        (ls.rules.FILT(eta=ETA), "filt", 0.0),
        (ls.rules.FILT(eta=ETA, window="filt"), "filt", 0.0),
        (ls.rules.FILT(eta=ETA, window="filt-gardner"), "filt-gardner", 0.0),
        (ls.rules.ReSuMe(eta=ETA), "stdp", 0.0),
        (ls.rules.ReSuMe(eta=ETA, non_hebbian=0.3), "stdp", 0.3),
    ],
    ids=lambda value: value.key if isinstance(value, ls.Rule) else str(value),
)
def test_rules_of_two_sums(rule, window, bias):
    for step in steps(rule, times_at_inputs):
        pull = rows(step.pattern, step.wanted, window) + bias
        push = rows(step.pattern, step.actual, window) + bias
        assert close(step, ETA * (pull.sum(axis=0) - push.sum(axis=0)))


def first_unpaired(wanted, actual, tolerance):
    paired = [abs(d - o) <= tolerance for d, o in zip(wanted, actual, strict=False)]
    i = [*paired, False].index(False)
    return min([(d, 1) for d in wanted[i:]] + [(o, -1) for o in actual[i:]], default=None)


def first_breach(wanted, actual, tolerance):
    """Walk through spikes and ends of windows in time; a spike on an end is still in time."""
    ends = [(min(d + tolerance, HORIZON), 1, d) for d in wanted]
    empty = list(wanted)
    for t, is_end, d in sorted([(o, 0, o) for o in actual] + ends):
        if is_end:
            if d in empty:
                return t, 1
            continue
        fitting = [w for w in empty if abs(w - t) <= tolerance]
        if not fitting:
            return t, -1
        empty.remove(fitting[0])
    return None


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        (ls.rules.FirstError(eta=ETA), first_unpaired),
        (ls.rules.FP(eta=ETA), first_breach),
        (ls.rules.FP(eta=ETA, tolerance=2.0), first_breach),  # windows may overlap
    ],
    ids=["first_error", "fp", "fp-wide"],
)
def test_rules_of_one_error(rule, first):
    signs, halvings, at_horizon = set(), set(), 0
    for make_targets in (random_times, near_times, late_times):
        for step in steps(rule, make_targets):
            tolerance, found = rule.tolerance, None
            while found is None and tolerance > 1e-3:
                found = first(step.wanted, step.actual, tolerance)
                tolerance /= 2.0
            at, sign = found or (0.0, 0)
            assert close(step, sign * ETA * row(step.pattern, at))
            signs.add(sign)
            halvings.add(rule.tolerance / tolerance / 2.0)
            at_horizon += at == HORIZON
    assert {1, -1} <= signs
    assert {1.0, 4.0, 8.0} <= halvings
    assert (at_horizon > 0) == (first is first_breach)


@pytest.mark.parametrize("tolerance", [1.0, 4.0])
def test_htp(tolerance):
    pushed = guarded = 0
    for step in steps(ls.rules.HTP(eta=ETA, tolerance=tolerance), random_times):
        height, at = highest_maximum(step, step.wanted, tolerance)
        expected = np.zeros_like(step.weights)
        if height >= NEURON.threshold:
            pushed += 1
            guarded += bool(np.isclose(step.wanted - tolerance, at).any())
            expected = -ETA * row(step.pattern, at)
        if step.wanted.size:
            k = rows(step.pattern, step.wanted)
            theta = np.array([resets_before(d, step.wanted) for d in step.wanted])
            assert np.abs(theta - k @ step.weights).max() > 1e-3  # else the tolerance is refined
            assert step.outcome == SOLVED
            assert np.abs(k @ (step.weights + step.change) - theta).max() < 1e-9
            expected += np.linalg.pinv(k) @ (theta - k @ (step.weights + expected))
        assert close(step, expected, 1e-5)
    assert pushed > 5
    assert guarded > 0


def cheapest_matching(actual, wanted, cost):
    """Pairs of indices, by trying every choice that keeps the order."""
    tried = []
    for n in range(min(len(actual), len(wanted)) + 1):
        for some in combinations(range(len(actual)), n):
            for others in combinations(range(len(wanted)), n):
                moves = cost(actual[list(some)] - wanted[list(others)]).sum() if n else 0.0
                tried.append((moves - 2 * n, list(zip(some, others, strict=True))))
    return min(tried)[1]


@pytest.mark.parametrize(
    ("settings", "tau_q", "gamma_r"),
    [({}, NEURON.tau_m, NEURON.tau_m), ({"tau_q": 12.0, "gamma_r": 3.0}, 12.0, 3.0)],
)
def test_e_learning(settings, tau_q, gamma_r):
    moved = differ = 0
    for step in steps(ls.rules.ELearning(eta=ETA, **settings), random_times):
        o, d = step.actual, step.wanted
        pairs = cheapest_matching(o, d, lambda gap: 0.5 * (gap / tau_q) ** 2)
        differ += pairs != cheapest_matching(o, d, lambda gap: np.abs(gap) / tau_q)
        moved += len(pairs)
        factor, missing = -np.ones(o.size), np.ones(d.size)
        for i, j in pairs:
            factor[i] = gamma_r / tau_q**2 * (o[i] - d[j])
            missing[j] = 0.0
        assert close(step, ETA * (missing @ rows(step.pattern, d) + factor @ rows(step.pattern, o)))
    assert moved > 10
    assert differ > 0  # the cost of a move decides


def sides():
    """Too few spikes and too many, with the sign of the change."""
    return [pytest.param(one_more, 1.0, id="few"), pytest.param(one_less, -1.0, id="many")]


@pytest.mark.parametrize(("make_targets", "sign"), sides())
def test_mst(make_targets, sign):
    rng, earlier = np.random.default_rng(0), 0
    for step in steps(ls.rules.MST(eta=ETA), make_targets):
        k = max(step.actual.size, step.wanted)
        if k == 0:
            continue
        earlier += len(NEURON.critical_threshold(step.weights, step.pattern, k).before) > 0
        slopes, found = [], []
        for direction in rng.normal(size=(4, step.weights.size)):
            ends = [step.weights + h * direction for h in (1e-6, -1e-6)]
            up, down = (NEURON.critical_threshold(end, step.pattern, k).value for end in ends)
            slopes.append(sign * ETA * (up - down) / 2e-6)
            found.append(step.change @ direction)
        assert np.allclose(found, slopes, rtol=1e-4, atol=1e-4 * np.linalg.norm(step.change))
    assert earlier > 5


@pytest.mark.parametrize(("make_targets", "sign"), sides())
def test_eml(make_targets, sign):
    earlier = 0
    for step in steps(ls.rules.EML(eta=ETA), make_targets):
        k = max(step.actual.size, step.wanted)
        if k == 0:
            continue
        critical = NEURON.critical_threshold(step.weights, step.pattern, k)
        c = resets_before(critical.time, critical.before.times)
        assert close(step, sign * ETA * row(step.pattern, critical.time) / c)
        earlier += c > 1.01
    assert earlier > 5


def test_emlc_raises_the_highest_maximum():
    for step in steps(ls.rules.EMLC(eta=ETA), one_more):
        height, at = highest_maximum(step, step.actual, 0.0)
        assert 0.0 < height < NEURON.threshold
        c = resets_before(at, step.actual)
        assert close(step, ETA * row(step.pattern, at) / c, 1e-5)


def weakest_by_slope(step):
    ends = [potential(step, [t - 1e-6, t], step.actual) for t in step.actual]
    return int(np.argmin([after - before for before, after in ends]))


def weakest_by_peak(step):
    """V is followed from each spike, without its own reset, until it falls."""
    peaks = []
    for i, t in enumerate(step.actual):
        v = potential(step, grid_between(step, t, HORIZON), step.actual[:i])
        peaks.append(v[[*(np.diff(v) <= 0.0), True].index(True)])
    return int(np.argmin(peaks))


def test_emlc_lowers_the_weakest_spike():
    differ = 0
    by_slope, by_peak = (ls.rules.EMLC(eta=ETA, weakest=name) for name in ("slope", "peak"))
    assert ls.rules.EMLC(eta=ETA) == by_slope
    for pair in zip(steps(by_slope, one_less), steps(by_peak, one_less), strict=True):
        if pair[0].actual.size == 0:
            continue
        chosen = [weakest_by_slope(pair[0]), weakest_by_peak(pair[1])]
        for step, which in zip(pair, chosen, strict=True):
            at = step.actual[which]
            c = resets_before(at, step.actual)
            assert close(step, -ETA * row(step.pattern, at) / c)
        differ += chosen[0] != chosen[1]
    assert differ > 0
