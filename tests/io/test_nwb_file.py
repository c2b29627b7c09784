"""NWB: trials cut out of a file that pynwb wrote, and what is refused."""

import json
from datetime import UTC, datetime

import numpy as np
import pynwb
import pytest
from tests.support.paths import GOLDEN

import linspike as ls

FILE = GOLDEN / "formats_nwb.nwb"
CASE = json.loads((GOLDEN / "formats.json").read_text())["cases"][1]
WINDOW = (-100.0, 400.0)


def naive(starts, window):
    """Spikes of every trial and unit, by one loop each."""
    return [
        [
            sorted(1e3 * (t - start) - window[0] for t in train
                   if window[0] <= 1e3 * (t - start) <= window[1])
            for train in CASE["trains"]
        ]
        for start in starts
    ]  # fmt: skip


def check(patterns, starts, window):
    assert len(patterns) == len(starts)
    assert patterns.n_channels == len(CASE["trains"])
    assert (patterns.durations == window[1] - window[0]).all()
    total = 0
    for pattern, lists in zip(patterns, naive(starts, window), strict=True):
        for channel, times in enumerate(lists):
            found = pattern.times[pattern.channels == channel]
            np.testing.assert_allclose(found, times, rtol=1e-12, atol=1e-9)
            total += found.size
    assert total == patterns.times.size > 0


def make(*, units=1, trials=0, **columns):
    """An NWB file in memory."""
    content = pynwb.NWBFile("a test", "test", datetime(2025, 1, 1, tzinfo=UTC))
    for _ in range(units):
        content.add_unit(spike_times=[0.5, 1.0, 1.5])
    for name in columns:
        content.add_trial_column(name, "a column")
    for i in range(trials):
        values = {name: column[i] for name, column in columns.items()}
        content.add_trial(start_time=float(i), stop_time=i + 1.0, **values)
    return content


@pytest.mark.parametrize("align", ["start_time", "cue_time"])
@pytest.mark.parametrize("path", [str, lambda path: path], ids=["str", "path"])
def test_trials_of_a_golden_file(align, path):
    patterns = ls.from_nwb(path(FILE), align=align, window=WINDOW)
    check(patterns, CASE[align], WINDOW)


def test_the_start_of_trials_is_the_default():
    assert ls.from_nwb(FILE, window=500.0) == ls.from_nwb(FILE, "start_time", window=(0.0, 500.0))


def test_times_instead_of_a_column():
    times = [3.0, 1.0, 1.1]  # in any order, and overlapping
    check(ls.from_nwb(FILE, times, window=(-500.0, 700.0)), times, (-500.0, 700.0))


def test_an_open_file():
    with pynwb.NWBHDF5IO(str(FILE), "r") as reader:
        content = reader.read()
        found = ls.from_nwb(content, "cue_time", window=WINDOW)
        assert content.units is not None  # still open
    check(found, CASE["cue_time"], WINDOW)


def test_some_units_in_another_order():
    whole = ls.from_nwb(FILE, window=500.0)
    some = ls.from_nwb(FILE, window=500.0, units=[2, 0])
    assert some.n_channels == 2
    for new, old in enumerate([2, 0]):
        assert (
            some.times[some.channels == new].tolist() == whole.times[whole.channels == old].tolist()
        )


def test_the_ends_of_a_window_belong_to_it_despite_rounding():
    # 0.1 + 0.2 is a bit more than 0.3, and 1000 * (0.3 - 0.1) a bit less than 200.
    content = pynwb.NWBFile("a test", "test", datetime(2025, 1, 1, tzinfo=UTC))
    content.add_unit(spike_times=[0.1, 0.1 + 0.2])
    patterns = ls.from_nwb(content, [0.1], window=200.0)
    assert patterns.times.tolist() == [0.0, 200.0]


def test_units_without_spikes_are_silent_channels():
    content = make()
    content.add_unit(spike_times=[])
    patterns = ls.from_nwb(content, [0.0], window=2000.0)
    assert (patterns.n_channels, patterns.channels.tolist()) == (2, [0, 0, 0])


def test_nothing_in_any_window_is_said():
    with pytest.warns(
        ls.UnitWarning,
        match="from_nwb: none of the 3 spikes is in a window. Aligned times are in s",
    ) as found:
        patterns = ls.from_nwb(make(), [500.0], window=100.0)
    assert patterns.times.size == 0
    assert found[0].filename == __file__


TRIALS = {"trials": 2, "cue": [0.5, np.nan], "side": ["left", "right"]}


@pytest.mark.parametrize(
    ("file", "arguments", "message"),
    [
        (make(), {"align": [0.0]}, r"'window' parameter of from_nwb must be given: a length or a tuple \(start, end\), in ms"),
        (make(), {"align": [0.0], "window": (2.0, 1.0)}, "'window' .* start < end"),
        (make(units=0), {"align": [0.0]}, "has no spikes: it has no units table with spike_times"),
        (make(), {}, "has no trials table for align='start_time'. Or pass align= as an array of times in s"),
        (make(**TRIALS), {"align": "go"}, r"'align' .* one of the columns \('start_time', 'stop_time', 'cue', 'side'\). Got 'go' instead. Or pass align="),
        (make(**TRIALS), {"align": "side"}, "a column that holds times in s. Got 'side', a column of"),
        (make(**TRIALS), {"align": "cue"}, "Trial 1 has no time: the column 'cue' holds nan. Pass the times of the other trials"),
        (make(), {"align": [0.0, np.inf]}, "Trial 1 has no time: the array 'align' holds inf"),
        (make(), {"align": []}, "There are no trials: the array 'align' is empty"),
        (make(), {"align": None}, "'align' parameter of from_nwb must be a 1-D array of numbers"),
        (make(), {"align": [0.0], "units": [1]}, "'units' .* rows of the units table, from 0 to 0. Got 1 instead"),
        (make(), {"align": [0.0], "units": []}, "rows of the units table, from 0 to 0"),
        (make(), {"align": [0.0], "units": [0.5]}, "'units' .* array of integers"),
        (7, {"align": [0.0]}, "'file' parameter of from_nwb must be a path or a pynwb.NWBFile"),
    ],
)  # fmt: skip
def test_refusals(file, arguments, message):
    given = {} if "window' parameter" in message else {"window": 50.0}
    with pytest.raises(ls.LinspikeError, match=message):
        ls.from_nwb(file, **{**given, **arguments})


def test_spikes_that_are_not_finite_are_refused():
    content = make()
    content.add_unit(spike_times=[1.0, np.nan])
    with pytest.raises(
        ls.SpikeDataError, match="Unit 1 of the NWB file has spike times that are not finite"
    ):
        ls.from_nwb(content, [0.0], window=50.0)


def test_other_files_are_refused(tmp_path):
    text, broken = tmp_path / "a.nwb", tmp_path / "b.nwb"
    text.write_text("spikes")
    broken.write_bytes(FILE.read_bytes()[:5000])
    with pytest.raises(ls.FileFormatError, match="a.nwb' is not an NWB file: it is not HDF5"):
        ls.from_nwb(text, window=50.0)
    with pytest.raises(ls.FileFormatError, match="b.nwb' is damaged and cannot be read"):
        ls.from_nwb(broken, window=50.0)
    with pytest.raises(ls.FileFormatError, match="is a folder, not an NWB file"):
        ls.from_nwb(tmp_path, window=50.0)
    with pytest.raises(FileNotFoundError):
        ls.from_nwb(tmp_path / "absent.nwb", window=50.0)
    with pytest.raises(ls.FileFormatError, match=r"formats_graph.nir' is damaged"):
        ls.from_nwb(GOLDEN / "formats_graph.nir", window=50.0)
