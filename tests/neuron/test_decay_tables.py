"""Decays between events are prepared once, also if several threads ask for them."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import linspike as ls
from linspike.neuron import decay_tables


def test_threads_share_one_table(monkeypatch):
    patterns = ls.poisson_patterns(3, n_channels=4, duration=50.0, rate=0.1, rng=0)
    membrane, calls = ls.SRM()._membrane, []
    fill = decay_tables.fill_decays

    def fill_slowly(*arguments):
        calls.append(arguments)
        time.sleep(0.05)
        return fill(*arguments)

    monkeypatch.setattr(decay_tables, "fill_decays", fill_slowly)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(decay_tables.events_of, patterns._ragged, membrane) for _ in range(4)]
        found = [each.result() for each in asked]
    assert len(calls) == 1
    assert all(each is found[0] for each in found)


@pytest.mark.parametrize("most", [1, 7, 20, 10_000])
def test_large_sets_are_prepared_in_stretches(monkeypatch, most):
    drawn = ls.poisson_patterns(6, n_channels=4, duration=50.0, rate=0.05, rng=0)
    empty = ls.PatternSet([], [], [0, 0], 4, 50.0)
    patterns = ls.PatternSet.concatenate([empty, drawn, empty])
    membrane = ls.SRM()._membrane
    whole = decay_tables.events_of(ls.PatternSet.concatenate([patterns])._ragged, membrane)
    monkeypatch.setattr(decay_tables, "MOST_PER_CALL", most)
    stretches = list(decay_tables._divide(patterns.offsets, most))
    assert [stop for _, stop in stretches[:-1]] == [first for first, _ in stretches[1:]]
    assert (stretches[0][0], stretches[-1][1]) == (0, 8)
    assert (len(stretches) == 1) == (most == 10_000)
    found = decay_tables.events_of(patterns._ragged, membrane)
    assert np.array_equal(found.decay_m, whole.decay_m)
    assert np.array_equal(found.decay_s, whole.decay_s)
