"""Bounds of weights: their one checked form, and what is refused."""

import math

import numpy as np
import pytest

from linspike.errors import ParameterError
from linspike.neuron.arguments import check_weight_bounds

INF = math.inf


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        (None, [-INF] * 3, [INF] * 3),
        ((0, 1), [0.0] * 3, [1.0] * 3),
        ([-0.0, INF], [0.0] * 3, [INF] * 3),
        (([0, -INF, 2], [INF, 0, 2]), [0.0, -INF, 2.0], [INF, 0.0, 2.0]),
        ((-1, np.array([1, 2, 3])), [-1.0] * 3, [1.0, 2.0, 3.0]),
        (np.array([[0.0] * 3, [1.0] * 3]), [0.0] * 3, [1.0] * 3),
        (np.array([0.0, 1.0]), [0.0] * 3, [1.0] * 3),
    ],
)
def test_numbers_and_arrays_become_one_bound_per_channel(given, low, high):
    found = check_weight_bounds(given, 3, "test")
    assert [side.tolist() for side in found] == [low, high]
    assert not np.signbit(found[0][found[0] == 0.0]).any()
    for side in found:  # as kernels take them
        assert side.dtype == np.float64
        assert side.flags.c_contiguous
        assert side.flags.writeable


def test_channels_may_not_be_known_yet():
    assert [side.size for side in check_weight_bounds((0, 1), None, "test")] == [1, 1]
    assert [side.size for side in check_weight_bounds((0, [1, 2]), None, "test")] == [2, 2]
    with pytest.raises(ParameterError, match="2 numbers for 3 channels"):
        check_weight_bounds(([0, 0, 0], [1, 2]), None, "test")


PAIR = r"The 'weight_bounds' parameter of test must be a pair \(low, high\)"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (0.0, rf"{PAIR}, each a number.*Got 0.0 instead. A side without a bound is infinite"),
        ((0, 1, 2), rf"{PAIR}.*Got \(0, 1, 2\) instead"),
        ("ab", PAIR),
        ({0: 1, 1: 2}, PAIR),
        (np.array(1.0), PAIR),
        ((0, None), rf"{PAIR}.*Got None instead. A side without a bound is infinite"),
        (("0", "1"), rf"{PAIR}.*Got '0'"),
        ((True, 1), rf"{PAIR}.*Got True"),
        (([[0, 0, 0]], 1), r"must be a 1-D array of numbers. Got shape \(1, 3\)"),
        (([0, 1], 1), rf"{PAIR}.*Got 2 numbers for 3 channels instead"),
        (([0], 1), "Got 1 numbers for 3 channels"),
        (np.array([[0.0] * 2, [1.0] * 2]), "Got 2 numbers for 3 channels"),
        (([], 1), "Got an empty array"),
        ((0, math.nan), "must be without NaN. Got nan"),
        (([0, math.nan, 0], 1), "must be without NaN"),
        ((INF, INF), r"must be finite or -inf where it is the lowest. Got \(inf, inf\)"),
        ((-INF, -INF), r"finite or inf where it is the highest. Got \(-inf, -inf\) for channel 0"),
        ((1, 0), r"must be a pair \(low, high\) with low <= high. Got \(1, 0\) for channel 0"),
        (([0, 2, 0], [1, 1, 1]), r"with low <= high. Got \(2, 1\) for channel 1"),
    ],
)
def test_refusals(given, message):
    with pytest.raises(ParameterError, match=message):
        check_weight_bounds(given, 3, "test")
