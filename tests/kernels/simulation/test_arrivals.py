"""The order of arrival against sorting by Python, from any order to begin with."""

import os

import numpy as np
import pytest
from tests.support import naive

import linspike as ls
from linspike.kernels.simulation.arrivals import fill_arrived, sort_arrivals
from linspike.kernels.simulation.events import forget, present
from linspike.neuron.decay_tables import bare_events, events_of, make_presented

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SIZES = [0, 1, 2, 23, 24, 25, 48, 49, 300] + ([] if UNCOMPILED else [5000])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", ["free", "ties", "all equal", "falling"])
@pytest.mark.parametrize("begin", ["as sent", "shuffled", "nearly"])
def test_sorts_from_any_order(n, kind, begin):
    rng = np.random.default_rng(n)
    arrivals = {
        "free": rng.uniform(0.0, 100.0, n),
        "ties": rng.integers(0, 9, n).astype(float),
        "all equal": np.ones(n),
        "falling": np.arange(n, 0.0, -1.0),
    }[kind]
    expected = sorted(range(n), key=lambda i: arrivals[i])
    order = np.arange(n, dtype=np.int32)
    if begin == "shuffled":
        order = rng.permutation(n).astype(np.int32)
    if begin == "nearly":
        order = np.argsort(arrivals + rng.normal(0.0, 0.5, n)).astype(np.int32)
    sort_arrivals(arrivals, n, order, np.empty(n, np.int32))
    assert order.tolist() == expected


def test_a_pattern_as_it_arrives():
    pattern = ls.poisson_patterns(1, n_channels=9, duration=80.0, rate=0.05, rng=0)[0]
    delays = np.random.default_rng(1).uniform(0.0, 30.0, 9)
    expected = naive.arrived(pattern, delays)
    n = len(pattern)
    times, channels = np.empty(n), np.empty(n, np.uint32)
    order, spare = np.arange(n, dtype=np.int32), np.empty(n, np.int32)
    given = np.array(pattern.times), np.array(pattern.channels).view(np.uint32)
    fill_arrived(*given, delays, order, np.empty(n), spare, times, channels)
    assert np.array_equal(times, expected.times)
    assert np.array_equal(channels, expected.channels)


@pytest.mark.parametrize("keep", [True, False])
def test_presented_patterns_follow_delays_that_change(keep):
    rng = np.random.default_rng(2)
    patterns = ls.poisson_patterns(3, n_channels=9, duration=80.0, rate=0.05, rng=0)
    m = ls.SRM()._membrane
    events = bare_events(patterns._ragged)
    presented = make_presented(events, delayed=True, keep=keep)
    delays = rng.uniform(0.0, 20.0, 9)
    for p in (0, 2, 2, 1, 0, 2):
        forget(presented)
        present(events, p, delays, m, presented)
        arrived = naive.arrived(patterns[p], delays)
        expected = events_of(ls.PatternSet.from_patterns([arrived])._ragged, m)
        n, shown = len(arrived), presented.events
        assert shown.offsets[p + 1] - shown.offsets[p] == n
        for name in ("times", "channels"):
            assert np.array_equal(getattr(shown, name)[:n], getattr(expected, name))
        for name in ("decay_m", "decay_s"):
            found, exact = getattr(shown, name)[: n - 1], getattr(expected, name)[:-1]
            assert np.allclose(found, exact, rtol=2e-15 if keep else 0.0, atol=0.0)
        delays = np.clip(delays + rng.normal(0.0, 1.0, 9), 0.0, 20.0)


def test_a_pattern_that_is_there_is_not_presented_again():
    patterns = ls.poisson_patterns(2, n_channels=9, duration=80.0, rate=0.05, rng=0)
    m, events = ls.SRM()._membrane, bare_events(patterns._ragged)
    presented = make_presented(events, delayed=True)
    present(events, 1, np.zeros(9), m, presented)
    first = presented.events.times[0]
    present(events, 1, np.ones(9), m, presented)
    assert presented.events.times[0] == first
    forget(presented)
    present(events, 1, np.ones(9), m, presented)
    assert presented.events.times[0] == first + 1.0
