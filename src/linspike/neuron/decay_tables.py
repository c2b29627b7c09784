"""Decays between the events of patterns, prepared once per set and pair of time constants.

Those of a large set would take more memory than its spikes. While neurons learn it, they are
computed for each pattern when it is presented; its responses are computed in blocks of patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any

import numpy as np

from linspike._typing import Ints
from linspike.kernels.simulation.arrivals import make_sort_space
from linspike.kernels.simulation.events import Events, Presented, fill_decays
from linspike.kernels.simulation.membrane import Membrane
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.ragged import Ragged

MOST_TABLES = 4  # per set; a sweep over time constants must not fill the memory
MOST_BYTES = 2**26  # of the tables of a set, which is large above
BYTES_PER_EVENT = 16
MOST_PER_BLOCK = 250_000  # events of a large set whose decays are held at a time
MOST_PER_CALL = 2_000_000  # events: a tenth of a second or so, in which Ctrl-C waits
NO_SPACE = make_sort_space(0)  # without delays nothing is sorted
PREPARING = Lock()  # two threads that need the same table must not both take memory for it


def events_of(ragged: Ragged, m: Membrane) -> Events:
    """Return the set's events for this membrane, from its own small cache."""
    with PREPARING:
        events = ragged.tables.get(m)
        return events if isinstance(events, Events) else _prepare(ragged, m)


def has_tables(ragged: Ragged, m: Membrane) -> bool:
    """Return whether a set is small enough for tables, or has them already."""
    return ragged.times.size * BYTES_PER_EVENT <= MOST_BYTES or m in ragged.tables


def events_to_learn(ragged: Ragged, m: Membrane) -> Events:
    """Return the set's events; those of a large set have no decays."""
    if has_tables(ragged, m):
        return events_of(ragged, m)
    return bare_events(ragged)


def bare_events(ragged: Ragged) -> Events:
    """Return events without decays, for kernels that need none or present each pattern."""
    channels = ragged.channels.view(np.uint32)
    none = np.empty((2, 0))
    return Events(ragged.times, channels, ragged.offsets, ragged.durations, *none)


def make_presented(events: Events, *, delayed: bool = False, short: bool = False) -> Presented:
    """Return scratch space to present patterns of events that have no decays, or with delays.

    short says whether decays may be those of `fill_short_decays`.
    """
    if not delayed and events.decay_m.size == events.times.size:
        return Presented(events, np.empty(0, np.int64), NO_SPACE, False)
    longest = int(np.diff(events.offsets).max())
    scratch = Events(
        np.empty(longest),
        np.empty(longest, np.uint32),
        np.zeros_like(events.offsets),
        events.durations,
        np.empty(longest),
        np.empty(longest),
    )
    space = make_sort_space(longest) if delayed else NO_SPACE
    return Presented(scratch, np.full(1, -1, np.int64), space, short)


def iter_blocks(ragged: Ragged, m: Membrane) -> Iterator[tuple[int, int, Ragged]]:
    """Yield a large set in blocks with their bounds, whose tables go when they do; others whole."""
    if has_tables(ragged, m):
        yield 0, ragged.durations.size, ragged
        return
    for first, stop in _divide(ragged.offsets, MOST_PER_BLOCK):
        yield first, stop, ragged.stretch(first, stop)


def iter_calls(ragged: Ragged) -> Iterator[tuple[int, int]]:
    """Yield the bounds of blocks of patterns, one for each call of a kernel that takes long."""
    return _divide(ragged.offsets, MOST_PER_CALL)


def pick_pattern(patterns: PatternSet, p: int, m: Membrane) -> Pattern:
    """Return pattern p; that of a large set as one of a set of its own."""
    if has_tables(patterns._ragged, m):
        return patterns[p]
    return Pattern._view(patterns._ragged.stretch(p, p + 1), 0)


def _prepare(ragged: Ragged, m: Membrane) -> Events:
    decay_m = np.empty_like(ragged.times)
    decay_s = np.empty_like(ragged.times)
    for first, stop in iter_calls(ragged):
        part = ragged.offsets[first : stop + 1], ragged.durations[first:stop]
        fill_decays(ragged.times, *part, m, decay_m, decay_s)
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


def _divide(offsets: Ints, most_events: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of patterns with at most so many events; one pattern at least."""
    first, n_patterns = 0, offsets.size - 1
    while first < n_patterns:
        most = offsets[first] + most_events
        stop = n_patterns
        if offsets[-1] > most:
            stop = max(int(np.searchsorted(offsets, most, side="right")) - 1, first + 1)
        yield first, stop
        first = stop


def remember(ragged: Ragged, key: Any, table: Any) -> None:
    """Keep a table prepared for a set, in place of the one kept longest.

    A new dictionary in one assignment: other threads may be reading the old one.
    """
    ragged.tables = dict([*ragged.tables.items(), (key, table)][-MOST_TABLES:])
