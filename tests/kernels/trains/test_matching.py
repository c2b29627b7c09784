"""First errors, case by case."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspike.kernels.trains.matching import first_breach, first_unpaired

TIMES = st.lists(st.floats(0.0, 50.0), max_size=6, unique=True).map(sorted)


def arrays(*lists):
    return [np.array(times, dtype=float) for times in lists]


@pytest.mark.parametrize(
    ("desired", "actual", "expected"),
    [
        ([10.0], [10.5], None),
        ([10.0], [], (10.0, 1.0)),
        ([], [3.0], (3.0, -1.0)),
        ([10.0, 20.0], [10.2, 15.0, 20.1], (15.0, -1.0)),
        ([10.0, 20.0], [20.1], (10.0, 1.0)),
        ([10.0, 20.0], [8.0, 20.0], (8.0, -1.0)),
        ([10.0], [10.2, 10.4], (10.4, -1.0)),
    ],
)
def test_first_unpaired(desired, actual, expected):
    at, sign = first_unpaired(*arrays(desired, actual), 1.0)
    assert (at, sign) == expected if expected else (math.isnan(at) and sign == 0.0)


@pytest.mark.parametrize(
    ("desired", "actual", "expected"),
    [
        ([10.0], [10.5], None),
        ([10.0], [], (11.0, 1.0)),
        ([99.5], [], (100.0, 1.0)),  # the window ends with the trial
        ([], [3.0], (3.0, -1.0)),
        ([10.0], [9.5, 10.5], (10.5, -1.0)),  # a second one in a window
        ([10.0, 20.0], [20.1], (11.0, 1.0)),
        ([10.0, 20.0], [8.0, 20.0], (8.0, -1.0)),
        ([10.0, 10.5], [10.1, 10.2], None),  # overlapping windows, one spike each
        ([10.0, 20.0], [12.0], (11.0, 1.0)),  # the window had ended before the wrong spike
    ],
)
def test_first_breach(desired, actual, expected):
    at, sign = first_breach(*arrays(desired, actual), 1.0, 100.0)
    assert (at, sign) == expected if expected else (math.isnan(at) and sign == 0.0)


@given(TIMES, TIMES)
def test_no_violation_means_every_spike_has_its_partner(desired, actual):
    desired, actual = arrays(desired, actual)
    for sign in (
        first_unpaired(desired, actual, 1.0)[1],
        first_breach(desired, actual, 1.0, 60.0)[1],
    ):
        paired = desired.size == actual.size and (np.abs(desired - actual) <= 1.0).all()
        assert (sign == 0.0) == paired
