"""Decays between the events of patterns, prepared once per set and pair of time constants."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np

from linspike.kernels.simulation.events import Events, fill_decays
from linspike.kernels.simulation.membrane import Membrane
from linspike.spikes.ragged import Ragged

MOST_TABLES = 4  # per set; a sweep over time constants must not fill the memory
PREPARING = Lock()  # two threads that need the same table must not both take memory for it


def events_of(ragged: Ragged, m: Membrane) -> Events:
    """Return the set's events for this membrane, from its own small cache."""
    with PREPARING:
        events = ragged.tables.get(m)
        return events if isinstance(events, Events) else _prepare(ragged, m)


def _prepare(ragged: Ragged, m: Membrane) -> Events:
    decay_m = np.empty_like(ragged.times)
    decay_s = np.empty_like(ragged.times)
    fill_decays(ragged.times, ragged.offsets, ragged.durations, m, decay_m, decay_s)
    events = Events(
        ragged.times,
        ragged.channels.view(np.uint32),
        ragged.offsets,
        ragged.durations,
        decay_m,
        decay_s,
    )
    remember(ragged, m, events)
    return events


def remember(ragged: Ragged, key: Any, table: Any) -> None:
    """Keep a table prepared for a set, in place of the one kept longest.

    A new dictionary in one assignment: other threads may be reading the old one.
    """
    ragged.tables = dict([*ragged.tables.items(), (key, table)][-MOST_TABLES:])
