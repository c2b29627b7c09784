"""What every rule in the registry must keep to; each check takes the rule's key."""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.support.step_inputs import NEURON, Scene, patterns_of, random_weights, steps_of

import linspike as ls
from linspike.rules import REGISTRY, is_registered, rule_class, rule_of

SEEDS = range(20)
OUTCOMES = (0, 1, 2, 3)


def is_a_value(key):
    """Registered under its key, equal by value, and told apart by its settings."""
    rule = rule_of(key, "test")
    assert rule.key == key
    assert is_registered(rule)
    assert rule == rule_class(key)()
    assert eval(repr(rule), {REGISTRY[key]: rule_class(key)}) == rule
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert rule_of(key, "test", **rule.settings()) == rule


def is_documented(key):
    """The docstring says what it is, where it comes from, how sure we are, and shows it."""
    text = " ".join((rule_class(key).__doc__ or "").split())
    for part in ("Parameters", "References", "Examples", "Confidence:", "Differs from the paper:"):
        assert part in text, f"the docstring lacks {part}"
    for name in rule_class(key)().settings():
        assert re.search(rf"\b{name}(, \w+)* : ", text), f"{name} is not under Parameters"


def steps_are_pure_and_finite(key):
    """The same step twice gives the same bits, and nothing but the change is written to."""
    rule = rule_class(key)()
    assert rule.compiled() is not None
    for seed in SEEDS:
        patterns, weights = patterns_of(seed), random_weights(seed)
        scene = Scene(rule, patterns, _targets(rule, patterns))
        for p in range(len(patterns)):
            step_input = scene.step_input(weights, p)
            inputs = [weights, scene.parameters, step_input.desired, step_input.actual]
            inputs += [step_input.k_desired, step_input.z_desired, *step_input.events]
            kept = [array.copy() for array in inputs]
            changes = np.full((2, weights.size), np.nan)
            for change in changes:
                arguments = (step_input, scene.parameters, weights, change, scene.workspace.work)
                assert rule.step(*arguments) in OUTCOMES
            assert np.isfinite(changes).all()
            assert changes[0].tobytes() == changes[1].tobytes()
            for array, before in zip(inputs, kept, strict=True):
                assert array.tobytes() == before.tobytes()


def _targets(rule, patterns):
    if "times" in rule.targets:
        return ls.SpikeTimes([[20.0, 60.0], [50.0], []][: len(patterns)])
    return ls.SpikeCounts([1, 4, 0][: len(patterns)])


def leaves_a_met_target_alone(key):
    """Where the response is the target, nothing changes beyond rounding."""
    rule = rule_class(key)()
    for seed in SEEDS:
        patterns, weights = patterns_of(seed), random_weights(seed)
        responses = NEURON.respond_many(weights[np.newaxis], patterns, threads=1)
        targets = ls.SpikeTimes(responses[0])
        if "times" not in rule.targets:
            targets = ls.SpikeCounts(responses.counts[0])
        scene = Scene(rule, patterns, targets)
        for p in range(len(patterns)):
            change, _ = scene.step(weights, p)
            assert np.abs(change).max() < 1e-8


def learns_toys(key):
    """One spike, two spikes, and counts from 1 to 3."""
    rule = rule_class(key)()
    trainer = ls.Trainer(NEURON, rule, max_epochs=3000)
    # Many inputs: with a single one a late spike meets a larger PSP than the desired time does,
    # and rules that weigh by the PSP then learn in the wrong direction.
    pattern = ls.poisson_patterns(1, n_channels=100, duration=100.0, rate=0.01, rng=5)
    weights = np.full(100, 0.01)
    for times in ([40.0], [40.0, 80.0]):
        target = ls.SpikeTimes([times]) if "times" in rule.targets else ls.SpikeCounts([len(times)])
        assert trainer.fit(weights, pattern, target).converged
    patterns = ls.poisson_patterns(3, n_channels=100, duration=50.0, rate=0.01, rng=0)
    counts = ls.SpikeCounts([1, 2, 3])
    weights = np.random.default_rng(1).normal(0.02, 0.02, 100)
    assert trainer.fit(weights, patterns, counts).converged


def is_deterministic(key):
    """The same chains on one thread, on two, and one by one."""
    rule = rule_class(key)()
    trainer = ls.Trainer(NEURON, rule, max_epochs=5)
    patterns = patterns_of(3)
    targets = _targets(rule, patterns)
    weights = np.array([random_weights(seed) for seed in range(4)])
    one = trainer.fit_many(weights, patterns, targets, seeds=range(4), threads=1)
    two = trainer.fit_many(weights, patterns, targets, seeds=range(4), threads=2)
    for seed, (a, b) in enumerate(zip(one, two, strict=True)):
        alone = trainer.fit(weights[seed], patterns, targets, seed=seed)
        assert a.weights.tobytes() == b.weights.tobytes() == alone.weights.tobytes()


def keeps_weights_within_bounds(key):
    """After every step, to the last bit; on the compiled way and on that of `trajectory`."""
    weights_stay_within_bounds(rule_class(key)())


def weights_stay_within_bounds(rule):
    low, high = np.linspace(-0.3, 0.0, 60), np.linspace(0.02, 0.5, 60)
    low[:10], high[10:20], low[20:30] = -np.inf, np.inf, 0.0
    trainer = ls.Trainer(NEURON, rule, max_epochs=30, weight_bounds=(low, high))
    met = np.zeros(60, bool)
    for seed in range(4):
        # With a single pattern every epoch is a step.
        patterns = patterns_of(seed)[:1]
        weights = np.clip(random_weights(seed), low, high)
        targets = _targets(rule, patterns)
        path = [*trainer.trajectory(weights, patterns, targets, steps=20)]
        trainer.fit(
            weights, patterns, targets, on_epoch=lambda end, p=path: p.append(end.weights[0])
        )
        assert len(path) > 21
        for now in path:
            assert ((low <= now) & (now <= high)).all()
            met |= (now != weights) & ((now == low) | (now == high))
    assert met.any()  # or nothing was tested


def uncompiled_steps(keys, out, folder=None):
    """Steps of these rules from the same source, run by Python itself."""
    command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("step_inputs.py"))]
    command += [*keys, "--out", str(out)]
    command += ["--folder", str(folder)] if folder else []
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return np.load(out)


def equals_its_uncompiled_source(key, uncompiled):
    """Up to the order of sums, which the compiled inner product may choose."""
    changes, outcomes = steps_of(key, range(4))
    assert outcomes.tolist() == uncompiled[f"{key}_outcomes"].tolist()
    expected = uncompiled[f"{key}_changes"]
    size = np.abs(expected).max(axis=1, keepdims=True) + 1e-12
    assert (np.abs(changes - expected) / size).max() < 1e-7


CHECKS = (
    is_a_value,
    is_documented,
    steps_are_pure_and_finite,
    leaves_a_met_target_alone,
    learns_toys,
    is_deterministic,
    keeps_weights_within_bounds,
)
