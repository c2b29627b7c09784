"""Pattern and PatternSet: construction, indexing, freezing, conversion."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linspike as ls

PATTERN = {"times": [1.0, 3.5, 7.0], "channels": [0, 2, 0], "n_channels": 3, "duration": 50.0}
SET = {
    "times": [1.0, 2.0, 0.5],
    "channels": [0, 1, 1],
    "offsets": [0, 2, 2, 3],
    "n_channels": 2,
    "duration": 10.0,
}


def make(**changes):
    return ls.Pattern(**{**PATTERN, **changes})


def make_set(**changes):
    return ls.PatternSet(**{**SET, **changes})


def test_pattern_holds_what_it_was_given():
    pattern = make()
    assert pattern.times.tolist() == [1.0, 3.5, 7.0]
    assert pattern.channels.tolist() == [0, 2, 0]
    assert (pattern.n_channels, pattern.duration, len(pattern)) == (3, 50.0, 3)
    assert repr(pattern) == "Pattern(3 spikes, 3 channels, 50.0 ms)"


def test_later_changes_to_the_arguments_do_not_reach_it():
    times = np.array([1.0, 3.5, 7.0])
    pattern = make(times=times)
    times[0] = 2.0
    assert pattern.times[0] == 1.0


@pytest.mark.parametrize("build", [make, make_set])
def test_frozen(build):
    thing = build()
    for name in ("times", "channels"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(thing, name)[0] = 1
    with pytest.raises(AttributeError, match="frozen"):
        thing.times = np.zeros(3)
    with pytest.raises(AttributeError, match="frozen"):
        del thing._ragged
    with pytest.raises(ValueError, match="WRITEABLE"):
        thing.times.flags.writeable = True
    with pytest.raises(TypeError, match="unhashable"):
        hash(thing)


def test_simultaneous_spikes_are_welcome():
    pattern = make(times=[2.0, 2.0, 2.0], channels=[1, 1, 0])
    assert pattern.channels.tolist() == [1, 1, 0]


def test_spikes_at_both_ends_are_inside():
    assert make(times=[0.0, 3.5, 50.0]).times[-1] == 50.0


def test_empty_pattern():
    assert len(ls.Pattern([], [], 1, 5.0)) == 0


def test_sorted():
    pattern = ls.Pattern.sorted([7.0, 1.0, 7.0], [0, 1, 2], 3, 50.0)
    assert pattern.times.tolist() == [1.0, 7.0, 7.0]
    assert pattern.channels.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": [3.5, 1.0, 7.0]}, r"'times' parameter of Pattern must be ascending.*Got 1.0 on"),
        ({"times": [3.5, 1.0, 7.0]}, r"Use Pattern.sorted\(...\) to sort them"),
        ({"times": [1.0, np.nan, 7.0]}, r"must be finite. Got nan on channel 2 \(pattern 0, spike"),
        ({"times": [1.0, np.inf, 7.0]}, r"must be finite. Got inf"),
        ({"times": [-1.0, 3.5, 7.0]}, r"must be at least 0. Got -1.0 on channel 0"),
        ({"times": [1.0, 3.5, 51.0]}, r"duration \(50.0 ms\). Got 51.0 on channel 0"),
        ({"times": ["a", "b", "c"]}, r"'times' parameter of Pattern must be a 1-D array of numb"),
        ({"times": [[1.0], [2.0], [3.0]]}, r"must be a 1-D array of numbers. Got shape \(3, 1\)"),
        ({"times": [1.0, [2.0], 3.0]}, r"must be a 1-D array of numbers"),
        (
            {"channels": [0, 3, 0]},
            r"'channels' parameter of Pattern must be between 0 and n_channe",
        ),
        ({"channels": [0, 3, 0]}, r"Got 3 at time 3.5 \(pattern 0, spike 1\) instead"),
        ({"channels": [0, -1, 0]}, r"Got -1 at time 3.5"),
        (
            {"channels": [0.0, 1.0, 2.0]},
            r"'channels' parameter of Pattern must be a 1-D array of i",
        ),
        ({"channels": [True, False, True]}, r"must be a 1-D array of integers"),
        ({"channels": [0, 2]}, r"must be as long as 'times' \(3\). Got 2 instead"),
        (
            {"n_channels": 0},
            r"'n_channels' parameter of Pattern must be a whole number of at least",
        ),
        ({"n_channels": 3.0}, r"a whole number of at least 1. Got 3.0"),
        ({"n_channels": 2**40}, r"must be at most 2147483647"),
        ({"duration": 0.0}, r"'duration' parameter of Pattern must be positive and finite"),
        ({"duration": np.inf}, r"positive and finite"),
        ({"duration": "long"}, r"positive and finite.*Got 'long'"),
        ({"duration": "5"}, r"positive and finite.*Got '5'"),
        ({"duration": [50.0]}, r"positive and finite"),
        ({"duration": True}, r"positive and finite"),
        ({"times": np.ma.masked_array([1.0, 3.5, 7.0])}, r"Got a masked array"),
        ({"channels": np.array([0, 2**64 - 1, 0], np.uint64)}, r"at most 2\*\*63 - 1"),
    ],
)
def test_bad_patterns(changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        make(**changes)


def test_sorted_still_checks():
    with pytest.raises(ls.ParameterError, match="as long as"):
        ls.Pattern.sorted([2.0, 1.0], [0], 3, 50.0)
    with pytest.raises(ls.ParameterError, match="finite"):
        ls.Pattern.sorted([2.0, np.nan], [0, 0], 3, 50.0)
    with pytest.raises(ls.ParameterError, match="'offsets'"):
        ls.PatternSet.sorted([2.0, 1.0], [0, 0], [0, 1], 3, 50.0)


def test_errors_are_value_errors():
    with pytest.raises(ValueError, match="finite"):
        make(times=[1.0, np.nan, 7.0])


def test_set_indexing():
    patterns = make_set()
    assert [len(pattern) for pattern in patterns] == [2, 0, 1]
    assert patterns[-1] == patterns[2]
    assert patterns[np.int64(0)].times.tolist() == [1.0, 2.0]
    assert patterns[np.array(0)] == patterns[0]
    assert patterns[1:] == patterns[[1, 2]]
    assert patterns[np.array([True, False, True])] == patterns[[0, 2]]
    backwards = patterns[::-1]
    assert backwards.times.tolist() == [0.5, 1.0, 2.0]
    assert backwards.offsets.tolist() == [0, 1, 1, 3]
    assert patterns[[2, 2]].times.tolist() == [0.5, 0.5]


def test_indexing_one_pattern_copies_nothing():
    patterns = make_set()
    assert np.shares_memory(patterns[0].times, patterns.times)


@pytest.mark.parametrize("key", [3, -4, [0, 3]])
def test_index_out_of_range(key):
    with pytest.raises(IndexError):
        make_set()[key]


@pytest.mark.parametrize("key", [slice(3, 3), np.array([], int), np.zeros(3, bool)])
def test_choosing_nothing_is_refused(key):
    with pytest.raises(ls.ParameterError, match="at least one pattern"):
        make_set()[key]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": [0]}, r"'offsets' parameter of PatternSet must be the bounds of at least one"),
        ({"offsets": []}, r"bounds of at least one pattern"),
        ({"offsets": [0, 2, 1, 3]}, r"ascending from 0 to the number of spikes \(3\)"),
        ({"offsets": [0, 4]}, r"ascending from 0 to the number of spikes"),
        ({"offsets": [1, 3]}, r"ascending from 0"),
        ({"offsets": [0.0, 3.0]}, r"1-D array of integers"),
        ({"times": [2.0, 1.0, 0.5]}, r"ascending.*\(pattern 0, spike 1\).*PatternSet.sorted"),
        ({"times": [1.0, 2.0, 11.0]}, r"Got 11.0 on channel 1 \(pattern 2, spike 0\)"),
        ({"duration": [10.0, 10.0]}, r"one number or one a pattern"),
        ({"duration": [10.0, -1.0, 10.0]}, r"positive and finite"),
    ],
)
def test_bad_sets(changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        make_set(**changes)


def test_each_pattern_may_have_its_own_duration():
    patterns = make_set(duration=[10.0, 20.0, 30.0])
    assert patterns[2].duration == 30.0
    assert repr(patterns) == "PatternSet(3 patterns, 3 spikes, 2 channels, 10.0 to 30.0 ms)"


def test_concatenation():
    both = ls.PatternSet.concatenate([make_set(), make_set(duration=20.0)])
    assert len(both) == 6
    assert both[3] == ls.Pattern([1.0, 2.0], [0, 1], 2, 20.0)
    assert both[:3] == make_set()
    with pytest.raises(ls.SpikeDataError, match=r"same number of channels. Got \[2, 5\]"):
        ls.PatternSet.concatenate([make_set(), make_set(n_channels=5)])
    with pytest.raises(ls.ParameterError, match="at least one PatternSet"):
        ls.PatternSet.concatenate([])


def test_from_patterns():
    patterns = make_set()
    assert ls.PatternSet.from_patterns(list(patterns)) == patterns
    with pytest.raises(ls.ParameterError, match="at least one Pattern"):
        ls.PatternSet.from_patterns([[1.0, 2.0]])
    with pytest.raises(ls.ParameterError, match="at least one Pattern"):
        ls.PatternSet.from_patterns(patterns[0])
    assert ls.PatternSet.concatenate(part for part in [patterns, patterns])[:3] == patterns


@pytest.mark.parametrize("thing", [make(), make_set(), make_set()[2]])
def test_pickles(thing):
    assert pickle.loads(pickle.dumps(thing)) == thing


def test_from_lists():
    pattern = ls.Pattern.from_lists([[3.0, 4.0], [], [1.0, 3.0]], duration=10.0)
    assert pattern.times.tolist() == [1.0, 3.0, 3.0, 4.0]
    assert pattern.channels.tolist() == [2, 0, 2, 0]
    assert pattern.n_channels == 3
    patterns = ls.PatternSet.from_lists([[[3.0], []], [[], [1.0, 2.0]]], duration=10.0)
    assert patterns.offsets.tolist() == [0, 1, 3]
    with pytest.raises(ls.ParameterError, match="'channel 1 of pattern 0'.*ascending"):
        ls.Pattern.from_lists([[1.0], [3.0, 2.0]], duration=10.0)
    with pytest.raises(ls.ParameterError, match="same number of channels"):
        ls.PatternSet.from_lists([[[1.0]], [[1.0], [2.0]]], duration=10.0)
    with pytest.raises(ls.ParameterError, match="same number of channels"):
        ls.PatternSet.from_lists([], duration=10.0)
    with pytest.raises(ls.ParameterError, match="a list of patterns, each a list of trains"):
        ls.PatternSet.from_lists([1.0, 2.0], duration=10.0)


def test_from_raster():
    raster = np.array([[[0, 1], [1, 0], [1, 1]]])  # one pattern, three steps, two channels
    patterns = ls.PatternSet.from_raster(raster, 5.0, order="time_channel")
    assert patterns.times.tolist() == [0.0, 5.0, 10.0, 10.0]
    assert patterns.channels.tolist() == [1, 0, 0, 1]
    assert patterns[0].duration == 15.0
    turned = ls.PatternSet.from_raster(raster.swapaxes(1, 2), 5.0, order="channel_time")
    assert turned == patterns
    assert ls.Pattern.from_raster(raster[0], 5.0, order="time_channel") == patterns[0]


@pytest.mark.parametrize(
    ("raster", "dt", "order", "message"),
    [
        ([[[0, 2]]], 1.0, "time_channel", "made of 0 and 1"),
        ([[[0.5, 1]]], 1.0, "time_channel", "made of 0 and 1"),
        ([[0, 1]], 1.0, "time_channel", r"Got shape \(1, 2\)"),
        ([[[0, 1]]], 0.0, "time_channel", "'dt' parameter of PatternSet must be positive"),
        ([[[0, 1]]], 1.0, "channels_first", "'order' parameter of PatternSet must be one of"),
        (np.zeros((0, 2, 2)), 1.0, "time_channel", "filled 3-D array"),
    ],
)
def test_bad_rasters(raster, dt, order, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.PatternSet.from_raster(raster, dt, order=order)


def test_order_of_a_raster_must_be_said():
    with pytest.raises(TypeError, match="order"):
        ls.PatternSet.from_raster(np.zeros((1, 2, 2)), 1.0)


def test_from_latencies():
    patterns = ls.PatternSet.from_latencies([[3.0, np.nan, 1.0], [np.nan] * 3], duration=10.0)
    assert patterns.times.tolist() == [1.0, 3.0]
    assert patterns.channels.tolist() == [2, 0]
    assert patterns.offsets.tolist() == [0, 2, 2]
    assert ls.Pattern.from_latencies([3.0, np.nan, 1.0], duration=10.0) == patterns[0]
    with pytest.raises(ls.ParameterError, match="at most the pattern's duration"):
        ls.PatternSet.from_latencies([[11.0]], duration=10.0)
    with pytest.raises(
        ls.ParameterError, match="'latencies' parameter of PatternSet must be a 2-D"
    ):
        ls.PatternSet.from_latencies([1.0], duration=10.0)


@given(
    st.lists(st.lists(st.tuples(st.floats(0, 9), st.integers(0, 3)), max_size=5), min_size=1),
    st.data(),
)
def test_subsets_hold_the_chosen_patterns(listed, data):
    patterns = ls.PatternSet.from_patterns(
        [ls.Pattern.sorted([t for t, _ in p], [c for _, c in p], 4, 9.0) for p in listed]
    )
    chosen = data.draw(st.lists(st.integers(0, len(listed) - 1), min_size=1, max_size=6))
    assert list(patterns[chosen]) == [patterns[i] for i in chosen]
