"""The metric of whitened steps: weight changes measured by how much they change responses.

Rows X(t) of alike patterns are nearly parallel: what they have in common is most of them, and steps
on one undo those on another. In the metric M of (66) the common part counts for little.
"""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.rows.windows import Window, add_row
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.solvers.newton import factorise, substitute

RIDGE = 0.03  # of the mean of C's diagonal; without it rare channels would take all of a step
GOLDEN = 0.6180339887498949  # multiples of it, modulo 1, are spread evenly, however many there are


@borrowing
def fill_sample(
    events: Events, horizons: Floats, psp: Window, m: Membrane, i: int, n_samples: int, row: Floats
) -> None:
    """Fill row with X(t) of sample i: patterns in turn, times spread over each of them.

    Times end at the horizon, or tau_m after the last input: X then only decays.
    """
    p = i * horizons.size // n_samples
    first, stop = events.offsets[p], events.offsets[p + 1]
    row[:] = 0.0
    if first == stop:
        return
    end = min(horizons[p], events.times[stop - 1] + 1.0 / m.rate_m)
    add_row(events, first, stop, (0.5 + i * GOLDEN) % 1.0 * end, psp, m, row)


@borrowing
def add_moments(row: Floats, metric: Floats) -> None:
    """Add products row[c] row[j] of channels j <= c of a block to its lower triangle."""
    width = metric.shape[1]
    for c in range(row.size):
        factor = row[c]
        if factor != 0.0:
            own = metric[c]
            begin = c - c % width
            for j in range(c - begin + 1):
                own[j] += factor * row[begin + j]


@borrowing
def invert_block(block: Floats, ridge: float, factor: Floats, column: Floats) -> None:
    """Replace a block of C, given by its lower triangle, by (C + ridge 1)^-1."""
    n = block.shape[0]
    for i in range(n):
        for j in range(i + 1):
            factor[i, j] = block[i, j]
        factor[i, i] += ridge
    factorise(factor, n)
    for i in range(n):
        column[:] = 0.0
        column[i] = 1.0
        substitute(factor, column, n)
        for j in range(n):
            block[i, j] = column[j]


@borrowing
def fill_metric(
    events: Events,
    horizons: Floats,
    psp: Window,
    m: Membrane,
    n_samples: int,
    rows: Floats,
    factor: Floats,
    metric: Floats,
) -> None:
    """Fill metric with M of (66), but for its scale: one row per channel of its block.

    Channels are in blocks as many as metric has columns; M is 0 between channels of different
    blocks. rows is (2, channels) work space, factor (columns, columns).
    """
    n, width = metric.shape
    metric[:] = 0.0
    for i in range(n_samples):
        fill_sample(events, horizons, psp, m, i, n_samples, rows[0])
        add_moments(rows[0], metric)
    trace = 0.0
    for c in range(n):
        trace += metric[c, c % width]
    # Without any input all changes are alike.
    ridge = RIDGE * trace / n if trace > 0.0 else 1.0
    for begin in range(0, n, width):
        size = min(width, n - begin)
        invert_block(metric[begin : begin + size, :size], ridge, factor, rows[1, :size])


@borrowing
def apply_metric(metric: Floats, row: Floats, out: Floats) -> None:
    """Write M times a row to out. Most rows have few channels: the others cost nothing."""
    width = metric.shape[1]
    out[:] = 0.0
    for c in range(row.size):
        factor = row[c]
        if factor != 0.0:
            begin = c - c % width
            for j in range(min(width, row.size - begin)):
                out[begin + j] += factor * metric[c, j]


@borrowing
def mean_square(
    events: Events, times: Floats, psp: Window, m: Membrane, metric: Floats, rows: Floats
) -> float:
    """Return the mean over patterns of X(t)' M X(t), at one time of each; rows as above."""
    total = 0.0
    for p in range(times.size):
        rows[0, :] = 0.0
        add_row(events, events.offsets[p], events.offsets[p + 1], times[p], psp, m, rows[0])
        apply_metric(metric, rows[0], rows[1])
        for c in range(metric.shape[0]):
            total += rows[0, c] * rows[1, c]
    return total / times.size
