"""NIR graphs: the profile of the specification to the bit, the grid, and what is refused."""

import json

import nir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.grid_twin import bin_inputs, compare, run_graph
from tests.support.paths import GOLDEN
from tests.support.strategies import weight

import linspike as ls

GRAPH = GOLDEN / "formats_graph.nir"
CASE = json.loads((GOLDEN / "formats.json").read_text())["cases"][2]
MODEL = ls.Model(ls.SRM(17.3, 4.1, 0.9), [[0.5, -0.2], [0.1, 0.7]])


@st.composite
def models(draw):
    tau_m = draw(st.floats(1e-2, 1e3))
    neuron = ls.SRM(tau_m, tau_m * draw(st.floats(1e-3, 0.99)), draw(st.floats(1e-3, 1e3)))
    shape = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    numbers = st.one_of(weight, st.floats(-1e6, 1e6))
    size = shape[0] * shape[1]
    flat = draw(st.lists(numbers, min_size=size, max_size=size))
    return ls.Model(neuron, np.reshape(flat, shape))


@settings(max_examples=40)
@given(models())
def test_the_spec_profile_comes_back_to_the_bit(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("nir") / "model.nir"
    ls.to_nir(model, path)
    again = ls.from_nir(path)
    assert again.neuron == model.neuron
    assert again.weights.tobytes() == model.weights.tobytes()
    assert ls.from_nir(path, "ms").weights.tobytes() == model.weights.tobytes()


@settings(max_examples=40)
@given(models(), st.floats(1e-3, 0.9))
def test_the_grid_profile_comes_back_but_for_rounding(tmp_path_factory, model, share):
    path = tmp_path_factory.mktemp("nir") / "model.nir"
    ls.to_nir(model, path, "grid", dt=share * model.neuron.tau_s)
    again = ls.from_nir(path)
    numbers = [(n.tau_m, n.tau_s, n.threshold) for n in (again.neuron, model.neuron)]
    np.testing.assert_allclose(*numbers, rtol=1e-12)
    # tau_m - tau_s of nearly equal time constants costs digits.
    gap = 1.0 - model.neuron.tau_s / model.neuron.tau_m
    np.testing.assert_allclose(again.weights, model.weights, rtol=1e-13 / gap, atol=1e-300)


def test_a_graph_that_nir_wrote():
    model = ls.from_nir(GRAPH, time_unit="s")
    assert model.neuron.tau_m == pytest.approx(16.0, rel=1e-12)
    assert model.neuron.tau_s == pytest.approx(4.0, rel=1e-12)
    assert model.neuron.threshold == CASE["v_threshold"]
    # One delta input into NIR's own equations, with the closed form of their solution.
    s = np.linspace(0.0, 60.0, 7)
    scale = CASE["w_in"] * CASE["r"] / (CASE["tau_mem"] - CASE["tau_syn"])
    kernel = scale * (np.exp(-s / 16.0) - np.exp(-s / 4.0))
    for row, weights in zip(model.weights, CASE["weights"], strict=True):
        np.testing.assert_allclose(
            np.outer(row, model.neuron.psp(s)), np.outer(weights, kernel), atol=1e-12
        )


def test_a_spike_that_lasts_a_step_has_its_length_as_weight():
    delta, held = ls.from_nir(GRAPH, "s"), ls.from_nir(GRAPH, "s", dt=1.0)
    np.testing.assert_allclose(held.weights, 0.001 * delta.weights, rtol=1e-12)
    with pytest.raises(
        ls.ParameterError, match="'dt' .* from_nir must be positive and below tau_s = 4 ms. Got 4.5"
    ):
        ls.from_nir(GRAPH, "s", dt=4.5)


def test_time_steps_are_milliseconds_both_ways(tmp_path):
    ls.to_nir(MODEL, tmp_path / "own.nir", "grid", dt=0.5)
    graph = nir.read(tmp_path / "own.nir")
    graph.metadata = {}
    nir.write(tmp_path / "bare.nir", graph)
    again = ls.from_nir(tmp_path / "bare.nir", "s", dt=0.5)
    np.testing.assert_allclose(again.weights, MODEL.weights, rtol=1e-12)
    graph.metadata = {"linspike": "0.1.0", "time_unit": "s", "profile": "grid", "dt": 0.02}
    nir.write(tmp_path / "long.nir", graph)
    with pytest.raises(
        ls.FileFormatError,
        match="long.nir' has a time step of 20 ms, which must be below tau_syn = 4.1 ms",
    ):
        ls.from_nir(tmp_path / "long.nir")
    longest = np.nextafter(MODEL.neuron.tau_s, 0.0).item()
    ls.to_nir(MODEL, tmp_path / "own.nir", "grid", dt=longest)
    np.testing.assert_allclose(ls.from_nir(tmp_path / "own.nir").weights, MODEL.weights, rtol=1e-12)


def test_the_specification_means_what_the_neuron_does(tmp_path):
    """The spec graph by tiny Euler steps, with spikes of height 1/dt, is the SRM."""
    rng = np.random.default_rng(5)
    patterns = ls.poisson_patterns(3, n_channels=20, duration=80.0, rate=0.02, rng=rng)
    model = ls.Model(ls.SRM(), rng.normal(0.12, 0.2, (2, 20)))
    ls.to_nir(model, tmp_path / "m.nir")
    dt = 0.005
    spikes = run_graph(tmp_path / "m.nir", bin_inputs(patterns, dt) / dt, dt)
    found = compare(spikes, model.respond(patterns), patterns, dt)
    assert model.respond(patterns).counts.sum() > 5
    assert found.count_changed == 0.0
    assert found.largest < 0.1


def test_the_grid_profile_is_of_first_order(tmp_path):
    rng = np.random.default_rng(3)
    patterns = ls.poisson_patterns(8, n_channels=60, duration=150.0, rate=0.01, rng=rng)
    model = ls.Model(ls.SRM(), rng.normal(0.05, 0.12, (3, 60)))
    exact = model.respond(patterns)
    errors = []
    for dt in (1.0, 0.1, 0.01):
        ls.to_nir(model, tmp_path / "m.nir", "grid", dt)
        spikes = run_graph(tmp_path / "m.nir", bin_inputs(patterns, dt), dt / 1e3)
        errors.append(compare(spikes, exact, patterns, dt))
    assert exact.counts.sum() > 50
    assert errors[-1].count_changed == 0.0
    assert 5.0 < errors[0].median / errors[1].median < 20.0
    assert 5.0 < errors[1].median / errors[2].median < 20.0


def test_what_the_file_holds(tmp_path):
    ls.to_nir(MODEL, tmp_path / "a.nir")
    graph = nir.read(tmp_path / "a.nir")
    assert [type(node).__name__ for node in graph.nodes.values()].count("CubaLIF") == 1
    assert graph.metadata["time_unit"] == "ms"
    assert graph.nodes["linear"].weight.dtype == np.float64
    assert graph.check_types()
    ls.to_nir(MODEL, tmp_path / "b.nir", profile="grid", dt=0.1)
    graph = nir.read(tmp_path / "b.nir")
    cells = graph.nodes["cubalif"]
    np.testing.assert_allclose(cells.r, cells.tau_mem / 1e-4)
    np.testing.assert_allclose(cells.w_in, cells.tau_syn / 1e-4)
    assert graph.metadata["time_unit"] == "s"


def test_estimators_are_written(tmp_path):
    patterns = ls.poisson_patterns(8, n_channels=6, duration=50.0, rate=0.05, rng=0)
    classifier = ls.SpikeClassifier(max_iter=2).fit(patterns, np.arange(8) % 2)
    ls.to_nir(classifier, tmp_path / "c.nir")
    assert ls.from_nir(tmp_path / "c.nir").weights.tolist() == classifier.weights_.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": [[0.5]]}, "'model' parameter of to_nir must be a Model or a fitted estimator"),
        ({"profile": "gird"}, r"'profile' parameter of to_nir must be one of \('spec', 'grid'\)"),
        ({"dt": 0.1}, "'dt' parameter of to_nir must be None for the profile 'spec'. Got 0.1 instead. Use profile='grid'"),
        ({"profile": "grid"}, "'dt' .* given for the profile 'grid': the simulator's time step in ms"),
        ({"profile": "grid", "dt": 4.1}, "'dt' .* positive and below tau_s = 4.1 ms"),
        ({"profile": "grid", "dt": 0.0}, "'dt' .* positive and below tau_s"),
        ({"profile": "grid", "dt": "1"}, "'dt' .* positive and below tau_s"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(arguments, message, tmp_path):
    path = tmp_path / "old.nir"
    path.write_text("old")
    with pytest.raises(ls.ParameterError, match=message):
        ls.to_nir(**{"model": MODEL, "path": path, **arguments})
    assert path.read_text() == "old"


def make_graph(tmp_path, change=None, metadata=None):
    """A file that nir writes: one layer in ms, changed by a function of its nodes and edges."""
    ones = np.ones(2)
    nodes = {
        "in": nir.Input({"input": np.array([3])}),
        "fc": nir.Linear(np.full((2, 3), 0.5)),
        "lif": nir.CubaLIF(tau_syn=5.0 * ones, tau_mem=20.0 * ones, r=ones, v_leak=0.0 * ones,
                           v_threshold=ones, v_reset=0.0 * ones),
        "out": nir.Output({"output": np.array([2])}),
    }  # fmt: skip
    edges = [("in", "fc"), ("fc", "lif"), ("lif", "out")]
    if change is not None:
        change(nodes, edges)
    graph = nir.NIRGraph(nodes, edges, metadata=metadata or {}, type_check=False)
    nir.write(tmp_path / "g.nir", graph)
    return tmp_path / "g.nir"


def put(node, name, value):
    return lambda nodes, edges: setattr(nodes[node], name, np.array(value))


def swap(name, node):
    return lambda nodes, edges: nodes.update({name: node})


def test_the_graph_of_these_tests_is_read(tmp_path):
    assert ls.from_nir(make_graph(tmp_path), "ms").weights.shape == (2, 3)


LI = nir.LIF(tau=np.ones(2), r=np.ones(2), v_leak=np.zeros(2), v_threshold=np.ones(2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (swap("lif", LI), r"from_nir reads one layer, .* The graph has a LIF node \('lif'\)"),
        (swap("more", nir.Linear(np.ones((2, 3)))), "The graph has 2 nodes of type Linear or Affine"),
        (lambda nodes, edges: nodes.pop("out"), "has 0 nodes of type Output"),
        (lambda nodes, edges: edges.append(("lif", "lif")), r"The graph has the edges \[.*\('lif', 'lif'\)"),
        (lambda nodes, edges: edges.pop(), r"The graph has the edges \[\('fc', 'lif'\), \('in', 'fc'\)\]"),
        (swap("fc", nir.Affine(np.ones((2, 3)), np.array([0.0, 0.1]))), "the graph has a bias, which an SRM has not"),
        (put("lif", "v_leak", [0.0, 0.1]), "v_leak must be 0, as an SRM rests and resets at 0"),
        (put("lif", "v_reset", [-1.0, 0.0]), "v_reset must be 0"),
        (put("lif", "tau_mem", [20.0, 21.0]), "all neurons must have the same tau_mem.* The graph has 2 values from 20 to 21"),
        (put("lif", "tau_syn", [5.0, 6.0]), "the same tau_syn"),
        (put("lif", "v_threshold", [1.0, 2.0]), "the same v_threshold"),
        (put("lif", "tau_syn", [30.0, 30.0]), r"g.nir' has neurons that are no SRM \(tau_mem = 20 ms, tau_syn = 30 ms, .*'tau_s' parameter of SRM must be in \(0, tau_m\)"),
        (put("lif", "tau_syn", [20.0, 20.0]), r"g.nir' has neurons that are no SRM \(tau_mem = 20 ms, tau_syn = 20 ms"),
        (put("lif", "v_threshold", [0.0, 0.0]), r"g.nir' has neurons that are no SRM .*v_threshold = 0\)"),
        (put("fc", "weight", np.ones((2, 3, 4))), r"weights of float64 with shape \(2, 3, 4\), not a matrix"),
        (put("fc", "weight", np.ones((4, 3))), r"2 neurons for weights of shape \(4, 3\)"),
        (put("fc", "weight", np.full((2, 3), np.nan)), "g.nir' has weights, r or w_in that are not finite"),
    ],
)  # fmt: skip
def test_graphs_that_are_no_layer_of_srm(change, message, tmp_path):
    with pytest.raises(ls.LinspikeError, match=message):
        ls.from_nir(make_graph(tmp_path, change), "ms")


def test_units_are_not_guessed(tmp_path):
    with pytest.raises(
        ls.ParameterError,
        match=r"'time_unit' parameter of from_nir must be given, one of \('s', 'ms', 'us', 'ns'\): .*formats_graph.nir' does not name its unit",
    ):
        ls.from_nir(GRAPH)
    with pytest.raises(ls.ParameterError, match="'time_unit' .* one of"):
        ls.from_nir(GRAPH, "minutes")
    with pytest.raises(ls.ParameterError, match="'dt' parameter of from_nir must be positive"):
        ls.from_nir(GRAPH, "s", dt=-1.0)
    ls.to_nir(MODEL, tmp_path / "a.nir")
    with pytest.raises(
        ls.ParameterError,
        match="'time_unit' .* left out: .*a.nir' says that its times are in ms. Got 's'",
    ):
        ls.from_nir(tmp_path / "a.nir", "s")
    with pytest.raises(ls.ParameterError, match="'dt' .* left out: .*a.nir' says"):
        ls.from_nir(tmp_path / "a.nir", dt=0.1)


@pytest.mark.parametrize("about", [{}, {"time_unit": "h", "profile": "spec"}, {"time_unit": "s", "profile": "grid"},
                                   {"time_unit": "s", "profile": "grid", "dt": -1.0}])  # fmt: skip
def test_metadata_that_are_damaged(about, tmp_path):
    path = make_graph(tmp_path, metadata={"linspike": "0.1.0", **about})
    with pytest.raises(ls.FileFormatError, match="g.nir' is damaged and cannot be read"):
        ls.from_nir(path)


def test_other_files_are_refused(tmp_path):
    text, broken, node = (tmp_path / name for name in ("a.nir", "b.nir", "c.nir"))
    text.write_text("graph")
    broken.write_bytes(GRAPH.read_bytes()[:3000])
    nir.write(node, LI)
    with pytest.raises(ls.FileFormatError, match="a.nir' is not a NIR file: it is not HDF5"):
        ls.from_nir(text, "s")
    with pytest.raises(ls.FileFormatError, match=r"b.nir' is no NIR graph that nir can read \("):
        ls.from_nir(broken, "s")
    with pytest.raises(ls.FileFormatError, match="formats_nwb.nwb' is no NIR graph"):
        ls.from_nir(GOLDEN / "formats_nwb.nwb", "s")
    with pytest.raises(ls.FileFormatError, match=r"c.nir'"):
        ls.from_nir(node, "s")
    with pytest.raises(ls.FileFormatError, match="is a folder, not a NIR file"):
        ls.from_nir(tmp_path, "s")
