"""Tables of spikes: one row per spike, with its time, channel and pattern."""

from __future__ import annotations

import csv
import math
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.errors import TableError
from linspike.lab.document import LONGEST, MOST_CHANNELS, MOST_PATTERNS, MOST_SPIKES
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeTimes

DESIRED = "desired"  # in the place of a channel: a desired output spike
DURATION = "# duration:"
ROUND = 10.0  # durations that a table does not say are a multiple of it, in ms


class Spike(NamedTuple):
    """A row of the table."""

    pattern: int
    time: float
    channel: int


def read_table(content: bytes, title: str) -> tuple[PatternSet, SpikeTimes | None]:
    """Return the spikes of a table with columns time, channel and maybe pattern.

    Rows with "desired" in the place of the channel are desired output spikes.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError(f"{title} is no text in UTF-8.") from None
    lines = text.splitlines()
    durations = [line[len(DURATION) :] for line in lines if line.startswith(DURATION)]
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    if len(rows) < 2 or len(rows) > MOST_SPIKES:
        raise TableError(f"{title} must have a header and 1 to {MOST_SPIKES} rows.")
    delimiter = next((mark for mark in (",", ";", "\t") if mark in rows[0]), " ")
    reader = csv.reader(rows, delimiter=delimiter, skipinitialspace=True)
    try:
        header, *body = reader
    except csv.Error as error:
        raise TableError(f"{title} is no table ({error}).") from None
    names = [name.strip().lower() for name in header]
    if not {"time", "channel"} <= set(names):
        raise TableError(f"{title} needs the columns time and channel. It has: {', '.join(names)}.")
    return _assemble_table(body, names, durations, title)


def _assemble_table(
    rows: list[list[str]], names: list[str], durations: list[str], title: str
) -> tuple[PatternSet, SpikeTimes | None]:
    time_at, channel_at = names.index("time"), names.index("channel")
    pattern_at = names.index("pattern") if "pattern" in names else None
    spikes: list[Spike] = []
    desired: list[Spike] = []
    for i, row in enumerate(rows):
        try:
            time = float(row[time_at])
            p = 0 if pattern_at is None else int(row[pattern_at])
            if row[channel_at].strip() == DESIRED:
                desired.append(Spike(p, time, -1))
            else:
                spikes.append(Spike(p, time, int(row[channel_at])))
        except (ValueError, IndexError):
            raise TableError(f"{title}, row {i + 1}: {', '.join(row)[:60]} is no spike.") from None
    both = [*spikes, *desired]
    if not all(0 <= s.pattern < MOST_PATTERNS and 0.0 <= s.time <= LONGEST for s in both):
        raise TableError(
            f"{title} must have patterns below {MOST_PATTERNS} and times up to {LONGEST:g} ms."
        )
    channels = [s.channel for s in spikes]
    if not all(0 <= channel < MOST_CHANNELS for channel in channels):
        raise TableError(f"{title} must have channels from 0 to {MOST_CHANNELS - 1}.")
    n = max(s.pattern for s in both) + 1
    patterns = PatternSet.from_events(
        [s.time for s in spikes],
        channels,
        [s.pattern for s in spikes],
        time_unit="ms",
        window=_read_durations(durations, n, max(s.time for s in both), title),
        n_channels=max(channels, default=0) + 1,
    )
    if not desired:
        return patterns, None
    trains = [sorted(s.time for s in desired if s.pattern == p) for p in range(n)]
    return patterns, SpikeTimes(trains)


def _read_durations(written: list[str], n: int, latest: float, title: str) -> Floats:
    """Return the durations that a table says, or one that holds all of its spikes."""
    if not written:
        return np.full(n, ROUND * (math.floor(latest / ROUND) + 1))
    try:
        ends = np.array([float(each) for each in written[0].split()])
    except ValueError:
        ends = np.empty(0)
    if ends.size not in (1, n) or not (np.isfinite(ends).all() and (ends >= latest).any()):
        raise TableError(f"{title}: '{DURATION}' must be followed by one number, or {n} of them.")
    return np.broadcast_to(ends, n).copy()
