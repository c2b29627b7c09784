"""The problem that a step of DTA poses, by its settings: rows, units and limits of multipliers."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.step_problem import (
    assemble,
    assemble_count,
    fill_gram,
    fill_window_rows,
    inner,
)

# Places of the settings in the parameters of a step
BOUND, PER_ROW, MARGIN, SIGNED, CONVERGED, EXTRA = range(6)
PLAIN, PER_STEP, ABSOLUTE, LEAST, GRADIENT = range(6, 11)
FAINT = 1e-9
FAINT_GRADIENT = 0.1  # of the mean peak drive; in learning most |g|^2 are about twice that


@kernel
def gather(
    s: StepInput, parameters: Floats, weights: Floats, work: StepWorkspace
) -> tuple[int, int, bool]:
    """The constraints of this step: how many equalities, how many rows, whether a dead pattern."""
    unit = 1.0 if parameters[ABSOLUTE] > 0.0 else s.constants.threshold
    margin = parameters[MARGIN] * unit
    if parameters[GRADIENT] > 0.0:
        return assemble_count(s, weights, margin, work)
    extra = int(parameters[EXTRA])
    n_equal, n = assemble(s, weights, margin, parameters[CONVERGED], extra, work)
    return n_equal, n, False


@kernel
def row_unit(norm: float, parameters: Floats, constants: NeuronConstants) -> float:
    """Unit of the bound for a row with this squared norm; 0 for a row that moves next to nothing.

    Such a row belongs to a time just after the very first input: no sensible change reaches it.
    A gradient is that of one moment, the fainter the less it says about the next: it is not taken
    for less than a share of the peak drive.
    """
    if norm <= FAINT * constants.mean_max_drive:
        return 0.0
    if parameters[ABSOLUTE] > 0.0:
        return 1.0
    if parameters[GRADIENT] > 0.0:
        norm = max(norm, FAINT_GRADIENT * constants.mean_max_drive)
    return constants.threshold / (norm if parameters[PER_ROW] > 0.0 else constants.mean_max_drive)


@kernel
def plain_multiplier(parameters: Floats, n: int) -> float:
    """Multiplier of each of n rows in the fallback step, in units of the bound.

    Rows of different times are nearly orthogonal, so n of them together move the weights by the
    root of n times as much as one: divided by that, the step is as long for a long pattern with
    hundreds of rows as for a short one with five.
    """
    rows = math.sqrt(n) if parameters[PER_STEP] > 0.0 else 1.0
    return float(parameters[PLAIN] / rows)


@kernel
def fill_windows(
    s: StepInput, parameters: Floats, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Fill the window rows; those of a gradient came with it, unless they are the same."""
    if parameters[GRADIENT] == 0.0:
        fill_window_rows(s, n_equal, n, work)
    elif s.constants.window == s.constants.psp:
        work.rows_z[0, :] = work.rows_k[0]


@kernel
def fill_products(
    s: StepInput, parameters: Floats, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Inner products of the PSP rows with the window rows, which are filled too."""
    if s.constants.window == s.constants.psp:
        fill_gram(work, n)
        for i in range(n):
            work.rows_z[i, :] = work.rows_k[i]
        return
    fill_windows(s, parameters, n_equal, n, work)
    for i in range(n):
        for j in range(n):
            work.gram[i, j] = inner(work.rows_k[i], work.rows_z[j])


@kernel
def fill_limits(
    constants: NeuronConstants, parameters: Floats, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Fill low = vectors[1], high = vectors[2] and units = vectors[3] of the multipliers."""
    low, high, units = work.vectors[1], work.vectors[2], work.vectors[3]
    for i in range(n):
        unit = row_unit(inner(work.rows_k[i], work.rows_k[i]), parameters, constants)
        small, large = parameters[LEAST] * unit, 0.0
        if unit > 0.0:  # a faint row has no multiplier, however large the bound
            large = parameters[BOUND] * unit
        units[i] = unit
        if i >= n_equal:
            low[i], high[i] = -large, -small
        else:
            low[i], high[i] = -large if parameters[SIGNED] > 0.0 else small, large
