"""Checks of arguments: the message states the interval, in one form."""

import math

import numpy as np
import pytest

import linspike as ls
from linspike._validation import check_float_array, check_int_array, check_real


@pytest.mark.parametrize(
    ("bounds", "bad", "sentence"),
    [
        ({"above": 0.0}, 0.0, "positive and finite"),
        ({"above": 0.0, "infinite": True}, 0.0, "positive"),
        ({"above": 2.5}, math.inf, "above 2.5 and finite"),
        ({"least": 0.0}, -1.0, "finite and at least 0"),
        ({"least": 0.0, "infinite": True}, math.nan, "at least 0"),
        ({"least": 0.0, "below": 1.0}, 1.0, r"in \[0, 1\)"),
        ({"above": 0.0, "below": 1.0}, 0.0, r"in \(0, 1\)"),
        ({}, math.inf, "finite"),
        ({"above": 0.0, "domain": "positive, or None"}, True, "positive, or None"),
    ],
)
def test_the_message_states_the_interval(bounds, bad, sentence):
    message = rf"^The 'x' parameter of f must be {sentence}\. Got {bad!r} instead\.$"
    with pytest.raises(ls.ParameterError, match=message):
        check_real(bad, "x", "f", **bounds)


def test_values_inside_the_interval_come_back_as_floats():
    assert check_real(np.int32(3), "x", "f", above=0.0) == 3.0
    assert check_real(0, "x", "f", least=0.0, below=1.0) == 0.0
    assert check_real(math.inf, "x", "f", least=0.0, infinite=True) == math.inf
    with pytest.raises(ls.ParameterError, match="must be finite. Got '1' instead"):
        check_real("1", "x", "f")


def test_arrays_are_copied_or_refused():
    values = np.array([1.0, 2.0])
    assert check_float_array(values, "x", "f") is not values
    assert check_int_array([1, 2], "x", "f").dtype == np.int64
    with pytest.raises(ls.ParameterError, match="a 1-D array of numbers. Got shape"):
        check_float_array([[1.0]], "x", "f")
    with pytest.raises(ls.ParameterError, match="a 1-D array of integers. Got an array of float64"):
        check_int_array(values, "x", "f")
    with pytest.raises(ls.ParameterError, match="Got a masked array instead"):
        check_float_array(np.ma.masked_array(values, [True, False]), "x", "f")
