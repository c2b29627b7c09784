"""Events of sensors in structured arrays, as tonic has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linspike as ls

SIZE = (4, 3, 2)
CAMERA = np.dtype([("x", np.int16), ("y", np.int16), ("t", np.int64), ("p", bool)])
COCHLEA = np.dtype([("t", np.int64), ("x", np.int64), ("p", np.int64)])


def events_of(*rows, dtype=CAMERA):
    return np.array(list(rows), dtype)


ONE = events_of((3, 1, 1500, 0), (0, 2, 500, 1))


def make(events=ONE, **changes):
    options = {"sensor_size": SIZE, "time_unit": "us", **changes}
    return ls.PatternSet.from_structured(events, **options)


def test_one_array_is_one_sample():
    patterns = make()
    assert patterns.times.tolist() == [0.5, 1.5]
    assert patterns.channels.tolist() == [0 + 4 * (2 + 3 * 1), 3 + 4 * (1 + 3 * 0)]
    assert (len(patterns), patterns.n_channels) == (1, 24)


def test_a_list_has_one_array_per_sample_and_keeps_empty_ones():
    empty = ONE[:0]
    for listed in ([empty, ONE, empty], (empty, ONE, empty), iter([empty, ONE, empty])):
        patterns = make(listed, window=2.0)
        assert patterns.offsets.tolist() == [0, 0, 2, 2]
        assert patterns.durations.tolist() == [2.0, 2.0, 2.0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans()), min_size=1))
def test_coordinates_follow_from_channels(points):
    events = events_of(*((x, y, 1 + i, p) for i, (x, y, p) in enumerate(points)))
    patterns = make(events)
    x, y, p = np.unravel_index(patterns.channels, SIZE, order="F")
    assert list(zip(x, y, p, strict=True)) == points
    images = np.arange(24).reshape(SIZE[::-1])  # of the channels themselves
    assert images[p, y, x].tolist() == patterns.channels.tolist()


def test_other_fields_and_surplus_sizes_of_one():
    events = events_of((1500, 699, 1), (500, 0, 1), dtype=COCHLEA)
    patterns = make(events, fields=("t", "x"), sensor_size=(700, 1, 1))
    assert patterns == ls.PatternSet([0.5, 1.5], [0, 699], [0, 2], 700, 1.5)


def test_records_of_a_data_frame():
    assert make(ONE.view(np.recarray)) == make()


def test_windows_are_those_of_events():
    assert make(window=(1.0, 3.0)) == ls.PatternSet([0.5], [7], [0, 1], 24, 2.0)
    with pytest.warns(ls.UnitWarning, match="1 of 2 events are outside") as found:
        make(window=1.0)
    assert found[0].filename.endswith("test_structured.py")


class Frame:
    """What a data frame looks like from outside."""

    def to_records(self):
        raise AssertionError("not asked for")

    def __iter__(self):
        return iter("txyp")


ARRAYS = "'events' parameter of PatternSet must be a structured array, or a list of them"
SIGNED = np.dtype([("x", int), ("y", int), ("t", int), ("p", int)])


@pytest.mark.parametrize(
    ("events", "changes", "message"),
    [
        (np.ones((3, 4)), {}, ARRAYS),
        ([], {}, ARRAYS),
        (5, {}, ARRAYS),
        ([[1, 2, 3, 4]], {}, rf"{ARRAYS}.*Got list for sample 0"),
        ([(ONE, 7)], {}, rf"{ARRAYS}.*Got tuple for sample 0.*events for events, label in data"),
        (ONE.reshape(1, 2), {}, ARRAYS),
        (Frame(), {}, rf"{ARRAYS}.*events.to_records\(index=False\)"),
        (ONE[["x", "t"]], {}, r"the fields \('t', 'x', 'y', 'p'\). Got \('x', 't'\) for sample 0"),
        (ONE, {"fields": "txyp"}, r"'fields' .* names of the time and of one or more coordinates"),
        (ONE, {"fields": ("t",)}, r"'fields' parameter of PatternSet must be names"),
        (ONE, {"fields": ("t", "x", "x")}, r"'fields' parameter of PatternSet must be names"),
        (ONE, {"sensor_size": (4, 3)}, r"'sensor_size' .* one size for each of \('x', 'y', 'p'\)"),
        (ONE, {"sensor_size": 24}, r"'sensor_size' parameter of PatternSet must be one size for"),
        (ONE, {"sensor_size": (4, 3, 2, 2)}, r"must be one size for each of"),
        (ONE, {"sensor_size": (4, 0, 2)}, r"must be a whole number of at least 1. Got 0"),
        (ONE, {"sensor_size": (3, 3, 2)}, r"'x' from 0 to 2.*Got 3 \(sample 0, event 0\)"),
        (events_of((0, 0, 5, -1), dtype=SIGNED), {}, r"'p' from 0 to 1.*events\['p'\] > 0\."),
        (ONE.astype([(n, float) for n in "xytp"]), {}, r"integers in 'x'. Got float64 in sample 0"),
        (ONE, {"time_unit": "min"}, r"'time_unit' parameter of PatternSet must be one of"),
        (ONE[:0], {}, r"'window' parameter of PatternSet must be given where no event"),
    ],
)
def test_bad_structured_events(events, changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        make(events, **changes)


def test_a_sensor_has_only_so_many_channels():
    events = np.zeros(1, [("t", int), ("x", int), ("y", int), ("p", int)])
    with pytest.raises(ls.ParameterError, match="'sensor_size'.*at most 2147483647 channels"):
        ls.PatternSet.from_structured(events, sensor_size=(2**40, 2**40, 2), time_unit="us")
