"""Training epoch by epoch: the callback, what lasts between epochs, stops and interrupts."""

import os
import signal
import time
from contextlib import contextmanager

import numpy as np
import pytest
from tests.support.tasks import NEURON, decoding, encoding

import linspike as ls
from linspike.training import execute

COUNTS = [ls.SpikeCounts((np.arange(12) + shift) % 4) for shift in range(6)]


def many(**settings):
    """Arguments of fit_many for six neurons that are trained as a batch."""
    patterns = decoding(0, 12, n_channels=40).patterns
    weights = np.random.default_rng(0).normal(0.05, 0.05, (6, 40))
    return {
        "weights": weights,
        "patterns": patterns,
        "targets": COUNTS,
        "seeds": [3] * 6,
        **settings,
    }


TRAINERS = {
    "dta": ls.Trainer(NEURON, "dta", max_epochs=8),
    "momentum": ls.Trainer(NEURON, ls.rules.MST(momentum=0.9), max_epochs=8),
    "schedule": ls.Trainer(NEURON, "mst", max_epochs=8, schedule=(2.0, 0.5)),
}


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_callback_changes_nothing(trainer, threads):
    ends = []
    arguments = many(threads=threads)
    plain = trainer.fit_many(**arguments)
    watched = trainer.fit_many(**arguments, on_epoch=ends.append)
    for one, other in zip(plain, watched, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()
        assert (one.epochs, one.reason) == (other.epochs, other.reason)
    assert [end.epochs for end in ends] == list(range(1, max(r.epochs for r in plain) + 1))
    assert ends[-1].weights.tobytes() == np.array([r.weights for r in plain]).tobytes()
    assert ends[-1].converged.tolist() == [r.converged for r in plain]
    assert len({end.weights.tobytes() for end in ends}) == len(ends)  # copies, not views


def test_a_single_chain_with_history():
    task, ends = encoding(2, 4, n_channels=100), []
    trainer = ls.Trainer(NEURON, max_epochs=30)
    plain = trainer.fit(*task, history=True)
    watched = trainer.fit(*task, history=True, on_epoch=ends.append)
    assert watched.weights.tobytes() == plain.weights.tobytes()
    assert watched.history.norm.tobytes() == plain.history.norm.tobytes()
    assert ends[0].weights.shape == (1, 100)
    norms = [np.linalg.norm(end.weights) for end in ends]
    assert np.allclose(norms, plain.history.norm)


def test_runaway_epochs_are_counted_over_callbacks():
    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=8)
    pattern = ls.Pattern(np.arange(1.0, 100.0), np.zeros(99, int), n_channels=1, duration=100.0)
    result = trainer.fit([5.0], pattern, ls.SpikeCounts([1]), on_epoch=lambda end: None)
    assert (result.epochs, result.reason[:8]) == (5, "ran away")


def test_returning_true_stops():
    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=8)
    results = trainer.fit_many(**many(), on_epoch=lambda end: end.epochs == 2)
    assert {result.epochs for result in results} == {2}
    assert {result.reason for result in results} == {"stopped by on_epoch after 2 epochs"}
    assert not any(result.converged or result.interrupted for result in results)
    two = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=2).fit_many(**many())
    for one, other in zip(results, two, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()


def test_nothing_is_called_where_nothing_is_to_be_learned():
    weights, patterns, _ = decoding(1, 3, n_channels=40)
    silent = ls.SpikeCounts([0, 0, 0])
    ends = []
    result = ls.Trainer(NEURON).fit(0.0 * weights, patterns, silent, on_epoch=ends.append)
    assert (result.epochs, result.converged, ends) == (0, True, [])


def test_chains_that_have_ended_wait_for_the_others():
    trainer = ls.Trainer(NEURON, max_epochs=60)
    ends, arguments = [], many()
    done = trainer.fit(arguments["weights"][0], arguments["patterns"], COUNTS[0], seed=3)
    assert done.converged
    arguments["weights"][0] = done.weights
    results = trainer.fit_many(**arguments, on_epoch=ends.append)
    assert results[0].epochs == 0
    assert all(end.converged[0] for end in ends)
    assert all((end.weights[0] == done.weights).all() for end in ends)


def test_an_error_of_the_callback_is_raised():
    def fail(end):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ls.Trainer(NEURON).fit_many(**many(), on_epoch=fail)


def test_an_interrupt_keeps_the_last_epoch_of_all_chains(monkeypatch):
    """Ctrl-C while chains are in their third epoch, which some of them may finish."""
    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=8)
    two = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=2).fit_many(**many())
    ends, original, calls = [], execute.wait, []

    def interrupted(futures, timeout):
        calls.append(1)
        found = original(futures)
        if len(ends) == 2:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(execute, "wait", interrupted)
    results = trainer.fit_many(**many(), on_epoch=ends.append)
    assert all(result.interrupted for result in results)
    assert {result.reason for result in results} == {"interrupted after 2 epochs"}
    for one, other in zip(results, two, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()


def test_an_interrupt_in_the_callback_counts_its_epoch():
    def interrupt(end):
        if end.epochs == 3:
            raise KeyboardInterrupt

    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=8)
    assert {r.epochs for r in trainer.fit_many(**many(), on_epoch=interrupt)} == {3}
    # After the last epoch nothing is cut short, and the interrupt is not lost.
    with pytest.raises(KeyboardInterrupt):
        ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=3).fit_many(
            **many(), on_epoch=interrupt
        )


def test_progress_with_a_callback():
    seen = []
    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=3)
    arguments = many(progress=lambda done, most: seen.append((done, most)))
    trainer.fit_many(**arguments, on_epoch=lambda end: None)
    assert seen[-1] == (18, 18)


def test_too_many_epochs():
    with pytest.raises(ls.ParameterError, match="'max_epochs' .* at most 10000000"):
        ls.Trainer(NEURON, max_epochs=10**8)


def test_an_interrupt_after_the_last_epoch_is_not_lost(monkeypatch):
    original = execute.wait

    def interrupted(futures, timeout):
        original(futures)  # all chains have ended
        raise KeyboardInterrupt

    monkeypatch.setattr(execute, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=3).fit_many(**many())


class Interrupting(ls.Rule):
    """Steps that change every weight, and Ctrl-C in the middle of an epoch."""

    taken, after = 0, -1

    def step(self, step_input, parameters, weights, change, work):
        change[:] = 1e-3
        self.taken += 1
        if self.taken == self.after:
            os.kill(os.getpid(), signal.SIGINT)
        if 0 < self.after <= self.taken:
            time.sleep(0.5)  # until it is noticed
        return 0


@contextmanager
def interruptible():
    """A shell that starts this in the background has SIGINT ignored; a user's has not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("whole", [0, 2])
def test_an_interrupt_within_an_epoch_keeps_the_whole_ones(whole):
    task = many()
    patterns, start = task["patterns"], task["weights"][0]
    targets = ls.SpikeCounts([50] * len(patterns))  # never right, so that every one has a step
    rule = Interrupting()
    rule.after = len(patterns) * whole + 3
    with interruptible():
        result = ls.Trainer(NEURON, rule, max_epochs=9).fit(start, patterns, targets)
    assert rule.taken < len(patterns) * (whole + 1)
    assert (result.epochs, result.interrupted) == (whole, True)
    done = ls.Trainer(NEURON, Interrupting(), max_epochs=max(whole, 1)).fit(
        start, patterns, targets
    )
    expected = done.weights if whole else start
    assert result.weights.tobytes() == expected.tobytes()


@pytest.mark.parametrize("n_chains", [1, 6])
def test_an_interrupt_acts_within_a_second(n_chains):
    """An epoch of these patterns takes many times as long; chains run alone or as a batch."""
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(500, n_channels=400, duration=800.0, rate=0.01, rng=rng)
    targets = ls.SpikeCounts([100] * len(patterns))
    weights = rng.normal(0.01, 0.01, (n_chains, 400))
    trainer, moments = ls.Trainer(NEURON, max_epochs=50), []

    def interrupt(done, most):
        """At the third look, 0.3 s after the start."""
        moments.append(time.process_time())
        if len(moments) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    trainer.fit_many(weights, patterns[:5], ls.SpikeCounts([1] * 5), seeds=[0] * n_chains)
    with interruptible():
        results = trainer.fit_many(
            weights, patterns, targets, seeds=[0] * n_chains, threads=2, progress=interrupt
        )
    assert time.process_time() - moments[2] < 2.0  # of two processors
    for result, start in zip(results, weights, strict=True):
        assert (result.epochs, result.interrupted) == (0, True)
        assert result.weights.tobytes() == start.tobytes()


@pytest.mark.parametrize("n_chains", [1, 6])
def test_neurons_that_run_away_are_given_up_within_an_epoch(n_chains):
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(400, n_channels=100, duration=300.0, rate=0.1, rng=rng)
    weights = np.full((n_chains, 100), 0.1)
    steps = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=3)
    results = steps.fit_many(weights, patterns, ls.SpikeCounts([1] * 400), seeds=[0] * n_chains)
    for result in results:
        assert (result.epochs, result.converged) == (1, False)
        assert result.reason.startswith("ran away in epoch 1: far too many spikes")


@pytest.mark.parametrize("n_chains", [1, 6])
def test_a_neuron_whose_weights_fall_is_not_given_up(n_chains):
    """Its responses are cut off for long, but it gets through."""
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(800, n_channels=100, duration=300.0, rate=0.05, rng=rng)
    weights = np.full((n_chains, 100), 0.15)
    counts = ls.SpikeCounts(np.arange(800) % 2)
    steps = ls.Trainer(NEURON, ls.rules.MST(eta=1e-3), max_epochs=1)
    first = NEURON.respond_many(weights[:1], patterns).counts
    assert np.mean(first >= 68) == 1.0
    for result in steps.fit_many(weights, patterns, counts, seeds=[0] * n_chains):
        assert result.reason == "not converged within 1 epochs"
        assert NEURON.respond_many(result.weights[None], patterns).counts.mean() < 30


def test_more_spikes_than_desired_do_not_run_away_where_they_are_right():
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(400, n_channels=100, duration=300.0, rate=0.1, rng=rng)
    counts = ls.SpikeCounts([1] * 300 + [0] * 100)
    trainer = ls.Trainer(NEURON, ls.rules.MST(eta=1e-9), max_epochs=3, at_least=True)
    # Its hundred wrong responses are cut off, and no other one is not.
    assert trainer.fit(np.full(100, 0.1), patterns, counts).reason.startswith("ran away in epoch 1")
    few = ls.SpikeCounts([1] * 301 + [0] * 99)
    assert not trainer.fit(np.full(100, 0.1), patterns, few).reason.startswith("ran away in")
