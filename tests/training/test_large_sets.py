"""Large sets are learned without tables of their decays, with the same bits as small ones."""

import os
import threading

import numpy as np
import pytest

import linspike as ls
from linspike.kernels.simulation.events import Events
from linspike.neuron import decay_tables
from linspike.rules import REGISTRY, rule_of
from linspike.training import prepare

NEURON = ls.SRM()
N_CHANNELS, DURATION = 20, 60.0
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
RULES = ["dta"] if UNCOMPILED else list(REGISTRY)
OF_TIMES = [key for key in RULES if "times" in rule_of(key, "test").targets]


@pytest.fixture
def large(monkeypatch):
    """Call a function with small sets as they are, and with all sets as large ones."""

    def call_twice(function):
        small = function()
        with monkeypatch.context() as patch:
            patch.setattr(decay_tables, "MOST_BYTES", 0)
            patch.setattr(decay_tables, "MOST_PER_BLOCK", 50)
            patch.setattr(decay_tables, "MOST_PER_CALL", 50)
            return small, function()

    return call_twice


def draw(seed=0):
    """Patterns of several lengths, among them empty ones, and weights of five neurons."""
    rng = np.random.default_rng(seed)
    how = {"n_channels": N_CHANNELS, "rate": 0.03, "rng": rng}
    empty = ls.PatternSet([], [], [0, 0], N_CHANNELS, DURATION)
    parts = [ls.poisson_patterns(2, duration=length, **how) for length in (DURATION, 80.0)]
    return ls.PatternSet.concatenate([parts[0], empty, parts[1], empty]), rng.normal(
        0.06, 0.05, (5, N_CHANNELS)
    )


def holds_tables(patterns):
    return any(isinstance(each, Events) for each in patterns._ragged.tables.values())


def learn(targets, rule="dta", chains=1, **options):
    """Return what chains learned, and whether the set then has tables."""
    more = {"history": options.pop("history", False)}
    patterns, weights = draw()
    trainer = ls.Trainer(NEURON, rule, max_epochs=4, **options)
    seeds = [3] * chains
    results = trainer.fit_many(weights[:chains], patterns, targets, seeds=seeds, threads=2, **more)
    return [(r.weights.tobytes(), r.epochs, r.reason) for r in results], holds_tables(patterns)


def check_same(found):
    (small, small_tables), (learned, tables) = found
    assert learned == small
    assert (small_tables, tables) == (True, False)


COUNTS = ls.SpikeCounts([2, 0, 0, 3, 1, 0])
TIMES = ls.SpikeTimes([[20.0, 50.0], [40.0], [], [10.0, 70.0], [], []])


@pytest.mark.parametrize("key", RULES)
def test_counts_with_every_rule(large, key):
    check_same(large(lambda: learn(COUNTS, key)))


@pytest.mark.parametrize("key", OF_TIMES)
def test_times_with_every_rule(large, key):
    check_same(large(lambda: learn(TIMES, key)))


@pytest.mark.parametrize("count_target", ["gradient", "halving", "critical"])
@pytest.mark.parametrize("chains", [1, 5])
def test_counts_of_one_chain_and_of_a_batch(large, count_target, chains):
    check_same(large(lambda: learn(COUNTS, ls.DTA(count_target=count_target), chains)))


@pytest.mark.parametrize("options", [{"until": 75.0}, {"until": 90.0}, {"history": True}])
def test_horizons_and_history(large, options):
    check_same(large(lambda: learn(COUNTS, chains=5, **options)))


def test_a_plain_rule(large):
    class Plain(ls.rules.Rule):
        targets = frozenset({"counts"})

        def step(self, step_input, parameters, weights, change, work):
            change[:] = 0.001 * (step_input.target_count - step_input.actual.size)
            change[0] += 1e-4 * step_input.p
            return 0

    check_same(large(lambda: learn(COUNTS, Plain())))


def test_trajectory_and_check(large):
    def trace():
        patterns, weights = draw()
        trainer = ls.Trainer(NEURON)
        path = trainer.trajectory(weights[0], patterns, TIMES, steps=15)
        return (path.tobytes(), trainer.check(patterns, TIMES)), holds_tables(patterns)

    check_same(large(trace))


@pytest.mark.parametrize("code", ["counts", "times"])
def test_a_classifier_reads_in_blocks(large, code):
    rng = np.random.default_rng(0)
    labels = np.arange(24) % 3
    values = rng.normal(size=(24, 2)) + labels[:, np.newaxis]

    def fit():
        encoder = ls.PopulationEncoder(n_fields=5)
        patterns = encoder.fit_transform(values)
        model = ls.SpikeClassifier(spikes=3, code=code, max_iter=3, random_state=0)
        model.fit(patterns, labels)
        parts = [model.weights_, model.history_["accuracy"], model.decision_function(patterns)]
        parts += [model.predict(patterns), np.array([model.temperature_])]
        return [part.tobytes() for part in parts], holds_tables(patterns)

    check_same(large(fit))


def test_tables_that_are_there_are_used(monkeypatch):
    patterns, weights = draw()
    NEURON.respond_many(weights, patterns)
    monkeypatch.setattr(decay_tables, "MOST_BYTES", 0)
    membrane = NEURON._membrane
    events = decay_tables.events_to_learn(patterns._ragged, membrane)
    assert events is decay_tables.events_of(patterns._ragged, membrane)
    assert len(list(decay_tables.iter_blocks(patterns._ragged, membrane))) == 1


@pytest.mark.parametrize("chains", [1, 5])
def test_an_interrupt_ends_the_preparation_of_a_large_set(monkeypatch, chains):
    """A thread would go on to its end, seconds later."""
    callers = []

    def interrupted(*arguments):
        callers.append(threading.current_thread())
        if len(callers) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(decay_tables, "MOST_BYTES", 0)
    monkeypatch.setattr(decay_tables, "MOST_PER_CALL", 50)
    monkeypatch.setattr(prepare, "fill_max_drives", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learn(COUNTS, chains=chains)
    assert callers == [threading.main_thread()] * 2
