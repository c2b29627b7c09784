"""Medians with the values between which they lie."""

import numpy as np
import pytest
from scipy import stats

from linspike.study.analysis.intervals import median_interval


def test_the_ends_are_values_in_order():
    values = np.random.default_rng(0).permutation(np.arange(1.0, 21.0))
    median, lo, hi = median_interval(values)
    assert (median, lo, hi) == (10.5, 6.0, 15.0)
    # The usual table of order statistics: 20 values, the 6th and the 15th, 95.9 %.
    assert stats.binom.cdf(14, 20, 0.5) - stats.binom.cdf(5, 20, 0.5) == pytest.approx(
        0.959, abs=1e-3
    )


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_values_have_all_of_their_range(n):
    assert median_interval(range(n)) == ((n - 1) / 2, 0.0, n - 1.0)


def test_it_holds_the_median_in_95_per_cent():
    drawn = np.random.default_rng(1).exponential(size=(2000, 25))
    held = [lo <= np.log(2.0) <= hi for _, lo, hi in map(median_interval, drawn)]
    assert 0.94 < np.mean(held) < 0.98
