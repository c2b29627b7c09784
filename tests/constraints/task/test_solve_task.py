"""Whole tasks: weights that the 50-digit simulation confirms, proofs that exact arithmetic confirms."""

import itertools

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog
from tests.support import naive

import linspike as ls
from linspike.constraints import solve_task

NEURON = ls.SRM()
N_TASKS = 100


def make_task(seed, n_patterns, *, n_channels=12, duration=60.0, gap=4.0):
    rng = np.random.default_rng([seed, n_patterns])
    patterns = ls.poisson_patterns(
        n_patterns, n_channels=n_channels, duration=duration, rate=0.04, rng=rng
    )
    trains = []
    for _ in range(n_patterns):
        times = np.sort(rng.uniform(12.0, duration, rng.integers(0, 4)))
        trains.append(times[np.append(np.diff(times) > gap, True)] if times.size else [])
    return patterns, ls.SpikeTimes(trains)


def exact_rows(patterns, constraints):
    """X(t) of constraints, channel by channel, in 50 digits."""
    tau_m, tau_s = mpmath.mpf(NEURON.tau_m), mpmath.mpf(NEURON.tau_s)
    xi = tau_m / tau_s
    v_norm = xi ** (xi / (xi - 1)) / (xi - 1)
    rows = mpmath.zeros(len(constraints), patterns.n_channels)
    for i, (p, time, _) in enumerate(constraints):
        if p < 0:
            rows[i, int(time)] = 1
            continue
        for t, channel in zip(patterns[p].times, patterns[p].channels, strict=True):
            age = mpmath.mpf(float(time)) - mpmath.mpf(float(t))
            if age > 0:
                part = mpmath.exp(-age / tau_m) - mpmath.exp(-age / tau_s)
                rows[i, int(channel)] += v_norm * part
    return rows


def exact_goals(targets, constraints):
    """C(t) of constraints in 50 digits."""
    goals = []
    for p, time, _ in constraints:
        at = mpmath.mpf(float(time))
        ages = [at - mpmath.mpf(float(d)) for d in targets[p].times if d < time]
        goals.append(1 + sum(mpmath.exp(-age / mpmath.mpf(NEURON.tau_m)) for age in ages))
    return goals


def refined_proof(patterns, targets, conflict):
    """Multipliers near those of a conflict that are a proof in exact arithmetic, and their sum.

    The set is irreducible if no other multipliers do the same.
    """
    rows = exact_rows(patterns, conflict)
    k = len(conflict)
    largest = max(range(k), key=lambda i: abs(conflict[i].multiplier))
    others = [i for i in range(k) if i != largest]
    y = {largest: mpmath.mpf(conflict[largest].multiplier)}
    if others:
        # Least squares for the other multipliers: rows' y = 0.
        a = mpmath.matrix(rows.cols, len(others))
        for column, i in enumerate(others):
            for c in range(rows.cols):
                a[c, column] = rows[i, c]
        b = mpmath.matrix([-rows[largest, c] * y[largest] for c in range(rows.cols)])
        solution = mpmath.lu_solve(a, b)
        y.update(zip(others, solution, strict=True))
    left = [sum(y[i] * rows[i, c] for i in range(k)) for c in range(rows.cols)]
    goals = exact_goals(targets, conflict)
    return y, max(abs(value) for value in left), sum(y[i] * goals[i] for i in range(k))


def test_solutions_and_proofs_in_fifty_digits():
    counts = {True: 0, False: 0}
    for seed in range(N_TASKS):
        patterns, targets = make_task(seed, 1 + seed % 5)
        solution = solve_task(NEURON, patterns, targets)
        assert solution.solvable is not None, (seed, solution.reason)
        counts[solution.solvable] += 1
        if solution.solvable:
            assert solution.margin > 0.0
            for pattern, train in zip(patterns, targets, strict=True):
                exact = naive.ExactNeuron(NEURON.tau_m, NEURON.tau_s, NEURON.threshold)
                found = exact.respond(solution.weights, pattern, pattern.duration)
                assert len(found.spikes) == len(train)
                for time, desired in zip(found.spikes, train.times, strict=True):
                    assert abs(float(time) - desired) < 1e-6
            continue
        with mpmath.workdps(50):
            y, left, total = refined_proof(patterns, targets, solution.conflict)
            scale = max(abs(value) for value in y.values())
            assert left < scale * mpmath.mpf(10) ** -35
            # Desired times force their multipliers' sign nowhere; elsewhere V stays below.
            for i, (p, time, _) in enumerate(solution.conflict):
                if time not in targets[p].times:
                    assert y[i] > 0
            assert total < -scale * mpmath.mpf(10) ** -9  # (70)
    assert min(counts.values()) > N_TASKS // 5


def grid_answer(patterns, targets, step):
    """Whether the constraints on a grid can be met, by HiGHS: necessary for a solution."""
    rows, tops, equal, goals = [], [], [], []
    for pattern, train in zip(patterns, targets, strict=True):
        times = np.arange(step, pattern.duration + 1e-9, step)
        near = np.abs(times[:, np.newaxis] - train.times).min(axis=1, initial=np.inf) < 1e-9
        times = times[~near]
        rows.append(NEURON.design(pattern, times))
        tops.append(NEURON.moving_threshold(train, times))
        equal.append(NEURON.design(pattern, train.times))
        goals.append(NEURON.moving_threshold(train, train.times))
    n = patterns.n_channels
    lines = np.hstack([np.vstack(rows), np.ones((sum(map(len, tops)), 1))])
    even = np.hstack([np.vstack(equal), np.zeros((sum(map(len, goals)), 1))])
    found = linprog(
        np.append(np.zeros(n), -1.0),
        lines,
        np.concatenate(tops),
        even if even.size else None,
        np.concatenate(goals) if even.size else None,
        bounds=[(None, None)] * n + [(-10.0, 1.0)],
    )
    return found.status == 0 and found.x[-1] > 0.0


def test_agrees_with_highs_on_a_grid():
    agreed = 0
    for seed in range(N_TASKS):
        patterns, targets = make_task(1000 + seed, 1 + seed % 5)
        solution = solve_task(NEURON, patterns, targets, objective="feasible")
        on_grid = grid_answer(patterns, targets, 0.25)
        if solution.solvable:
            assert on_grid, seed  # what holds everywhere holds on a grid
        agreed += bool(solution.solvable) == on_grid
    assert agreed > 0.97 * N_TASKS  # a conflict between two points of the grid may be missed


def test_small_conflicts_are_irreducible():
    """Two spikes 0.2 ms apart in few inputs: without any one constraint the others can be met."""
    found = 0
    for seed in range(40):
        patterns, targets = make_task(2000 + seed, 3, n_channels=30)
        trains = [*targets.trains[:2], [30.0, 30.2, 30.4, 30.6]]
        low = np.zeros(30)
        solution = solve_task(NEURON, patterns, ls.SpikeTimes(trains), weight_bounds=(low, np.inf))
        if solution.solvable or len(solution.conflict) > 20:
            continue
        found += 1
        rows = []
        for p, time, _ in solution.conflict:
            unit = np.arange(30) == time
            rows.append(unit if p < 0 else NEURON.design(patterns[p], [time])[0])
        size = len(rows)
        assert np.linalg.matrix_rank(rows, tol=1e-9) == size - 1
        for left_out in range(size):
            rest = np.delete(rows, left_out, axis=0)
            assert np.linalg.matrix_rank(rest, tol=1e-9) == size - 1
    assert found > 5


def test_equal_patterns_with_different_targets():
    patterns, _ = make_task(5, 2)
    equal = ls.PatternSet.concatenate([patterns, patterns[:1]])
    solution = solve_task(NEURON, equal, ls.SpikeTimes([[20.0, 40.0], [], [20.0, 44.0]]))
    assert solution.solvable is False
    assert solution.reason == (
        "not solvable: patterns 0 and 2 are equal, but only one has a spike at 40 ms"
    )
    assert [each[:2] for each in solution.conflict] == [(0, 40.0), (2, 40.0)]


def check_proof(neuron, patterns, targets, bounds, conflict):
    """The sum (70) of all constraints: 0 on every channel, and below 0 on the right."""
    rows, tops = [], []
    for p, time, y in conflict:
        if p < 0:
            rows.append(y * (np.arange(patterns.n_channels) == time))
            tops.append(y * bounds[0 if y < 0.0 else 1][int(time)] / neuron.threshold)
        else:
            rows.append(y * neuron.design(patterns[p], [time])[0])
            tops.append(y * neuron.moving_threshold(targets[p], [time])[0] / neuron.threshold)
            assert y > 0.0 or time in targets[p].times
    assert sum(tops) < 0.0
    assert np.abs(np.sum(rows, axis=0)).sum() < 1e-6 * -sum(tops)


@pytest.mark.parametrize(("tau_m", "tau_s"), [(20.0, 5.0), (5.0, 0.5), (2.0, 1.9)])
def test_proofs_hold_long_after_the_inputs(tau_m, tau_s):
    """Rows are nearly parallel there, and entries of many sizes; rounding must not make a proof."""
    neuron = ls.SRM(tau_m=tau_m, tau_s=tau_s)
    outcomes = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, n_channels = 1 + seed % 2, 8
        inputs = ls.poisson_patterns(
            n, n_channels=n_channels, duration=12.0 * tau_s, rate=0.2 / tau_s, rng=rng
        )
        patterns = ls.PatternSet(
            inputs.times, inputs.channels, inputs.offsets, n_channels=8, duration=60.0 * tau_s
        )
        targets = ls.SpikeTimes([[rng.uniform(2.0, 40.0) * tau_s] for _ in range(n)])
        low, high = np.full(n_channels, -np.inf), np.full(n_channels, np.inf)
        low[: seed % 9] = 0.0
        solution = solve_task(neuron, patterns, targets, weight_bounds=(low, high))
        outcomes.append(solution.solvable)
        if solution.solvable is False:
            check_proof(neuron, patterns, targets, (low, high), solution.conflict)
    assert {True, False} <= set(outcomes)


def test_fixed_weights_are_part_of_the_proof():
    found = set()
    for seed in range(30):
        patterns, targets = make_task(seed, 3)
        low, high = np.full(12, -np.inf), np.full(12, np.inf)
        low[: seed % 13] = high[: seed % 13] = 0.05 * (seed % 3)
        solution = solve_task(NEURON, patterns, targets, weight_bounds=(low, high))
        if solution.solvable is False:
            check_proof(NEURON, patterns, targets, (low, high), solution.conflict)
            found.add("within the bounds of" in solution.reason)
    assert True in found


def test_spikes_at_the_end_of_a_pattern():
    """Rounding must not put them after it, where nobody looks."""
    solved = 0
    for seed in range(30):
        patterns, _ = make_task(seed, 1, n_channels=3)
        targets = ls.SpikeTimes([[60.0]])
        solution = solve_task(NEURON, patterns, targets, objective="feasible")
        assert solution.solvable is not None, seed
        if solution.solvable:
            solved += 1
            assert NEURON.respond(solution.weights, patterns[0]).times == pytest.approx([60.0])
    assert solved > 10


@pytest.mark.filterwarnings("error")
def test_hopeless_searches_are_silent():
    """Weights on their way may make a neuron run away; that is no news."""
    for seed in range(12):
        patterns, targets = make_task(seed, 4, n_channels=2)
        silent = ls.PatternSet([], [], [0, 0], n_channels=2, duration=60.0)
        both = ls.PatternSet.concatenate([patterns, silent])
        trains = [*targets.trains, [20.0, 40.0]]
        solution = solve_task(NEURON, both, ls.SpikeTimes(trains), tolerance=1.0)
        assert solution.solvable is None
        assert solution.reason == "undecided: no weights were found for spikes within 1 ms"


def test_no_desired_spikes():
    patterns, _ = make_task(5, 2)
    solution = solve_task(NEURON, patterns, ls.SpikeTimes([[], []]))
    assert solution.solvable
    assert solution.margin == 1.0


@pytest.mark.parametrize("inputs", [[10.0], []])
def test_desired_before_any_input(inputs):
    pattern = ls.Pattern(inputs, [0] * len(inputs), n_channels=1, duration=40.0)
    solution = solve_task(NEURON, pattern, ls.SpikeTimes([[5.0]]))
    assert solution.solvable is False
    assert solution.conflict == ((0, 5.0, -1.0),)
    assert solution.reason == "not solvable: no weights meet the constraints at 5 ms of pattern 0"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tolerance": -1.0}, "'tolerance' parameter of solve_task must be finite and at least 0"),
        ({"tolerance": 6.0}, "below 5 ms, half the least distance of two desired spikes"),
        ({"objective": "best"}, "'objective' parameter of solve_task must be one of"),
        ({"weight_bounds": (1.0, 0.0)}, r"must be a pair \(low, high\) with low <= high"),
        ({"targets": ls.SpikeCounts([1])}, "must be SpikeTimes.*Counts do not fix the resets"),
        ({"targets": ls.SpikeTimes([[1.0], [2.0]])}, r"one target per pattern \(1\). Got 2"),
        ({"targets": ls.SpikeTimes([[50.0]])}, "duration .40.0 ms.*Got 50.0 for pattern 0"),
        ({"targets": ls.SpikeTimes([[15.0, 15.0]])}, "one spike at a time. Got two at 15.0 ms"),
        ({"neuron": None}, "'neuron' parameter of solve_task must be an SRM"),
        ({"targets": [[15.0, 25.0]]}, r"must be SpikeTimes. Got .* instead. SpikeTimes\(\[\["),
        ({"progress": 3}, "'progress' parameter of solve_task must be a function"),
        ({"patterns": [1.0]}, "'patterns' parameter of solve_task"),
    ],
)
def test_bad_input(changes, message):
    pattern = ls.Pattern([10.0], [0], n_channels=1, duration=40.0)
    given = {"neuron": NEURON, "patterns": pattern, "targets": ls.SpikeTimes([[15.0, 25.0]])}
    with pytest.raises((ls.ParameterError, ls.SpikeDataError), match=message):
        solve_task(**{**given, **changes})


def test_margin_is_the_largest():
    for seed in range(6):
        patterns, targets = make_task(3000 + seed, 2)
        best = solve_task(NEURON, patterns, targets)
        quick = solve_task(NEURON, patterns, targets, objective="feasible")
        assert best.solvable == quick.solvable
        if best.solvable:
            assert best.margin >= 0.9 * quick.margin
            assert best.active


def test_scaling_the_threshold_scales_the_weights():
    patterns, targets = make_task(1, 2)
    one = solve_task(NEURON, patterns, targets)
    three = solve_task(ls.SRM(threshold=3.0), patterns, targets)
    assert one.solvable
    assert three.weights == pytest.approx(3.0 * one.weights, rel=1e-6)
    assert three.margin == pytest.approx(one.margin, rel=1e-6)


@pytest.mark.parametrize(("low", "high"), [(0.0, np.inf), (-0.4, 0.4), (-np.inf, 0.7)])
def test_weights_stay_within_their_bounds(low, high):
    outcomes = set()
    for seed in range(12):
        patterns, targets = make_task(seed, 1 + seed % 2)
        solution = solve_task(NEURON, patterns, targets, weight_bounds=(low, high))
        outcomes.add(solution.solvable)
        assert (solution.weights >= low).all()
        assert (solution.weights <= high).all()
        if solution.solvable is False:
            free = solve_task(NEURON, patterns, targets)
            bounded = any(each.pattern < 0 for each in solution.conflict)
            assert bounded or free.solvable is False
    assert False in outcomes


def test_fixed_weights_are_kept():
    patterns, targets = make_task(1, 1)
    free = solve_task(NEURON, patterns, targets)
    low, high = np.full(12, -np.inf), np.full(12, np.inf)
    low[3] = high[3] = free.weights[3]
    solution = solve_task(NEURON, patterns, targets, weight_bounds=(low, high))
    assert solution.solvable
    assert solution.weights[3] == free.weights[3]


def test_windows_allow_more_than_exact_times():
    more = 0
    for seed, n in itertools.product(range(12), (2, 3)):
        patterns, targets = make_task(seed, n, gap=6.0)
        exact = solve_task(NEURON, patterns, targets, objective="feasible")
        near = solve_task(NEURON, patterns, targets, tolerance=1.0)
        assert near.solvable is not False  # nothing found proves nothing
        if exact.solvable:
            assert near.solvable
        if near.solvable:
            for p, train in enumerate(targets):
                times = NEURON.respond(near.weights, patterns[p]).times
                assert times == pytest.approx(train.times, abs=1.0)
                assert np.array_equal(times, near.spikes[p].times)
        if near.solvable and not exact.solvable:
            more += 1
            where = "within 1 ms of their desired times"
            assert near.reason == f"solvable: the simulated spikes are {where}"
    assert more > 0
