"""Tuning: as many settings for every rule, separate seeds, the best handed back."""

import numpy as np
import pytest

import linspike as ls
from linspike.rules import REGISTRY, rule_class
from linspike.study import Grid, decoding, encoding, grid_of, tune
from linspike.study.tuning import TUNING_SEEDS, Setting, Sweep


def small(seed):
    return encoding(seed, 3, duration=200.0, n_channels=200)


def test_every_rule_gets_as_many_settings():
    rules = [rule_class(key)() for key in REGISTRY] + [ls.DTA.paper()]
    assert {len(grid_of(rule).values) for rule in rules} == {7}
    for rule in rules:
        assert grid_of(rule).parameter in rule.settings()


def test_seeds_are_far_from_those_of_trials():
    assert min(TUNING_SEEDS) > 100_000


def test_the_best_setting_is_handed_back():
    done = []
    sweep = tune(
        "resume", small, seeds=[1, 2, 3], max_epochs=60, progress=lambda *p: done.append(p)
    )
    assert done[-1] == (7, 7)
    assert sweep.best == ls.rules.ReSuMe(eta=sweep.winner.value)
    assert sweep.winner.learned == max(setting.learned for setting in sweep.settings) == 3
    assert 0.001 <= sweep.winner.value <= 0.1
    assert "best eta" in str(sweep)
    assert str(sweep).count("of 3 learned") == 7
    assert not sweep.at_edge


def test_what_best_means():
    worse, edge = Setting(1.0, 3, 5, 0.9, 20.0), Setting(4.0, 4, 5, 0.95, 30.0)
    slow, fast = Setting(2.0, 4, 5, 0.96, 50.0), Setting(3.0, 4, 5, 0.96, 40.0)
    sweep = Sweep(ls.rules.PSD(), "eta", (worse, slow, fast, edge))
    assert sweep.winner == fast
    assert Sweep(ls.rules.PSD(), "eta", (worse, edge)).at_edge


def test_a_grid_of_ones_own_keeps_other_settings():
    rule = ls.DTA(bound=0.5)
    sweep = tune(rule, small, grid=Grid("margin", (0.05, 0.2)), seeds=[0], max_epochs=30)
    assert sweep.best == ls.DTA(bound=0.5, margin=sweep.winner.value)


def test_refusals():
    with pytest.raises(ls.ParameterError, match="'grid' parameter of tune must be one of"):
        tune("psd", small, grid=Grid("bound", (0.1,)), seeds=[0])
    with pytest.raises(ls.ParameterError, match="'eta' parameter of PSD"):
        tune("psd", small, grid=Grid("eta", (-0.1,)), seeds=[0])
    for seeds in ([], 5, "12"):
        with pytest.raises(ls.ParameterError, match="'seeds' parameter of tune must be a list"):
            tune("psd", small, seeds=seeds)
    for grid in (("eta", (0.1,)), [0.1], Grid("eta", 0.1), Grid("eta", ())):
        with pytest.raises(ls.ParameterError, match="'grid' parameter of tune must be a Grid"):
            tune("psd", small, grid=grid, seeds=[0])
    for bad, message in (
        (3, "a function from a seed to a task"),
        (lambda seed: small(seed)[:2], "returns .weights, patterns, targets."),
        (lambda seed: encoding(seed, 2, n_channels=20 + seed), "all have as many channels"),
    ):
        with pytest.raises(ls.ParameterError, match=message):
            tune("psd", bad, seeds=[0, 1])
    with pytest.raises(ls.ParameterError, match="'rule' parameter of tune"):
        tune("pds", small)
    with pytest.raises(ls.ParameterError, match="Hand in a Grid"):
        tune(ls.Rule(), small)


def test_words_can_be_tuned_too():
    sweep = tune(
        "emlc", lambda seed: decoding(seed, 5), grid=Grid("weakest", ("slope", "peak")), seeds=[0]
    )
    assert "weakest peak" in str(sweep)


def test_annealing_can_be_tuned_or_set_for_all():
    grid = Grid("schedule", ((1.0, 1.0), (1.5, 0.5)))
    sweep = tune("dta", small, grid=grid, seeds=[0], max_epochs=30)
    assert "schedule (1.5, 0.5)" in str(sweep)
    steady, annealed = (
        tune("psd", small, seeds=[0, 1], max_epochs=30, anneal=anneal) for anneal in (None, (5, 1))
    )
    assert steady.settings != annealed.settings
    with pytest.raises(ls.ParameterError, match="'schedule' parameter of Trainer"):
        tune("psd", small, seeds=[0], anneal=(1.0,))
    with pytest.raises(ls.ParameterError, match="'anneal' parameter of tune must be None"):
        tune("dta", small, grid=grid, seeds=[0], anneal=(1.0, 1.0))


def test_an_interrupt_is_not_taken_for_failure(monkeypatch):
    cut = ls.FitResult(np.zeros(3), False, 4, "interrupted after 4 epochs", interrupted=True)
    monkeypatch.setattr(ls.Trainer, "fit_many", lambda *parts, **more: [cut])
    with pytest.raises(KeyboardInterrupt):
        tune("psd", small, seeds=[0])
