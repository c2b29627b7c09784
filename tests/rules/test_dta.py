"""DTA's parameters, presets and objectives."""

import math

import numpy as np
import pytest

import linspike as ls
from linspike.kernels.training.multipliers import plain_multiplier
from linspike.paper.common.capacity_rows import ours, papers_programme
from linspike.training.prepare import make_chain_data, make_constants, max_drives


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"objective": "simplex"}, "'objective' parameter of DTA must be one of"),
        ({"window": "box"}, "'window' parameter of DTA must be one of"),
        ({"window": "stdp"}, "'psp' with objective 'projection'.*Use objective='feasible'"),
        ({"bound": 0.0}, "'bound' parameter of DTA must be positive"),
        ({"bound": math.nan}, "'bound'"),
        ({"least": 0.5}, r"'least' parameter of DTA must be in \[0, bound\)"),
        ({"least": 0.1}, "'least' parameter of DTA must be 0 with 'projection'"),
        ({"signed": "no"}, "'signed' parameter of DTA must be True or False"),
        ({"margin": -0.1}, "'margin' parameter of DTA must be finite and at least 0"),
        ({"margin": math.inf}, "'margin'"),
        ({"settle": -1.0}, "'settle'"),
        ({"converged": math.nan}, "'converged'"),
        ({"plain_step": -1.0}, "'plain_step'"),
        ({"count_target": "guess"}, "'count_target'"),
        ({"bound_per": "neuron"}, "'bound_per'"),
        ({"extra_points": -1}, "'extra_points'"),
        ({"extra_points": 1.5}, "'extra_points'"),
    ],
)
def test_bad_parameters(settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.DTA(**settings)


def small_task(seed=0):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(3, n_channels=200, duration=200.0, rate=0.01, rng=rng)
    trains = ls.poisson_trains(3, duration=200.0, rate=0.01, min_gap=8.0, min_onset=15.0, rng=rng)
    return rng.normal(0.01, 0.01, 200), patterns, ls.SpikeTimes(trains)


@pytest.mark.parametrize("window", ["psp", "stdp", "filt", "filt-gardner"])
def test_the_papers_programme_learns_with_every_window(window):
    rule = ls.DTA.paper(window=window)
    result = ls.Trainer(ls.SRM(), rule, max_epochs=200).fit(*small_task(), seed=0, history=True)
    assert result.converged
    assert (result.history.fallback <= 1.0).all()


@pytest.mark.parametrize(
    "settings",
    [
        {"signed": False},
        {"extra_points": 20},
        {"settle": 0.0},
        {"converged": 0.0},
        {"bound_per": "set"},
        {"absolute": True, "bound": 0.01},
        {"objective": "feasible", "bound": 1.0},
        {"objective": "min_norm", "bound": 1.0},
        {"objective": "min_norm", "bound": 1.0, "window": "stdp"},
        {"objective": "min_l1", "bound": 1.0},
    ],
)
def test_variants_learn(settings):
    result = ls.Trainer(ls.SRM(), ls.DTA(**settings), max_epochs=300).fit(*small_task(1), seed=0)
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


def test_rows_of_wanted_times_are_prepared_once():
    _, patterns, targets = small_task(3)
    neuron = ls.SRM()
    horizons = np.array(patterns.durations)
    constants = make_constants(patterns, neuron, ls.DTA(), horizons)
    data = make_chain_data(patterns, targets, neuron, constants, horizons, np.ones(len(patterns)))
    for p, train in enumerate(targets):
        rows = data.k_desired[data.offsets[p] : data.offsets[p + 1]]
        assert np.array_equal(rows, neuron.design(patterns[p], train.times))
    assert data.z_desired is data.k_desired


def test_loudness_is_the_largest_norm_of_a_row():
    _, patterns, _ = small_task(4)
    neuron = ls.SRM()
    values, times = max_drives(patterns, neuron, np.array(patterns.durations))
    for p, pattern in enumerate(patterns):
        grid = (neuron.design(pattern, np.arange(0.0, 200.0, 0.05)) ** 2).sum(axis=1)
        assert values[p] == pytest.approx(grid.max(), rel=1e-2)
        there = (neuron.design(pattern, [times[p]]) ** 2).sum()
        assert there == pytest.approx(values[p], rel=1e-9)


@pytest.mark.parametrize("rows", [1, 4, 9])
def test_the_plain_step_is_as_long_for_many_rows(rows):
    """Multipliers that add up in squares: plain_step in all, or for each of them."""
    whole = ls.DTA.paper(plain_step=0.02).parameters(counts=False)
    each = ls.DTA.paper(plain_step=0.02, plain_per="row").parameters(counts=False)
    assert plain_multiplier(whole, rows) * np.sqrt(rows) == pytest.approx(0.02)
    assert plain_multiplier(each, rows) == 0.02


def test_the_preset_of_the_tables_is_the_rules():
    made = papers_programme("")
    assert ls.DTA(**{**made.settings, made.parameter: made.common}) == ls.DTA.paper()
    assert ours("").common == ls.DTA().bound
    assert ours("").common in ours("").values
