"""The box-constrained solver against daqp, on problems as learning meets them."""

import os

import daqp
import numpy as np
import pytest

import linspike as ls
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import make_qp_work

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 5 if UNCOMPILED else 200


def solved(gram, r, low, high, tolerance=1e-13):
    n = r.size
    work = make_qp_work(n)
    x = np.zeros(n)
    left = solve_box(np.ascontiguousarray(gram), r, low, high, x, tolerance, work, n)
    return x, left


def by_daqp(gram, r, low, high):
    """In units of the bounds, which daqp needs for its absolute tolerances."""
    unit = np.maximum(np.abs(low), np.abs(high))
    scaled = gram * unit[:, np.newaxis] * unit
    arguments = (scaled, -r * unit, np.zeros((0, r.size)), high / unit, low / unit)
    sense = np.zeros(r.size, np.int32)
    for settings in ({"primal_tol": 1e-11}, {"primal_tol": 1e-11, "eps_prox": 1e-7}, {}):
        x, _, flag, _ = daqp.solve(*arguments, sense, **settings)
        if flag == 1:
            return x * unit
    raise AssertionError("daqp found nothing")


def objective(gram, r, x):
    """In extended precision, since the comparison is about the last digits."""
    wide = x.astype(np.longdouble)
    return 0.5 * wide @ (gram.astype(np.longdouble) @ wide) - r.astype(np.longdouble) @ wide


def learning_problem(rng, n, bound, collinear):
    """Rows of desired and wrong times of a random pattern, some nearly the same."""
    neuron = ls.SRM()
    duration = 100.0 + 25.0 * n
    pattern = ls.poisson_patterns(1, n_channels=500, duration=duration, rate=0.005, rng=rng)[0]
    times = np.sort(rng.uniform(20.0, duration, n))
    if collinear:
        times[1] = times[0] + 10.0 ** rng.uniform(-6, -1)
    rows = neuron.design(pattern, times)
    weights = rng.normal(0.01, 0.02, 500)
    desired = rng.random(n) < 0.5
    gram = rows @ rows.T
    r = neuron.moving_threshold(times[desired], times) - rows @ weights
    r[~desired] -= 0.1
    limit = bound / np.diag(gram)
    return rows, gram, r, -limit, np.where(desired, limit, 0.0)


@pytest.mark.parametrize("bound", [0.3, 3.0])
@pytest.mark.parametrize(("n", "cases"), [(3, CASES), (10, CASES), (25, CASES // 4), (60, 5)])
def test_same_answer_as_daqp(n, cases, bound):
    if UNCOMPILED and n > 10:
        pytest.skip("too slow uncompiled")
    rng = np.random.default_rng(n)
    for case in range(cases):
        collinear = case % 2 == 0
        rows, gram, r, low, high = learning_problem(rng, n, bound, collinear)
        ours, left = solved(gram, r, low, high)
        assert left <= 1e-13
        theirs = by_daqp(gram, r, low, high)
        # On nearly equal rows daqp regularises and ends a little above the minimum; we must not.
        assert objective(gram, r, ours) <= objective(gram, r, theirs) + 1e-11
        if not collinear:
            change = rows.T @ theirs
            error = np.linalg.norm(rows.T @ ours - change)
            assert error <= 1e-6 * np.linalg.norm(change) + 1e-12


def test_optimality_conditions():
    rng = np.random.default_rng(1)
    for _ in range(CASES):
        _, gram, r, low, high = learning_problem(rng, 8, 0.5, collinear=True)
        x, _ = solved(gram, r, low, high)
        gradient = gram @ x - r
        assert (x >= low).all()
        assert (x <= high).all()
        assert (gradient[x < high] >= -1e-9).all()
        assert (gradient[x > low] <= 1e-9).all()


def test_contradictory_rows_without_bounds_are_not_called_solved():
    # The same row is to be 0 and 1: with infinite multipliers there is no answer.
    gram = np.ones((2, 2))
    _, left = solved(gram, np.array([0.0, 1.0]), np.full(2, -np.inf), np.full(2, np.inf))
    assert left > 1e-3


def test_zero_rows_are_left_alone():
    gram = np.diag([2.0, 0.0])
    x, _ = solved(gram, np.array([1.0, 1.0]), np.full(2, -1.0), np.full(2, 1.0))
    assert x.tolist() == [0.5, 0.0]
