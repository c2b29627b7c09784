"""Weights that meet the equalities of a task, and dual variables of equalities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats

DEPENDENT = 1e-11  # pivot of a dependent row, relative to the largest
ROUNDING = 1e-9  # a multiplier this small, relative to the largest, is none
CONTRADICTION = 1e-8  # of a dependent row's right-hand side, relative to its terms


class WeightBounds(NamedTuple):
    """low <= weights <= high, in thresholds; one entry per channel."""

    low: Floats
    high: Floats

    @property
    def free(self) -> np.ndarray:
        """Channels whose weight is not fixed."""
        return self.low < self.high


class WeightSpace(NamedTuple):
    """All weights that meet the equalities: origin + basis @ x."""

    origin: Floats
    basis: Floats  # (channels, dimensions), orthonormal columns; 0 for fixed channels

    def weights(self, x: Floats) -> Floats:
        """Return the weights of a point."""
        found: Floats = self.origin + self.basis @ x
        return found


def solve_equalities(
    design: Floats, goals: Floats, bounds: WeightBounds
) -> tuple[WeightSpace | None, Floats]:
    """Return the weights with design @ weights = goals; or None and multipliers y that forbid them.

    The multipliers are such that y' design is 0 on the channels that are not fixed, though the
    goals, less what fixed weights contribute, have y' goals < 0 (70).
    """
    from scipy.linalg import qr, solve_triangular

    free = bounds.free
    n, size = int(free.sum()), goals.size
    fixed = np.where(free, 0.0, bounds.low)
    left = goals - design @ fixed
    if size == 0:
        basis = np.zeros((free.size, n))
        basis[free] = np.eye(n)
        return WeightSpace(fixed, basis), np.empty(0)
    q, r, order = qr(design[:, free].T, mode="full", pivoting=True)
    pivots = np.abs(np.diag(r))
    rank = int((pivots > DEPENDENT * max(pivots.max(initial=0.0), 1e-300)).sum())
    head, tail = order[:rank], order[rank:]
    factor = r[:rank, :rank]
    # Each dependent row is a combination of the independent ones; its goal must be the same one.
    shares = solve_triangular(factor, r[:rank, rank:]) if rank else np.zeros((0, size))
    for i, row in enumerate(tail):
        terms = np.append(left[row], -shares[:, i] * left[head])
        excess = terms.sum()
        if abs(excess) > CONTRADICTION * np.abs(terms).sum():
            multipliers = np.zeros(size)
            multipliers[row] = 1.0
            multipliers[head] = -shares[:, i]
            small = np.abs(multipliers) <= ROUNDING * np.abs(multipliers).max()
            multipliers[small] = 0.0
            return None, -multipliers * np.sign(excess)
    coordinates = solve_triangular(factor, left[head], trans="T") if rank else np.empty(0)
    origin, basis = fixed.copy(), np.zeros((free.size, n - rank))
    origin[free] += q[:, :rank] @ coordinates
    basis[free] = q[:, rank:]
    return WeightSpace(origin, basis), np.empty(0)


def equality_multipliers(design: Floats, force: Floats, bounds: WeightBounds) -> Floats:
    """Return y with y' design = -force on the channels that are not fixed, by least squares."""
    if design.shape[0] == 0:
        return np.empty(0)
    free = bounds.free
    found: Floats = np.linalg.lstsq(design[:, free].T, -force[free], rcond=None)[0]
    return found
