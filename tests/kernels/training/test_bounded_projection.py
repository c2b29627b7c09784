"""The projection with bounded weights, against another solver, a naive twin, and its own laws."""

import math

import numpy as np
import piqp
import pytest
from tests.support import naive

from linspike.kernels.solvers.coordinate_descent import make_qp_work
from linspike.kernels.training.bounded_projection import BoundedStep, BoundedWork, project_within

TOLERANCE, GOOD_ENOUGH = 1e-12, 1e-7
TIGHT = {"eps_abs": 1e-11, "eps_rel": 1e-12}


def random_problem(seed, most_rows=8):
    """Rows, some of them nearly dependent, and weights of which some are on their bounds."""
    rng = np.random.default_rng(seed)
    n, channels = int(rng.integers(1, most_rows + 1)), int(rng.integers(4, 31))
    rows = np.abs(rng.normal(size=(n, channels))) * (rng.random((n, channels)) < 0.7)
    if n > 1 and seed % 3 == 0:
        rows[-1] = rows[0] * (1.0 + 1e-3 * rng.normal(size=channels))
    weights = rng.normal(0.0, 0.3, channels)
    low = weights - rng.exponential(0.2, channels) * (rng.random(channels) < 0.7)
    high = weights + rng.exponential(0.2, channels) * (rng.random(channels) < 0.7)
    low[rng.random(channels) < 0.2] = -math.inf
    high[rng.random(channels) < 0.2] = math.inf
    upper = rng.exponential(0.5, n)
    lower = -upper
    inequality = rng.random(n) < 0.5  # K Delta w <= r has a multiplier of at most 0
    upper[inequality] = 0.0
    return BoundedStep(rows, rng.normal(0.0, 1.0, n), lower, upper, weights, low, high)


def solved(problem):
    """Multipliers, change and residual."""
    n, channels = problem.rows.shape
    vectors, waves = np.empty((5, n)), np.empty((3, channels))
    work = BoundedWork(np.empty((n, n)), *vectors, *waves, make_qp_work(n))
    x, change = np.zeros(n), np.empty(channels)
    left = project_within(problem, x, change, TOLERANCE, GOOD_ENOUGH, work, n)
    return x, change, left


def by_piqp(problem):
    """The change by an interior-point method, from the primal: slack is priced at the bound."""
    rows, n = problem.rows, len(problem.rhs)
    channels = rows.shape[1]
    # Variables: Delta w, what is missing up to r, what is too much. A price of 0 asks for nothing.
    cost = np.concatenate([np.zeros(channels), problem.upper, -problem.lower])
    constraints = np.hstack([rows, np.eye(n), -np.eye(n)])
    solver = piqp.DenseSolver()
    for name, value in TIGHT.items():
        setattr(solver.settings, name, value)
    solver.setup(
        np.diag(np.concatenate([np.ones(channels), np.zeros(2 * n)])),
        cost,
        constraints,
        problem.rhs,
        None,
        None,
        None,
        np.concatenate([problem.low - problem.weights, np.zeros(2 * n)]),
        np.concatenate([problem.high - problem.weights, np.full(2 * n, math.inf)]),
    )
    assert solver.solve() == piqp.PIQP_SOLVED
    return solver.result.x[:channels]


def cost_of(problem, change):
    """Half the square of a change within the bounds, and the price of what it misses."""
    change = np.clip(problem.weights + change, problem.low, problem.high) - problem.weights
    missing = problem.rhs - problem.rows @ change
    price = np.where(missing > 0.0, problem.upper, problem.lower)
    return 0.5 * change @ change + price @ missing


def test_agrees_with_an_interior_point_method_on_a_thousand_problems():
    for seed in range(1000):
        problem = random_problem(seed)
        _, change, left = solved(problem)
        assert left <= 1e-10
        # On a bound that costs next to nothing an interior point is the root of its tolerance away.
        expected = by_piqp(problem)
        assert np.abs(change - expected).max() < 1e-4, seed
        assert cost_of(problem, change) <= cost_of(problem, expected) + 1e-9, seed


def test_agrees_with_its_naive_twin():
    for seed in range(12):
        problem = random_problem(seed, most_rows=3)
        _, change, _ = solved(problem)
        expected = naive.project_within(*problem)
        assert np.abs(change - expected).max() < 1e-6, seed


@pytest.mark.parametrize("rows", [40, 120])
def test_conditions_of_the_optimum_hold_on_many_rows(rows):
    for seed in range(5):
        problem = random_problem(seed, most_rows=rows)
        x, change, left = solved(problem)
        assert left <= GOOD_ENOUGH
        assert ((problem.lower <= x) & (x <= problem.upper)).all()
        drive = problem.rows.T @ x
        clipped = np.clip(problem.weights + drive, problem.low, problem.high) - problem.weights
        assert np.abs(change - clipped).max() < 1e-12
        missing = problem.rhs - problem.rows @ change
        assert missing[x < problem.upper].max(initial=0.0) <= GOOD_ENOUGH
        assert missing[x > problem.lower].min(initial=0.0) >= -GOOD_ENOUGH


def test_fixed_weights_stay_to_the_last_bit():
    problem = random_problem(7)
    low, high = problem.low.copy(), problem.high.copy()
    low[::2] = high[::2] = problem.weights[::2]
    _, change, left = solved(problem._replace(low=low, high=high))
    assert left <= GOOD_ENOUGH
    assert not change[::2].any()


def test_contradictory_rows_without_a_bound_of_multipliers_leave_a_residual():
    rows, none = np.ones((2, 3)), np.full(2, math.inf)
    weights, wide = np.zeros(3), np.full(3, 10.0)
    problem = BoundedStep(rows, np.array([1.0, 2.0]), -none, none, weights, -wide, wide)
    _, change, left = solved(problem)
    assert left > GOOD_ENOUGH
    assert np.isfinite(change).all()
    # Nor can weights that have all reached their bounds do more.
    problem = problem._replace(rhs=np.array([100.0, 100.0]))
    _, change, left = solved(problem)
    assert left > GOOD_ENOUGH
    assert (np.abs(change) <= 10.0).all()
