"""The projection on problems recorded while learning, against an independent solver.

The dual that linspike solves is nearly singular where an actual spike stands beside a desired one,
and there daqp and HiGHS lose digits of their own. The same problem in the weights, behind a QR
decomposition, has the square root of that condition number; PIQP solves it to 1e-12.
"""

from typing import ClassVar

import numpy as np
import piqp
import pytest

import linspike as ls
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import make_qp_work
from linspike.kernels.training.step_problem import assemble_times
from linspike.rules.dta import projection_step

N_PROBLEMS = 1000


class Recorder(ls.DTA):
    """The default rule, as a plain one that keeps every problem it meets."""

    problems: ClassVar = []

    def compiled(self):
        return None

    def step(self, step_input, parameters, weights, change, work):
        outcome = projection_step(step_input, parameters, weights, change, work)
        margin = self.margin * step_input.constants.threshold
        _, n = assemble_times(step_input, weights, margin, self.match_tolerance, work)
        if n > 0:
            parts = (work.rows_k, work.rhs, work.lower, work.upper)
            self.problems.append(tuple(part[:n].copy() for part in parts))
        return outcome


def record(seed, n_patterns, duration, epochs):
    rng = np.random.default_rng(seed)
    size = {"duration": duration, "rate": 0.005, "rng": rng}
    patterns = ls.poisson_patterns(n_patterns, n_channels=500, **size)
    desired = ls.poisson_trains(n_patterns, min_gap=5.0, min_onset=10.0, **size)
    # Right spikes stay among the rows: as near to the desired times as learning can bring them.
    rule = Recorder(
        bound=0.3, match_tolerance=0.0, hold_tolerance=0.0, skip_below=0.0, schedule=(1, 1)
    )
    weights = rng.normal(0.015, 0.015, 500)
    ls.Trainer(ls.SRM(), rule, max_epochs=epochs).fit(weights, patterns, ls.SpikeTimes(desired))


@pytest.fixture(scope="module")
def recorded():
    Recorder.problems.clear()
    seed = 0
    while len(Recorder.problems) < N_PROBLEMS:
        record(seed, 10, 400.0, 8)
        record(seed + 100, 1, 4000.0, 20)
        seed += 1
    return Recorder.problems[:N_PROBLEMS]


def change_by_piqp(rows, r, low, high):
    """Least |change|^2/2 + slack priced at the bounds, over the change itself."""
    n = r.size
    basis, triangle = np.linalg.qr(rows.T)
    width = basis.shape[1]
    equal = high > 0.0
    n_equal = int(equal.sum())
    size = width + n_equal + n  # coordinates, missing at the desired times, excess everywhere
    matrix = np.zeros((n, size))
    matrix[:, :width] = triangle.T
    matrix[np.flatnonzero(equal), width + np.arange(n_equal)] = 1.0
    matrix[:, width + n_equal :] = -np.eye(n)
    quadratic = np.zeros((size, size), order="F")
    quadratic[:width, :width] = np.eye(width)
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-12
    solver.settings.eps_duality_gap_abs = solver.settings.eps_duality_gap_rel = 1e-14
    solver.setup(
        quadratic,
        np.concatenate([np.zeros(width), high[equal], -low]),
        np.asfortranarray(matrix[equal]) if n_equal else None,
        r[equal] if n_equal else None,
        np.asfortranarray(matrix[~equal]) if n_equal < n else None,
        None,
        r[~equal] if n_equal < n else None,
        np.concatenate([np.full(width, -np.inf), np.zeros(n_equal + n)]),
        None,
    )
    assert solver.solve() == piqp.PIQP_SOLVED
    return basis @ np.array(solver.result.x)[:width]


def nearest_rows(rows):
    """Sine of the smallest angle between two rows."""
    unit = rows / np.linalg.norm(rows, axis=1)[:, np.newaxis]
    cosines = (unit @ unit.T)[np.triu_indices(len(rows), 1)]
    return np.sqrt(np.maximum(1.0 - cosines**2, 0.0)).min(initial=1.0)


def test_same_weight_change_on_a_thousand_problems(recorded):
    errors = []
    for rows, r, low, high in recorded:
        n = r.size
        work = make_qp_work(n)
        eta = np.zeros(n)
        solve_box(np.ascontiguousarray(rows @ rows.T), r, low, high, eta, 1e-12, work, n)
        expected = change_by_piqp(rows, r, low, high)
        errors.append(np.linalg.norm(rows.T @ eta - expected) / np.linalg.norm(expected))
    assert max(errors) < 1e-6


def test_nearly_equal_rows_are_among_them(recorded):
    nearest = np.array([nearest_rows(rows) for rows, *_ in recorded])
    assert (nearest < 1e-3).sum() > 50
    assert (nearest < 1e-6).sum() > 5
