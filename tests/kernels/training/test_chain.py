"""Whole chains on small tasks, so that the trainer's kernels also run uncompiled."""

import os

import numpy as np
import pytest

import linspike as ls
from linspike.kernels.simulation.events import Span
from linspike.kernels.simulation.membrane import Interval
from linspike.kernels.threshold.dynamic import CountSearch, times_by_halving
from linspike.neuron.decay_tables import events_of
from linspike.training.prepare import make_constants, max_drives

NEURON = ls.SRM()
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def small(seed=0, n_patterns=3):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(n_patterns, n_channels=30, duration=80.0, rate=0.03, rng=rng)
    return rng.normal(0.05, 0.05, 30), patterns


@pytest.mark.parametrize("criterion", ["paper", "strict"])
@pytest.mark.parametrize("history", [False, True])
def test_times(criterion, history):
    weights, patterns = small()
    targets = ls.SpikeTimes([[30.0, 60.0], [45.0], []])
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=100, criterion=criterion)
    result = trainer.fit(weights, patterns, targets, history=history)
    assert result.converged
    if history:
        assert result.history.accuracy[-1] == 1.0


@pytest.mark.parametrize("count_target", ["gradient", "halving", "critical"])
@pytest.mark.parametrize("counts", [[1, 2, 3], [0, 0, 4], [5, 1, 0]])
def test_counts(count_target, counts):
    weights, patterns = small(1)
    trainer = ls.Trainer(NEURON, ls.DTA(count_target=count_target), max_epochs=100)
    result = trainer.fit(weights, patterns, ls.SpikeCounts(counts), history=True)
    assert result.converged
    assert NEURON.respond_many([result.weights], patterns).counts[0].tolist() == counts


def test_at_least_leaves_more_spikes_alone():
    weights, patterns = small(2)
    desired = ls.SpikeCounts([1, 1, 0])
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=100, at_least=True)
    result = trainer.fit(weights + 0.1, patterns, desired)
    assert result.converged
    counts = NEURON.respond_many([result.weights], patterns).counts[0]
    assert (counts[:2] >= 1).all()
    assert counts[2] == 0


@pytest.mark.skipif(UNCOMPILED, reason="more than a hundred rows a step")
def test_far_too_many_spikes_are_learned_away():
    _, patterns = small(4)
    trainer = ls.Trainer(NEURON, ls.DTA(bound=2.0), max_epochs=20)
    result = trainer.fit(np.full(30, 2.0), patterns, ls.SpikeCounts([1, 1, 1]))
    assert np.isfinite(result.weights).all()
    assert result.weights.mean() < 2.0


def brute_halving(weights, pattern, goal, more):
    """First threshold met by halving with exactly this many spikes."""
    low, high = (0.0, 1.0) if more else (1.0, 10.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        spikes = ls.SRM(threshold=middle).respond(weights, pattern, max_spikes=1000)
        if len(spikes) == goal:
            return spikes.times
        low, high = (middle, high) if len(spikes) > goal else (low, middle)
    return None


@pytest.mark.filterwarnings("ignore::linspike.errors.RunawayWarning")
def test_halving_takes_the_first_hit():
    m = NEURON._membrane
    for seed in range(10):
        weights, patterns = small(seed + 10, 1)
        events = events_of(patterns._ragged, m)
        actual = len(NEURON.respond(weights, patterns[0]))
        for more, goal in ((True, actual + 1), (False, actual - 1)):
            if goal < 1:
                continue
            expected = brute_halving(weights, patterns[0], goal, more)
            out = np.empty(goal + 20)
            threshold = NEURON._scaled_threshold
            search = CountSearch(events, whole_span(events), threshold, m, goal, more)
            n = times_by_halving(search, weights, out)
            if expected is not None:
                assert n == goal
                assert np.allclose(out[:n], expected, rtol=0.0, atol=1e-9)


def whole_span(events):
    """Pattern 0 up to its duration."""
    stop = int(events.offsets[1])
    ends = (events.times[stop - 1], events.durations[0])
    decays = (events.decay_m[stop - 1], events.decay_s[stop - 1])
    return Span(0, stop, Interval(*map(float, (*ends, *decays))))


def test_a_response_that_fills_its_room_is_never_right():
    # 667 spikes where one is desired: the paper's bound is lax at this length, but not that lax.
    times = np.arange(0.0, 100_000.0, 150.0)
    pattern = ls.Pattern(times, np.zeros(times.size, int), n_channels=1, duration=100_000.0)
    result = ls.Trainer(NEURON, max_epochs=1).fit([1.2], pattern, ls.SpikeTimes([[5.0]]))
    assert result.epochs == 1


def test_simultaneous_inputs_may_be_dead_too():
    pattern = ls.Pattern([5.0, 5.0], [0, 1], n_channels=2, duration=50.0)
    trainer = ls.Trainer(NEURON, max_epochs=50)
    result = trainer.fit([1.0, -2.0], pattern, ls.SpikeCounts([1]), history=True)
    assert result.converged
    assert result.history.dead[0] == 1.0


@pytest.mark.parametrize("settings", [{"bound_per": "set"}, {"absolute": True, "bound": 0.01}])
def test_a_time_before_all_input_does_not_spoil_the_rest(settings):
    pattern = ls.Pattern([5.0, 10.0], [0, 1], n_channels=2, duration=50.0)
    trainer = ls.Trainer(NEURON, ls.DTA(**settings), max_epochs=3)
    result = trainer.fit([0.1, 0.1], pattern, ls.SpikeTimes([[2.0, 12.8]]), history=True)
    assert (result.history.fallback == 0.0).all()


def test_the_fallback_step_scales_with_the_threshold():
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    rule = ls.DTA(bound=np.inf)
    ends = []
    for threshold in (1.0, 64.0):
        trainer = ls.Trainer(ls.SRM(threshold=threshold), rule, max_epochs=2)
        result = trainer.fit([0.5 * threshold], pattern, ls.SpikeTimes([[2.8, 9.0]]))
        ends.append(result.weights[0] / threshold)
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)


@pytest.mark.parametrize(("gap", "until"), [(200.0, 200.0), (3.0, 500.0)])
def test_peak_drive_of_sparse_input(gap, until):
    pattern = ls.Pattern([0.0, gap], [0, 1], n_channels=2, duration=600.0)
    patterns = ls.PatternSet.from_patterns([pattern])
    constants = make_constants(NEURON, ls.DTA())
    value, when = max_drives(patterns._ragged, constants, np.array([until]))
    grid = np.arange(0.0, until, 0.02)
    norms = (NEURON.design(pattern, grid) ** 2).sum(axis=1)
    assert value[0] == pytest.approx(norms.max(), rel=1e-5)
    assert when[0] == pytest.approx(grid[norms.argmax()], abs=0.1)
