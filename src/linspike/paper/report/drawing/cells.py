"""What of the axes is covered: a grid of small cells, rows of x."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from linspike._typing import Floats

CELL = 2.0  # pixels


def occupy(points: Floats, ends: Floats) -> Floats:
    """Return the cells of the axes that a series covers, as 1.0 in a grid of rows of x."""
    grid = _make_grid(ends)
    at = ((points - ends[:2]) / CELL).astype(int)
    for dx, dy in product((-1, 0, 1), repeat=2):  # lines are wider than a point, markers too
        x, y = np.clip(at + np.array([dx, dy]), 0, np.array(grid.shape) - 1).T
        grid[x, y] = 1.0
    return grid


def occupy_boxes(boxes: Sequence[Floats], ends: Floats) -> Floats:
    """Return the cells that boxes (left, low, right, high) cover."""
    grid = _make_grid(ends)
    for box in boxes:
        left, low, right, high = (np.maximum(box - np.tile(ends[:2], 2), 0.0) / CELL).astype(int)
        grid[left : right + 1, low : high + 1] = 1.0
    return grid


def _make_grid(ends: Floats) -> Floats:
    return np.zeros(np.ceil((ends[2:] - ends[:2]) / CELL).astype(int) + 1)


def count(grid: Floats, boxes: Floats, ends: Floats, pad: float) -> Floats:
    """Return how many occupied cells each box covers, by sums over the grid from its corner."""
    sums = np.pad(grid.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    low = np.floor((boxes[:, :2] - pad - ends[:2]) / CELL).astype(int)
    high = np.ceil((boxes[:, 2:] + pad - ends[:2]) / CELL).astype(int)
    low, high = (np.clip(corner, 0, np.array(grid.shape)) for corner in (low, high))
    found: Floats = (
        sums[high[:, 0], high[:, 1]]
        - sums[low[:, 0], high[:, 1]]
        - sums[high[:, 0], low[:, 1]]
        + sums[low[:, 0], low[:, 1]]
    )
    return found
