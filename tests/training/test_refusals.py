"""What the trainer refuses, and in which words."""

import numpy as np
import pytest
from tests.support.tasks import NEURON, encoding

import linspike as ls


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"targets": ls.SpikeCounts([1])}, r"one target per pattern \(3\). Got 1"),
        ({"targets": [1, 2, 3]}, r"'targets' parameter of fit must be SpikeTimes or SpikeCounts"),
        (
            {"targets": ls.SpikeTimes([[1.0], [60.0], []])},
            r"up to the horizon \(50.0 ms\). Got 60.0",
        ),
        ({"weights": [1.0]}, r"'weights' parameter of fit must be of shape"),
        ({"patterns": [1.0]}, r"'patterns' parameter of fit must be a PatternSet"),
        (
            {"patterns": [[[1.0], [2.0]]]},
            r"in lists, \[sample\]\[channel\], .*PatternSet.from_lists",
        ),
        ({"seed": -1}, r"'seed' parameter of fit"),
        ({"seed": 0.5}, r"'seed' parameter of fit"),
        ({"first_epoch": -1}, r"'first_epoch' parameter of fit"),
        ({"history": "yes"}, r"'history' parameter of fit must be True or False"),
    ],
)
def test_bad_fits(change, message):
    patterns = ls.poisson_patterns(3, n_channels=4, duration=50.0, rate=0.05, rng=0)
    good = {"weights": np.zeros(4), "patterns": patterns, "targets": ls.SpikeCounts([1, 0, 2])}
    with pytest.raises(ls.LinspikeError, match=message):
        ls.Trainer(NEURON).fit(**{**good, **change})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": "dtaa"}, r"'rule' parameter of Trainer must be a Rule or one of"),
        ({"rule": ls.DTA}, r"Use DTA\(\), with parentheses"),
        ({"max_epochs": 0}, r"'max_epochs' parameter of Trainer"),
        ({"criterion": "lax"}, r"'criterion' parameter of Trainer must be one of"),
        ({"criterion": ["paper"]}, r"'criterion' parameter of Trainer must be one of"),
        ({"at_least": "no"}, r"'at_least' parameter of Trainer must be True or False"),
        ({"until": -1.0}, r"'until' parameter of Trainer"),
        ({"neuron": "SRM"}, r"'neuron' parameter of Trainer must be an SRM"),
    ],
)
def test_bad_trainers(settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.Trainer(**{"neuron": NEURON, **settings})


def test_bad_many():
    weights, patterns, targets = encoding(7, 2)
    trainer = ls.Trainer(NEURON)
    with pytest.raises(ls.SpikeDataError, match=r"'seeds' parameter of fit_many.*\(2\). Got 1"):
        trainer.fit_many(np.tile(weights, (2, 1)), patterns, targets, seeds=[0])
    with pytest.raises(ls.SpikeDataError, match="'targets' parameter of fit_many"):
        trainer.fit_many(np.tile(weights, (2, 1)), patterns, [targets], seeds=[0, 1])
    with pytest.raises(ls.ParameterError, match="'seeds' parameter of fit_many must be a list"):
        trainer.fit_many(weights[np.newaxis], patterns, targets, seeds=3)
    with pytest.raises(ls.ParameterError, match="'targets' parameter of fit_many must be Spike"):
        trainer.fit_many(weights[np.newaxis], patterns, 3, seeds=[0])


@pytest.mark.parametrize(
    "fact",
    [
        {"skip_below": -1.0},
        {"momentum": 1.0},
        {"count_target": "guess"},
        {"window": "box"},
        {"counts_as_times": 1},
        {"whitens": 1},
        {"targets": "times"},
        {"targets": {"spikes"}},
        {"targets": frozenset()},
    ],
)
def test_a_rule_that_says_nonsense_of_itself_is_refused(fact):
    rule = type("Odd", (ls.Rule,), fact)()
    with pytest.raises(ls.ParameterError, match=f"'{next(iter(fact))}' parameter of Odd"):
        ls.Trainer(NEURON, rule)


def test_bad_patterns_of_many():
    weights, patterns, targets = encoding(7, 2)
    for wrong in (patterns[0], [], 3):
        with pytest.raises(ls.ParameterError, match="'patterns' parameter of fit_many"):
            ls.Trainer(NEURON).fit_many(weights[np.newaxis], wrong, targets, seeds=[0])


def test_counts_beyond_reason():
    weights, patterns, _ = encoding(7, 2)
    message = "must ask for at most 1000 spikes. Got 1000000 for pattern 1"
    with pytest.raises(ls.SpikeDataError, match=message):
        ls.Trainer(NEURON).fit(weights, patterns, ls.SpikeCounts([1, 10**6]))


def test_rules_of_ones_own_with_common_slips():
    weights, patterns, targets = encoding(7, 2)

    class Stepless(ls.Rule):
        pass

    class Undecorated(ls.Rule):
        def compiled(self):
            return lambda *parts: 0

    class Silent(ls.Rule):
        def step(self, step_input, parameters, weights, change, work):
            change[:] = 0.0

    class Whole(Silent):
        def parameters(self, *, counts):
            return np.array([1, 2])

    refused = {
        "defines step": Stepless(),
        "linspike.rule_step": Undecorated(),
        "array of float64": Whole(),
    }
    for message, rule in refused.items():
        with pytest.raises(ls.ParameterError, match=message):
            ls.Trainer(NEURON, rule)
    trainer = ls.Trainer(NEURON, Silent(), max_epochs=2)
    with pytest.raises(ls.ParameterError, match="outcome from 0 to 3"):
        trainer.fit(weights, patterns, targets)
    with pytest.raises(ls.ParameterError, match="outcome from 0 to 3"):
        trainer.trajectory(weights, patterns, targets, steps=2)


@pytest.mark.parametrize("name", ["progress", "on_epoch"])
def test_callbacks_must_be_functions(name):
    weights, patterns, targets = encoding(7, 2)
    trainer = ls.Trainer(NEURON, max_epochs=2)
    with pytest.raises(ls.ParameterError, match=f"'{name}' parameter of fit must be a function"):
        trainer.fit(weights, patterns, targets, **{name: 3})
