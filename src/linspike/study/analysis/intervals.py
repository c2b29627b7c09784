"""Means with their intervals, and trials of several methods paired by seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def mean_interval(values: Sequence[float] | npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval by Student's t; the mean itself for one value."""
    from scipy import stats

    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    if array.size < 2:
        return mean, mean, mean
    spread = array.std(ddof=1)
    if spread <= 1e-12 * abs(mean):  # equal but for rounding
        return mean, mean, mean
    half = float(stats.t.ppf(0.975, array.size - 1) * spread / np.sqrt(array.size))
    return mean, mean - half, mean + half


def percent_interval(
    values: Sequence[float] | npt.NDArray[np.float64],
) -> tuple[float, float, float]:
    """Return the `mean_interval` of percentages, which end at 0 and 100."""
    mean, lo, hi = mean_interval(values)
    return mean, max(lo, 0.0), min(hi, 100.0)


def median_interval(
    values: Sequence[float] | npt.NDArray[np.float64],
) -> tuple[float, float, float]:
    """Return the median and its 95 % interval: values in order, by the binomial distribution."""
    from scipy import stats

    ordered = np.sort(np.asarray(values, dtype=np.float64))
    below = max(int(stats.binom.ppf(0.025, ordered.size, 0.5)) - 1, 0)
    return float(np.median(ordered)), float(ordered[below]), float(ordered[-1 - below])


def paired(columns: Sequence[dict[int, Any]]) -> npt.NDArray[np.float64]:
    """Return what several methods found in the same trials: a row for each seed that all have."""
    common = sorted(set.intersection(*(set(column) for column in columns)))
    shape = () if not common else np.shape(columns[0][common[0]])
    table = np.array([[column[seed] for column in columns] for seed in common], dtype=np.float64)
    return table.reshape(len(common), len(columns), *shape)
