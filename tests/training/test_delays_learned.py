"""Delays that DTA learns together with the weights."""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.support import naive

import linspike as ls
from linspike.kernels.training.held_delays import move_delays
from linspike.rules.toolkit import SOLVED
from linspike.training import EpochEnd

NEURON = ls.SRM()
N, DURATION = 50, 100.0


def latencies(seed, n_patterns, n_channels=N):
    """One spike per channel, two desired spikes per pattern, and initial weights."""
    rng = np.random.default_rng(seed)
    times = rng.uniform(0.0, DURATION, (n_patterns, n_channels))
    patterns = ls.PatternSet.from_latencies(times, DURATION)
    first = rng.uniform(10.0, 60.0, n_patterns)
    trains = np.stack([first, first + rng.uniform(6.0, 40.0, n_patterns)], axis=1)
    return rng.normal(0.01, 0.01, n_channels), patterns, ls.SpikeTimes(trains.tolist())


def strict(rule, max_epochs=300, **settings):
    return ls.Trainer(NEURON, rule, criterion="strict", max_epochs=max_epochs, **settings)


def test_learns_more_than_weights_alone():
    tasks = [latencies(seed, 13) for seed in range(8)]
    alone = [strict(ls.DTA()).fit(*task).converged for task in tasks]
    delayed = [strict(ls.DTA(delays=True)).fit(*task) for task in tasks]
    assert sum(alone) <= 2
    assert sum(result.converged for result in delayed) >= 6
    for (_, patterns, targets), result in zip(tasks, delayed, strict=True):
        assert result.delays.shape == (N,)
        assert result.delays.min() >= 0.0
        assert 1.0 < result.delays.max() <= 20.0
        if result.converged:
            for pattern, desired in zip(patterns, targets.trains, strict=True):
                train = NEURON.respond(result.weights, pattern, delays=result.delays)
                assert ls.match_spikes(train, desired, 1.0).paired == len(desired) == len(train)


@pytest.mark.parametrize("target", ["halving", "critical", "gradient", "whitened"])
def test_learns_counts(target):
    rng = np.random.default_rng(3)
    patterns = ls.poisson_patterns(30, n_channels=40, duration=100.0, rate=0.015, rng=rng)
    counts = ls.SpikeCounts(rng.integers(0, 4, 30))
    weights = rng.normal(0.02, 0.02, 40)
    rule = ls.DTA(count_target=target, delays=True)
    result = ls.Trainer(NEURON, rule, max_epochs=200).fit(weights, patterns, counts)
    assert result.converged
    assert result.delays.max() > 0.5
    many = NEURON.respond_many(result.weights[np.newaxis], patterns, delays=result.delays)
    assert np.array_equal(many.counts[0], counts.counts)


def one_step(rule, weights, delays, pattern, desired):
    """Weights and delays after one step."""
    trainer = strict(rule, max_epochs=1, schedule=(1.0, 1.0))
    result = trainer.fit(weights, pattern, ls.SpikeTimes([desired]), delays=delays)
    return result.weights, result.delays


def test_a_step_meets_its_constraints_to_first_order():
    rng = np.random.default_rng(0)
    weights, patterns, _ = latencies(0, 1)
    weights, delays, desired = 4.0 * weights, rng.uniform(5.0, 15.0, N), [50.0]
    rule = ls.DTA(delays=True, bound=float("inf"), margin=0.0)
    missing = 1.0 - NEURON.potential(weights, patterns[0], 50.0, delays=delays, reset=False)
    assert missing > 0.1
    assert len(NEURON.respond(weights, patterns[0], delays=delays)) == 0
    found, late = one_step(rule, weights, delays, patterns[0], desired)
    rows = NEURON.design(patterns[0], desired, delays=delays)[0]
    slopes = naive.delay_slopes(weights, naive.arrived(patterns[0], delays), 50.0, 20.0, 5.0)
    # Delta w = K' eta and Delta d = s^2 D' eta, with the unit s of share 0.15.
    eta = (found - weights) @ rows / (rows @ rows)
    assert np.allclose(found - weights, eta * rows, rtol=0.0, atol=1e-12)
    unit = np.sqrt(0.15 * (rows @ rows) / (slopes @ slopes))
    moves = unit**2 * eta * slopes
    assert rows @ (found - weights) + slopes @ moves == pytest.approx(missing, rel=1e-9)
    assert np.allclose(late - delays, np.clip(moves, -2.0, 2.0), rtol=0.0, atol=1e-9)


def test_delays_are_held_in_their_range():
    change = np.array([9.0, 9.0, 9.0, 9.0, 9.0, 5.0, -5.0, 0.5, np.nan, np.inf])
    delays = np.array([1.0, 1.0, 9.9, 3.0, 4.0])
    move_delays(delays, change, 1.0, 2.0, 10.0)
    assert delays.tolist() == [3.0, 0.0, 10.0, 3.0, 6.0]


def test_weights_and_delays_keep_their_bounds_together():
    bounded = strict(ls.DTA(delays=True, max_delay=3.0), 30, weight_bounds=(0.0, 0.06))
    weights, patterns, targets = latencies(1, 8)
    weights = np.clip(weights, 0.0, 0.06)
    seen = []
    bounded.fit(weights, patterns, targets, on_epoch=seen.append)
    for end in seen:
        assert isinstance(end, EpochEnd)
        assert end.delays.shape == (1, N)
        assert end.weights.min() >= 0.0
        assert end.weights.max() <= 0.06
        assert end.delays.min() >= 0.0
        assert end.delays.max() <= 3.0
    assert (seen[-1].weights == 0.06).any()
    assert (seen[-1].delays == 3.0).any()


def test_zero_weights_learn_too():
    _, patterns, targets = latencies(2, 3)
    for bounds in (None, (-1.0, 1.0)):
        result = strict(ls.DTA(delays=True), 100, weight_bounds=bounds).fit(
            np.zeros(N), patterns, targets
        )
        assert result.converged


def test_scaling_weights_and_threshold_changes_no_delay():
    weights, patterns, targets = latencies(3, 6)
    one = strict(ls.DTA(delays=True), 20).fit(weights, patterns, targets)
    neuron = ls.SRM(threshold=8.0)
    trainer = ls.Trainer(neuron, ls.DTA(delays=True), criterion="strict", max_epochs=20)
    other = trainer.fit(8.0 * weights, patterns, targets)
    assert np.allclose(other.weights, 8.0 * one.weights, rtol=1e-9)
    assert np.allclose(other.delays, one.delays, rtol=0.0, atol=1e-9)


def test_goes_on_where_it_stopped():
    weights, patterns, targets = latencies(4, 14)
    start = np.full(N, 3.0)
    whole = strict(ls.DTA(delays=True), 6, schedule=(1.0, 1.0)).fit(
        weights, patterns, targets, delays=start
    )
    half = strict(ls.DTA(delays=True), 3, schedule=(1.0, 1.0))
    first = half.fit(weights, patterns, targets, delays=start)
    second = half.fit(
        first.weights, patterns, targets, delays=first.delays, first_epoch=first.epochs
    )
    assert np.array_equal(second.weights, whole.weights)
    assert np.array_equal(second.delays, whole.delays)
    assert (start == 3.0).all()


@pytest.mark.parametrize("counts", [False, True])
def test_many_chains_are_as_many_fits(counts):
    _, patterns, targets = latencies(5, 6)
    if counts:
        targets = ls.SpikeCounts([2, 0, 1, 3, 1, 0])
    rng = np.random.default_rng(0)
    weights, delays = rng.normal(0.03, 0.03, (5, N)), rng.uniform(0.0, 9.0, (5, N))
    trainer = ls.Trainer(NEURON, ls.DTA(delays=True), max_epochs=6)
    plain = trainer.fit_many(weights, patterns, targets, seeds=[1] * 5, delays=delays, threads=2)
    by_epoch = trainer.fit_many(
        weights, patterns, targets, seeds=[1] * 5, delays=delays, on_epoch=lambda end: None
    )
    for i in range(5):
        alone = trainer.fit(weights[i], patterns, targets, seed=1, delays=delays[i])
        for result in (plain[i], by_epoch[i]):
            assert np.array_equal(result.weights, alone.weights)
            assert np.array_equal(result.delays, alone.delays)
            assert result.epochs == alone.epochs


def test_an_interrupt_returns_delays_of_the_last_whole_epoch():
    weights, patterns, targets = latencies(6, 20)
    rows, seen = np.array([weights, weights]), []

    def interrupt(end):
        seen.append(end)
        if end.epochs == 3:
            raise KeyboardInterrupt

    trainer = strict(ls.DTA(delays=True))
    results = trainer.fit_many(rows, patterns, targets, seeds=[0, 1], on_epoch=interrupt)
    for i, result in enumerate(results):
        assert result.interrupted
        assert np.array_equal(result.delays, seen[-1].delays[i])
        assert np.array_equal(result.weights, seen[-1].weights[i])


def test_steps_of_a_trajectory_are_those_of_fit():
    weights, patterns, targets = latencies(7, 1)
    trainer = strict(ls.DTA(delays=True, skip_below=0.0), 1)
    path = trainer.trajectory(weights, patterns, targets, steps=3)
    delays = None
    for step in range(3):
        result = trainer.fit(path[step], patterns, targets, delays=delays)
        if result.epochs:
            assert np.allclose(result.weights, path[step + 1], rtol=1e-12)
        delays = result.delays


@pytest.mark.parametrize("bounds", [None, (-5.0, 5.0)])
def test_inputs_that_all_arrive_too_late_are_recalled(bounds):
    pattern = ls.Pattern([5.0, 6.0, 30.0], [0, 1, 2], n_channels=3, duration=60.0)
    trainer = strict(ls.DTA(delays=True), 100, weight_bounds=bounds)
    targets = ls.SpikeTimes([[14.0]])
    result = trainer.fit([0.3, 0.3, 0.3], pattern, targets, delays=[15.0, 18.0, 4.0])
    assert result.converged
    assert (5.0 + result.delays[0] < 14.0) or (6.0 + result.delays[1] < 14.0)
    assert result.delays[2] == 4.0  # it was sent after the desired time


def test_a_dead_pattern_is_raised_where_its_input_arrives():
    """Its input arrives after the time at which it was strongest when it was sent."""
    pattern = ls.Pattern([5.0], [0], n_channels=2, duration=60.0)
    targets = ls.SpikeCounts([1])
    for target in ("halving", "gradient"):
        rule = ls.DTA(count_target=target, delays=True, max_delay=30.0)
        result = ls.Trainer(NEURON, rule, max_epochs=50).fit(
            [-0.5, 0.5], pattern, targets, delays=[25.0, 0.0]
        )
        assert result.converged


@pytest.mark.parametrize("target", ["halving", "critical", "gradient", "whitened"])
def test_a_count_recalls_inputs_that_all_arrive_after_the_end(target):
    patterns = ls.PatternSet([5.0, 40.0, 58.0], [0, 1, 1], [0, 2, 3], 2, 60.0)
    rule = ls.DTA(count_target=target, delays=True, max_delay=70.0)
    trainer = ls.Trainer(NEURON, rule, max_epochs=100)
    result = trainer.fit([0.1, 0.1], patterns, ls.SpikeCounts([1, 0]), delays=[70.0, 70.0])
    assert result.converged
    assert 5.0 + result.delays[0] < 60.0 or 40.0 + result.delays[1] < 60.0


def test_a_large_set_learns_the_same(monkeypatch):
    weights, patterns, targets = latencies(8, 5)
    expected = strict(ls.DTA(delays=True), 5).fit(weights, patterns, targets)
    monkeypatch.setattr("linspike.neuron.decay_tables.MOST_BYTES", 0)
    found = strict(ls.DTA(delays=True), 5).fit(*latencies(8, 5))
    assert np.array_equal(found.weights, expected.weights)
    assert np.array_equal(found.delays, expected.delays)


@dataclass(frozen=True)
class Wait(ls.rules.Rule):
    """A plain Python rule that delays all channels by 3 ms a step, but for 2 at most."""

    learns_delays = True
    max_delay = 5.0

    def step(self, step_input, parameters, weights, change, work):
        assert step_input.k_desired.shape[0] == 0
        assert step_input.delays.shape == weights.shape
        change[:] = 0.0
        change[weights.size :] = 3.0
        return SOLVED


def test_a_rule_of_ones_own_may_learn_delays():
    weights, patterns, targets = latencies(9, 2)
    result = strict(Wait(), 1).fit(weights, patterns, targets)
    assert np.array_equal(result.weights, weights)
    assert (result.delays == 4.0).all()
    assert (strict(Wait(), 2).fit(weights, patterns, targets).delays == 5.0).all()


def test_obstacles_that_delays_may_remove_are_not_named():
    pattern = ls.Pattern([5.0, 6.0], [0, 1], n_channels=2, duration=400.0)
    late = ls.SpikeTimes([[200.0]])
    (found,) = ls.Trainer(NEURON).check(pattern, late)
    assert "nearly impossible" in found
    assert ls.Trainer(NEURON, ls.DTA(delays=True)).check(pattern, late) == []
    (early,) = ls.Trainer(NEURON, ls.DTA(delays=True)).check(pattern, ls.SpikeTimes([[4.0]]))
    assert "before its first input comes at 5.0 ms" in early


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ls.DTA(max_delay=0.0),
            r"'max_delay' parameter of DTA must be finite and positive",
        ),
        (lambda: ls.DTA(max_delay=np.inf), r"'max_delay' parameter of DTA must be finite"),
        (lambda: ls.DTA(delays="yes"), r"'delays' parameter of DTA must be True or False"),
        (
            lambda: ls.DTA.paper(delays=True),
            r"'delays' parameter of DTA.paper must be False: the linear program learns weights "
            r"alone. Got True instead. DTA\(delays=True\) learns delays; pass given ones to fit.",
        ),
    ],
)
def test_bad_settings(make, message):
    with pytest.raises(ls.ParameterError, match=message):
        make()


def test_a_start_beyond_the_longest_delay():
    weights, patterns, targets = latencies(0, 1)
    delays = np.zeros(N)
    delays[7] = 21.0
    message = (
        r"'delays' parameter of fit must be at most max_delay = 20 ms. Got 21.0 for channel 7 "
        r"instead. Raise max_delay of the rule, or start with shorter ones."
    )
    with pytest.raises(ls.ParameterError, match=message):
        strict(ls.DTA(delays=True)).fit(weights, patterns, targets, delays=delays)
    assert strict(ls.DTA(), 1).fit(weights, patterns, targets, delays=delays).epochs == 1
