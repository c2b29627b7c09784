"""Whitened counts: the gradient of the critical threshold in the metric of the patterns."""

from dataclasses import replace

import numpy as np
import pytest
from tests.support.estimator_kinds import numbers
from tests.support.naive import metric_of
from tests.support.step_inputs import NEURON, Scene, patterns_of, random_weights

import linspike as ls
from linspike.kernels.training.outcomes import SOLVED, UNCHANGED
from linspike.kernels.training.step_problem import assemble_count
from linspike.rules.dta import FAINT_WHITENED, WHITENED_BOUNDS
from linspike.study import decoding

RULE = ls.DTA(count_target="whitened")
EXACT = replace(RULE, bound=np.inf, margin=0.0)


def test_other_rules_and_times_get_no_metric():
    patterns = patterns_of(1)
    for rule in (RULE, ls.DTA(count_target="gradient")):
        scene = Scene(rule, patterns, ls.SpikeTimes([[50.0]] * 3))
        assert scene.constants.metric.size == 0
    scene = Scene(ls.DTA(count_target="gradient"), patterns, ls.SpikeCounts([1, 2, 3]))
    assert scene.constants.metric.size == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("desired", [0, 6])
@pytest.mark.parametrize(
    "rule", [EXACT, RULE, replace(RULE, bound=0.01), replace(RULE, bound=0.002, absolute=True)]
)
def test_a_step_is_the_naive_one(seed, desired, rule):
    weights, patterns = random_weights(seed), patterns_of(seed)
    scene = Scene(rule, patterns, ls.SpikeCounts([desired] * 3))
    change, outcome = scene.step(weights, 0)
    if outcome == UNCHANGED:
        return
    assert outcome == SOLVED
    work, margin = scene.workspace.work, rule.margin * NEURON.threshold
    assemble_count(scene.step_input(weights, 0), weights, margin, work)
    row, rest = work.rows_k[0], work.rhs[0]
    direction = metric_of(patterns, NEURON.tau_m, NEURON.tau_s) @ row
    norm = row @ direction
    faint = FAINT_WHITENED * scene.constants.mean_max_drive
    unit = 1.0 if rule.absolute else WHITENED_BOUNDS * NEURON.threshold / max(norm, faint)
    most = rule.bound * unit
    low, high = (0.0, most) if desired else (-most, 0.0)
    assert np.allclose(change, np.clip(rest / norm, low, high) * direction, rtol=1e-3, atol=1e-5)


def test_times_are_learned_as_with_any_other_count_target():
    patterns = patterns_of(3)
    targets = ls.SpikeTimes([[30.0, 70.0], [50.0], [20.0]])
    results = [
        ls.Trainer(NEURON, ls.DTA(count_target=name), max_epochs=5).fit(
            random_weights(3), patterns, targets, seed=0
        )
        for name in ("whitened", "halving")
    ]
    assert np.array_equal(results[0].weights, results[1].weights)


def test_silent_patterns_are_no_obstacle():
    patterns = ls.PatternSet(np.empty(0), np.empty(0, int), [0, 0, 0], n_channels=4, duration=20.0)
    result = ls.Trainer(NEURON, RULE, max_epochs=2).fit(
        np.ones(4), patterns, ls.SpikeCounts([0, 1])
    )
    assert np.isfinite(result.weights).all()


def epochs_to_all_right(count_target, n_classes, seed):
    data, labels = numbers(n_classes, spread=0.2, seed=seed)
    settings = {"spikes": 3, "until": 40.0, "max_iter": 60, "random_state": seed}
    rule = ls.DTA(count_target=count_target)
    clf = ls.SpikeClassifier(rule=rule, **settings).fit(data, labels)
    assert clf.converged_
    return clf.n_iter_


@pytest.mark.parametrize("n_classes", [2, 3])
def test_alike_patterns_take_no_longer_than_by_halving(n_classes):
    epochs = {
        name: [epochs_to_all_right(name, n_classes, seed) for seed in range(4)]
        for name in ("whitened", "halving")
    }
    assert np.mean(epochs["whitened"]) <= np.mean(epochs["halving"])


def test_more_random_patterns_than_along_the_gradient():
    learned = {}
    for name in ("whitened", "gradient"):
        trainer = ls.Trainer(ls.SRM(), ls.DTA(count_target=name), max_epochs=100)
        seeds = range(100, 130)
        results = [trainer.fit(*decoding(s, 110, n_channels=100), seed=s) for s in seeds]
        learned[name] = sum(result.converged for result in results)
    assert learned["whitened"] >= learned["gradient"] + 4
