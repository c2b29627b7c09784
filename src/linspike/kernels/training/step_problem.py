"""The linear constraints of one learning step: rows, right-hand sides, products of rows.

Of the rows of a step the first n_equal are equalities, K_i (w + Delta w) = theta_i; the others are
inequalities, K_i (w + Delta w) < theta_i - margin (docs/theory.md).
"""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, compiled
from linspike.kernels.rows.delays import add_cusp, fill_both_rows, fill_delay_mixture
from linspike.kernels.rows.drive import find_peak
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.rows.windows import add_row, copy_row
from linspike.kernels.simulation.events import Events
from linspike.kernels.solvers.newton import N_VECTORS
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.updates import add_at, add_mixture, critical_rows
from linspike.kernels.trains.distances import find_partners

FAINT = 1e-9
HOLD_BEYOND = 0.5  # of the tolerance: right spikes nearer to their desired times have no row
# The one place where sums may be re-ordered: it reaches the speed of BLAS without allocating.
# Last bits then depend on the processor's vector width, not on threads or runs.
REORDERED = {"reassoc", "contract", "nsz"}


def _inner(x: Floats, y: Floats) -> float:
    """Return the inner product."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


inner = compiled(_inner, fastmath=REORDERED, _nrt=False)


def make_step_workspace(n: int, n_channels: int) -> StepWorkspace:
    """Return work arrays of a step with up to n rows."""
    return StepWorkspace(
        rows_k=np.empty((n, n_channels)),
        rows_z=np.empty((n, n_channels)),
        gram=np.empty((n, n)),
        factor=np.empty((n, n)),
        rhs=np.empty(n),
        lower=np.empty(n),
        upper=np.empty(n),
        unit=np.empty(n),
        multipliers=np.empty(n),
        times=np.empty(n),
        buffers=np.empty((N_VECTORS, n)),
        indices=np.empty(n, np.int64),
    )


@borrowing
def is_faint(norm: float, constants: NeuronConstants) -> bool:
    """Return whether a row with this squared norm moves next to nothing.

    Such a row belongs to a time just after the very first input: no sensible change reaches it.
    """
    return norm <= FAINT * constants.mean_max_drive


@borrowing
def near_any(at: float, times: Floats, tolerance: float) -> bool:
    """Return whether a time is at most `tolerance` away; a tolerance of 0 is never met."""
    near = False
    for t in times:
        near |= abs(at - t) <= tolerance
    return near and tolerance > 0.0


@borrowing
def add_constraint(
    s: StepInput,
    at: float,
    resets: Floats,
    weights: Floats,
    margin: float,
    work: StepWorkspace,
    n: int,
) -> int:
    """Append the constraint V0(at) = theta(at) - margin, or <; return the new number of rows.

    theta has these resets. Rows beyond the capacity of work are left out.
    """
    if n == work.rows_k.shape[0]:
        return n
    constants = s.constants
    row = work.rows_k[n]
    if s.delays.size > 0:
        fill_both_rows(s.events, s.p, at, constants.psp, constants.m, weights, row)
    else:
        row[:] = 0.0
        first, stop = s.events.offsets[s.p], s.events.offsets[s.p + 1]
        add_row(s.events, first, stop, at, constants.psp, constants.m, row)
    theta = constants.threshold * reset_sum(at, resets, constants.m.rate_m)
    work.rhs[n] = theta - inner(row[: weights.size], weights) - margin
    work.times[n] = at
    return n + 1


@borrowing
def add_inequality(
    s: StepInput, at: float, weights: Floats, margin: float, work: StepWorkspace, n: int
) -> int:
    """Append the constraint V0(at) < theta(at) - margin; return the new number of rows.

    Rows beyond the capacity of work are left out.
    """
    return add_constraint(s, at, s.desired, weights, margin, work, n)


@borrowing
def add_equalities(s: StepInput, weights: Floats, work: StepWorkspace) -> int:
    """Fill the constraints V0(d) = theta(d) at all desired times; return how many."""
    constants = s.constants
    if s.delays.size > 0:
        n = 0
        for d in s.desired:
            n = add_constraint(s, d, s.desired, weights, 0.0, work, n)
        return n
    for i in range(s.desired.size):
        copy_row(s.k_desired[i], work.rows_k[i])
        theta = constants.threshold * reset_sum(s.desired[i], s.desired, constants.m.rate_m)
        work.rhs[i] = theta - inner(work.rows_k[i], weights)
        work.times[i] = s.desired[i]
    return s.desired.size


@borrowing
def assemble_times(
    s: StepInput, weights: Floats, margin: float, match_tolerance: float, work: StepWorkspace
) -> tuple[int, int]:
    """Fill rows_k, rhs and times: desired times, then wrong spikes.

    Spikes within `match_tolerance` of a desired time are no constraints. Returns the number of
    equalities and of rows.
    """
    n_equal = add_equalities(s, weights, work)
    n = n_equal
    for o in s.actual:
        if not near_any(o, s.desired, match_tolerance):
            n = add_inequality(s, o, weights, margin, work, n)
    return n_equal, n


@borrowing
def find_resets(s: StepInput, hold_tolerance: float, work: StepWorkspace) -> int:
    """Find the resets of a step that leaves right spikes where they are; return how many are right.

    A desired time with a partner within the tolerance has its reset there, (61). The resets are in
    buffers[0]; indices has the partners of desired times, -1 for none; buffers[1] is 1 for actual
    spikes that are partners, else 0.
    """
    n_desired = s.desired.size
    partner, resets = work.indices[:n_desired], work.buffers[0]
    is_right = work.buffers[1, : s.actual.size]
    is_right[:] = 0.0
    pairs = find_partners(s.desired, s.actual, hold_tolerance, partner)
    for i in range(n_desired):
        resets[i] = s.desired[i]
        if partner[i] >= 0:
            resets[i] = s.actual[partner[i]]
            is_right[partner[i]] = 1.0
    return pairs


@borrowing
def assemble_held(
    s: StepInput,
    weights: Floats,
    margin: float,
    match_tolerance: float,
    hold_tolerance: float,
    work: StepWorkspace,
) -> tuple[int, int]:
    """Fill rows_k, rhs and times; spikes within `hold_tolerance` of desired times may stay there.

    Rows are the times of missing spikes, the right spikes in the outer part of the tolerance,
    where they are, and then wrong spikes. Where nothing is missing and none is wrong, all spikes
    are asked to be at their desired times. Returns the number of equalities and of rows.
    """
    n_desired = s.desired.size
    pairs = find_resets(s, hold_tolerance, work)
    resets = work.buffers[0, :n_desired]
    n = 0
    for i in range(n_desired):
        moved = abs(resets[i] - s.desired[i])
        if work.indices[i] < 0 or moved > HOLD_BEYOND * hold_tolerance:
            n = add_constraint(s, resets[i], resets, weights, 0.0, work, n)
    n_equal = n
    for j in range(s.actual.size):
        o = s.actual[j]
        if work.buffers[1, j] == 0.0 and not near_any(o, resets, match_tolerance):
            n = add_constraint(s, o, resets, weights, margin, work, n)
    if pairs == n_desired and n == n_equal:
        return assemble_times(s, weights, margin, match_tolerance, work)
    return n_equal, n


@borrowing
def find_peak_drive(s: StepInput, spare: Floats) -> float:
    """Return where |X(t)| is largest, as inputs arrive now; spare has three rows of channels."""
    if s.delays.size == 0:
        return s.peak_drive_time
    return find_peak(s.events, s.p, s.until, s.constants.m, spare[:3])


@borrowing
def assemble_count(
    s: StepInput, weights: Floats, margin: float, work: StepWorkspace
) -> tuple[int, int, bool]:
    """Fill one row of rows_k, of rows_z if the window is not the PSP, and of rhs for a count.

    With too few spikes the critical threshold of the desired count is to come to the neuron's own
    plus the margin, an equality; with too many that of one spike more is to stay a margin below
    it, an inequality. The row is the gradient of that critical threshold: one mixture of PSP rows
    in rows_k and of window rows in rows_z. Scaling all weights scales a critical threshold, so
    the row times the weights is the critical threshold itself.

    Returns the number of equalities and of rows, and whether the pattern is dead: V never rises
    above rest, and is to come to the threshold plus the margin where the drive is largest.
    """
    constants = s.constants
    if s.actual.size == s.target_count:
        return 0, 0, False
    more = s.actual.size < s.target_count
    n = critical_rows(s, s.target_count if more else s.target_count + 1, weights, work.buffers)
    dead = n == 0
    work.times[0] = 0.0
    if dead:
        work.buffers[0, 0], work.buffers[1, 0] = find_peak_drive(s, work.rows_z), 1.0
        work.times[0] = work.buffers[0, 0]
        n = 1
    times, shares = work.buffers[0, :n], work.buffers[1, :n]
    work.rows_k[0, :] = 0.0
    add_mixture(s, times, shares, constants.psp, work.rows_k[0])
    if s.delays.size > 0:
        parts, late = work.buffers[2:4, :1], work.rows_k[0, weights.size :]
        where = (s.events, s.p, times, shares, constants.psp, constants.m, weights)
        fill_delay_mixture(*where, late)
        if times[n - 1] < s.until:
            add_cusp(*where, parts, late)
    if constants.window != constants.psp:
        work.rows_z[0, :] = 0.0
        for i in range(n):
            add_at(s, times[i], shares[i], constants.window, work.rows_z[0])
    beyond = margin if more else -margin
    work.rhs[0] = constants.threshold + beyond - inner(work.rows_k[0, : weights.size], weights)
    return int(more), 1, dead


@borrowing
def assemble(
    s: StepInput,
    weights: Floats,
    margin: float,
    match_tolerance: float,
    gradient: bool,
    work: StepWorkspace,
) -> tuple[int, int, bool]:
    """Fill rows_k and rhs for desired times, or for the count itself if `gradient`.

    The margin is a potential. Returns the number of equalities, of rows, and whether the pattern
    is dead.
    """
    if gradient:
        return assemble_count(s, weights, margin, work)
    n_equal, n = assemble_times(s, weights, margin, match_tolerance, work)
    return n_equal, n, False


@borrowing
def fill_window_rows(
    s: StepInput, gradient: bool, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Fill rows_z with the learning window at the times of `assemble`, in its order.

    The window row of a gradient came with it, unless it is the PSP row.
    """
    constants = s.constants
    if gradient:
        if constants.window == constants.psp:
            copy_row(work.rows_k[0], work.rows_z[0])
        return
    for i in range(n_equal):
        copy_row(s.z_desired[i], work.rows_z[i])
    first, stop = s.events.offsets[s.p], s.events.offsets[s.p + 1]
    for i in range(n_equal, n):
        row = work.rows_z[i]
        row[:] = 0.0
        add_row(s.events, first, stop, work.times[i], constants.window, constants.m, row)


@borrowing
def fill_found_rows(
    events: Events,
    p: int,
    constants: NeuronConstants,
    desired: Floats,
    rows_k: Floats,
    rows_z: Floats,
) -> None:
    """Fill the PSP rows X(t) and window rows of desired times that were found, not given."""
    first, stop = events.offsets[p], events.offsets[p + 1]
    for i in range(desired.size):
        row_k, row_z = rows_k[i], rows_z[i]
        row_k[:] = 0.0
        add_row(events, first, stop, desired[i], constants.psp, constants.m, row_k)
        if constants.window == constants.psp:
            copy_row(row_k, row_z)
        else:
            row_z[:] = 0.0
            add_row(events, first, stop, desired[i], constants.window, constants.m, row_z)


@borrowing
def fill_gram(work: StepWorkspace, n: int) -> None:
    """Fill gram with K K', the inner products of the first n PSP rows."""
    rows, gram = work.rows_k, work.gram
    for i in range(n):
        for j in range(i + 1):
            gram[i, j] = inner(rows[i], rows[j])
            gram[j, i] = gram[i, j]


@borrowing
def combine(rows: Floats, factors: Floats, n: int, change: Floats) -> None:
    """Set change to the sum of factors[i] times rows[i]."""
    change[:] = 0.0
    for i in range(n):
        factor = factors[i]
        if factor != 0.0:
            for c in range(change.size):
                change[c] += factor * rows[i, c]
