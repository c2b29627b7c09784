"""SpikeTrain and the two targets."""

import pickle

import numpy as np
import pytest

import linspike as ls


def test_train():
    train = ls.SpikeTrain([3.0, 8.5], duration=50.0)
    assert (len(train), list(train), train.duration) == (2, [3.0, 8.5], 50.0)
    assert np.asarray(train).tolist() == [3.0, 8.5]
    assert train == ls.SpikeTrain(np.array([3.0, 8.5]), 50.0)
    assert train != ls.SpikeTrain([3.0, 8.5], 60.0)
    assert pickle.loads(pickle.dumps(train)) == train
    assert repr(ls.SpikeTrain(range(9))) == (
        "SpikeTrain(9 spikes: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, ...], duration=inf)"
    )


def test_train_is_frozen():
    train = ls.SpikeTrain([3.0])
    with pytest.raises(ValueError, match="read-only"):
        train.times[0] = 1.0
    with pytest.raises(AttributeError, match="frozen"):
        train.duration = 3.0


@pytest.mark.parametrize(
    ("times", "duration", "message"),
    [
        ([2.0, 1.0], 50.0, r"'times' parameter of SpikeTrain must be ascending.*Sort them first"),
        ([-2.0, 1.0], 50.0, r"at least 0. Got -2.0 \(spike 0\)"),
        ([np.nan], 50.0, r"must be finite"),
        ([60.0], 50.0, r"at most the duration \(50.0\). Got 60.0"),
        ([1.0], -1.0, r"'duration' parameter of SpikeTrain must be at least 0"),
        ([1.0], np.nan, r"'duration' parameter of SpikeTrain must be at least 0"),
        ([[1.0]], 50.0, r"1-D array of numbers"),
    ],
)
def test_bad_trains(times, duration, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.SpikeTrain(times, duration)


def test_spike_times():
    desired = ls.SpikeTimes([[12.0, 30.0], ls.SpikeTrain([], 50.0)])
    assert len(desired) == 2
    assert desired.counts.tolist() == [2, 0]
    assert [len(train) for train in desired] == [2, 0]
    assert desired == ls.SpikeTimes([[12.0, 30.0], ls.SpikeTrain([], 50.0)])
    assert desired != ls.SpikeCounts([2, 0])
    with pytest.raises(ls.ParameterError, match="at least one train"):
        ls.SpikeTimes([])
    with pytest.raises(ls.ParameterError, match="a list of trains"):
        ls.SpikeTimes(5)
    with pytest.raises(ls.ParameterError, match="Desired train 1: .*ascending"):
        ls.SpikeTimes([[1.0], [2.0, 1.0]])


def test_spike_counts():
    desired = ls.SpikeCounts([1, 0, 3])
    assert (len(desired), desired[2]) == (3, 3)
    assert desired == ls.SpikeCounts(np.array([1, 0, 3]))
    assert desired != ls.SpikeTimes([[1.0]])
    for copy in (desired, pickle.loads(pickle.dumps(desired))):
        with pytest.raises(ValueError, match="read-only"):
            copy.counts[0] = 2
    with pytest.raises(ls.ParameterError, match="at least 0. Got -1 for pattern 1"):
        ls.SpikeCounts([1, -1])
    with pytest.raises(ls.ParameterError, match="at least one count"):
        ls.SpikeCounts([])
    with pytest.raises(ls.ParameterError, match="1-D array of integers"):
        ls.SpikeCounts([1.5])
