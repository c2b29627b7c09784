"""Schedules: the factor of the steps in each epoch."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import linspike as ls
from linspike.study import decoding, encoding
from linspike.training import Inverse, Linear


def test_the_schedule_is_a_factor_of_the_steps():
    """A chain, and the same epochs one by one with the factor put on the patterns by hand."""
    task = encoding(3, 6, n_channels=60)
    epochs, first, last = 10, 1.5, 0.5
    whole = ls.Trainer(
        ls.SRM(),
        ls.DTA(schedule=(first, last), hold_tolerance=0.0),
        max_epochs=epochs,
        criterion="strict",
    )
    got = whole.fit(*task, seed=5)
    one = ls.Trainer(
        ls.SRM(), ls.DTA(hold_tolerance=0.0), max_epochs=1, criterion="strict", schedule=(1.0, 1.0)
    )
    weights = task.weights
    done = 0
    for epoch in range(epochs):
        factor = first + (last - first) * min(1.0, epoch / (0.8 * epochs))
        scales = np.full(6, factor)
        result = one.fit(weights, *task[1:], seed=5, first_epoch=epoch, step_factor=scales)
        weights = result.weights
        done += result.epochs
        if result.converged:
            break
    assert got.epochs == done
    np.testing.assert_array_equal(got.weights, weights)


def test_the_trainers_schedule_replaces_the_rules():
    task = encoding(4, 5, n_channels=60)
    steady = ls.Trainer(ls.SRM(), ls.DTA(schedule=(1.0, 1.0)), max_epochs=5).fit(*task)
    given = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=5, schedule=[1, 1]).fit(*task)
    own = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=5).fit(*task)
    np.testing.assert_array_equal(steady.weights, given.weights)
    assert not np.array_equal(steady.weights, own.weights)


def test_what_is_exact_stays_steady():
    """Overshooting is for the projection with slack; elsewhere a step is what it says."""
    assert ls.DTA().own_schedule() == (1.5, 0.5)
    assert ls.DTA(bound=np.inf).own_schedule() == (1.0, 1.0)
    assert replace(ls.DTA(), allow_negative=False).own_schedule() == (1.0, 1.0)
    assert ls.DTA.paper().own_schedule() == (1.0, 1.0)
    assert ls.DTA(bound=np.inf, schedule=(2, 1)).own_schedule() == (2.0, 1.0)


def test_a_single_epoch_has_constant_steps():
    task = encoding(4, 5, n_channels=60)
    one = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=1).fit(*task)
    steady = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=1, schedule=(1, 1)).fit(*task)
    np.testing.assert_array_equal(one.weights, steady.weights)
    given = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=1, schedule=(0.5, 0.5)).fit(*task)
    assert not np.array_equal(one.weights, given.weights)


def test_whole_numbers_will_do_for_a_compiled_rule():
    @dataclass(frozen=True)
    class Mine(ls.rules.MST):
        schedule = (2, 1)

    task = decoding(4, 20, n_channels=60)
    mine = ls.Trainer(ls.SRM(), Mine(), max_epochs=4).fit(*task)
    given = ls.Trainer(ls.SRM(), "mst", max_epochs=4, schedule=(2.0, 1.0)).fit(*task)
    np.testing.assert_array_equal(mine.weights, given.weights)


def test_rules_have_constant_steps_unless_given():
    task = decoding(4, 20, n_channels=60)
    plain = ls.Trainer(ls.SRM(), "mst", max_epochs=5).fit(*task)
    steady = ls.Trainer(ls.SRM(), "mst", max_epochs=5, schedule=(1.0, 1.0)).fit(*task)
    halved = ls.Trainer(ls.SRM(), "mst", max_epochs=5, schedule=(0.5, 0.5)).fit(*task)
    by_hand = ls.Trainer(ls.SRM(), "mst", max_epochs=5).fit(*task, step_factor=np.full(20, 0.5))
    np.testing.assert_array_equal(plain.weights, steady.weights)
    np.testing.assert_array_equal(halved.weights, by_hand.weights)


def test_batches_have_the_schedule_of_chains():
    """Counts with shared patterns and seed are learned by a batch; alone it is a chain."""
    weights, patterns, targets = decoding(7, 30, n_channels=60)
    starts = np.stack([weights * (1.0 + 0.1 * i) for i in range(6)])
    trainer = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=8)
    many = trainer.fit_many(starts, patterns, targets, seeds=[3] * 6)
    for start, result in zip(starts, many, strict=True):
        alone = trainer.fit(start, patterns, targets, seed=3)
        np.testing.assert_array_equal(result.weights, alone.weights)


def test_going_on_from_an_epoch_is_the_same_as_never_stopping():
    weights, patterns, targets = encoding(1, 12)
    steady = ls.DTA(schedule=(1, 1))
    whole = ls.Trainer(ls.SRM(), steady, max_epochs=9).fit(weights, patterns, targets, seed=3)
    part = ls.Trainer(ls.SRM(), steady, max_epochs=4).fit(weights, patterns, targets, seed=3)
    rest = ls.Trainer(ls.SRM(), steady, max_epochs=5).fit(
        part.weights, patterns, targets, seed=3, first_epoch=4
    )
    assert rest.weights.tobytes() == whole.weights.tobytes()


def test_epochs_beyond_the_last_have_the_last_factor():
    task = encoding(5, 6, n_channels=60)
    trainer = ls.Trainer(
        ls.SRM(), ls.DTA(schedule=(1.5, 0.5), hold_tolerance=0.0), max_epochs=3, criterion="strict"
    )
    late = ls.Trainer(
        ls.SRM(), ls.DTA(schedule=(0.5, 0.5), hold_tolerance=0.0), max_epochs=3, criterion="strict"
    )
    going_on = {"seed": 2, "first_epoch": 3}
    np.testing.assert_array_equal(
        trainer.fit(*task, **going_on).weights, late.fit(*task, **going_on).weights
    )


@pytest.mark.parametrize(
    "wrong", [1.0, (1.0,), (1.0, -0.1), (1.0, np.nan), ("a", 1.0), "ab", np.array(1.0)]
)
def test_wrong_schedules_are_refused(wrong):
    with pytest.raises(ls.ParameterError, match="'schedule' parameter of DTA"):
        ls.DTA(schedule=wrong)
    with pytest.raises(ls.ParameterError, match="'schedule' parameter of Trainer must be a sched"):
        ls.Trainer(ls.SRM(), schedule=wrong)


@pytest.mark.parametrize("wrong", [-0.1, np.nan, np.inf, "fast", None])
def test_wrong_numbers_of_schedules(wrong):
    with pytest.raises(ls.ParameterError, match="'rate' parameter of Inverse must be finite"):
        Inverse(wrong)
    with pytest.raises(ls.ParameterError, match="'last' parameter of Linear must be finite"):
        Linear(1.0, wrong)


def test_factors():
    assert Linear(2, 1).factors(10)[[0, 4, 8, 9]].tolist() == [2.0, 1.5, 1.0, 1.0]
    assert Linear(2.0, 1.0).factors(10, 6)[0] == Linear(2.0, 1.0).factors(10)[6]
    assert Linear(2.0, 1.0).factors(5, 100).tolist() == [1.0] * 5
    assert Inverse(0.5).factors(2, 2).tolist() == [1.0 / 2.0, 1.0 / 2.5]
    assert Inverse(0).factors(3).tolist() == [1.0] * 3


def test_a_pair_is_a_linear_schedule():
    trainer = ls.Trainer(ls.SRM(), schedule=[1.5, 0.5])
    assert trainer.schedule == Linear(1.5, 0.5)
    assert trainer == ls.Trainer(ls.SRM(), schedule=Linear(1.5, 0.5))


def test_an_inverse_schedule_is_a_factor_of_the_steps():
    task = decoding(4, 20, n_channels=60)
    falling = ls.Trainer(ls.SRM(), "mst", max_epochs=2, schedule=Inverse(1.0)).fit(*task)
    one = ls.Trainer(ls.SRM(), "mst", max_epochs=1)
    half = one.fit(one.fit(*task).weights, *task[1:], first_epoch=1, step_factor=np.full(20, 0.5))
    np.testing.assert_array_equal(falling.weights, half.weights)


def test_a_model_keeps_the_schedule_of_its_rule(tmp_path):
    model = ls.Model(ls.SRM(), np.ones(3), rule=ls.DTA(schedule=(2.0, 0.25)))
    model.save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").rule == ls.DTA(schedule=(2.0, 0.25))


def test_progress_follows_the_schedule():
    assert Linear(1.5, 0.5).progress(5).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert Linear(1.5, 0.5).progress(5, done_before=3).tolist() == [0.75, 1.0, 1.0, 1.0, 1.0]
    assert Linear(0.7, 0.7).progress(3).tolist() == [0.0, 0.0, 0.0]
    assert Inverse(1.0).progress(3) == pytest.approx([0.0, 1.0 / 2.0, 2.0 / 3.0])
