"""The box-constrained solver on many rows, nearly dependent, equal and zero ones among them."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.solvers.test_box_qp import by_daqp, objective

import linspike as ls
from linspike.kernels.solvers.box_qp import FEW, solve_box
from linspike.kernels.solvers.coordinate_descent import make_qp_work
from linspike.study.tasks import encoding

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
pytestmark = pytest.mark.skipif(UNCOMPILED, reason="too slow uncompiled")
SOLVED = 1e-9  # thresholds


def clustered_times(rng, n, duration, gap):
    """Times of which five on average are no more than a few gaps apart."""
    centres = rng.uniform(10.0, duration, max(1, n // 5))
    return np.sort(rng.choice(centres, n) + gap * rng.integers(0, 5, n))


def nasty_problem(seed, n, n_channels, bound, gap, zero_rows=False):
    """Rows of clustered times with random desired ones; contradictory as a rule."""
    rng = np.random.default_rng(seed)
    neuron, duration = ls.SRM(), 20.0 * n
    pattern = ls.poisson_patterns(1, n_channels=n_channels, duration=duration, rate=0.005, rng=rng)
    rows = neuron.design(pattern[0], clustered_times(rng, n, duration - 1.0, gap))
    if zero_rows:
        rows[rng.random(n) < 0.1] = 0.0
    desired = rng.random(n) < 0.3
    r = np.where(desired, 1.0, 0.9) * rng.integers(1, 3, n) - rows @ rng.normal(
        0.01, 0.02, n_channels
    )
    gram = rows @ rows.T
    diagonal = np.diag(gram)
    limit = np.where(diagonal > 1e-9, bound / np.maximum(diagonal, 1e-9), 0.0)
    return gram, r, -limit, np.where(desired, limit, 0.0)


def early_problem(seed, duration):
    """What the first steps of learning one long pattern meet: hundreds of wrong spikes."""
    weights, patterns, targets = encoding(seed, 1, duration=duration)
    problem = ls.constraints.assemble(
        ls.SRM(), 1.5 * weights, patterns[0], targets[0], margin=0.1, match_tolerance=0.5
    )
    limit = 0.4 / np.diag(problem.gram)
    equal = np.arange(len(problem)) < problem.n_desired
    return np.ascontiguousarray(problem.gram), problem.r, -limit, np.where(equal, limit, 0.0)


def projected_gradient(gram, r, low, high, x):
    """In extended precision; zero rows move nothing."""
    gradient = (gram.astype(np.longdouble) @ x - r).astype(float)
    pushed = ((gradient > 0.0) & (x > low)) | ((gradient < 0.0) & (x < high))
    return float(np.abs(gradient[pushed & (np.diag(gram) > 0.0)]).max(initial=0.0))


def check_solved(gram, r, low, high):
    x = np.zeros(r.size)
    left = solve_box(gram, r, low, high, x, 1e-12, make_qp_work(r.size), r.size)
    assert (x >= low).all()
    assert (x <= high).all()
    assert left <= SOLVED
    assert projected_gradient(gram, r, low, high, x) <= SOLVED
    return x


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 120),
    n_channels=st.sampled_from([1, 5, 20, 100, 500]),
    bound=st.sampled_from([1e-3, 0.01, 0.1, 0.4, 1.0, 10.0]),
    gap=st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 1.0]),
    zero_rows=st.booleans(),
)
def test_optimal_whatever_the_rows(seed, n, n_channels, bound, gap, zero_rows):
    check_solved(*nasty_problem(seed, n, n_channels, bound, gap, zero_rows))


@pytest.mark.parametrize("gap", [0.0, 1e-6, 1e-3])
@pytest.mark.parametrize(("n", "n_channels"), [(300, 500), (600, 100), (1000, 500), (1000, 20)])
def test_optimal_with_hundreds_of_dependent_rows(n, n_channels, gap):
    check_solved(*nasty_problem(n, n, n_channels, 0.4, gap, zero_rows=True))


@pytest.mark.parametrize("duration", [17000.0, 22400.0, 25000.0])
def test_no_problem_of_learning_is_given_up(duration):
    for seed in range(3):
        problem = early_problem(seed, duration)
        assert problem[1].size > 100
        check_solved(*problem)


@pytest.mark.parametrize("n", [60, 150, 300])
def test_as_low_as_daqp(n):
    gram, r, low, high = nasty_problem(n, n, 500, 0.4, 1.0)
    x = check_solved(gram, r, low, high)
    assert objective(gram, r, x) <= objective(gram, r, by_daqp(gram, r, low, high)) + 1e-10


def test_a_small_problem_that_damped_steps_leave_is_finished():
    # Nearly equal rows, on which 200 damped steps leave more than 1e-7.
    for seed in range(200):
        check_solved(*nasty_problem(seed, FEW, 5, 1.0, 1e-3))


def test_infinite_bounds_give_the_unconstrained_minimum():
    n = 2 * FEW
    rows = np.random.default_rng(1).normal(size=(n, 2 * n))
    gram, r, infinite, x = rows @ rows.T, np.ones(n), np.full(n, np.inf), np.zeros(n)
    assert solve_box(gram, r, -infinite, infinite, x, 1e-12, make_qp_work(n), n) <= 1e-12
    np.testing.assert_allclose(x, np.linalg.solve(gram, r), atol=1e-10)


def test_numbers_that_are_not_finite_are_not_called_solved():
    gram, r, low, high = nasty_problem(2, 60, 100, 0.4, 1.0)
    r[3] = np.nan
    assert solve_box(gram, r, low, high, np.zeros(60), 1e-12, make_qp_work(60), 60) == np.inf
