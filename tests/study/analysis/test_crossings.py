"""Where a curve takes a level, and how sure that is."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspike.study.analysis.crossings import crossings, implied_steps

ETAS = np.array([0.001, 0.01, 0.1, 1.0, 10.0])


def found(means, level=0.5, etas=ETAS):
    return crossings(etas, np.array(means, float), level)


def test_a_hat_is_crossed_on_both_sides():
    up, down = found([0.0, 0.25, 1.0, 1.0, 0.4])
    assert (up.rises, down.rises) == (True, False)
    assert up.at == pytest.approx(10.0 ** (-2.0 + 1.0 / 3.0))
    assert down.at == pytest.approx(10.0 ** (5.0 / 6.0))


def test_one_side_of_the_level_has_no_crossing():
    assert found([0.0, 0.1, 0.4, 0.2, 0.0]) == []
    assert found([0.6, 0.7, 0.9, 0.7, 0.6]) == []
    assert found([0.5] * 5) == []


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ([0.0, 0.5, 0.5, 0.5, 1.0], [(0.1, True)]),
        ([0.0, 0.5, 0.5, 1.0, 1.0], [(10.0**-1.5, True)]),
        ([1.0, 1.0, 0.5, 0.0, 0.0], [(0.1, False)]),
        ([0.0, 0.0, 0.5, 0.0, 0.0], [(0.1, True), (0.1, False)]),
        ([1.0, 0.5, 0.5, 1.0, 1.0], [(10.0**-1.5, False), (10.0**-1.5, True)]),
        ([0.5, 0.7, 0.9, 0.9, 0.9], [(0.001, True)]),
        ([0.9, 0.9, 0.9, 0.5, 0.5], [(10.0**0.5, False)]),
        ([0.5, 0.2, 0.2, 0.2, 0.5], [(0.001, False), (10.0, True)]),
    ],
    ids=["flat", "even", "one point", "best", "worst", "first", "last", "both ends"],
)
def test_points_at_the_level(means, expected):
    assert [(pytest.approx(at), rises) for at, rises in expected] == found(means)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_directions_take_turns_and_places_are_in_order(quarters):
    etas = np.geomspace(0.001, 1.0, len(quarters))
    places = crossings(etas, np.array(quarters) / 4.0, 0.5)
    assert all(one.rises != two.rises for one, two in pairwise(places))
    at = [one.at for one in places]
    assert at == sorted(at)
    assert all(etas[0] * 0.999 < one < etas[-1] * 1.001 for one in at)
    signs = set(np.sign(np.array(quarters) - 2.0))
    assert bool(places) == (signs >= {-1.0, 1.0} or (0.0 in signs and len(signs) > 1))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.floats(0.01, 100.0))
def test_other_units_of_the_setting_move_the_crossings_alone(quarters, factor):
    etas, means = np.geomspace(0.001, 1.0, len(quarters)), np.array(quarters) / 4.0
    plain, moved = crossings(etas, means, 0.5), crossings(factor * etas, means, 0.5)
    assert [one.rises for one in moved] == [one.rises for one in plain]
    assert [one.at for one in moved] == pytest.approx([factor * one.at for one in plain])


STEPS = np.geomspace(0.0001, 0.1, 13)
RISE, FALL = 0.0007, 0.025


def simulate(n, seed):
    """Trials that learn with a logistic chance between two step sizes."""
    rng = np.random.default_rng(seed)
    logs = np.log(STEPS)[:, np.newaxis]
    up = 1.0 / (1.0 + np.exp(-(logs - np.log(RISE)) / 0.2))
    down = 1.0 / (1.0 + np.exp((logs - np.log(FALL)) / 0.2))
    learned = rng.random((STEPS.size, n)) < up * down
    return dict(zip(STEPS.tolist(), learned.astype(float), strict=True))


def test_that_nearest_to_the_stated_one_comes_first():
    for stated, expected in ((0.01, (FALL, RISE)), (0.001, (RISE, FALL))):
        steps = [step[0] for step in implied_steps(simulate(400, 0), 0.5, stated)]
        assert steps == pytest.approx(expected, rel=0.15)
    ((value, lo, hi),) = implied_steps({0.01: np.zeros(3), 1.0: np.ones(3)}, 0.5, 0.01)
    assert (value, lo, hi) == pytest.approx((0.1, 0.1, 0.1))


def test_intervals_hold_the_truth_and_shrink_with_trials():
    held, widths = 0, []
    for seed in range(40):
        for value, lo, hi in implied_steps(simulate(30, seed), 0.5, 0.01)[:1]:
            assert lo <= value <= hi
            held += lo <= FALL <= hi
            widths.append(np.log(hi / lo))
    assert 34 <= held <= 40
    many = [np.log(hi / lo) for _, lo, hi in implied_steps(simulate(480, 0), 0.5, 0.01)[:1]]
    assert many[0] < 0.5 * np.mean(widths)


def test_trials_are_drawn_for_all_step_sizes_at_once():
    level = np.array([0.0, 10.0, -10.0, 3.0, -3.0])
    ((_, lo, hi),) = implied_steps({0.01: 40.0 + level, 0.1: 60.0 + level}, 50.0, 0.01)
    assert lo < 0.9 * 10.0**-1.5 < 1.1 * 10.0**-1.5 < hi
    # What a trial has more at one end it lacks at the other: the middle stays in every draw.
    ((_, lo, hi),) = implied_steps({0.01: 40.0 + level, 0.1: 60.0 - level}, 50.0, 0.01)
    assert (lo, hi) == pytest.approx((10.0**-1.5, 10.0**-1.5))


def test_a_draw_without_a_crossing_counts_at_the_end_of_the_grid():
    # Two of four trials learn with small steps already: some draws lie above the level there.
    some = np.array([1.0, 1.0, 0.0, 0.0])
    results = {0.001: 0.5 * some, 0.01: np.ones(4), 0.1: np.ones(4)}
    ((value, lo, hi),) = implied_steps(results, 0.45, 0.01)
    assert lo == pytest.approx(0.001)
    assert 0.001 < value < hi
