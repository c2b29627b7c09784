"""Inner products of constraint rows, and sums of rows."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import compiled, kernel
from linspike.kernels.training.protocol import StepWorkspace

# The one place where sums may be re-ordered: it reaches the speed of BLAS without allocating.
# Last bits then depend on the processor's vector width, not on threads or runs.
REORDERED = {"reassoc", "contract", "nsz"}


def _inner(x: Floats, y: Floats) -> float:
    """Return the inner product."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


inner = compiled(_inner, fastmath=REORDERED)


@kernel
def fill_gram(work: StepWorkspace, n: int) -> None:
    """Fill gram with K K', the inner products of the first n PSP rows."""
    rows, gram = work.rows_k, work.gram
    for i in range(n):
        for j in range(i + 1):
            gram[i, j] = inner(rows[i], rows[j])
            gram[j, i] = gram[i, j]


@kernel
def combine(rows: Floats, factors: Floats, n: int, change: Floats) -> None:
    """Set change to the sum of factors[i] times rows[i]."""
    change[:] = 0.0
    for i in range(n):
        factor = factors[i]
        if factor != 0.0:
            for c in range(change.size):
                change[c] += factor * rows[i, c]
