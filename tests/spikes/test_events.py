"""Events, one row per spike: to patterns and back."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linspike as ls

EVENTS = {"times": [3.0, 1.0, 2.0], "channels": [2, 0, 1], "samples": [0, 1, 0], "time_unit": "ms"}


def make(**changes):
    return ls.PatternSet.from_events(**{**EVENTS, **changes})


@st.composite
def pattern_sets(draw):
    listed = []
    for _ in range(draw(st.integers(1, 5))):
        duration = draw(st.floats(1e-3, 1e6))
        time = st.one_of(st.floats(0.0, duration), st.just(duration))
        events = st.tuples(time, st.integers(0, 4))
        pairs = draw(st.lists(events, max_size=8))
        times, channels = [t for t, _ in pairs], [c for _, c in pairs]
        listed.append(ls.Pattern.sorted(times, channels, 5, duration))
    return ls.PatternSet.from_patterns(listed)


def bits(array):
    return array.tobytes()


@given(pattern_sets())
def test_round_trip_in_ms_is_exact(patterns):
    events = patterns.to_events()
    again = ls.PatternSet.from_events(
        *events, time_unit="ms", window=patterns.durations, n_channels=patterns.n_channels
    )
    assert again == patterns
    assert bits(again.times) == bits(patterns.times)


@given(pattern_sets(), st.sampled_from(["s", "us", "ns"]))
def test_round_trip_in_other_units(patterns, unit):
    events = patterns.to_events(time_unit=unit)
    again = ls.PatternSet.from_events(
        *events, time_unit=unit, window=patterns.durations, n_channels=5
    )
    assert np.array_equal(again.channels, patterns.channels)
    assert np.array_equal(again.offsets, patterns.offsets)
    np.testing.assert_allclose(again.times, patterns.times, rtol=1e-12, atol=1e-300)


@given(pattern_sets(), st.randoms(use_true_random=False))
def test_the_order_of_events_does_not_matter(patterns, random):
    order = np.array(random.sample(range(patterns.times.size), patterns.times.size), int)
    events = [array[order] for array in patterns.to_events()]
    again = ls.PatternSet.from_events(
        *events, time_unit="ms", window=patterns.durations, n_channels=5
    )
    assert again.times.tolist() == patterns.times.tolist()
    assert again.offsets.tolist() == patterns.offsets.tolist()

    def pairs(p):  # simultaneous events keep the order they came in
        return [sorted(zip(each.times, each.channels, strict=True)) for each in p]

    assert pairs(again) == pairs(patterns)


def test_simultaneous_events_keep_their_order():
    patterns = make(times=[2.0, 1.0, 1.0], channels=[0, 2, 1], samples=None)
    assert patterns.channels.tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("unit", "times"),
    [
        ("s", [0.003, 0.001, 0.002]),
        ("ms", [3, 1, 2]),
        ("us", [3000, 1000, 2000]),
        ("ns", np.array([3000000, 1000000, 2000000], np.uint64)),
    ],
)
def test_units(unit, times):
    assert make(times=times, time_unit=unit) == make()


def test_to_events_names_its_arrays():
    events = make().to_events(time_unit="us")
    assert events.times.tolist() == [2000.0, 3000.0, 1000.0]
    assert events.channels.tolist() == [1, 2, 0]
    assert events.samples.tolist() == [0, 0, 1]
    events.times[0] = 5.0  # a copy


def test_samples_that_are_numbers():
    patterns = make(samples=[3, 1, 3])
    assert patterns.offsets.tolist() == [0, 0, 1, 1, 3]
    assert len(make(samples=[0, 0, 0], window=np.full(4, 5.0))) == 4


@pytest.mark.parametrize(
    "samples", [["b", "a", "b"], np.array(["b", "a", "b"], object), [b"y", b"x", b"y"]]
)
def test_samples_with_labels_come_in_sorted_order(samples):
    assert make(samples=samples) == make(samples=[1, 0, 1])


def test_integers_in_an_array_of_objects_are_numbers():
    samples = np.array([1, 5], object)
    found = ls.PatternSet.from_events([1.0, 2.0], [0, 0], samples, time_unit="ms", window=9.0)
    assert len(found) == 6


@pytest.mark.parametrize("name", ["times", "channels", "samples"])
def test_missing_values_of_a_data_frame(name):
    table = pd.DataFrame({"times": [1.0, 2.0], "channels": [0, 1], "samples": [0, 1]})
    assert len(ls.PatternSet.from_events(**table, time_unit="ms", window=9.0)) == 2
    table[name] = table[name].astype("Int64").mask([False, True])
    message = rf"'{name}' .* without missing values. Got 1 missing of 2 .* table.dropna\(\)"
    with pytest.raises(ls.ParameterError, match=message):
        ls.PatternSet.from_events(**table, time_unit="ms", window=9.0)


def test_a_refused_column_takes_one_line():
    column = pd.Series(["a", "b", "c"])
    with pytest.raises(ls.ParameterError, match="'channels'.* 1-D array of integers") as caught:
        ls.PatternSet.from_events([1.0, 2.0, 3.0], column, time_unit="ms")
    assert "\n" not in str(caught.value)


def test_a_window_is_no_text():
    for window in (("0", "5"), (b"0", 5.0)):
        with pytest.raises(ls.ParameterError, match="'window'"):
            ls.PatternSet.from_events([1.0], [0], time_unit="ms", window=window)


def test_without_samples_all_is_one_pattern():
    patterns = make(samples=None)
    assert patterns == ls.PatternSet([1.0, 2.0, 3.0], [0, 1, 2], [0, 3], 3, 3.0)


def test_duration_and_channels_that_were_not_given():
    patterns = make()
    assert patterns.durations.tolist() == [3.0, 3.0]
    assert patterns.n_channels == 3
    assert make(n_channels=7).n_channels == 7


def test_no_events_at_all():
    patterns = ls.PatternSet.from_events([], [], [], time_unit="s", window=50.0, n_channels=4)
    assert patterns == ls.PatternSet([], [], [0, 0], 4, 50.0)


def test_a_window_cuts_and_counts_from_its_start():
    patterns = make(times=[-50.0, 0.0, 250.0], samples=None, window=(-100.0, 200.0))
    assert patterns == ls.PatternSet([50.0, 100.0], [2, 0], [0, 2], 3, 300.0)
    both = make(times=[10.0, 15.0, 20.0], samples=None, window=(10.0, 20.0))
    assert both.times.tolist() == [0.0, 5.0, 10.0]


def test_events_outside_a_length_are_left_out_with_a_warning():
    message = "2 of 3 events are outside the window and left out. Check time_unit"
    with pytest.warns(ls.UnitWarning, match=message) as found:
        patterns = make(times=[-1.0, 1.0, 9.0], window=5.0)
    assert patterns.times.tolist() == [1.0]
    assert patterns.offsets.tolist() == [0, 0, 1]
    assert found[0].filename == __file__


def test_a_window_without_events_warns():
    with pytest.warns(ls.UnitWarning, match=r"none of the 3 events is in the window \(50.0, 60.0"):
        assert make(window=(50.0, 60.0)).times.size == 0


def test_a_spike_at_the_end_stays_whatever_its_unit():
    patterns = make(times=np.array([0.3, 0.1, 0.2]) / 1e3, time_unit="s", window=0.3)
    assert patterns.times.max() == 0.3


def test_each_sample_may_have_its_own_length():
    patterns = make(window=np.array([5.0, 2.0]))
    assert patterns.durations.tolist() == [5.0, 2.0]


def test_times_in_seconds_that_were_called_milliseconds_warn():
    rng = np.random.default_rng(0)
    times, channels = rng.uniform(0.0, 12.0, 3600), rng.integers(0, 20, 3600)  # 15 hertz
    with pytest.warns(ls.UnitWarning, match="fire 15 spikes per mill.*name another time_unit"):
        ls.PatternSet.from_events(times, channels, time_unit="ms")
    ls.PatternSet.from_events(times, channels, time_unit="s")


ONE_LENGTH = r"'window' parameter of PatternSet must be a length, a tuple \(start, end\), or an ar"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_unit": "min"}, r"'time_unit' .* must be one of \('s', 'ms', 'us', 'ns'\). Got 'm"),
        ({"time_unit": None}, r"'time_unit' parameter of PatternSet must be one of"),
        ({"times": [1.0, np.nan, 2.0]}, r"'times' .* must be finite. Got nan \(event 1\) instead"),
        ({"times": [1.0, -2.0, 3.0]}, r"at least 0 ms. Got -2.0 \(event 1\) .*window=\(start, end"),
        ({"times": ["a", "b", "c"]}, r"'times' parameter of PatternSet must be a 1-D array of nu"),
        ({"times": [[1.0], [2.0, 3.0]]}, r"'times' parameter of PatternSet must be a 1-D array"),
        ({"times": np.ones((3, 1))}, r"a 1-D array. Got shape \(3, 1\) instead. Use times.ravel"),
        ({"times": np.zeros(3)}, r"'window' .* must be given where no event comes after 0"),
        ({"times": np.ones(3, "m8[ns]")}, r"array of timedelta64\[ns\].*np.timedelta64\(1, 'ms'\)"),
        ({"channels": [0, 1]}, r"'channels' .* must be as long as 'times' \(3\). Got 2 instead"),
        ({"channels": [0, -1, 1]}, r"'channels' .* must be at least 0. Got -1 \(event 1\)"),
        ({"channels": [0.0, 1.0, 2.0]}, r"1-D array of integers.*\.astype\(int\)"),
        ({"channels": ["u1", "u2", "u1"]}, r"labels, channels = np.unique\(channels, return_inv"),
        ({"channels": [[1], [2, 3]]}, r"'channels' parameter of PatternSet must be a 1-D array"),
        ({"channels": np.ones((1, 3), int)}, r"Got shape \(1, 3\) instead. Use channels.ravel"),
        ({"channels": [0, 1, 5], "n_channels": 3}, r"between 0 and n_channels - 1 = 2. Got 5 at t"),
        ({"n_channels": 0}, r"'n_channels' .* must be a whole number of at least 1"),
        ({"samples": [0, 1]}, r"'samples' .* must be as long as 'times' \(3\). Got 2 instead"),
        ({"samples": [0, -1, 0]}, r"'samples' .* must be at least 0. Got -1 \(event 1\)"),
        ({"samples": [0.5, 1.0, 0.0]}, r"'samples' .* must be a 1-D array of integers"),
        ({"samples": [0, 2000, 0]}, r"few gaps: of 3 events, at most 999. Got 2000.*np.unique"),
        ({"samples": [0, "a", (1,)]}, r"'samples' parameter of PatternSet must be"),
        ({"samples": np.array([0, "a", None], object)}, r"integers, or labels that can be sorted"),
        ({"samples": np.ones((3, 1), int)}, r"Got shape \(3, 1\) instead. Use samples.ravel"),
        ({"window": [0.0, 500.0]}, ONE_LENGTH),
        ({"window": (0.0, 500.0, 3.0)}, ONE_LENGTH),
        ({"window": (5.0, 5.0)}, ONE_LENGTH),
        ({"window": (0.0, np.inf)}, ONE_LENGTH),
        ({"window": ("a", "b")}, ONE_LENGTH),
        ({"window": 0.0}, r"one length per sample, positive. Got 0.0"),
        ({"window": np.nan}, r"one length per sample, positive"),
        ({"window": "long"}, ONE_LENGTH),
        ({"window": np.ones((2, 2))}, r"one length per sample, positive"),
        ({"window": np.array([5.0])}, r"must be one length per sample \(2\). Got 1 instead"),
    ],
)
def test_bad_events(changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        make(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, r"'n_channels' .* must be given where there are no events"),
        ({"n_channels": 3}, r"'window' .* must be given where no event comes after 0"),
    ],
)
def test_no_events_need_a_window_and_a_number_of_channels(changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.PatternSet.from_events([], [], time_unit="ms", **changes)


def test_the_unit_of_the_result_is_checked():
    with pytest.raises(ls.ParameterError, match="'time_unit' parameter of to_events must be one"):
        make().to_events(time_unit="hours")
    with pytest.raises(TypeError, match="time_unit"):
        ls.PatternSet.from_events([1.0], [0])
