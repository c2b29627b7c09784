"""NIR data: patterns there and back, files of nir, and what is refused."""

import json

import h5py
import nir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.paths import GOLDEN
from tests.support.strategies import pattern_sets

import linspike as ls

DATA = GOLDEN / "formats_data.nir"
CASE = json.loads((GOLDEN / "formats.json").read_text())["cases"][3]
PATTERNS = ls.PatternSet([1.0, 2.0, 0.5], [0, 1, 1], [0, 2, 3], 2, [10.0, 8.0])


@settings(max_examples=40)
@given(pattern_sets())
def test_round_trip_in_ms_is_exact(tmp_path_factory, patterns):
    path = tmp_path_factory.mktemp("nir") / "p.nir"
    ls.to_nir_data(patterns, path)
    again = ls.from_nir_data(path)
    assert again == patterns
    assert again.times.tobytes() == patterns.times.tobytes()


@settings(max_examples=30)
@given(pattern_sets(), st.sampled_from(["s", "us", "ns"]))
def test_round_trip_in_other_units(tmp_path_factory, patterns, unit):
    path = tmp_path_factory.mktemp("nir") / "p.nir"
    ls.to_nir_data(patterns, path, time_unit=unit)
    again = ls.from_nir_data(path, time_unit=unit)
    assert again.channels.tolist() == patterns.channels.tolist()
    np.testing.assert_allclose(again.times, patterns.times, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(again.durations, patterns.durations, rtol=1e-12)


def test_nir_reads_what_we_write(tmp_path):
    model = ls.Model(ls.SRM(), [[0.5, 0.2]])
    ls.to_nir(model, tmp_path / "m.nir")
    ls.to_nir_data(PATTERNS, tmp_path / "p.nir")
    data = nir.read_data(tmp_path / "p.nir")
    data.check_nodes(nir.read(tmp_path / "m.nir"))  # raises unless the nodes fit
    events = data.nodes["input"].observables["spikes"]
    assert events.idx.tolist() == [[0, 1], [1, -1]]
    assert events.time.tolist() == [[1.0, 2.0], [0.5, np.inf]]
    assert (events.n_neurons, events.t_max) == (2, 10.0)


def test_events_that_nir_wrote():
    patterns = ls.from_nir_data(DATA, time_unit="s")
    assert patterns.n_channels == 3
    assert patterns.durations == pytest.approx(1e3 * CASE["t_max"])
    for pattern, times, channels in zip(patterns, CASE["times"], CASE["channels"], strict=True):
        np.testing.assert_allclose(pattern.times, 1e3 * np.array(times), rtol=1e-12)
        assert pattern.channels.tolist() == channels


def test_a_raster_that_nir_wrote():
    patterns = ls.from_nir_data(DATA, node="lif", time_unit="s")
    raster = np.array(CASE["raster"])
    assert patterns == ls.PatternSet.from_raster(raster, 5.0, order="time_channel")
    assert patterns.times.size == raster.sum() > 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"'time_unit' parameter of from_nir_data must be given, one of \('s', 'ms'.*does not name its unit"),
        ({"time_unit": "h"}, "'time_unit' .* one of"),
        ({"time_unit": "s", "node": "fc"}, r"'node' parameter of from_nir_data must be one of \('input', 'lif'\), the nodes of"),
    ],
)  # fmt: skip
def test_refusals(arguments, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.from_nir_data(DATA, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"patterns": [[1.0]]}, "'patterns' parameter of to_nir_data must be a PatternSet"),
        ({"node": "a/b"}, "'node' parameter of to_nir_data must be the name of a node, without '/'"),
        ({"node": ""}, "'node' parameter of to_nir_data must be the name of a node"),
        ({"time_unit": "h"}, "'time_unit' parameter of to_nir_data must be one of"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(arguments, message, tmp_path):
    with pytest.raises(ls.ParameterError, match=message):
        ls.to_nir_data(**{"patterns": PATTERNS, "path": tmp_path / "p.nir", **arguments})
    assert not list(tmp_path.iterdir())


def write(path, **observables):
    nir.write_data(path, nir.NIRGraphData({"n": nir.NIRNodeData(observables)}))
    return path


def test_observables_that_are_no_spikes(tmp_path):
    voltages = nir.TimeGriddedData(np.zeros((1, 2, 3)), 0.1)
    path = write(tmp_path / "v.nir", v=voltages)
    with pytest.raises(ls.SpikeDataError, match=r"Node 'n' has no 'spikes', only \['v'\]"):
        ls.from_nir_data(path, time_unit="s")
    index = np.array([[0]])
    valued = nir.ValuedEventData(index, 1.0 * index, 1, 1.0, 2.0 * index)
    with pytest.raises(
        ls.SpikeDataError, match="The spikes of node 'n' have values, which patterns have not"
    ):
        ls.from_nir_data(write(tmp_path / "w.nir", spikes=valued), time_unit="s")


@pytest.mark.parametrize("value", [2.0, 0.5, -1.0, np.nan])
def test_rasters_of_counts_are_refused(value, tmp_path):
    raster = np.zeros((1, 4, 3))
    raster[0, 2, 1] = value
    path = write(tmp_path / "c.nir", spikes=nir.TimeGriddedData(raster, 0.1))
    with pytest.raises(
        ls.SpikeDataError, match=rf"c.nir' holds a raster with the value {value}. A bin of a raster"
    ):
        ls.from_nir_data(path, time_unit="s")


def test_units_that_contradict_the_file(tmp_path):
    ls.to_nir_data(PATTERNS, tmp_path / "p.nir")
    with pytest.raises(
        ls.ParameterError,
        match="'time_unit' .* left out: .*p.nir' says that its times are in ms. Got 's'",
    ):
        ls.from_nir_data(tmp_path / "p.nir", time_unit="s")
    with h5py.File(tmp_path / "p.nir", "r+") as file:
        file.attrs["linspike_time_unit"] = "hours"
    with pytest.raises(ls.FileFormatError, match="p.nir' is damaged and cannot be read"):
        ls.from_nir_data(tmp_path / "p.nir")


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.nir").write_text("data")
    with pytest.raises(
        ls.FileFormatError, match="a.nir' is not a file of NIR data: it is not HDF5"
    ):
        ls.from_nir_data(tmp_path / "a.nir", time_unit="s")
    with pytest.raises(
        ls.FileFormatError, match="formats_graph.nir' holds no NIR data that nir can read"
    ):
        ls.from_nir_data(GOLDEN / "formats_graph.nir", time_unit="s")
    beyond = nir.EventData(np.array([[0, 1]]), np.array([[0.0, 0.5]]), 1, 1.0)
    with pytest.raises(ls.FileFormatError, match="n.nir' is damaged .*'channels'"):
        ls.from_nir_data(write(tmp_path / "n.nir", spikes=beyond), time_unit="ms")


def test_events_after_the_end_are_said(tmp_path):
    late = nir.EventData(np.array([[0, 0]]), np.array([[0.5, 5.0]]), 1, 1.0)
    path = write(tmp_path / "n.nir", spikes=late)
    with pytest.warns(ls.UnitWarning, match="1 of 2 events are outside the window and left out"):
        assert ls.from_nir_data(path, time_unit="ms").times.tolist() == [0.5]
