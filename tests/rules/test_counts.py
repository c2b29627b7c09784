"""DTA's desired counts as one constraint: the gradient of the critical threshold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.step_inputs import NEURON, Scene, patterns_of, random_weights

import linspike as ls
from linspike.kernels.rows.windows import add_row
from linspike.kernels.training.outcomes import DEAD, SOLVED, UNCHANGED
from linspike.kernels.training.step_problem import assemble_count
from linspike.rules.dta import FAINT_GRADIENT

RULE = ls.DTA(count_target="gradient")
EXACT = replace(RULE, bound=np.inf, margin=0.0)
PAPER = ls.DTA.paper(count_target="gradient", bound=50.0, margin=0.0)


def scene_of(seed, desired, rule=EXACT):
    """Pattern 0 of a scene in which `desired` spikes are asked of every pattern."""
    patterns = patterns_of(seed)
    return patterns[0], Scene(rule, patterns, ls.SpikeCounts([desired] * len(patterns)))


def row_of(scene, weights):
    """The constraint of pattern 0: row, right-hand side, number of equalities, dead or not."""
    step_input, work = scene.step_input(weights, 0), scene.workspace.work
    n_equal, n, dead = assemble_count(step_input, weights, 0.0, work)
    assert n == 1
    return work.rows_k[0].copy(), work.rhs[0], n_equal, dead


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 6))
def test_the_row_is_the_gradient_and_its_product_with_the_weights_the_value(seed, desired):
    weights = random_weights(seed)
    pattern, scene = scene_of(seed, desired)
    actual = len(NEURON.respond(weights, pattern))
    if actual == desired:
        assert scene.step(weights, 0)[1] == UNCHANGED
        return
    row, rest, n_equal, dead = row_of(scene, weights)
    if dead:
        return
    k = desired if actual < desired else desired + 1

    def critical(w):
        return NEURON.critical_threshold(w, pattern, k).value

    value = critical(weights)
    assert n_equal == (actual < desired)
    assert row @ weights == pytest.approx(value, rel=1e-9)
    assert rest == pytest.approx(NEURON.threshold - value, abs=1e-9)
    scaled = critical(2.0 * weights)
    assert scaled == pytest.approx(2.0 * value, rel=1e-9)


@pytest.mark.parametrize("desired", [1, 2, 5])
def test_the_row_against_finite_differences(desired):
    weights = random_weights(3)
    pattern, scene = scene_of(3, desired)
    actual = len(NEURON.respond(weights, pattern))
    assert actual != desired
    row = row_of(scene, weights)[0]
    k = desired if actual < desired else desired + 1
    for channel in range(0, weights.size, 7):
        ends = []
        for sign in (1.0, -1.0):
            moved = weights.copy()
            moved[channel] += sign * 1e-6
            ends.append(NEURON.critical_threshold(moved, pattern, k).value)
        assert row[channel] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("desired", [0, 1, 2, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_an_unbounded_step_meets_the_linear_constraint(seed, desired):
    weights = random_weights(seed)
    _, scene = scene_of(seed, desired)
    change, outcome = scene.step(weights, 0)
    if outcome == UNCHANGED:
        return
    row, rest, _, _ = row_of(scene, weights)
    assert row @ change == pytest.approx(rest, abs=1e-9)
    # the smallest such change: along the row
    assert np.allclose(change, row * (row @ change) / (row @ row), atol=1e-12)


def test_steps_bring_the_critical_threshold_to_the_margin():
    rule = replace(RULE, margin=0.1)
    weights = random_weights(1)
    pattern, scene = scene_of(1, 4, rule)
    for _ in range(200):
        change, outcome = scene.step(weights, 0)
        if outcome == UNCHANGED:
            break
        weights = weights + change
    assert len(NEURON.respond(weights, pattern)) == 4
    assert NEURON.critical_threshold(weights, pattern, 4).value > NEURON.threshold


@pytest.mark.parametrize("bound", [0.01, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_the_bound_is_the_most_that_a_step_moves_the_critical_threshold(seed, bound):
    weights = random_weights(seed)
    for desired in (0, 6):
        _, scene = scene_of(seed, desired, replace(RULE, bound=bound))
        change, outcome = scene.step(weights, 0)
        if outcome == UNCHANGED:
            continue
        row = row_of(scene, weights)[0]
        assert abs(row @ change) <= bound * NEURON.threshold * (1.0 + 1e-9)
        faint = FAINT_GRADIENT * scene.constants.mean_max_drive
        most = bound * NEURON.threshold / max(row @ row, faint)
        assert np.linalg.norm(change) <= most * np.linalg.norm(row) * (1.0 + 1e-9)


@pytest.mark.parametrize("rule", [replace(EXACT, bound=50.0), PAPER])
def test_both_rules_have_the_same_solution_of_one_equality(rule):
    weights = random_weights(2)
    _, scene = scene_of(2, 6, rule)
    _, exact = scene_of(2, 6)
    change, outcome = scene.step(weights, 0)
    assert outcome == SOLVED
    assert np.allclose(change, exact.step(weights, 0)[0], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("desired", [0, 6])
def test_other_windows_meet_the_constraint_too(desired):
    weights = random_weights(2)
    _, scene = scene_of(2, desired, replace(PAPER, window="stdp"))
    change, outcome = scene.step(weights, 0)
    assert outcome == SOLVED
    row, rest, n_equal, _ = row_of(scene, weights)
    reached = row @ change
    assert reached == pytest.approx(rest, abs=1e-6) if n_equal else reached <= rest + 1e-6


@pytest.mark.parametrize("window", ["stdp", "filt", "filt-gardner"])
def test_window_rows_are_whole(window):
    weights = random_weights(1)
    _, scene = scene_of(1, 0, replace(PAPER, window=window))
    step_input, work = scene.step_input(weights, 0), scene.workspace.work
    assemble_count(step_input, weights, 0.0, work)
    at = NEURON.critical_threshold(weights, patterns_of(1)[0], 1).time
    row = np.zeros(weights.size)  # with one spike the gradient is the row at t* alone
    events, constants = step_input.events, step_input.constants
    add_row(events, events.offsets[0], events.offsets[1], at, constants.window, constants.m, row)
    assert np.allclose(work.rows_z[0], row, atol=1e-9)


@pytest.mark.parametrize("rule", [replace(RULE, bound=50.0), replace(PAPER, margin=0.1)])
def test_a_dead_pattern_is_raised_to_a_spike(rule):
    patterns = patterns_of(2)
    weights = np.full(patterns.n_channels, -0.1)
    change, outcome = Scene(rule, patterns, ls.SpikeCounts([1, 1, 1])).step(weights, 0)
    assert outcome == DEAD
    assert len(NEURON.respond(weights + change, patterns[0])) >= 1


def test_more_patterns_than_by_halving():
    patterns = ls.poisson_patterns(95, n_channels=100, duration=50.0, rate=0.005, rng=5)
    targets = ls.SpikeCounts(np.arange(95) % 5)
    starts = np.random.default_rng(5).normal(0.01, 0.01, (6, 100))
    learned = {}
    for count_target in ("gradient", "halving"):
        rule = ls.DTA(count_target=count_target)
        trainer = ls.Trainer(NEURON, rule, max_epochs=100)
        results = trainer.fit_many(starts, patterns, targets, seeds=range(6))
        learned[count_target] = sum(result.converged for result in results)
    assert learned["gradient"] >= learned["halving"] + 3


def test_only_the_gradient_does_without_desired_times():
    assert not RULE.counts_as_times
    for rule in (ls.DTA(), ls.DTA.paper(), replace(RULE, count_target="critical")):
        assert rule.counts_as_times
