"""Layers: the same hidden layer for every method, what each learns, XOR, rows and pictures."""

import itertools

import numpy as np
import pytest

from linspike.beyond import layer_cells, layers
from linspike.beyond.network_rules import JointAdam, LayerwiseJitter
from linspike.paper.common.methods import PROJECTION
from linspike.rules.dta import DTA
from linspike.rules.network.joint_dta import JointDTA
from linspike.study.cells import Trial
from linspike.study.rows import RowKey

CELLS = {cell.row: cell for cell in layers.cells("smoke", [])}


def layer(method, variant=""):
    return CELLS[layers.layer_key(15, method, variant)].but(load=2)


def test_every_method_has_its_rule_and_settings():
    rules = {method: layer(method).make_rule() for method in layer_cells.RULES}
    assert [type(rule) for rule in rules.values()] == [DTA, JointDTA, JointAdam, LayerwiseJitter]
    assert rules["joint layers"].margin == 0.8
    assert rules["Adam"].schedule == (1.0, 0.2)
    assert layer("random layer", "delays").make_rule().delays


def test_every_method_starts_from_the_same_layer():
    starts = []
    for method in layer_cells.RULES:
        cell = layer(method)
        patterns = cell.make_task(4).patterns
        network, weights = cell.make_network(4, patterns)
        starts.append(weights)
        counts = np.bincount(network.hidden_patterns(weights, patterns).channels, minlength=15)
        np.testing.assert_allclose(counts / len(patterns), 3.0, atol=0.5)
    for weights in starts[1:]:
        np.testing.assert_array_equal(weights.hidden, starts[0].hidden)
        np.testing.assert_array_equal(weights.out, starts[0].out)


@pytest.mark.parametrize("method", [*layer_cells.RULES, "no layer"])
def test_what_was_learned_responds_as_desired(method):
    if method == "no layer":
        cell = CELLS[layers.layer_key(0, PROJECTION)].but(load=1, max_epochs=300)
    else:
        cell = layer(method).but(load=1, max_epochs=300, hidden=40)
    _, patterns, targets = cell.make_task(1)
    result, respond = layer_cells.learn(cell, 1)
    assert result.converged
    for train, desired in zip(respond(patterns), targets, strict=True):
        np.testing.assert_allclose(train.times, desired.times, atol=1.0)
    record = layers.trials(cell, [1])[0]
    assert record == {"learned": True, "epochs": result.epochs}


def test_xor_asks_for_a_late_spike_where_inputs_are_equal():
    _, patterns, targets = layer_cells.make_xor(0)
    for (a, b), pattern, train in zip(
        itertools.product((0.5, 6.5), repeat=2), patterns, targets, strict=True
    ):
        assert sorted(pattern.times) == sorted([0.0, a, b])
        assert pattern.times[list(pattern.channels).index(2)] == b
        assert train.times.tolist() == [20.0 if a == b else 14.0]


def test_xor_is_learned_through_both_layers():
    cell = CELLS[RowKey("temporal XOR", "joint layers", "strict")].but(max_epochs=300)
    network, _ = cell.make_network(0, cell.make_task(0).patterns)
    assert network.hidden.delays.shape == (10, 3)
    assert 5.0 < network.hidden.delays.max() <= 10.0
    records = layers.trials(cell, range(6))
    assert sum(record["learned"] for record in records) >= 4


def made_up():
    factor = {"joint layers": 2.0, "Adam": 1.3, "spike jitter": 0.5}
    trials = []
    for cell in layers.cells("paper", []):
        half = 0.16 * max(cell.hidden, 50) * factor.get(cell.row.method, 1.0)
        for seed in range(20):
            learned = seed < 15 if cell.task == layer_cells.XOR else cell.load < half
            trials.append(Trial(cell, seed, {"learned": learned, "epochs": 10 + seed}))
    return trials


def test_summary_has_capacities_gains_and_xor():
    summary = layers.summarise("paper", made_up())
    rows = {row.key: row for row in summary.rows}
    assert len(rows) == len(summary.rows)
    joint = layers.layer_key(100, "joint layers")
    assert rows[joint].value == pytest.approx(32.0, abs=4.0)
    assert rows[joint.but(quantity="times the fixed layer")].value > 1.6
    assert rows[joint.but(quantity="Wilcoxon p to 1.6 times the fixed layer")].n == 20
    assert rows[joint.but(quantity="times Adam")].value > 1.2
    jitter = layers.layer_key(200, "spike jitter")
    assert rows[jitter.but(quantity="times the fixed layer")].value < 1.0
    random = layers.layer_key(800, "random layer")
    assert rows[random.but(quantity="times no layer")].value > 5.0
    xor = rows[RowKey("temporal XOR", "Adam", "strict")]
    assert (xor.value, xor.unit) == (75.0, "%")
    assert rows[xor.key.but(quantity="epochs")].value == 17.0
    assert layers.summarise("paper", []).rows == ()


def test_pictures_are_of_random_layers_and_of_each_size_that_learns():
    titles = [panel.title for panel in layers.summarise("paper", made_up()).panels]
    assert titles == ["Random layers", "100 hidden neurons", "200 hidden neurons"]
