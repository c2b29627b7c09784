"""Single steps of every rule; also run uncompiled."""

from dataclasses import replace

import numpy as np
import pytest
from tests.support.step_inputs import (
    N_CHANNELS,
    NEURON,
    Scene,
    patterns_of,
    random_weights,
    steps_of,
    targets_of,
)

import linspike as ls
from linspike.kernels.training.outcomes import DEAD, SOLVED, UNCHANGED
from linspike.rules import REGISTRY, rule_class

# Rules whose change is eta times something; a clipped or projected step is not.
PROPORTIONAL = (
    "first_error",
    "resume",
    "psd",
    "filt",
    "fp",
    "e_learning",
    "mst",
    "eml",
    "emlc",
)
OWN_COUNTS = [key for key in REGISTRY if not rule_class(key)().counts_as_times]


@pytest.mark.parametrize("key", REGISTRY)
def test_steps_are_finite_and_some_change_something(key):
    changes, outcomes = steps_of(key, range(2))
    assert np.isfinite(changes).all()
    assert (np.abs(changes).max(axis=1) > 0.0).any()
    assert set(outcomes.tolist()) <= {0, 1, 2, 3}


@pytest.mark.parametrize("key", PROPORTIONAL)
def test_the_change_is_proportional_to_eta(key):
    rule = rule_class(key)()
    patterns, weights = patterns_of(1), random_weights(1)
    targets = targets_of(rule, 1, patterns)
    one = Scene(rule, patterns, targets)
    two = Scene(replace(rule, eta=2.0 * rule.eta), patterns, targets)
    for p in range(len(patterns)):
        assert np.allclose(two.step(weights, p)[0], 2.0 * one.step(weights, p)[0])


@pytest.mark.parametrize("key", OWN_COUNTS)
def test_a_silenced_neuron_is_raised(key):
    patterns = patterns_of(2)
    scene = Scene(rule_class(key)(), patterns, ls.SpikeCounts([1, 2, 0]))
    weights = np.full(N_CHANNELS, -0.1)
    for p, expected in enumerate((DEAD, DEAD, UNCHANGED)):
        change, outcome = scene.step(weights, p)
        assert outcome == expected
        assert (change >= 0.0).all()
        assert (change.max() > 0.0) == (expected == DEAD)


@pytest.mark.parametrize("key", OWN_COUNTS)
def test_counts_move_the_right_way(key):
    patterns = patterns_of(4)
    weights = random_weights(4)
    counts = NEURON.respond_many(weights[np.newaxis], patterns, threads=1).counts[0]
    rule = rule_class(key)(eta=1e-4)
    for sign in (1, -1):
        targets = ls.SpikeCounts(np.maximum(counts + sign, 0))
        scene = Scene(rule, patterns, targets)
        for p in range(len(patterns)):
            if targets.counts[p] == counts[p]:
                continue
            change, outcome = scene.step(weights, p)
            assert outcome == SOLVED
            k = int(counts[p]) + (sign > 0)
            before = NEURON.critical_threshold(weights, patterns[p], k).value
            after = NEURON.critical_threshold(weights + change, patterns[p], k).value
            assert sign * (after - before) > 0.0


def test_both_choices_of_the_weakest_spike():
    patterns, weights = patterns_of(4), 2.0 * random_weights(4)
    targets = ls.SpikeCounts([0, 0, 0])
    for weakest in ("slope", "peak"):
        scene = Scene(ls.rules.EMLC(weakest=weakest), patterns, targets)
        change, outcome = scene.step(weights, 0)
        assert outcome == SOLVED
        assert (change <= 0.0).all()


def test_first_errors_are_refined_when_all_is_within_tolerance():
    patterns, weights = patterns_of(4), random_weights(4)
    spikes = NEURON.respond(weights, patterns[0]).times
    desired = ls.SpikeTimes([spikes + 0.3, [], []])
    for key in ("first_error", "fp"):
        change, outcome = Scene(rule_class(key)(), patterns, desired).step(weights, 0)
        assert outcome == SOLVED
        assert (change <= 0.0).all()  # the first spike comes too early: it is pushed away


def test_contradictory_desired_times_do_not_stop_htp():
    pattern = ls.PatternSet([1.0], [0], [0, 1], 1, 50.0)  # one input cannot meet two times
    scene = Scene(ls.rules.HTP(), pattern, ls.SpikeTimes([[5.0, 30.0]]))
    change, outcome = scene.step(np.array([0.5]), 0)
    assert np.isfinite(change).all()
    assert outcome == 1


@pytest.mark.parametrize(
    ("key", "settings", "message"),
    [
        ("psd", {"eta": 0.0}, "'eta' parameter of PSD must be finite and positive"),
        ("mst", {"momentum": 1.0}, r"'momentum' parameter of MST must be in \[0, 1\)"),
        ("filt", {"window": "psp"}, "'window' parameter of FILT must be one of"),
        ("fp", {"tolerance": 0.0}, "'tolerance' parameter of FP"),
        ("htp", {"skip_below": -1.0}, "'skip_below' parameter of HTP"),
        ("emlc", {"weakest": "any"}, "'weakest' parameter of EMLC must be one of"),
        ("e_learning", {"tau_q": 0.0}, "'tau_q' parameter of ELearning"),
        ("e_learning", {"gamma_r": -1.0}, "'gamma_r' parameter of ELearning"),
    ],
)
def test_bad_settings(key, settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        rule_class(key)(**settings)


def test_count_rules_refuse_times():
    patterns = patterns_of(0)
    trainer = ls.Trainer(NEURON, "mst")
    with pytest.raises(ls.ParameterError, match="SpikeCounts for MST, which cannot learn times"):
        trainer.fit(random_weights(0), patterns, ls.SpikeTimes([[1.0], [], []]))


def test_htp_goes_on_below_its_tolerance():
    if not hasattr(ls.rules.HTP().compiled(), "py_func"):
        pytest.skip("too slow uncompiled")
    patterns = ls.poisson_patterns(3, n_channels=100, duration=400.0, rate=0.01, rng=3)
    targets = ls.SpikeTimes([[60.0, 120.0, 180.0, 240.0, 300.0], [80.0, 160.0, 240.0, 320.0], []])
    rng = np.random.default_rng(3)
    trainer = ls.Trainer(NEURON, ls.rules.HTP(), max_epochs=1000)
    starts = rng.normal(0.02, 0.02, (10, 100))
    results = trainer.fit_many(starts, patterns, targets, seeds=range(10))
    assert all(result.converged for result in results)  # 8 of 10 without the refinement
