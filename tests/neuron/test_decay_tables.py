"""Decays between events are prepared once, also if several threads ask for them."""

import time
from concurrent.futures import ThreadPoolExecutor

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
