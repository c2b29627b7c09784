"""Quantised weights: levels, scale, extremes and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linspike as ls
from linspike.deploy import quantise

shapes = hnp.array_shapes(min_dims=1, max_dims=2, max_side=6)
values = st.floats(-1e300, 1e300)


@given(hnp.arrays(np.float64, shapes, elements=values), st.integers(2, 24))
def test_every_weight_is_within_half_a_level(weights, bits):
    quantised = quantise(weights, bits)
    top = 2 ** (bits - 1) - 1
    assert quantised.levels.dtype == np.int32
    assert quantised.scale > 0.0
    if not 0.0 < quantised.scale < np.finfo(np.float64).tiny:
        assert np.abs(quantised.levels).max() == (top if weights.any() else 0)
    assert np.abs(quantised.levels).max() <= top
    error = np.abs(quantised.weights - weights)
    assert (error <= 0.5 * quantised.scale * (1.0 + 1e-9)).all()
    assert (quantised.levels[weights == 0.0] == 0).all()


@given(hnp.arrays(np.float64, shapes, elements=st.floats(-10.0, 10.0)), st.integers(2, 24))
def test_symmetric_and_repeatable(weights, bits):
    once = quantise(weights, bits)
    assert np.array_equal(quantise(-weights, bits).levels, -once.levels)
    if np.abs(weights).max() > 1e-300:
        assert np.array_equal(quantise(once.weights, bits).levels, once.levels)


def test_one_scale_for_all_rows():
    levels = quantise([[1.0, 0.4], [0.1, -0.3]], 4).levels
    assert levels.tolist() == [[7, 3], [1, -2]]


@pytest.mark.parametrize("bits", [1, 25, 0, -8, 4.0, "8", None, True])
def test_bad_bits(bits):
    with pytest.raises(ls.ParameterError, match="'bits' parameter of quantise must be a whole"):
        quantise([1.0], bits)


@pytest.mark.parametrize("weights", [[], [np.nan], [1.0, np.inf], [[]]])
def test_bad_weights(weights):
    with pytest.raises(ls.ParameterError, match="'weights' parameter of quantise must be finite"):
        quantise(weights, 4)


@given(st.lists(st.integers(-50, 50), min_size=1), st.integers(2, 6))
def test_the_smallest_numbers_have_a_scale(counts, bits):
    weights = np.array(counts) * 5e-324
    quantised = quantise(weights, bits)
    assert quantised.scale > 0.0
    assert np.abs(quantised.levels).max() <= 2 ** (bits - 1) - 1
    # In units of the smallest number, which half a scale need not be a multiple of.
    errors = np.abs(quantised.weights - weights) / 5e-324
    assert errors.max() <= 0.5 * (quantised.scale / 5e-324)
    assert quantise([5e-324, 0.0], 4).weights.tolist() == [5e-324, 0.0]


@pytest.mark.parametrize("weights", ["abc", 1.0, None, [[1.0], [2.0, 3.0]], [[[1.0]]], {1.0: 2.0}])
def test_weights_that_are_no_layer(weights):
    with pytest.raises(
        ls.ParameterError, match=r"quantise must be an array of numbers, \(channels,\) or \(neu"
    ):
        quantise(weights, 4)


def test_weights_that_are_no_numbers():
    with pytest.raises(ls.ParameterError, match="'weights' parameter of quantise"):
        quantise(["a"], 4)
