"""Neo: there and back, units, windows, and what is refused."""

import json
import warnings

import neo
import numpy as np
import pytest
import quantities as pq
from hypothesis import given
from hypothesis import strategies as st
from tests.support.paths import GOLDEN
from tests.support.strategies import pattern_sets

import linspike as ls

CASE = json.loads((GOLDEN / "formats.json").read_text())["cases"][0]


def train(*times, start=0.0, stop=1.0, unit="s"):
    return neo.SpikeTrain(times, units=unit, t_start=start, t_stop=stop)


def segment(*trains):
    made = neo.Segment()
    for each in trains:
        made.spiketrains.append(each)
    return made


@given(pattern_sets())
def test_round_trip_in_ms_is_exact(patterns):
    again = ls.from_neo(ls.to_neo(patterns))
    assert again == patterns  # the order of simultaneous spikes included
    assert again.times.tobytes() == patterns.times.tobytes()
    assert again.durations.tobytes() == patterns.durations.tobytes()


@given(pattern_sets(), st.sampled_from(["s", "us", "ns"]))
def test_round_trip_in_other_units(patterns, unit):
    again = ls.from_neo(ls.to_neo(patterns, units=unit))
    assert again.channels.tolist() == patterns.channels.tolist()
    assert again.offsets.tolist() == patterns.offsets.tolist()
    np.testing.assert_allclose(again.times, patterns.times, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(again.durations, patterns.durations, rtol=1e-12)


def test_a_file_that_neo_wrote():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scipy and neo about the file's own layout
        block = neo.io.NeoMatlabIO(str(GOLDEN / "formats_neo.mat")).read_block()
    patterns = ls.from_neo(block)
    assert len(patterns) == len(CASE["segments"]) == 2
    for pattern, held in zip(patterns, CASE["segments"], strict=True):
        factor = {"s": 1e3, "us": 1e-3}[held["unit"]]
        assert pattern.duration == pytest.approx(750.0, rel=1e-12)
        assert pattern.n_channels == len(held["trains"])
        for channel, times in enumerate(held["trains"]):
            since = (np.array(times) - held["start"]) * factor
            found = pattern.times[pattern.channels == channel]
            np.testing.assert_allclose(found, since, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize(
    ("obj", "counts"),
    [
        (train(0.5), [1]),
        ([train(0.5), train(0.1, 0.2)], [3]),
        ([[train(0.5)], [train(0.1, 0.2)]], [1, 2]),
        (segment(train(0.5), train()), [1]),
        (segment(train(0.5), train(0.25)).spiketrains, [2]),
        ([segment(train(0.5)), segment(train())], [1, 0]),
    ],
    ids=["train", "trains", "lists", "segment", "spiketrainlist", "segments"],
)
def test_what_is_accepted(obj, counts):
    patterns = ls.from_neo(obj)
    assert np.diff(patterns.offsets).tolist() == counts
    assert patterns.durations.tolist() == [1000.0] * len(counts)


def test_times_count_from_the_start_of_the_segment():
    late = train(2.5, start=2.25, stop=3.0)
    early = train(2125.0, start=2000.0, stop=2500.0, unit="ms")
    pattern = ls.from_neo([late, early])[0]
    assert pattern.times.tolist() == [125.0, 500.0]
    assert pattern.channels.tolist() == [1, 0]
    assert pattern.duration == 1000.0


def test_other_units_of_time_are_converted():
    spikes = neo.SpikeTrain(np.array([1.0]) * pq.minute, t_stop=2.0 * pq.minute)
    assert ls.from_neo(spikes)[0].times == pytest.approx([60_000.0])


def test_segments_that_were_read_lazily(tmp_path):
    whole, lazy = (
        neo.io.ExampleIO(str(tmp_path / "x.fake")).read_block(lazy=way) for way in (False, True)
    )
    assert not isinstance(lazy.segments[0].spiketrains[0], neo.SpikeTrain)
    patterns = ls.from_neo(lazy)
    assert patterns == ls.from_neo(whole)
    assert patterns.times.size > 100


def test_windows_cut():
    spikes = train(0.1, 0.2, 0.3, 0.4)
    cut = ls.from_neo(spikes, window=(200.0, 300.0))
    assert (cut.times.tolist(), cut.durations.tolist()) == ([0.0, 100.0], [100.0])
    assert ls.from_neo(spikes, window=250.0).times.tolist() == [100.0, 200.0]
    with pytest.warns(
        ls.UnitWarning, match="from_neo: none of the 4 spikes is in a window. It is in ms"
    ):
        ls.from_neo(spikes, window=0.25)


def test_more_channels_than_trains():
    patterns = ls.from_neo([[train(0.5)], [train(), train(0.1)]], n_channels=5)
    assert patterns.n_channels == 5
    assert patterns.channels.tolist() == [0, 1]


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_ends_of_a_window_are_in_it_whatever_the_rounding(unit):
    factor = {"s": 1.0, "ms": 1e3, "us": 1e6}[unit]
    for k in range(200):
        start = k / 10 * factor
        ends = (start, start + 0.1 * factor)
        held = train(*ends, start=start, stop=start + factor, unit=unit)
        found = ls.from_neo(held, window=(0.0, 100.0))
        assert found.times.size == 2, k
        np.testing.assert_allclose(found.times, [0.0, 100.0], atol=1e-8)
        later = ls.from_neo(held, window=(100.0, 150.0))
        assert later.times.tolist() == [pytest.approx(0.0, abs=1e-8)], k
        outside = train(start + 0.1000001 * factor, start=start, stop=start + factor, unit=unit)
        with pytest.warns(ls.UnitWarning, match="none of the 1 spikes is in a window"):
            assert ls.from_neo(outside, window=(0.0, 100.0)).times.size == 0


def test_a_segment_without_trains_needs_a_window():
    assert ls.from_neo(segment(), window=50.0, n_channels=2).durations.tolist() == [50.0]
    with pytest.raises(
        ls.SpikeDataError, match="Segment 1 has no spike trains, so that its length is unknown"
    ):
        ls.from_neo([segment(train(0.5)), segment()], n_channels=1)


def test_responses_are_segments_of_neurons():
    patterns = ls.poisson_patterns(3, n_channels=5, duration=60.0, rate=0.05, rng=0)
    responses = ls.SRM().respond_many(np.full((2, 5), 0.9), patterns)
    block = ls.to_neo(responses, units="s")
    assert len(block.segments) == 3
    again = ls.from_neo(block)
    assert (again.n_channels, again.durations.tolist()) == (2, [60.0] * 3)
    for neuron in range(2):
        for p, pattern in enumerate(again):
            found = pattern.times[pattern.channels == neuron]
            np.testing.assert_allclose(found, responses[neuron, p].times, rtol=1e-12)
    one = ls.to_neo(responses[0])
    assert [len(each.spiketrains[0]) for each in one.segments] == responses.counts[0].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"obj": "spikes.mat"}, "'obj' parameter of from_neo must be a neo Block, Segment or SpikeTrain"),
        ({"obj": "spikes.mat"}, "Got an object of type str instead. Read a file with a reader of neo.io first"),
        ({"obj": None}, "'obj' .* Got an object of type NoneType instead"),
        ({"obj": np.zeros(3)}, "'obj' .* Got an object of type ndarray instead"),
        ({"obj": 3.0 * pq.s}, "'obj' .* Got an object of type Quantity instead"),
        ({"obj": []}, "must be a neo Block.* Got list of 0 parts instead"),
        ({"obj": [1.0, 2.0]}, "Got list of 2 parts instead"),
        ({"obj": [[train(0.5)], [train(), train()]]}, r"Segments have \[1, 2\] spike trains. Pass n_channels="),
        ({"obj": segment()}, r"Segments have \[0\] spike trains"),
        ({"obj": [train(0.5), train()], "n_channels": 1}, r"'n_channels' .* at least the number of spike trains in a segment \(2\)"),
        ({"obj": train(0.5), "n_channels": 0}, "'n_channels' parameter of from_neo must be a whole number"),
        ({"obj": train(0.5), "window": (5.0, 1.0)}, "'window' parameter of from_neo .* start < end"),
        ({"obj": train(0.5), "window": -1.0}, "'window' .* positive and finite"),
        ({"obj": train(0.5), "window": "all"}, r"'window' .* a length or a tuple \(start, end\), in ms"),
        ({"obj": train(0.5), "window": (1.0, 2.0, 3.0)}, r"a length or a tuple \(start, end\), in ms"),
        ({"obj": train(stop=0.0)}, "Segment 0 goes from 0.0 to 0.0 ms. Give its trains a finite t_start"),
        ({"obj": train(0.5, stop=np.inf)}, "Segment 0 goes from 0.0 to inf ms"),
    ],
)  # fmt: skip
def test_refusals(arguments, message):
    with pytest.raises(ls.LinspikeError, match=message):
        ls.from_neo(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spikes": [1.0, 2.0]}, "'spikes' parameter of to_neo must be a PatternSet, Pattern, Responses"),
        ({"spikes": []}, "Got an object of type list"),
        ({"spikes": ls.SpikeTrain([1.0])}, "trains of finite duration. Got inf instead. Respond with a finite until="),
        ({"spikes": ls.SpikeTrain([1.0], 2.0), "units": "min"}, r"'units' parameter of to_neo must be one of \('s', 'ms'"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(arguments, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.to_neo(**arguments)
