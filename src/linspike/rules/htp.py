"""HTP: high-threshold projection, forbidden crossings pushed down, desired ones restored."""

from __future__ import annotations

import math
from dataclasses import dataclass

from linspike._typing import Floats
from linspike.kernels.simulation.events import span_until
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import view_qp_work
from linspike.kernels.threshold.maxima import highest_maximum
from linspike.kernels.training.outcomes import FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.step_problem import add_equalities, fill_gram, inner, is_faint
from linspike.kernels.training.updates import FINEST, add_at
from linspike.rules.toolkit.families import ToleranceRule, unpack_tolerance

SOLVED_TO = 1e-12
FAILED_ABOVE = 1e-7
MET = 1e-6  # a residual below this, in thresholds, is none

FEW_ROUNDS = 8  # equations that can be solved are solved in two or three


@borrowing_step
def htp_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Push down the highest forbidden maximum, then project onto the desired crossings."""
    options = unpack_tolerance(parameters)
    constants = s.constants
    change[:] = 0.0
    span = span_until(s.events, s.p, s.until, constants.m)
    scaled = constants.threshold / constants.v_norm
    r, low, high, x = work.rhs, work.lower, work.upper, work.multipliers
    n = add_equalities(s, weights, work)
    fill_gram(work, n)
    unmet = 0.0
    out_of_reach = False
    for i in range(n):
        faint = is_faint(work.gram[i, i], constants)
        high[i] = 0.0 if faint else math.inf
        low[i] = -high[i]
        x[i] = 0.0
        unmet = max(unmet, 0.0 if faint else abs(r[i]))
        out_of_reach |= faint
    guard = options.tolerance
    found = work.buffers[2:4, :1]
    m, desired = constants.m, s.desired
    height, at = highest_maximum(s.events, span, weights, scaled, m, desired, guard, found)
    # Asked for a step though all is met within the tolerance: the criterion wants it finer.
    while height < scaled and unmet <= MET * constants.threshold and guard > FINEST:
        guard *= 0.5
        height, at = highest_maximum(s.events, span, weights, scaled, m, desired, guard, found)
    pushed = height >= scaled
    if pushed:
        add_at(s, at, -options.eta, constants.psp, change)
    if n == 0:
        return SOLVED if pushed else UNCHANGED
    for i in range(n):
        r[i] -= inner(work.rows_k[i], change)
    buffers = view_qp_work(work.buffers, work.indices, work.factor)
    tolerance = SOLVED_TO * constants.threshold
    left = solve_box(work.gram, r, low, high, x, tolerance, buffers, n, FEW_ROUNDS)
    outcome = FALLBACK if out_of_reach else SOLVED
    if not (left <= FAILED_ABOVE * constants.threshold):
        outcome = FALLBACK
        for i in range(n):
            x[i] = options.eta if r[i] > 0.0 else -options.eta
    for i in range(n):
        for c in range(change.size):
            change[c] += x[i] * work.rows_k[i, c]
    return outcome


@dataclass(frozen=True)
class HTP(ToleranceRule):
    """High-threshold projection: V is watched under imposed resets at the desired times.

    With these resets V must reach the threshold at every desired time and stay below it elsewhere.
    A step takes the highest maximum t that is not desired, if it is at or above the threshold,
    and lowers V there; then it projects onto the weights that meet the desired times exactly:

        w <- w - eta X(t),    w <- w + K_d' (K_d K_d')^-1 (theta_d - K_d w).

    Parameters
    ----------
    eta : float
        Size of the push at a forbidden maximum.
    tolerance : float
        Crossings up to so many milliseconds before a desired time are part of it. A response with
        nothing to push that is still asked for a step is looked at with ever smaller ones.
    skip_below, momentum : float
        As for every `Rule`.

    References
    ----------
    R.-M. Memmesheimer, R. Rubin, B. P. Oelveczky and H. Sompolinsky, Learning precisely timed
    spikes, Neuron 82 (2014) 925-938.

    Notes
    -----
    Confidence: reconstructed from the description of the rule (docs/adr/0011). Where the desired
    rows contradict each other, or nearly, single steps of size eta take the place of the
    projection; a desired time before the first input is out of reach and left out.
    Differs from the paper: it is not among the rules the paper measures.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.HTP(), max_epochs=100)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "htp"
    compiled_step = staticmethod(htp_step)
