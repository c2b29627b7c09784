"""The order of arrival against sorting by Python, from any order to begin with."""

import os

import numpy as np
import pytest
from tests.support import naive

import linspike as ls
from linspike.kernels.simulation.arrivals import fill_arrived, make_sort_space, sort_events
from linspike.kernels.simulation.events import forget, present
from linspike.neuron.decay_tables import bare_events, events_of, make_presented

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SIZES = [0, 1, 2, 63, 64, 65, 128, 300] + ([] if UNCOMPILED else [5000])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", ["free", "ties", "all equal", "falling", "nearly", "one late"])
def test_sorts_from_any_order(n, kind):
    rng = np.random.default_rng(n)
    times = {
        "free": rng.uniform(0.0, 100.0, n),
        "ties": rng.integers(0, 9, n).astype(float),
        "all equal": np.ones(n),
        "falling": np.arange(n, 0.0, -1.0),
        "nearly": np.arange(n) + rng.normal(0.0, 3.0, n),
        "one late": np.r_[1e9, rng.uniform(0.0, 1.0, n)][:n],
    }[kind]
    expected = np.argsort(times, kind="stable")
    found, channels = times.copy(), np.arange(n, dtype=np.uint32)
    sort_events(found, channels, n, make_sort_space(n))
    assert channels.tolist() == expected.tolist()
    assert np.array_equal(found, times[expected])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", ["free", "ties", "together", "one late", "none", "far off"])
def test_a_pattern_as_it_arrives(n, kind):
    rng = np.random.default_rng(n)
    times = np.sort(rng.uniform(0.0, 80.0, n))
    given = np.floor(times) if kind in ("ties", "together") else times
    delays = {
        "free": rng.uniform(0.0, 30.0, 9),
        "ties": rng.integers(0, 9, 9).astype(float),
        "together": np.zeros(9),
        "one late": np.r_[np.full(8, 1e-9), 1e12],
        "none": np.zeros(9),
        "far off": np.full(9, 1e300),
    }[kind]
    if kind == "together":
        given = np.full(n, 3.0)
    pattern = ls.Pattern(given, rng.integers(0, 9, n), n_channels=9, duration=80.0)
    expected = naive.arrived(pattern, delays)
    out_times, out_channels = np.empty(n), np.empty(n, np.uint32)
    sent = np.array(pattern.times), np.array(pattern.channels).view(np.uint32)
    fill_arrived(*sent, delays, make_sort_space(n), out_times, out_channels)
    assert np.array_equal(out_times, expected.times)
    assert np.array_equal(out_channels, expected.channels)


@pytest.mark.parametrize("short", [True, False])
def test_presented_patterns_follow_delays_that_change(short):
    rng = np.random.default_rng(2)
    patterns = ls.poisson_patterns(3, n_channels=9, duration=80.0, rate=0.05, rng=0)
    m = ls.SRM()._membrane
    events = bare_events(patterns._ragged)
    presented = make_presented(events, delayed=True, short=short)
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
            assert np.allclose(found, exact, rtol=2e-15 if short else 0.0, atol=0.0)
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
