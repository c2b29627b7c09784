"""Maxima under imposed resets and weakest spikes, against a fine grid."""

import os

import numpy as np
import pytest

import linspike as ls
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.maxima import find_maxima, highest_maximum
from linspike.kernels.threshold.weakest import smallest_slope
from linspike.neuron.decay_tables import events_of

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 5 if UNCOMPILED else 60
NEURON = ls.SRM()
M = NEURON._membrane
UNTIL = 60.0


@kernel
def highest(events, weights, resets, guard, found):
    span = span_until(events, 0, UNTIL, M)
    return highest_maximum(events, span, weights, 1.0, M, resets, guard, found)


@kernel
def all_maxima(events, weights, resets, level, found):
    span = span_until(events, 0, UNTIL, M)
    return find_maxima(events, span, weights, 1.0, M, resets, 0.0, level, found)


@kernel
def slowest(events, weights, spikes):
    return smallest_slope(events, span_until(events, 0, UNTIL, M), weights, 1.0, M, spikes)


def case(rng):
    pattern = ls.poisson_patterns(1, n_channels=20, duration=UNTIL, rate=0.02, rng=rng)
    resets = np.sort(rng.uniform(0.0, UNTIL, rng.integers(0, 4)))
    return events_of(pattern._ragged, M), rng.normal(0.3, 0.6, 20), resets


def potential(events, weights, resets, at):
    """V in units of Vn, by its definition; a reset counts after its time."""
    ages = at[:, np.newaxis] - events.times
    psp = np.where(ages > 0, np.exp(-ages * M.rate_m) - np.exp(-ages * M.rate_s), 0.0)
    since = at[:, np.newaxis] - resets
    kicks = np.where(since > 0, np.exp(-since * M.rate_m), 0.0)
    return psp @ weights[events.channels] - kicks.sum(axis=1)


@pytest.mark.parametrize("guard", [0.0, 1.0])
def test_highest_maximum(guard):
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(CASES):
        events, weights, resets = case(rng)
        height, when = highest(events, weights, resets, guard, np.empty((2, 1)))
        at = np.arange(events.times[0], UNTIL, 0.002)
        at = np.append(at[at < UNTIL - 1e-9], UNTIL)
        v = potential(events, weights, resets, at)
        # Points of the grid that are maxima of what is allowed: inside, at the horizon, and at
        # the beginning of a guarded stretch.
        ahead = (
            resets[np.minimum(np.searchsorted(resets, at), resets.size - 1)] if resets.size else at
        )
        distance = (
            np.where(ahead >= at, ahead - at, np.inf) if resets.size else np.full(at.size, np.inf)
        )
        free = distance >= guard if guard else np.ones(at.size, bool)
        last = free & ~np.append(free[1:], False) if guard else np.zeros(at.size, bool)
        inside = np.zeros(at.size, bool)
        inside[1:-1] = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:]) & (distance[1:-1] > 0.002)
        inside[-1] = v[-1] > v[-2]
        candidates = v[free & (inside | last)]
        if candidates.size == 0:
            assert height == -np.inf
            continue
        found += 1
        assert height == pytest.approx(candidates.max(), abs=2e-3)
        assert potential(events, weights, resets, np.array([when]))[0] == pytest.approx(height)
    assert found > CASES // 2


def test_all_maxima_above_a_level():
    rng = np.random.default_rng(11)
    total = 0
    for _ in range(CASES):
        events, weights, resets = case(rng)
        level = rng.uniform(-0.2, 0.3)
        found = np.empty((2, 500))
        n = all_maxima(events, weights, resets, level, found)
        at = np.arange(events.times[0], UNTIL - 1e-9, 0.002)
        v = potential(events, weights, resets, at)
        inside = np.zeros(at.size, bool)
        inside[1:-1] = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:]) & (v[1:-1] > max(level, 0.0) + 2e-3)
        # The last moment before a reset is an end of a piece, not a maximum of V.
        for reset in resets:
            inside &= ~((at <= reset) & (at > reset - 0.003))
        for time in at[inside]:
            assert np.abs(found[0, :n] - time).min() < 0.01
        heights = potential(events, weights, resets, found[0, :n])
        assert heights == pytest.approx(found[1, :n], abs=1e-9)
        assert (heights > level).all()
        total += inside.sum()
    assert total > CASES


def test_nothing_without_inputs():
    events, weights, _ = case(np.random.default_rng(0))
    silent = events._replace(offsets=np.zeros(2, np.int64))
    height, when = highest(silent, weights, np.empty(0), 0.0, np.empty((2, 1)))
    assert height == -np.inf
    assert np.isnan(when)


def test_far_resets_do_not_overflow():
    pattern = ls.Pattern([1.0], [0], n_channels=1, duration=1e6)
    events = events_of(pattern._ragged, M)

    span = span_until(events, 0, 1e6, M)
    given = (np.array([2.0]), 1.0, M, np.array([5e5, 9e5]), 1.0)
    height, when = highest_maximum(events, span, *given, np.empty((2, 1)))
    assert height == pytest.approx(2.0 / NEURON.v_norm)
    assert when == pytest.approx(1.0 + 20.0 / 3.0 * np.log(4.0))


def test_smallest_slope_finds_it():
    rng = np.random.default_rng(9)
    checked = 0
    while checked < CASES:
        events, weights, _ = case(rng)
        pattern = ls.PatternSet(events.times, events.channels, [0, events.times.size], 20, UNTIL)[0]
        spikes = NEURON.respond(weights / NEURON.v_norm, pattern).times
        if spikes.size < 2:
            continue
        checked += 1
        step = 1e-6
        before = potential(events, weights, spikes, spikes - step)
        at = potential(events, weights, spikes, spikes)
        slopes = (at - before) / step
        chosen = slowest(events, weights, np.array(spikes))
        assert slopes[chosen] == pytest.approx(slopes.min(), rel=1e-3, abs=1e-6)
