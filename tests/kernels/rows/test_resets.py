"""Reset sums: the one-pass form equals the sum, and resets count only after their own time."""

import math

import numpy as np
import pytest

from linspike.kernels.rows.resets import fill_reset_sums, reset_sum

RATE = 0.05


def test_reset_sum_is_one_plus_the_decayed_resets():
    resets = np.array([1.0, 7.0, 30.0])
    expected = 1.0 + math.exp(-19.0 * RATE) + math.exp(-13.0 * RATE)
    assert reset_sum(20.0, resets, RATE) == pytest.approx(expected, rel=1e-15)
    assert reset_sum(7.0, resets, RATE) == pytest.approx(1.0 + math.exp(-6.0 * RATE), rel=1e-15)
    assert reset_sum(1.0, resets, RATE) == 1.0
    assert reset_sum(5.0, np.empty(0), RATE) == 1.0


def test_both_forms_agree():
    rng = np.random.default_rng(0)
    for n in (0, 1, 5, 40):
        resets = np.sort(rng.uniform(0.0, 300.0, n))
        at = np.sort(np.concatenate([rng.uniform(-5.0, 400.0, 30), resets]))
        sums = np.full(at.size, np.nan)
        fill_reset_sums(resets, at, RATE, sums)
        assert 1.0 + sums == pytest.approx([reset_sum(t, resets, RATE) for t in at], rel=1e-13)
