"""The search for the load at which half fail, on neurons that are coins with known odds."""

import sys

import numpy as np
import pytest

from linspike.study.analysis.capacity import (
    Search,
    capacity_bound,
    find_half_point,
    linear_ramp,
    next_loads,
)


def coin(centre, width, load, seed):
    """Learned or not; one seed has one luck at all loads, as tasks that contain one another do."""
    luck = np.random.default_rng(seed).random()
    return bool(luck < 1.0 / (1.0 + np.exp((load - centre) / width)))


def searched(search, centre, width, trials):
    outcomes = {}
    for _ in range(60):
        share = {load: np.mean(list(found.values())) for load, found in outcomes.items()}
        loads = next_loads(search, share)
        if not loads:
            return outcomes
        for load in loads:
            assert load not in outcomes
            assert search.lowest <= load <= search.highest
            outcomes[load] = {seed: coin(centre, width, load, seed) for seed in range(trials)}
    raise AssertionError("the search does not end")


def test_a_point_is_fitted_once(fewer_draws, monkeypatch):
    outcomes = {load: {seed: load + seed < 27 for seed in range(9)} for load in (15, 20, 25, 30)}
    module = sys.modules[find_half_point.__module__]
    point, fit, fitted = find_half_point(outcomes), module._fit, []

    def count(*given):
        fitted.append(given)
        return fit(*given)

    monkeypatch.setattr(module, "_fit", count)
    shuffled = {load: dict(reversed(outcomes[load].items())) for load in (30, 15, 25, 20)}
    assert find_half_point(shuffled) == point
    assert not fitted
    changed = {**outcomes, 25: dict.fromkeys(range(9), False)}
    assert find_half_point(changed) != point
    assert len(fitted) == 1


@pytest.fixture
def fewer_draws(monkeypatch):
    """A fifth of the resampled fits: the same procedure, with a little more noise at its ends."""
    monkeypatch.setattr(sys.modules[find_half_point.__module__], "DRAWS", 200)


@pytest.mark.parametrize("centre", [7, 45, 62, 180])
@pytest.mark.parametrize("start", [5, 45, 150])
def test_the_search_ends_and_finds_the_point(centre, start):
    outcomes = searched(Search(start, 1, 2, 500), centre, 0.06 * centre, 50)
    point = find_half_point(outcomes)
    assert point.lo <= point.value <= point.hi
    assert point.value == pytest.approx(centre, rel=0.08, abs=1.0)
    assert len(outcomes) <= 20


@pytest.mark.usefixtures("fewer_draws")
def test_intervals_cover_the_truth():
    inside = 0
    for repeat in range(40):
        outcomes = {
            load: {seed: coin(50.0, 4.0, load, 1000 * repeat + seed) for seed in range(30)}
            for load in (40, 44, 48, 50, 52, 56, 60)
        }
        point = find_half_point(outcomes)
        inside += point.lo <= 50.0 <= point.hi
    assert inside >= 34  # 95 % of 40 is 38


def test_perfectly_separated_outcomes_leave_all_between_them_open():
    outcomes = {30: dict.fromkeys(range(50), True), 60: dict.fromkeys(range(50), False)}
    point = find_half_point(outcomes)
    assert point.lo <= 31.0
    assert point.hi >= 57.0
    assert point.lo < point.value < point.hi


@pytest.mark.usefixtures("fewer_draws")
@pytest.mark.parametrize("trials", [4, 10])
def test_searches_with_few_trials_cover_the_truth(trials):
    inside = 0
    for repeat in range(40):
        outcomes = {}
        while True:
            share = {load: np.mean(list(found.values())) for load, found in outcomes.items()}
            loads = next_loads(Search(30, 1, 2, 400), share)
            if not loads:
                break
            for load in loads:
                lucks = {seed: coin(40.0, 3.0, load, 977 * repeat + seed) for seed in range(trials)}
                outcomes[load] = lucks
        point = find_half_point(outcomes)
        inside += point.lo <= 40.0 <= point.hi
    assert inside >= (32 if trials == 4 else 35)  # 95 % of 40 is 38


def test_one_sided_outcomes_give_a_bound_only():
    up = find_half_point({10: {0: True, 1: True}, 20: {0: True, 1: False}})
    assert (up.value, up.lo, up.hi) == (None, 20, None)
    assert "more than half still learned 20" in up.note
    down = find_half_point({10: {0: False, 1: False}})
    assert (down.value, down.lo, down.hi) == (None, None, 10)
    assert find_half_point({}).note == "no trials"


def test_loads_keep_to_their_steps_and_ends():
    search = Search(300, 5, 5, 400)
    assert next_loads(search, {}) == [300]
    assert next_loads(search, {300: 1.0}) == [390]
    assert next_loads(search, {300: 1.0, 390: 0.9}) == [400]
    assert next_loads(search, {300: 1.0, 390: 0.9, 400: 0.8}) == []
    assert next_loads(search, {10: 0.0}) == [5]
    assert next_loads(search, {5: 0.0}) == []


def test_linear_ramp_fresh_and_warm():
    seen = []

    def learn(load, weights):
        seen.append((load, weights))
        return load < 4, load * 10

    assert linear_ramp(range(1, 9), learn, warm=True) == 4
    assert seen == [(1, None), (2, 10), (3, 20), (4, 30)]
    seen.clear()
    assert linear_ramp(range(1, 9), learn, warm=False) == 4
    assert {weights for _, weights in seen} == {None}
    assert linear_ramp([1, 2, 3], lambda load, weights: (True, None), warm=False) == 4


def test_the_bound():
    assert capacity_bound(500, 0.005, 20.0, 5.0) == pytest.approx(17244, abs=1)
