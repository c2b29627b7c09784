"""The linear constraints of one learning step: rows, right-hand sides, Gram matrix."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import compiled, kernel
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.rows.windows import add_row
from linspike.kernels.threshold.gradient import critical_mixture
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.updates import add_at, add_mixture

# The one place where sums may be re-ordered: it reaches the speed of BLAS without allocating.
# Last bits then depend on the processor's vector width, not on threads or runs.
REORDERED = {"reassoc", "contract", "nsz"}


def _inner(x: Floats, y: Floats) -> float:
    """Inner product."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


inner = compiled(_inner, fastmath=REORDERED)


@kernel
def near_any(at: float, times: Floats, tolerance: float) -> bool:
    """Whether one of the times is at most `tolerance` away; a tolerance of 0 is never met."""
    near = False
    for t in times:
        near |= abs(at - t) <= tolerance
    return near and tolerance > 0.0


@kernel
def add_inequality(
    s: StepInput, at: float, weights: Floats, margin: float, work: StepWorkspace, n: int
) -> int:
    """Append the constraint V0(at) < theta(at) - margin; returns the new number of rows.

    Rows beyond the room that work has are left out.
    """
    if n == work.rows_k.shape[0]:
        return n
    constants = s.constants
    first, stop = s.events.offsets[s.p], s.events.offsets[s.p + 1]
    row = work.rows_k[n]
    row[:] = 0.0
    add_row(s.events, first, stop, at, constants.psp, constants.m, row)
    theta = constants.threshold * reset_sum(at, s.desired, constants.m.rate_m)
    work.vectors[0, n] = theta - inner(row, weights) - margin
    work.vectors[7, n] = at
    return n + 1


@kernel
def assemble(
    s: StepInput,
    weights: Floats,
    margin: float,
    converged: float,
    extra_points: int,
    work: StepWorkspace,
) -> tuple[int, int]:
    """Fill rows_k, r = vectors[0] and times = vectors[7]: desired, wrong spikes, extra points.

    Spikes within `converged` of a desired time are no constraints. Extra points are spread evenly
    over the pattern; those near a desired time are left out too. Returns the number of equalities
    and of rows.
    """
    constants = s.constants
    n = 0
    for i in range(s.desired.size):
        work.rows_k[n, :] = s.k_desired[i]
        theta = constants.threshold * reset_sum(s.desired[i], s.desired, constants.m.rate_m)
        work.vectors[0, n] = theta - inner(work.rows_k[n], weights)
        work.vectors[7, n] = s.desired[i]
        n += 1
    n_equal = n
    for o in s.actual:
        if not near_any(o, s.desired, converged):
            n = add_inequality(s, o, weights, margin, work, n)
    end = min(s.until, s.events.durations[s.p])  # the horizon may be infinite
    for i in range(extra_points):
        at = end * (i + 1) / (extra_points + 1)
        if not near_any(at, s.desired, max(converged, 1.0)):
            n = add_inequality(s, at, weights, margin, work, n)
    return n_equal, n


@kernel
def assemble_count(
    s: StepInput, weights: Floats, margin: float, work: StepWorkspace
) -> tuple[int, int, bool]:
    """Fill a row of rows_k, of rows_z if the window is not the PSP, and r = vectors[0] for a count.

    With too few spikes the critical threshold of the desired count is to come to the neuron's own
    plus the margin, an equality; with too many that of one spike more is to stay a margin below
    it, an inequality. The row is the gradient of that critical threshold: one mixture of PSP rows
    in rows_k and of window rows in rows_z. Scaling all weights scales a critical threshold, so
    the row times the weights is the critical threshold itself.

    Returns the number of equalities and of rows, and whether the pattern is dead: V never rises
    above rest, and is to come to the threshold plus the margin where the pattern is loudest.
    """
    constants = s.constants
    if s.actual.size == s.goal:
        return 0, 0, False
    more = s.actual.size < s.goal
    room = work.vectors[1:]
    scaled = constants.threshold / constants.v_norm
    n = critical_mixture(
        s.events,
        s.p,
        s.until,
        weights,
        scaled,
        constants.m,
        s.actual.size == 0,
        s.goal if more else s.goal + 1,
        room,
    )
    dead = n == 0
    if dead:
        room[0, 0], room[1, 0] = s.peak_drive_time, 1.0
        n = 1
    times, shares = room[0, :n], room[1, :n]
    work.rows_k[0, :] = 0.0
    add_mixture(s, times, shares, constants.psp, work.rows_k[0])
    if constants.window != constants.psp:
        work.rows_z[0, :] = 0.0
        for i in range(n):
            add_at(s, times[i], shares[i], constants.window, work.rows_z[0])
    beyond = margin if more else -margin
    work.vectors[0, 0] = constants.threshold + beyond - inner(work.rows_k[0], weights)
    return int(more), 1, dead


@kernel
def fill_window_rows(s: StepInput, n_equal: int, n: int, work: StepWorkspace) -> None:
    """Fill rows_z of work: the learning window at the times of `assemble`, in its order."""
    constants = s.constants
    first, stop = s.events.offsets[s.p], s.events.offsets[s.p + 1]
    for i in range(n_equal):
        work.rows_z[i, :] = s.z_desired[i]
    for i in range(n_equal, n):
        row = work.rows_z[i]
        row[:] = 0.0
        add_row(s.events, first, stop, work.vectors[7, i], constants.window, constants.m, row)


@kernel
def fill_gram(work: StepWorkspace, n: int) -> None:
    """Inner products of all rows."""
    rows, gram = work.rows_k, work.gram
    for i in range(n):
        for j in range(i + 1):
            gram[i, j] = inner(rows[i], rows[j])
            gram[j, i] = gram[i, j]


@kernel
def combine(rows: Floats, factors: Floats, n: int, change: Floats) -> None:
    """Sum of rows times factors."""
    change[:] = 0.0
    for i in range(n):
        factor = factors[i]
        if factor != 0.0:
            for c in range(change.size):
                change[c] += factor * rows[i, c]
