"""Training with delays that are given and stay as they are, by any rule."""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.support import naive

import linspike as ls
from linspike.rules import REGISTRY, rule_class
from linspike.rules.toolkit import SOLVED

NEURON = ls.SRM()
N_CHANNELS, DURATION = 40, 80.0


def make_task(seed=0, n_chains=3):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(4, n_channels=N_CHANNELS, duration=DURATION, rate=0.02, rng=rng)
    trains = ls.poisson_trains(
        4, duration=DURATION, rate=0.02, min_gap=5.0, min_onset=20.0, rng=rng
    )
    weights = rng.normal(0.03, 0.03, (n_chains, N_CHANNELS))
    delays = rng.uniform(0.0, 15.0, (n_chains, N_CHANNELS))
    return patterns, ls.SpikeTimes(trains), ls.SpikeCounts([2, 0, 1, 3]), weights, delays


def late_set(patterns, delays, until=DURATION):
    """The set as it arrives up to a horizon; durations as they were, or longer beyond them."""
    late = [naive.arrived(pattern, delays, until) for pattern in patterns]
    return ls.PatternSet.from_patterns(late)


@pytest.mark.parametrize("key", sorted(REGISTRY))
@pytest.mark.parametrize("kind", ["times", "counts"])
def test_every_rule_learns_what_arrives(key, kind):
    rule = rule_class(key)()
    if kind not in rule.targets:
        pytest.skip("not a target of this rule")
    patterns, times, counts, weights, delays = make_task()
    targets = times if kind == "times" else counts
    # A window that counts inputs after a time counts those beyond the horizon too.
    trainer = ls.Trainer(NEURON, rule, criterion="strict", max_epochs=4, until=DURATION)
    found = trainer.fit(weights[0], patterns, targets, delays=delays[0], seed=3)
    late = late_set(patterns, delays[0], np.inf)
    expected = trainer.fit(weights[0], late, targets, seed=3)
    assert np.array_equal(found.weights, expected.weights)
    assert np.array_equal(found.delays, delays[0])
    assert expected.delays is None


@pytest.mark.parametrize("target", ["halving", "critical", "gradient", "whitened"])
def test_every_count_target_learns_what_arrives(target):
    patterns, _, counts, weights, delays = make_task()
    trainer = ls.Trainer(NEURON, ls.DTA(count_target=target), max_epochs=4)
    found = trainer.fit(weights[0], patterns, counts, delays=delays[0])
    expected = trainer.fit(weights[0], late_set(patterns, delays[0]), counts)
    assert np.array_equal(found.weights, expected.weights)


@dataclass(frozen=True)
class Raise(ls.rules.Rule):
    """A plain Python rule: weights of inputs before the first desired time are raised."""

    def step(self, step_input, parameters, weights, change, work):
        change[:] = 0.01 * step_input.k_desired.sum(axis=0)
        return SOLVED


def test_a_plain_python_rule_learns_what_arrives():
    patterns, times, _, weights, delays = make_task()
    trainer = ls.Trainer(NEURON, Raise(), max_epochs=2)
    found = trainer.fit(weights[0], patterns, times, delays=delays[0])
    expected = trainer.fit(weights[0], late_set(patterns, delays[0]), times)
    assert np.array_equal(found.weights, expected.weights)


@pytest.mark.parametrize("kind", ["times", "counts"])
@pytest.mark.parametrize("shared", [True, False])
def test_many_chains_are_as_many_fits(kind, shared):
    patterns, times, counts, weights, delays = make_task(n_chains=6)
    targets = times if kind == "times" else counts
    trainer = ls.Trainer(NEURON, max_epochs=5)
    given = delays[0] if shared else delays
    many = trainer.fit_many(weights, patterns, targets, seeds=[2] * 6, delays=given, threads=2)
    for i, one in enumerate(many):
        row = delays[0] if shared else delays[i]
        alone = trainer.fit(weights[i], patterns, targets, seed=2, delays=row)
        assert np.array_equal(one.weights, alone.weights)
        assert np.array_equal(one.delays, row)


def test_zero_delays_change_no_bit():
    patterns, times, counts, weights, _ = make_task()
    trainer = ls.Trainer(NEURON, max_epochs=5)
    for targets in (times, counts):
        plain = trainer.fit(weights[0], patterns, targets)
        zero = trainer.fit(weights[0], patterns, targets, delays=np.zeros(N_CHANNELS))
        assert np.array_equal(plain.weights, zero.weights)


def test_a_large_set_is_presented_as_it_arrives(monkeypatch):
    patterns, times, counts, weights, delays = make_task()
    trainer = ls.Trainer(NEURON, max_epochs=3)
    expected = [
        trainer.fit(weights[0], patterns, each, delays=delays[0]) for each in (times, counts)
    ]
    monkeypatch.setattr("linspike.neuron.decay_tables.MOST_BYTES", 0)
    patterns = make_task()[0]
    for one, targets in zip(expected, (times, counts), strict=True):
        found = trainer.fit(weights[0], patterns, targets, delays=delays[0])
        assert np.array_equal(found.weights, one.weights)


def test_callbacks_and_paths_know_the_delays():
    patterns, times, _, weights, delays = make_task()
    seen = []
    trainer = ls.Trainer(NEURON, max_epochs=3)
    trainer.fit_many(weights, patterns, times, seeds=[0, 1, 2], delays=delays, on_epoch=seen.append)
    assert np.array_equal(seen[0].delays, delays)
    trainer.fit(weights[0], patterns, times, on_epoch=seen.append)
    assert seen[-1].delays is None
    path = trainer.trajectory(weights[0], patterns, times, steps=5, delays=delays[0])
    late = trainer.trajectory(weights[0], late_set(patterns, delays[0]), times, steps=5)
    assert np.array_equal(path, late)


def test_a_desired_time_before_the_first_arrival_is_named():
    pattern = ls.Pattern([5.0, 8.0], [0, 1], n_channels=2, duration=50.0)
    targets = ls.SpikeTimes([[9.0]])
    trainer = ls.Trainer(NEURON, max_epochs=3, criterion="strict")
    assert trainer.check(pattern, targets) == []
    message = "a desired spike at 9.0 ms, before its first input comes at 12.0 ms"
    (found,) = trainer.check(pattern, targets, delays=[7.0, 5.0])
    assert message in found
    assert message in trainer.fit([1.0, 1.0], pattern, targets, delays=[7.0, 5.0]).reason
    (found,) = trainer.check(pattern, targets, delays=[50.0, 50.0])
    assert "has no input before its end, but spikes are desired" in found


@pytest.mark.parametrize(
    ("delays", "message"),
    [
        (np.full(N_CHANNELS, -1.0), r"'delays' parameter of fit must be finite and at least 0 ms"),
        (np.zeros(3), r"'delays' parameter of fit must be of shape \(40,\)"),
    ],
)
def test_bad_delays(delays, message):
    patterns, times, _, weights, _ = make_task()
    with pytest.raises(ls.ParameterError, match=message):
        ls.Trainer(NEURON).fit(weights[0], patterns, times, delays=delays)
    name = message.replace("of fit must be of shape", "of fit_many must be of shape")
    with pytest.raises(ls.ParameterError, match=name.replace("of fit must", "of fit_many must")):
        ls.Trainer(NEURON).fit_many(weights, patterns, times, seeds=[0] * 3, delays=delays)
