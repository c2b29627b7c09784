"""Distances against double sums, exhaustive search and goldens."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import naive, strategies
from tests.support.paths import GOLDEN

import linspike as ls


@given(strategies.trains, strategies.trains, st.sampled_from([1.0, 20.0, 100.0]))
def test_van_rossum_is_the_double_sum(x, y, tau):
    # The double sums cancel to about 1e-8 in the distance; ours is the sharper of the two.
    assert ls.van_rossum(x, y, tau) == pytest.approx(naive.van_rossum(x, y, tau), abs=3e-7)


@given(strategies.trains, strategies.trains, strategies.trains)
def test_van_rossum_is_a_metric(x, y, z):
    assert ls.van_rossum(x, x) == 0.0
    assert ls.van_rossum(x, y) == pytest.approx(ls.van_rossum(y, x), rel=1e-9, abs=1e-12)
    assert ls.van_rossum(x, z) <= ls.van_rossum(x, y) + ls.van_rossum(y, z) + 1e-12


@pytest.mark.parametrize("shift", [1e-9, 1e-3, 1.0, 50.0])
def test_van_rossum_of_one_displaced_spike(shift):
    # Measured, not intended, displacement: 10 + 1e-9 is not exact.
    actual = (10.0 + shift) - 10.0
    expected = np.sqrt(-np.expm1(-actual / 100.0))
    assert ls.van_rossum([10.0], [10.0 + shift]) == pytest.approx(expected, rel=1e-9)


def test_van_rossum_of_a_missing_spike():
    assert ls.van_rossum([33.0], []) == pytest.approx(np.sqrt(0.5), rel=1e-15)
    assert ls.van_rossum([], []) == 0.0


def test_bound():
    assert ls.vrd_bound(1000.0) == pytest.approx(0.18)
    assert ls.vrd_bound(400.0, dt=2.0) == pytest.approx(0.2)


@given(strategies.trains, strategies.trains, st.sampled_from([0.0, 1.0, 20.0]))
def test_match_forms_as_many_pairs_as_possible(x, y, tolerance):
    match = ls.match_spikes(x, y, tolerance)
    assert match.paired == naive.most_pairs(list(x), list(y), tolerance)
    assert (match.missed, match.extra) == (len(y) - match.paired, len(x) - match.paired)


def test_strict_criterion():
    assert ls.match_spikes([10.0, 20.9], [10.9, 20.0]).exact
    assert not ls.match_spikes([10.0, 21.1], [10.0, 20.0]).exact
    assert not ls.match_spikes([10.0, 10.2], [10.1]).exact
    assert not ls.match_spikes([], [10.1]).exact
    assert ls.match_spikes([], []).exact


short = st.lists(st.floats(0.0, 60.0, allow_subnormal=False), max_size=4).map(sorted)


@pytest.mark.parametrize("squared", [False, True])
@given(x=short, y=short, tau=st.sampled_from([2.0, 20.0]))
def test_victor_purpura_is_the_cheapest_alignment(squared, x, y, tau):
    def cost(gap):
        return 0.5 * (gap / tau) ** 2 if squared else abs(gap) / tau

    found = ls.victor_purpura(x, y, tau, squared=squared)
    assert found.cost == pytest.approx(naive.victor_purpura_cost(x, y, cost), abs=1e-12)
    moves = sum(cost(x[i] - y[j]) for i, j in found.moved)
    assert found.cost == pytest.approx(moves + len(found.removed) + len(found.added), abs=1e-12)
    assert sorted([i for i, _ in found.moved] + list(found.removed)) == list(range(len(x)))
    assert sorted([j for _, j in found.moved] + list(found.added)) == list(range(len(y)))


def elephant_cases():
    golden = json.loads((GOLDEN / "elephant.json").read_text())
    return [pytest.param(case, golden, id=case["name"]) for case in golden["cases"]]


@pytest.mark.parametrize(("case", "golden"), elephant_cases())
def test_elephant_agrees(case, golden):
    spikes = len(case["first"]) + len(case["second"])
    for tau, theirs in zip(golden["taus"], case["van_rossum"], strict=True):
        ours = ls.van_rossum(case["first"], case["second"], tau)
        assert 2.0 * ours**2 == pytest.approx(theirs**2, rel=1e-11, abs=1e-12 * (1 + spikes**2))
    for cost, theirs in zip(golden["costs"], case["victor_purpura"], strict=True):
        if cost > 0.0:
            ours = ls.victor_purpura(case["first"], case["second"], 1.0 / cost).cost
            assert ours == pytest.approx(theirs, abs=1e-9)
