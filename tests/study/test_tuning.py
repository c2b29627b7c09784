"""Tuning: as many settings for every rule, separate seeds, the best one returned."""

import numpy as np
import pytest

import linspike as ls
from linspike.rules import REGISTRY, rule_class
from linspike.study import Grid, decoding, encoding, grid_of, tune
from linspike.study.tuning import TUNING_SEEDS, Setting, Sweep


def trainer(rule, **more):
    return ls.Trainer(ls.SRM(), rule, **more)


class WithoutStepSize(ls.Rule):
    def step(self, step_input, parameters, weights, change, work):
        return 0


def small(seed):
    return encoding(seed, 3, duration=200.0, n_channels=200)


def test_every_rule_gets_as_many_settings():
    rules = [rule_class(key)() for key in REGISTRY] + [ls.DTA.paper()]
    assert {len(grid_of(rule).values) for rule in rules} == {7}
    for rule in rules:
        assert grid_of(rule).parameter in rule.settings()


def test_seeds_are_far_from_those_of_trials():
    assert min(TUNING_SEEDS) > 100_000


def test_the_best_setting_is_returned():
    done = []
    learner = trainer("resume", max_epochs=60)
    sweep = tune(learner, small, seeds=[1, 2, 3], progress=lambda *p: done.append(p))
    assert done[-1] == (7, 7)
    assert sweep.best == ls.rules.ReSuMe(eta=sweep.winner.value)
    assert sweep.winner.learned == max(setting.learned for setting in sweep.settings) == 3
    assert 0.001 <= sweep.winner.value <= 0.1
    assert "best eta" in str(sweep)
    assert str(sweep).count("of 3 learned") == 7


def test_what_best_means():
    worse, edge = Setting(1.0, 3, 5, 0.9, 20.0), Setting(4.0, 4, 5, 0.95, 30.0)
    slow, fast = Setting(2.0, 4, 5, 0.96, 50.0), Setting(3.0, 4, 5, 0.96, 40.0)
    sweep = Sweep(ls.rules.PSD(), "eta", (worse, slow, fast, edge))
    assert sweep.winner == fast
    assert Sweep(ls.rules.PSD(), "eta", (worse, edge)).winner == edge


def test_a_grid_of_ones_own_keeps_other_settings():
    rule = ls.DTA(bound=0.5)
    learner = trainer(rule, max_epochs=30)
    sweep = tune(learner, small, grid=Grid("margin", (0.05, 0.2)), seeds=[0])
    assert sweep.best == ls.DTA(bound=0.5, margin=sweep.winner.value)


def test_refusals():
    with pytest.raises(ls.ParameterError, match="'grid' parameter of tune must be one of"):
        tune(trainer("psd"), small, grid=Grid("bound", (0.1,)), seeds=[0])
    with pytest.raises(ls.ParameterError, match="'eta' parameter of PSD"):
        tune(trainer("psd"), small, grid=Grid("eta", (-0.1,)), seeds=[0])
    for seeds in ([], 5, "12"):
        with pytest.raises(ls.ParameterError, match="'seeds' parameter of tune must be a list"):
            tune(trainer("psd"), small, seeds=seeds)
    for grid in (("eta", (0.1,)), [0.1], Grid("eta", 0.1), Grid("eta", ())):
        with pytest.raises(ls.ParameterError, match="'grid' parameter of tune must be a Grid"):
            tune(trainer("psd"), small, grid=grid, seeds=[0])
    for bad, message in (
        (3, "a function from a seed to a task"),
        (lambda seed: small(seed)[:2], "returns .weights, patterns, targets."),
        (lambda seed: encoding(seed, 2, n_channels=20 + seed), "all have as many channels"),
    ):
        with pytest.raises(ls.ParameterError, match=message):
            tune(trainer("psd"), bad, seeds=[0, 1])
    with pytest.raises(ls.ParameterError, match="'trainer' parameter of tune must be a Trainer"):
        tune("psd", small)
    with pytest.raises(ls.ParameterError, match="Pass a Grid"):
        tune(trainer(WithoutStepSize()), small)


def test_words_can_be_tuned_too():
    grid = Grid("weakest", ("slope", "peak"))
    sweep = tune(trainer("emlc"), lambda seed: decoding(seed, 5), grid=grid, seeds=[0])
    assert "weakest peak" in str(sweep)


def test_a_schedule_can_be_tuned_or_set_for_all():
    grid = Grid("schedule", ((1.0, 1.0), (1.5, 0.5)))
    sweep = tune(trainer("dta", max_epochs=30), small, grid=grid, seeds=[0])
    assert "schedule (1.5, 0.5)" in str(sweep)
    steady, annealed = (
        tune(trainer("psd", max_epochs=30, schedule=each), small, seeds=[0, 1])
        for each in (None, (5, 1))
    )
    assert steady.settings != annealed.settings
    with pytest.raises(ls.ParameterError, match="'trainer' parameter of tune must be one without"):
        tune(trainer("dta", schedule=(1.0, 1.0)), small, grid=grid, seeds=[0])


def test_an_interrupt_is_not_taken_for_failure(monkeypatch):
    cut = ls.FitResult(np.zeros(3), False, 4, "interrupted after 4 epochs", interrupted=True)
    monkeypatch.setattr(ls.Trainer, "fit_many", lambda *parts, **more: [cut])
    with pytest.raises(KeyboardInterrupt):
        tune(trainer("psd"), small, seeds=[0])
