"""The analytic centre: its own conditions, HiGHS' verdicts, PIQP's on recorded problems."""

import os
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.tasks import encoding

import linspike as ls
from linspike.constraints.backends import central_point, interior_point, least_slack
from linspike.kernels.solvers.analytic_centre import NOT_FOUND, analytic_centre
from linspike.kernels.solvers.newton import N_VECTORS, LinearProgram, view_iterate
from linspike.kernels.training.step_problem import assemble_times
from linspike.rules import dta_lp

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 20 if UNCOMPILED else 300


def verdict(matrix, r, n_equal, low, high):
    """Solve with a workspace full of nan: nothing may be read before it is written."""
    n = r.size
    iterate = view_iterate(np.full((N_VECTORS, n), np.nan), np.full((n, n), np.nan))
    x = np.full(n, np.nan)
    program = LinearProgram(np.ascontiguousarray(matrix), r, low, high, n_equal, n)
    return analytic_centre(program, x, iterate), x


def violation(matrix, r, n_equal, x):
    """Worst violation of a row, relative to its terms."""
    miss = matrix @ x - r
    miss[:n_equal] = np.abs(miss[:n_equal])
    return (miss / (np.abs(matrix) @ np.abs(x) + np.abs(r) + 1e-300)).max()


def imbalance(matrix, r, n_equal, low, high, x):
    """Gradient of the logarithms along the equalities, relative to its own terms.

    Each variable in units of what its logarithms allow it to move, so that neither tight bounds
    nor small slacks drown the others.
    """
    forces = -matrix[n_equal:].T / (r - matrix @ x)[n_equal:]
    unit = 1.0 / np.sqrt(1.0 / (x - low) ** 2 + 1.0 / (high - x) ** 2 + (forces**2).sum(axis=1))
    gradient = unit * (1.0 / (x - low) - 1.0 / (high - x) + forces.sum(axis=1))
    size = np.abs(matrix[:n_equal] * unit).max(axis=1, initial=1e-300)
    equal = (matrix[:n_equal] * unit / size[:, np.newaxis]).T
    prices = np.linalg.lstsq(equal, gradient, rcond=None)[0]
    return np.abs(gradient - equal @ prices).max(initial=0.0)


@st.composite
def problems(draw):
    """Problems with a point well inside: few or many rows of all sizes, some nearly the same."""
    n = draw(st.integers(1, 9))
    n_equal = draw(st.integers(0, n - 1))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k = rng.normal(size=(n, 12))
    z = k + draw(st.sampled_from([0.0, 0.3])) * rng.normal(size=k.shape)
    if n > 1 and draw(st.booleans()):
        gap = 10.0 ** draw(st.floats(-6.0, -1.0))
        k[-1], z[-1] = k[0] + gap * rng.normal(size=12), z[0] + gap * rng.normal(size=12)
    spread = draw(st.sampled_from([0.0, 4.0]))
    matrix = 10.0 ** rng.uniform(-spread, spread, (n, 1)) * (k @ z.T)
    high = np.full(n, 10.0 ** draw(st.floats(-3.0, 2.0)))
    low = np.where(draw(st.booleans()), -high, 1e-4 * high)
    inside = low + (high - low) * rng.uniform(0.05, 0.95, n)
    slack = np.where(np.arange(n) < n_equal, 0.0, 10.0 ** rng.uniform(-4.0, 0.0, n))
    return matrix, matrix @ inside + slack * (np.abs(matrix) @ (high - low)), n_equal, low, high


@settings(max_examples=CASES)
@given(problem=problems())
def test_conditions_of_the_centre(problem):
    matrix, r, n_equal, low, high = problem
    x = central_point(*problem)
    assert x is not None
    assert violation(matrix, r, n_equal, x) <= 1e-9
    assert (x > low).all()
    assert (x < high).all()
    assert (matrix @ x < r)[n_equal:].all()
    assert imbalance(*problem, x) <= 1e-6


@settings(max_examples=CASES // 4)
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
def test_no_other_point_has_larger_slacks(problem, seed):
    matrix, r, n_equal, low, high = problem
    assume(n_equal == 0)  # then every direction is allowed
    x = central_point(*problem)
    reach = np.minimum(x - low, high - x)
    way = np.random.default_rng(seed).normal(size=r.size)

    def logarithms(point):
        slacks = np.concatenate([point - low, high - point, r - matrix @ point])
        return np.log(slacks).sum() if (slacks > 0.0).all() else -np.inf

    for length in (1e-3, 1e-2, 0.1):
        assert logarithms(x + length * reach * way) < logarithms(x)
        assert logarithms(x - length * reach * way) < logarithms(x)


def test_one_variable_has_its_centre_in_closed_form():
    box = np.zeros(1), np.full(1, 4.0)
    assert verdict(np.ones((1, 1)), np.array([3.0]), 1, *box)[1] == pytest.approx([3.0])
    # Maximise x (4 - x) (3 - x): 3 x^2 - 14 x + 12 = 0.
    centre = (7.0 - np.sqrt(13.0)) / 3.0
    assert verdict(np.ones((1, 1)), np.array([3.0]), 0, *box)[1] == pytest.approx([centre])


def test_rows_and_variables_have_no_unit():
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(6, 6))
    low, high = np.zeros(6), np.ones(6)
    r = matrix @ np.full(6, 0.4)
    r[2:] += 0.3
    x = central_point(matrix, r, 2, low, high)
    rows, columns = 10.0 ** rng.uniform(-6, 6, 6), 10.0 ** rng.uniform(-6, 6, 6)
    scaled = rows[:, np.newaxis] * matrix / columns
    other = central_point(scaled, rows * r, 2, low * columns, high * columns)
    assert other / columns == pytest.approx(x, rel=1e-6)


def test_variables_with_equal_bounds_are_constants():
    matrix = np.array([[1.0, 1.0], [0.0, 1.0]])
    x = central_point(matrix, np.array([5.0, 9.0]), 1, np.array([0.0, 2.0]), np.array([4.0, 2.0]))
    assert x == pytest.approx([3.0, 2.0])
    both = np.array([3.0, 2.0])
    assert central_point(matrix, np.array([5.0, 9.0]), 1, both, both) == pytest.approx(both)
    assert central_point(matrix, np.array([5.1, 9.0]), 1, both, both) is None


def test_the_same_equality_twice_is_one():
    matrix = np.array([[1.0, 1.0], [2.0, 2.0]])
    box = np.zeros(2), np.ones(2)
    assert central_point(matrix, np.array([1.2, 2.4]), 2, *box) == pytest.approx([0.6, 0.6])
    assert central_point(matrix, np.array([1.2, 2.5]), 2, *box) is None


def test_verdicts_are_those_of_highs():
    rng = np.random.default_rng(5)
    seen = {True: 0, False: 0}
    for _ in range(CASES):
        n = int(rng.integers(1, 10))
        n_equal = int(rng.integers(0, n))
        matrix = rng.normal(size=(n, n)) if rng.random() < 0.5 else rng.uniform(size=(n, n))
        low, high = np.full(n, 0.01), np.ones(n)
        r = matrix @ rng.uniform(0.1, 0.9, n) + np.where(np.arange(n) < n_equal, 0.0, 0.2)
        r += rng.choice([0.0, 0.3, 1.0]) * rng.normal(size=n)
        found = central_point(matrix, r, n_equal, low, high)
        # Clear of the border: a little less, or a little more space, does not change the verdict.
        responses = []
        for more in (-1e-3, 1e-3):
            wider = np.where(np.arange(n) < n_equal, r, r + more)
            box = low - more, high + more
            eta, _ = least_slack(matrix, wider, n_equal, *box)
            miss = matrix @ eta - wider
            miss[:n_equal] = np.abs(miss[:n_equal])
            responses.append(bool(miss.max() <= 1e-7))
        if responses[0] == responses[1]:
            assert (found is not None) == responses[0]
            seen[responses[0]] += 1
    assert min(seen.values()) > CASES // 10


def test_the_same_problem_has_the_same_bits():
    rng = np.random.default_rng(7)
    matrix = rng.normal(size=(20, 20))
    box = np.zeros(20), np.ones(20)
    r = matrix @ np.full(20, 0.3) + np.where(np.arange(20) < 5, 0.0, 0.1)
    first = central_point(matrix, r, 5, *box)
    central_point(rng.normal(size=(9, 9)), rng.normal(size=9), 3, np.zeros(9), np.ones(9))
    assert np.array_equal(first, central_point(matrix, r, 5, *box))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", range(4))
@pytest.mark.parametrize("n_equal", [0, 1, 3])
def test_what_is_not_finite_has_no_centre(bad, where, n_equal):
    problem = [np.eye(3) + 0.1, np.full(3, 0.5), np.zeros(3), np.ones(3)]
    problem[where].flat[1] = bad
    matrix, r, low, high = problem
    assert verdict(matrix, r, n_equal, low, high)[0] == NOT_FOUND


@pytest.mark.parametrize("n_equal", [0, 1, 2])
def test_zero_rows_that_ask_for_something_have_no_centre(n_equal):
    matrix = np.diag([1.0, 0.0])
    r = np.array([0.5, 1.0 if n_equal == 2 else -1.0])
    assert verdict(matrix, r, n_equal, np.zeros(2), np.ones(2))[0] == NOT_FOUND
    assert verdict(np.zeros((2, 2)), r, n_equal, np.zeros(2), np.ones(2))[0] == NOT_FOUND


def test_sets_without_an_interior_have_no_centre():
    matrix = np.array([[1.0, 1.0], [-1.0, -1.0]])
    box = np.zeros(2), np.ones(2)
    assert verdict(matrix, np.array([1.0, -1.0]), 0, *box)[0] == NOT_FOUND  # a line
    assert verdict(matrix, np.array([1.0, -1.0]), 1, *box)[0] == NOT_FOUND
    assert verdict(matrix, np.array([1.0, -0.999]), 1, *box)[1] == pytest.approx([0.5, 0.5])
    assert verdict(np.eye(2), np.ones(2), 0, np.ones(2), np.zeros(2))[0] == NOT_FOUND  # no box
    assert verdict(np.eye(2), np.zeros(2), 2, *box)[0] == NOT_FOUND  # a corner


def test_infinite_bounds_go_to_another_solver():
    box = np.zeros(1), np.full(1, np.inf)
    assert central_point(np.ones((1, 1)), np.array([3.0]), 1, *box) == pytest.approx([3.0])


class Recorder(dta_lp.DTALinearProgram):
    """The paper's program, as a plain rule that keeps every problem it meets."""

    problems: ClassVar = []

    def compiled(self):
        return None

    def step(self, step_input, parameters, weights, change, work):
        outcome = dta_lp.feasible_step(step_input, parameters, weights, change, work)
        if outcome != dta_lp.UNCHANGED:
            n_equal, n = assemble_times(step_input, weights, 1e-6, 0.0, work)
            rhs, lower, upper = (part[:n].copy() for part in (work.rhs, work.lower, work.upper))
            self.problems.append((work.gram[:n, :n].copy(), rhs, n_equal, lower, upper))
        return outcome


@pytest.fixture(scope="module")
def recorded():
    Recorder.problems.clear()
    epochs = 1 if UNCOMPILED else 20
    for window in ("psp", "stdp", "filt"):
        trainer = ls.Trainer(ls.SRM(), Recorder(window=window), max_epochs=epochs)
        trainer.fit(*encoding(0, 2 if UNCOMPILED else 20))
        trainer.fit(*encoding(0, 1, duration=400.0 if UNCOMPILED else 3000.0))
    return list(Recorder.problems)


def test_recorded_problems_have_the_verdict_of_piqp(recorded):
    different = 0
    for problem in recorded:
        x = central_point(*problem)
        different += (x is None) != (interior_point(*problem) is None)
        if x is not None:
            assert violation(*problem[:3], x) <= 1e-9
            assert imbalance(*problem, x) <= 1e-6
    assert len(recorded) >= (3 if UNCOMPILED else 400)
    assert different <= len(recorded) // 100  # within PIQP's tolerance of the border
