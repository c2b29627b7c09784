"""Latency code: exact times, the scale, what has no latency."""

import numpy as np
import pytest
from tests.support.samples import NUMBERS, latencies

import linspike as ls
from linspike.encoders import LatencyEncoder


def test_latencies_are_exact():
    encoder = LatencyEncoder(duration=50.0).fit([[4.0, 0.0], [1.0, 2.0]])
    assert encoder.scale_ == 4.0
    patterns = encoder.transform([[4.0, 1.0], [0.0, 8.0], [-0.0, 0.0], [3.0, 5e-324]])
    expected = [[0.0, 37.5], [np.nan, 0.0], [np.nan, np.nan], [12.5, np.nan]]
    np.testing.assert_array_equal(latencies(patterns), expected)
    assert (patterns.durations == 50.0).all()


def test_latency_scale_can_be_given():
    encoder = LatencyEncoder(duration=10.0, scale=2)
    assert latencies(encoder.fit_transform([[1.0, 9.0]])).tolist() == [[5.0, 0.0]]
    assert encoder.scale_ == 2.0
    assert np.isnan(latencies(encoder.fit_transform([[0.0, 0.0]]))).all()
    with pytest.raises(
        ls.ParameterError, match="above 0 somewhere .* Got only zeros .* Give a scale"
    ):
        LatencyEncoder().fit([[0.0, 0.0]])


def test_negative_activations():
    encoder = LatencyEncoder().fit(NUMBERS)
    message = "must be at least 0. Got -0.25 in row 1, column 2 instead. Negative values in data"
    for method in (encoder.transform, encoder.fit):
        with pytest.raises(ls.ParameterError, match=message):
            method([[0.0, 1.0, 2.0], [0.0, 1.0, -0.25]])
