"""Messages about spikes say what to do."""

import numpy as np
import pytest

import linspike as ls

TRAIN = [1.0, 5.0]


@pytest.mark.parametrize("train", [TRAIN, np.array(TRAIN), ls.SpikeTrain(TRAIN), [1, 5]])
def test_a_single_train_must_stand_in_a_list(train):
    message = r"a list of trains, one per pattern\. Got .* instead\. .*SpikeTimes\(\[train\]\)"
    with pytest.raises(ls.ParameterError, match=message):
        ls.SpikeTimes(train)


@pytest.mark.parametrize("kind", [ls.Pattern, ls.PatternSet])
def test_unsorted_lists(kind):
    lists = [[1.0], np.arange(500.0)[::-1]]
    message = (
        r"^The 'channel 1 of pattern 0' parameter of \w+ must be ascending in time\. "
        r"Got 498.0 after 499.0 instead\. Sort the times of each channel: np.sort\(times\)\.$"
    )
    with pytest.raises(ls.ParameterError, match=message):
        kind.from_lists(lists if kind is ls.Pattern else [lists], duration=500.0)


@pytest.mark.parametrize("build", [ls.Pattern, ls.Pattern.sorted])
@pytest.mark.parametrize(
    ("channels", "end"),
    [([0.0, 1.0], r"instead\. .*\.astype\(int\)\.$"), ([0.0, 0.5], "instead.$")],
)
def test_channels_that_are_floats(build, channels, end):
    with pytest.raises(ls.ParameterError, match=f"must be a 1-D array of integers.*{end}"):
        build(TRAIN, np.array(channels), 2, 10.0)


def test_a_spike_beyond_the_end_names_the_end_of_its_pattern():
    message = r"at most the pattern's duration \(3.0 ms\)\. Got 5.0 on channel 0 \(pattern 1"
    with pytest.raises(ls.ParameterError, match=message):
        ls.PatternSet.from_lists([[TRAIN], [TRAIN]], duration=[10.0, 3.0])
