"""Training: the toy in closed form, real tasks, determinism, interrupts, refusals."""

import math
import os
import pickle
import signal
import time
from dataclasses import dataclass

import numpy as np
import pytest
from tests.support.process import FIRST_FIT, LISTEN, children_seconds, run_python
from tests.support.tasks import NEURON, decoding, encoding, toy

import linspike as ls
from linspike.kernels.training.outcomes import SOLVED
from linspike.training import prepare


@pytest.mark.parametrize("delta", np.arange(3.0, 60.5, 1.5))
def test_two_input_toy_reaches_its_optimum(delta):
    pattern, desired, optimum = toy(delta)
    rule = ls.DTA(bound=math.inf, margin=0.0, skip_below=0.0)
    trainer = ls.Trainer(NEURON, rule, max_epochs=20, criterion="strict")
    result = trainer.fit(np.zeros(2), pattern, ls.SpikeTimes([desired]), seed=0)
    if ls.match_spikes(NEURON.respond(optimum, pattern), desired, 1e-6).exact:
        assert result.converged
        assert np.abs(result.weights - optimum).max() < 1e-6
    else:
        assert not result.converged
        assert result.reason == "not converged within 20 epochs"


@pytest.mark.parametrize("criterion", ["paper", "strict"])
def test_encoding_is_learned(criterion):
    data = [encoding(seed, 20) for seed in range(4)]
    trainer = ls.Trainer(NEURON, "dta", max_epochs=300, criterion=criterion)
    weights, patterns, targets = zip(*data, strict=True)
    results = trainer.fit_many(np.array(weights), patterns, targets, seeds=range(4))
    for result, (_, inputs, desired) in zip(results, data, strict=True):
        assert result.converged
        assert result.epochs > 1
        responses = NEURON.respond_many(result.weights[np.newaxis], inputs)[0]
        for response, goal in zip(responses, desired, strict=True):
            if criterion == "strict":
                assert ls.match_spikes(response, goal).exact
            else:
                assert ls.van_rossum(response, goal) < ls.vrd_bound(400.0)


@pytest.mark.parametrize("count_target", ["gradient", "halving", "critical"])
def test_decoding_is_learned(count_target):
    weights, patterns, targets = decoding(0, 100)
    rule = ls.DTA(count_target=count_target)
    result = ls.Trainer(NEURON, rule, max_epochs=100).fit(weights, patterns, targets, seed=1)
    assert result.converged
    counts = NEURON.respond_many(result.weights[np.newaxis], patterns).counts[0]
    assert (counts == targets.counts).all()


def test_a_step_meets_its_constraints():
    """After one step V0 is theta at every desired time whose multiplier is inside its bounds."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        weights, patterns, targets = encoding(int(rng.integers(1000)), 1, duration=300.0)
        desired = targets[0].times
        rule = ls.DTA(bound=1e6, margin=0.0, match_tolerance=1.0, hold_tolerance=0.0)
        trainer = ls.Trainer(NEURON, rule, max_epochs=1, criterion="strict")
        result = trainer.fit(weights, patterns, targets, seed=0)
        if result.epochs == 0:
            continue
        after = NEURON.potential(result.weights, patterns[0], desired, reset=False)
        assert np.allclose(after, NEURON.moving_threshold(desired, desired), atol=1e-9)


def test_fit_and_fit_many_agree_for_any_number_of_threads():
    data = [encoding(seed, 8) for seed in range(5)]
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=50)
    weights, patterns, targets = zip(*data, strict=True)
    arguments = (np.array(weights), patterns, targets)
    one = trainer.fit_many(*arguments, seeds=range(5), threads=1)
    two = trainer.fit_many(*arguments, seeds=range(5), threads=2)
    alone = [trainer.fit(*parts, seed=seed) for seed, parts in enumerate(data)]
    for a, b, c in zip(one, two, alone, strict=True):
        assert a.weights.tobytes() == b.weights.tobytes() == c.weights.tobytes()
        assert a.epochs == b.epochs == c.epochs


def test_initial_weights_are_not_touched_and_warm_start_goes_on():
    weights, patterns, targets = encoding(1, 12)
    kept = weights.copy()
    short = ls.Trainer(NEURON, max_epochs=3).fit(weights, patterns, targets)
    assert (weights == kept).all()
    assert not short.converged
    rest = ls.Trainer(NEURON, max_epochs=300).fit(short.weights, patterns, targets)
    assert rest.converged
    again = ls.Trainer(NEURON).fit(rest.weights, patterns, targets)
    assert (again.epochs, again.reason) == (0, "all responses right")


def test_chains_on_the_same_task_prepare_it_once(monkeypatch):
    made = []
    original = prepare.make_chain_data
    monkeypatch.setattr(
        prepare,
        "make_chain_data",
        lambda *parts, **options: made.append(1) or original(*parts, **options),
    )
    weights, patterns, targets = encoding(2, 4)
    trainer = ls.Trainer(NEURON, max_epochs=2)
    trainer.fit_many(np.tile(weights, (5, 1)), patterns, targets, seeds=range(5), threads=1)
    assert len(made) == 1


def test_history():
    weights, patterns, targets = encoding(2, 10)
    result = ls.Trainer(NEURON, max_epochs=200).fit(weights, patterns, targets, history=True)
    history = result.history
    assert len(history) == result.epochs
    assert history.accuracy[-1] == 1.0
    assert history.distance[-1] < ls.vrd_bound(400.0)
    assert history.distance[0] > history.distance[-1]
    assert ((history.stepped >= 0.0) & (history.stepped <= 1.0)).all()
    assert history.norm[-1] == pytest.approx(np.linalg.norm(result.weights))
    without = ls.Trainer(NEURON, max_epochs=200).fit(weights, patterns, targets)
    assert without.history is None
    assert (without.weights == result.weights).all()


def test_dead_patterns_are_counted_and_come_to_life():
    patterns = ls.PatternSet.from_lists([[[1.0, 5.0], [2.0, 6.0]]], duration=50.0)
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=100)
    result = trainer.fit([-0.5, -0.5], patterns, ls.SpikeCounts([2]), history=True)
    assert result.converged
    assert result.history.dead[0] == 1.0
    assert result.history.dead[-1] == 0.0


@pytest.mark.parametrize(
    ("pattern", "targets", "reason"),
    [
        ([[10.0], []], ls.SpikeTimes([[5.0]]), "impossible: pattern 0 has a desired spike at 5.0"),
        (
            [[1.0], []],
            ls.SpikeTimes([[9.0, 9.0]]),
            "impossible: pattern 0 has two desired spikes at",
        ),
        ([[], []], ls.SpikeCounts([1]), "impossible: pattern 0 has no input"),
        ([[], []], ls.SpikeTimes([[5.0]]), "impossible: pattern 0 has no input"),
    ],
)
def test_impossible_targets_end_with_the_reason(pattern, targets, reason):
    patterns = ls.PatternSet.from_lists([pattern], duration=50.0)
    result = ls.Trainer(NEURON, max_epochs=5).fit([0.1, 0.1], patterns, targets)
    assert not result.converged
    assert result.reason.startswith(reason)


@dataclass(frozen=True)
class Simple(ls.Rule):
    """A plain Python rule: up at desired times, down at actual ones."""

    eta: float = 0.02

    def step(self, step_input, parameters, weights, change, work):
        change[:] = self.eta * step_input.k_desired.sum(axis=0)
        rows = NEURON.design(PYTHON_PATTERN, step_input.actual)
        change -= self.eta * rows.sum(axis=0)
        return SOLVED


PYTHON_PATTERN = ls.poisson_patterns(1, n_channels=100, duration=100.0, rate=0.02, rng=5)[0]


def test_a_plain_python_rule_works_through_the_same_trainer():
    patterns = ls.PatternSet.from_patterns([PYTHON_PATTERN])
    result = ls.Trainer(NEURON, Simple(), max_epochs=200).fit(
        np.full(100, 0.01), patterns, ls.SpikeTimes([[40.0, 80.0]]), seed=0
    )
    assert result.converged


def test_the_python_path_takes_the_same_steps_as_the_compiled_one():
    weights, patterns, targets = encoding(4, 5)
    compiled = ls.Trainer(NEURON, ls.DTA(), max_epochs=4).fit(weights, patterns, targets)

    class Uncompiled(ls.DTA):
        def compiled(self):
            return None

        def step(self, *arguments):
            return ls.DTA().step(*arguments)

    plain = ls.Trainer(NEURON, Uncompiled(), max_epochs=4).fit(weights, patterns, targets)
    assert np.allclose(plain.weights, compiled.weights, rtol=0.0, atol=1e-12)


def test_progress_is_reported():
    seen = []
    weights, patterns, targets = encoding(5, 40)
    ls.Trainer(NEURON, max_epochs=60).fit(
        weights, patterns, targets, progress=lambda done, most: seen.append((done, most))
    )
    assert seen
    assert seen[-1][1] == 60


def test_interrupt_returns_what_was_learned():
    weights, patterns, targets = encoding(6, 120)
    many = np.tile(weights, (4, 1))
    # A shell that starts this in the background has SIGINT ignored; a user's has not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(done, most):
        if done >= 2 * len(many):
            os.kill(os.getpid(), signal.SIGINT)

    try:
        results = ls.Trainer(NEURON, max_epochs=20_000).fit_many(
            many, patterns, targets, seeds=range(4), threads=2, progress=interrupt
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert all(result.interrupted for result in results)
    assert sum(result.epochs for result in results) >= 2 * len(many)
    assert "interrupted after" in results[0].reason
    assert (results[0].weights != weights).any()


def test_a_second_process_trains_the_toy_at_once_and_compiles_nothing(tmp_path):
    environment = {"LINSPIKE_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}

    def run():
        return int(run_python("-c", LISTEN + FIRST_FIT, **environment).stdout)

    assert run() > 0
    started = children_seconds()
    assert run() == 0
    assert children_seconds() - started < 6.0  # about one second on a quiet machine


def test_trainers_and_rules_are_values():
    trainer = ls.Trainer(NEURON, ls.DTA(bound=0.2))
    assert pickle.loads(pickle.dumps(trainer)) == trainer
    assert (
        eval(repr(ls.DTA.paper()), {"DTALinearProgram": ls.rules.DTALinearProgram})
        == ls.DTA.paper()
    )


@dataclass(frozen=True)
class Broken(ls.Rule):
    """A rule that does what it must not."""

    how: str = "nan"

    def step(self, step_input, parameters, weights, change, work):
        change[:] = np.nan if self.how == "nan" else 0.0
        if self.how == "error":
            raise RuntimeError("no idea")
        return 17 if self.how == "outcome" else SOLVED


def test_broken_rules_are_told_apart():
    patterns = ls.PatternSet.from_patterns([PYTHON_PATTERN])
    arguments = (np.full(100, 0.5), patterns, ls.SpikeCounts([0]))
    result = ls.Trainer(NEURON, Broken("nan"), max_epochs=5).fit(*arguments)
    assert not result.converged
    assert result.reason == "weights no longer finite after 1 epochs"
    with pytest.raises(ls.ParameterError, match="an outcome from 0 to 3"):
        ls.Trainer(NEURON, Broken("outcome"), max_epochs=5).fit(*arguments)
    with pytest.raises(RuntimeError, match="no idea"):
        ls.Trainer(NEURON, Broken("error"), max_epochs=5).fit(*arguments)


def test_an_error_stops_all_chains():
    weights, patterns, targets = encoding(6, 120)

    def fail(done, most):
        raise RuntimeError("enough")

    started = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough"):
        ls.Trainer(NEURON, max_epochs=20_000).fit_many(
            np.tile(weights, (4, 1)), patterns, targets, seeds=range(4), threads=2, progress=fail
        )
    assert time.perf_counter() - started < 20.0


def test_the_papers_linear_program_does_not_depend_on_threads_either():
    data = [encoding(seed, 4) for seed in range(4)]
    trainer = ls.Trainer(NEURON, ls.DTA.paper(), max_epochs=8)
    weights, patterns, targets = zip(*data, strict=True)
    many = trainer.fit_many(np.array(weights), patterns, targets, seeds=range(4), threads=2)
    for seed, (result, parts) in enumerate(zip(many, data, strict=True)):
        assert result.weights.tobytes() == trainer.fit(*parts, seed=seed).weights.tobytes()


def test_a_trajectory_takes_the_steps_of_fit():
    weights, patterns, targets = encoding(5, 6)
    trainer = ls.Trainer(NEURON, ls.DTA(skip_below=0.0, schedule=(1, 1)), max_epochs=3)
    path = trainer.trajectory(weights, patterns, targets, steps=18, seed=2)
    assert path.shape == (19, 500)
    assert (path[0] == weights).all()
    learned = trainer.fit(weights, patterns, targets, seed=2)
    assert learned.epochs == 3
    assert path[-1].tobytes() == learned.weights.tobytes()


def test_a_trajectory_can_leave_right_responses_alone():
    weights, patterns, targets = encoding(5, 6)
    trainer = ls.Trainer(NEURON, ls.DTA(schedule=(1, 1)), max_epochs=500)
    learned = trainer.fit(weights, patterns, targets, seed=2)
    assert learned.converged
    steps = 6 * learned.epochs
    path = trainer.trajectory(weights, patterns, targets, steps=steps, seed=2, skip_right=True)
    assert path[-1].tobytes() == learned.weights.tobytes()
    more = trainer.trajectory(path[-1], patterns, targets, steps=6, skip_right=True)
    assert (more == path[-1]).all()
    with pytest.raises(ls.ParameterError, match="'skip_right' parameter of trajectory"):
        trainer.trajectory(weights, patterns, targets, steps=1, skip_right=2)


def test_a_trajectory_of_counts_and_momentum():
    weights, patterns, targets = decoding(5, 6)
    trainer = ls.Trainer(NEURON, ls.rules.MST(momentum=0.5), max_epochs=2)
    path = trainer.trajectory(weights, patterns, targets, steps=12)
    learned = trainer.fit(weights, patterns, targets)
    assert learned.epochs == 2
    assert path[-1].tobytes() == learned.weights.tobytes()
    with pytest.raises(ls.ParameterError, match="'steps' parameter of trajectory"):
        trainer.trajectory(weights, patterns, targets, steps=-1)


def test_more_than_enough_is_enough_however_much_it_is():
    pattern = ls.Pattern(np.arange(1.0, 100.0), np.zeros(99, int), n_channels=1, duration=100.0)
    trainer = ls.Trainer(NEURON, "mst", at_least=True, max_epochs=3)
    assert trainer.fit([1.0], pattern, ls.SpikeCounts([1])).epochs == 0
    path = trainer.trajectory([1.0], pattern, ls.SpikeCounts([1]), steps=2)
    assert (path == 1.0).all()


def test_weights_that_run_away_end_a_trajectory():
    weights, patterns, targets = encoding(5, 2)
    trainer = ls.Trainer(NEURON, ls.rules.PSD(eta=1e308))
    path = trainer.trajectory(weights, patterns, targets, steps=6)
    assert np.isnan(path[-1]).all()
    result = ls.Trainer(NEURON, ls.rules.PSD(eta=1e308)).fit(
        weights, patterns, targets, history=True
    )
    assert "no longer finite" in result.reason
    assert len(result.history) == result.epochs - 1


def test_steps_can_be_scaled_by_pattern():
    weights, patterns, targets = encoding(5, 3)
    trainer = ls.Trainer(NEURON, ls.DTA(skip_below=0.0), max_epochs=1)
    plain = trainer.fit(weights, patterns[:1], ls.SpikeTimes(targets[:1]))
    half = trainer.fit(weights, patterns[:1], ls.SpikeTimes(targets[:1]), step_factor=[0.5])
    assert np.allclose(half.weights - weights, 0.5 * (plain.weights - weights))
    none = trainer.fit(weights, patterns, targets, step_factor=np.zeros(3))
    assert (none.weights == weights).all()
    for bad in ([1.0], [1.0, -1.0, 1.0], [np.nan] * 3):
        with pytest.raises(
            ls.ParameterError, match="'step_factor' parameter of fit must be finite"
        ):
            trainer.fit(weights, patterns, targets, step_factor=bad)


def test_the_obstacle_names_the_first_pattern_that_has_it():
    inputs = [[[1.0], []], [[2.0], []], [[3.0], []]]
    patterns = ls.PatternSet.from_lists(inputs, 50.0)
    trainer = ls.Trainer(ls.SRM(), max_epochs=2)

    def reason(trains):
        return trainer.fit([0.1, 0.1], patterns, ls.SpikeTimes(trains)).reason

    # The same time in two patterns is no repetition.
    assert reason([[9.0], [9.0], [9.0, 9.0]]) == (
        "impossible: pattern 2 has two desired spikes at the same time, 9.0 ms"
    )
    assert "pattern 1 has a desired spike at 2.0 ms, before its first input comes at 2.0" in reason(
        [[], [2.0, 8.0], [1.0]]
    )
    assert reason([[9.0], [], [9.0]]) == "not converged within 2 epochs"
