"""Models with delays in other formats, and in files of their own."""

import itertools

import numpy as np
import pytest
from tests.support import peers

import linspike as ls
from linspike import _files as files
from linspike.io.scripts import make_script, write_script
from linspike.training import model as models

NEURON = ls.SRM()


def model_of(shared=False, n_neurons=3):
    rng = np.random.default_rng(0)
    weights = rng.normal(0.4, 0.4, (n_neurons, 5))
    weights[-1] = 0.0
    delays = rng.uniform(0.0, 20.0, 5 if shared else (n_neurons, 5))
    return ls.Model(NEURON, weights, rule=ls.DTA(delays=True), delays=delays)


def test_a_model_responds_with_its_delays():
    model = model_of()
    patterns = ls.poisson_patterns(4, n_channels=5, duration=60.0, rate=0.1, rng=0)
    expected = NEURON.respond_many(model.weights, patterns, delays=model.delays)
    assert np.array_equal(model.respond(patterns).times, expected.times)
    assert "delays up to" in repr(model)
    assert model_of(shared=True).delays.shape == (3, 5)


def test_a_model_in_a_file(tmp_path):
    model = model_of()
    model.save(tmp_path / "model.npz")
    back = ls.load_model(tmp_path / "model.npz")
    assert np.array_equal(back.delays, model.delays)
    assert back.rule == model.rule


def test_a_file_of_the_format_before_delays(tmp_path):
    ls.Model(NEURON, [[0.5, 0.2]]).save(tmp_path / "new.npz")
    kept = files.load_arrays(
        tmp_path / "new.npz", models.FORMAT, models.FORMAT_VERSION, ("weights", "about")
    )
    files.save_arrays(tmp_path / "old.npz", models.FORMAT, 2, **kept)
    back = ls.load_model(tmp_path / "old.npz")
    assert back.delays is None
    assert back.weights.tolist() == [[0.5, 0.2]]


@pytest.mark.parametrize(
    ("delays", "message"),
    [
        ([[1.0, 2.0]], r"'delays' parameter of Model must be of shape \(3,\), which all neurons"),
        ([1.0, -2.0, 3.0], r"'delays' parameter of Model must be finite and at least 0 ms"),
    ],
)
def test_bad_delays(delays, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.Model(NEURON, [[0.5, 0.2, 0.1]], delays=delays)


def test_weights_of_a_network_make_no_model():
    weights = ls.NetworkWeights([[0.5]], [[0.2]])
    with pytest.raises(ls.ParameterError, match=r"'weights' parameter of Model .*1 -> 1 -> 1"):
        ls.Model(NEURON, weights)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(("profile", "dt"), [("spec", None), ("grid", 0.1)])
def test_nir_and_back(tmp_path, shared, profile, dt):
    nir = pytest.importorskip("nir")
    model = model_of(shared)
    ls.to_nir(model, tmp_path / "model.nir", profile, dt)
    graph = nir.read(str(tmp_path / "model.nir"))
    kinds = sorted(type(node).__name__ for node in graph.nodes.values())
    assert kinds.count("Delay") == kinds.count("Linear") == (1 if shared else 3)
    back = ls.from_nir(tmp_path / "model.nir")
    exact = profile == "spec"
    assert np.allclose(back.delays, model.delays, rtol=0.0 if exact else 1e-12, atol=0.0)
    assert np.allclose(back.weights, model.weights, rtol=0.0 if exact else 1e-12, atol=0.0)
    assert back.neuron == model.neuron


def write(nir, path, paths, n_neurons=2):
    """A graph of paths, each a delay or None and a matrix."""
    cells = {"tau_syn": 5.0, "tau_mem": 20.0, "r": 1.0, "w_in": 1.0, "v_leak": 0.0,
             "v_threshold": 1.0, "v_reset": 0.0}  # fmt: skip
    nodes = {
        "in": nir.Input({"input": np.array([2])}),
        "cells": nir.CubaLIF(**{k: np.full(n_neurons, v) for k, v in cells.items()}),
        "out": nir.Output({"output": np.array([n_neurons])}),
    }
    edges = [("cells", "out")]
    for i, (delay, weights) in enumerate(paths):
        chain = [f"w{i}"]
        nodes[f"w{i}"] = nir.Linear(np.array(weights))
        if delay is not None:
            chain = [f"d{i}", f"w{i}"]
            nodes[f"d{i}"] = nir.Delay(np.array(delay))
        edges += itertools.pairwise(["in", *chain, "cells"])
    nir.write(str(path), nir.NIRGraph(nodes, edges, type_check=False))


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([([1.0, 2.0], [[1.0, 0.0], [1.0, 0.0]]), ([1.0, 2.0], [[1.0, 0.0], [1.0, 0.0]])],
         "with several Delay nodes, each must lead to one neuron"),
        ([(None, [[1.0, 0.0], [1.0, 0.0]]), ([1.0, 2.0], [[1.0, 0.0], [1.0, 0.0]])],
         "2 nodes of type Linear or Affine"),
        ([([-1.0, 2.0], [[1.0, 0.0], [1.0, 0.0]])], "delays that are not finite or negative"),
        ([([1.0, 2.0, 3.0], [[1.0, 0.0], [1.0, 0.0]])], r"delays of shape \(3,\) for 2 channels"),
    ],
)  # fmt: skip
def test_graphs_that_no_model_is(tmp_path, paths, message):
    nir = pytest.importorskip("nir")
    write(nir, tmp_path / "graph.nir", paths)
    with pytest.raises(ls.FileFormatError, match=message):
        ls.from_nir(tmp_path / "graph.nir", time_unit="ms")


@pytest.mark.parametrize("simulator", ["nest", "brian2"])
def test_programs_have_the_delays(simulator):
    model = model_of()
    text = make_script(model, simulator)
    assert "DELAYS = np.array([" in text
    assert all(repr(delay) in text for delay in model.delays.ravel().tolist())
    compile(text, simulator, "exec")
    assert "DELAYS = np.zeros(WEIGHTS.shape)" in make_script(ls.Model(NEURON, [[1.0]]), simulator)


@pytest.mark.parametrize(
    ("simulator", "package", "tolerance"),
    [("nest", "nest-simulator", 1e-3), ("brian2", "brian2", 0.3)],
)
def test_the_simulators_themselves_delay_the_inputs(tmp_path, simulator, package, tolerance):
    python = peers.require("peers", package)
    model = model_of()
    patterns = ls.poisson_patterns(4, n_channels=5, duration=60.0, rate=0.05, rng=2)
    write_script(model, tmp_path / "run.py", simulator, dt=0.01 if simulator == "brian2" else None)
    patterns.save(tmp_path / "in.npz")
    peers.run_with(python, "run.py", "in.npz", "-o", "out.npz", cwd=tmp_path)
    exact, changed = model.respond(patterns), 0
    with np.load(tmp_path / "out.npz") as found:
        for i, p in np.ndindex(exact.shape):
            times = found["times"][(found["patterns"] == p) & (found["neurons"] == i)]
            if times.size == len(exact[i, p]):
                assert np.abs(times - exact[i, p].times).max(initial=0.0) < tolerance
            else:
                changed += 1
    assert changed <= (simulator == "brian2")  # a spike at the very end, a step too late
    assert exact.counts.sum() > 5


def test_a_grid_approaches_the_exact_responses():
    model = model_of()
    patterns = ls.poisson_patterns(4, n_channels=5, duration=60.0, rate=0.1, rng=1)
    exact = model.respond(patterns)
    grid = ls.deploy.respond_on_grid(NEURON, model.weights, patterns, 0.001, delays=model.delays)
    assert np.array_equal(grid.counts, exact.counts)
    assert np.abs(grid.times - exact.times).max() < 0.05  # errors add up along a train
    assert exact.counts.sum() > 5
