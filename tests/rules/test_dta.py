"""The two DTA rules: their parameters, and what they learn."""

import math

import numpy as np
import pytest

import linspike as ls
from linspike.beyond.hard_constraints import HardConstraints
from linspike.paper.common.methods import linear_program, projection
from linspike.rules import dta, dta_lp
from linspike.rules.dta_lp import DTALinearProgram, fallback_multiplier
from linspike.training.prepare import make_chain_data, make_constants, max_drives


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bound": 0.0}, "'bound' parameter of DTA must be positive"),
        ({"bound": math.nan}, "'bound'"),
        ({"allow_negative": "no"}, "'allow_negative' parameter of DTA must be True or False"),
        ({"absolute": 1}, "'absolute' parameter of DTA must be True or False"),
        ({"margin": -0.1}, "'margin' parameter of DTA must be finite and at least 0"),
        ({"margin": math.inf}, "'margin'"),
        ({"skip_below": -1.0}, "'skip_below'"),
        ({"match_tolerance": math.nan}, "'match_tolerance'"),
        ({"schedule": (1.0,)}, "'schedule' parameter of DTA must be a pair of factors"),
        ({"count_target": "guess"}, "'count_target'"),
        ({"bound_per": "neuron"}, "'bound_per'"),
    ],
)
def test_bad_parameters(settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.DTA(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"window": "box"}, "'window' parameter of DTALinearProgram must be one of"),
        ({"bound": math.inf}, "'bound' parameter of DTALinearProgram must be finite and positive"),
        ({"min_multiplier": 0.01}, r"'min_multiplier' parameter of DTALinearProgram.*\[0, bound\)"),
        ({"margin": -0.1}, "'margin' parameter of DTALinearProgram"),
        ({"fallback_step": -1.0}, "'fallback_step'"),
        ({"fallback_per": "epoch"}, "'fallback_per' parameter of DTALinearProgram must be one of"),
        ({"count_target": "guess"}, "'count_target'"),
        ({"schedule": None}, "'schedule' parameter of DTALinearProgram must be a pair"),
    ],
)
def test_bad_parameters_of_the_linear_program(settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.DTA.paper(**settings)


def test_the_paper_has_a_rule_of_its_own():
    assert ls.DTA.paper() == DTALinearProgram()
    assert ls.DTA.paper(bound=0.02) == DTALinearProgram(bound=0.02)
    assert (ls.DTA.objective, DTALinearProgram.objective) == ("projection", "feasible")


def small_task(seed=0):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(3, n_channels=200, duration=200.0, rate=0.01, rng=rng)
    trains = ls.poisson_trains(3, duration=200.0, rate=0.01, min_gap=8.0, min_onset=15.0, rng=rng)
    return rng.normal(0.01, 0.01, 200), patterns, ls.SpikeTimes(trains)


@pytest.mark.parametrize("window", ["psp", "stdp", "filt", "filt-gardner"])
def test_the_papers_linear_program_learns_with_every_window(window):
    rule = ls.DTA.paper(window=window)
    result = ls.Trainer(ls.SRM(), rule, max_epochs=200).fit(*small_task(), seed=0, history=True)
    assert result.converged
    assert (result.history.fallback <= 1.0).all()


@pytest.mark.parametrize(
    "rule",
    [
        ls.DTA(allow_negative=False),
        ls.DTA(skip_below=0.0),
        ls.DTA(match_tolerance=0.0),
        ls.DTA(bound_per="set"),
        ls.DTA(absolute=True, bound=0.01),
        ls.DTA.paper(bound=1.0),
        HardConstraints("min_norm", bound=1.0),
        HardConstraints("min_l1", bound=1.0),
    ],
)
def test_variants_learn(rule):
    result = ls.Trainer(ls.SRM(), rule, max_epochs=300).fit(*small_task(1), seed=0)
    assert result.converged


def test_scaling_weights_and_threshold_changes_nothing_with_relative_bounds():
    weights, patterns, targets = small_task(2)
    here = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=5).fit(weights, patterns, targets)
    scaled = ls.Trainer(ls.SRM(threshold=8.0), ls.DTA(), max_epochs=5)
    there = scaled.fit(8.0 * weights, patterns, targets)
    assert np.allclose(there.weights, 8.0 * here.weights, rtol=1e-9)
    absolute = ls.DTA(absolute=True, bound=0.005)
    one = ls.Trainer(ls.SRM(), absolute, max_epochs=5).fit(weights, patterns, targets)
    two = ls.Trainer(ls.SRM(threshold=8.0), absolute, max_epochs=5).fit(
        8.0 * weights, patterns, targets
    )
    assert not np.allclose(two.weights, 8.0 * one.weights, rtol=1e-3)


def test_rows_of_desired_times_are_prepared_once():
    _, patterns, targets = small_task(3)
    neuron = ls.SRM()
    horizons = np.array(patterns.durations)
    constants = make_constants(neuron, ls.DTA())
    data = make_chain_data(patterns._ragged, targets, constants, horizons)
    for p, train in enumerate(targets):
        rows = data.k_desired[data.offsets[p] : data.offsets[p + 1]]
        assert np.array_equal(rows, neuron.design(patterns[p], train.times))
    assert data.z_desired is data.k_desired


def test_the_largest_drive_is_the_largest_norm_of_a_row():
    _, patterns, _ = small_task(4)
    neuron = ls.SRM()
    constants, horizons = make_constants(neuron, ls.DTA()), np.array(patterns.durations)
    values, times = max_drives(patterns._ragged, constants, horizons)
    for p, pattern in enumerate(patterns):
        grid = (neuron.design(pattern, np.arange(0.0, 200.0, 0.05)) ** 2).sum(axis=1)
        assert values[p] == pytest.approx(grid.max(), rel=1e-2)
        there = (neuron.design(pattern, [times[p]]) ** 2).sum()
        assert there == pytest.approx(values[p], rel=1e-9)


@pytest.mark.parametrize("rows", [1, 4, 9])
def test_the_fallback_step_is_as_long_for_many_rows(rows):
    """Multipliers that add up in squares: fallback_step in all, or for each of them."""
    whole = ls.DTA.paper(fallback_step=0.02).options(counts=False)
    each = ls.DTA.paper(fallback_step=0.02, fallback_per="row").options(counts=False)
    assert fallback_multiplier(whole, rows) * np.sqrt(rows) == pytest.approx(0.02)
    assert fallback_multiplier(each, rows) == 0.02


def test_steps_unpack_the_options_that_rules_pack():
    for rule in (ls.DTA(), ls.DTA(bound_per="set", absolute=True, count_target="gradient")):
        for counts in (False, True):
            assert dta.unpack(rule.parameters(counts=counts)) == rule.options(counts=counts)
    rule = ls.DTA.paper(fallback_per="row", count_target="gradient")
    for counts in (False, True):
        assert dta_lp.unpack(rule.parameters(counts=counts)) == rule.options(counts=counts)


def test_the_preset_of_the_tables_is_the_rules():
    made = linear_program()
    assert DTALinearProgram(**{**made.settings, made.parameter: made.common}) == ls.DTA.paper()
    assert projection().common == ls.DTA().bound
    assert projection().common in projection().grid
