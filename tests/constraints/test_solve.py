"""Problems and their solutions: residuals, conflicts, refusals."""

import math

import numpy as np
import pytest

import linspike as ls
from linspike.constraints import assemble, solve
from linspike.constraints.backends import least_l1


def case(rng, n_desired=3):
    pattern = ls.poisson_patterns(1, n_channels=300, duration=200.0, rate=0.01, rng=rng)[0]
    desired = np.linspace(40.0, 180.0, n_desired)
    return rng.normal(0.01, 0.03, 300), pattern, desired


@pytest.mark.parametrize("objective", ["projection", "min_norm", "feasible", "min_l1"])
def test_solutions_meet_the_constraints(objective):
    rng = np.random.default_rng(0)
    neuron = ls.SRM()
    solved = 0
    for _ in range(20):
        weights, pattern, desired = case(rng)
        problem = assemble(neuron, weights, pattern, desired, match_tolerance=1.0)
        solution = solve(problem, objective)
        if not solution.solved:  # multipliers of one sign cannot always do it
            assert objective in ("feasible", "min_l1")
            continue
        solved += 1
        assert solution.worst < 1e-6
        after = neuron.potential(weights + solution.change, pattern, desired, reset=False)
        assert np.allclose(after, neuron.moving_threshold(desired, desired), atol=1e-6)
        assert solution.reason == "solved"
    assert solved >= 5


@pytest.mark.parametrize("window", ["psp", "stdp", "filt"])
def test_feasible_is_the_solution_that_the_rule_takes(window):
    weights, pattern, desired = case(np.random.default_rng(6))
    neuron = ls.SRM()
    rule = ls.DTA.paper(window=window, bound=0.5, min_multiplier=0.0, skip_below=0.0)
    trainer = ls.Trainer(neuron, rule, max_epochs=1)
    result = trainer.fit(weights, pattern, ls.SpikeTimes([desired]), seed=0)
    problem = assemble(neuron, weights, pattern, desired, window=window, margin=1e-6)
    solution = solve(problem, "feasible", bound=0.5)
    assert solution.solved
    assert np.allclose(result.weights - weights, solution.change, rtol=1e-6, atol=1e-9)


def test_feasible_without_a_bound_meets_the_constraints_too():
    weights, pattern, desired = case(np.random.default_rng(1))
    problem = assemble(ls.SRM(), weights, pattern, desired, match_tolerance=1.0)
    bounded, free = solve(problem, "feasible", bound=1.0), solve(problem, "feasible")
    assert bounded.solved
    assert bounded.worst < 1e-9
    assert free.solved
    assert free.worst < 1e-6


def test_min_norm_is_the_smallest_change():
    weights, pattern, desired = case(np.random.default_rng(1))
    problem = assemble(ls.SRM(), weights, pattern, desired, actual=[])
    change = solve(problem, "min_norm").change
    smallest = np.linalg.lstsq(problem.k, problem.r, rcond=None)[0]
    assert np.allclose(change, smallest, atol=1e-8)


def test_conflicts_are_named():
    # One channel: V0 at two times is tied, so two desired values cannot both be had.
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    problem = assemble(ls.SRM(), [0.0], pattern, [5.0, 30.0], actual=[])
    solution = solve(problem, "min_norm")
    assert not solution.solved
    assert solution.conflicts == (5.0, 30.0)  # both sides, whichever of them was given up
    assert "at 5, 30 ms together" in solution.reason


def test_a_bystander_is_no_part_of_a_conflict():
    pattern = ls.Pattern([0.0, 100.0], [0, 1], n_channels=2, duration=200.0)
    problem = assemble(ls.SRM(), [0.0, 0.0], pattern, [5.0, 30.0, 110.0], actual=[])
    for objective in ("min_norm", "min_l1", "feasible"):
        assert solve(problem, objective).conflicts == (5.0, 30.0)


def test_windows_other_than_psp_need_another_objective():
    weights, pattern, desired = case(np.random.default_rng(2))
    problem = assemble(ls.SRM(), weights, pattern, desired, window="stdp")
    with pytest.raises(ls.ParameterError, match="Use objective='feasible' for other windows"):
        solve(problem, "projection")
    assert solve(problem, "feasible", bound=1.0).eta.size == len(problem)
    smallest = solve(problem, "min_norm")
    assert smallest.solved
    assert smallest.worst < 1e-6
    equalities = assemble(ls.SRM(), weights, pattern, desired, actual=[], window="stdp")
    change = solve(equalities, "min_norm").change
    other = equalities.z.T @ np.linalg.solve(equalities.gram, equalities.r)
    assert np.allclose(change, other, atol=1e-6)


def test_a_bound_holds_for_min_norm_too():
    weights, pattern, desired = case(np.random.default_rng(3))
    problem = assemble(ls.SRM(), weights, pattern, desired, actual=[])
    free = solve(problem, "min_norm")
    largest = np.abs(free.eta).max()
    assert np.allclose(solve(problem, "min_norm", bound=1.01 * largest).eta, free.eta)
    tight = solve(problem, "min_norm", bound=0.5 * largest)
    assert not tight.solved
    assert tight.conflicts


def test_least_sum_with_multipliers_of_both_signs():
    matrix = np.array([[1.0, 2.0], [2.0, 4.0]])  # the second row says the same
    best = least_l1(matrix, np.array([1.0, 2.0]), 2, np.full(2, -5.0), np.full(2, 5.0))
    assert np.allclose(best, [0.0, 0.5])
    forced = least_l1(matrix, np.array([1.0, 2.0]), 2, np.full(2, 0.1), np.full(2, 5.0))
    assert np.allclose(forced, [0.1, 0.45])


def test_nothing_to_do():
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    solution = solve(assemble(ls.SRM(), [0.0], pattern, []))
    assert solution.solved
    assert solution.change.tolist() == [0.0]


def test_bad_arguments():
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    problem = assemble(ls.SRM(), [0.0], pattern, [5.0])
    with pytest.raises(ls.ParameterError, match="'objective' parameter of solve"):
        solve(problem, "simplex")
    with pytest.raises(ls.ParameterError, match="'bound' parameter of solve"):
        solve(problem, bound=0.0)
    with pytest.raises(ls.ParameterError, match="'margin' parameter of assemble"):
        assemble(ls.SRM(), [0.0], pattern, [5.0], margin=math.nan)


def test_bad_delays_are_named_after_assemble():
    pattern = ls.Pattern([1.0], [0], n_channels=2, duration=30.0)
    with pytest.raises(ls.ParameterError, match="'delays' parameter of assemble .* at least 0 ms"):
        assemble(ls.SRM(), [1.0, 1.0], pattern, [9.0], delays=[0.0, -1.0])
