"""DTA with spikes that may stay where they are: what it learns, and the laws it keeps."""

import numpy as np
import pytest

import linspike as ls
from linspike.rules import rule_of
from linspike.study.cells import rule_of_cell
from linspike.study.tasks import encoding

NEURON = ls.SRM()


def learn(rule, seed, n_patterns, *, duration=400.0, neuron=NEURON, weights=None, **more):
    task = encoding(seed, n_patterns, duration=duration, n_channels=100)
    trainer = ls.Trainer(neuron, rule, **{"criterion": "strict", "max_epochs": 300, **more})
    return trainer.fit(task.weights if weights is None else weights, *task[1:], seed=seed)


def test_it_learns_more_than_with_all_spikes_at_their_times():
    tasks = [(seed, duration) for seed in range(16) for duration in (4800.0, 5600.0)]
    held, exact = (
        sum(learn(rule, seed, 1, duration=duration).converged for seed, duration in tasks)
        for rule in (ls.DTA(), ls.DTA(hold_tolerance=0.0))
    )
    assert held > exact


@pytest.mark.parametrize("tolerance", [0.05, 0.5, 2.0])
def test_every_tolerance_is_learned(tolerance):
    assert learn(ls.DTA(), 3, 7, tolerance=tolerance).converged


@pytest.mark.parametrize("criterion", ["paper", "strict"])
def test_a_tolerance_of_the_rules_own_that_the_criterion_does_not_accept(criterion):
    """Spikes are left too far away, and then all are brought to their times."""
    assert learn(ls.DTA(hold_tolerance=3.0), 3, 7, criterion=criterion).converged


def test_scaling_weights_and_threshold_changes_nothing():
    start = encoding(4, 9, n_channels=100).weights
    here = learn(ls.DTA(), 4, 9, max_epochs=10)
    there = learn(ls.DTA(), 4, 9, max_epochs=10, neuron=ls.SRM(threshold=8.0), weights=8.0 * start)
    assert np.allclose(there.weights, 8.0 * here.weights, rtol=1e-7)


def test_cells_that_do_not_name_it_have_the_rule_of_before():
    assert rule_of_cell("dta", {"bound": 0.2}) == ls.DTA(
        bound=0.2, hold_tolerance=0.0, count_target="halving"
    )
    later = {"hold_tolerance": None, "count_target": "auto"}
    assert rule_of_cell("dta", later) == rule_of("dta", "test") == ls.DTA()
    assert rule_of_cell("psd", {"eta": 0.2}) == ls.rules.PSD(eta=0.2)


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf, "1"])
def test_bad_tolerances(bad):
    with pytest.raises(ls.ParameterError, match="'hold_tolerance' parameter of DTA must be finite"):
        ls.DTA(hold_tolerance=bad)
