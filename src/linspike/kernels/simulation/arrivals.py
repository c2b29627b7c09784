"""When the inputs of a pattern arrive at a neuron whose channels have delays, and in which order.

An input at t_i on channel c arrives at t_i + d_c, (72). Inputs that arrive together keep the order
of their pattern, so zero delays change nothing. They are put into buckets of equal width, a few for
each input: what is left to sort are the few that share one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing, inlined

BUCKETS = 4  # for each input
LEAST_SPAN = 1e-9  # ms; all arrivals within it share a bucket
MOST_MOVES = 8  # of each input, on average; else they are merged
RUN = 32  # events that are sorted by insertion before runs are merged

Numbers = npt.NDArray[np.uint32]


class SortSpace(NamedTuple):
    """Scratch space to sort the inputs of one pattern; made by `make_sort_space`."""

    arrivals: Floats  # (inputs,)
    keys: Numbers  # (inputs,)
    starts: Numbers  # (buckets,)


def make_sort_space(n: int) -> SortSpace:
    """Return scratch space for patterns of up to n inputs."""
    return SortSpace(np.empty(n), np.empty(n, np.uint32), np.empty(BUCKETS * n, np.uint32))


@inlined
def insert_events(times: Floats, channels: Numbers, first: int, stop: int, most: int) -> bool:
    """Sort events first to stop by time, by insertion; those at one time keep their order.

    Returns whether they are sorted. They may not be if that takes more than so many moves.
    """
    for k in range(first + 1, stop):
        time = times[k]
        if time < times[k - 1]:
            channel, j = channels[k], k
            while j > first and time < times[j - 1]:
                times[j], channels[j] = times[j - 1], channels[j - 1]
                j -= 1
            times[j], channels[j] = time, channel
            most -= k - j
            if most < 0:
                return False
    return True


@borrowing
def merge_runs(
    times: Floats, channels: Numbers, first: int, middle: int, stop: int, spare: SortSpace
) -> None:
    """Merge two neighbouring runs that are sorted; what is in place already is not touched."""
    low, high = middle, middle
    while low > first and times[middle] < times[low - 1]:
        low -= 1
    while high < stop and times[high] < times[middle - 1]:
        high += 1
    n = middle - low
    for i in range(n):
        spare.arrivals[i], spare.keys[i] = times[low + i], channels[low + i]
    i, j, k = 0, middle, low
    while i < n:
        if j < high and times[j] < spare.arrivals[i]:
            times[k], channels[k] = times[j], channels[j]
            j += 1
        else:
            times[k], channels[k] = spare.arrivals[i], spare.keys[i]
            i += 1
        k += 1


@borrowing
def sort_events(times: Floats, channels: Numbers, n: int, spare: SortSpace) -> None:
    """Sort n events by time, by merging; those at one time keep their order."""
    for first in range(0, n, RUN):
        insert_events(times, channels, first, min(first + RUN, n), RUN * RUN)
    width = RUN
    while width < n:
        for first in range(0, n - width, 2 * width):
            stop = min(first + 2 * width, n)
            merge_runs(times, channels, first, first + width, stop, spare)
        width *= 2


@inlined
def count_buckets(first: float, last: float, n: int, space: SortSpace) -> None:
    """Fill keys with the bucket of each of n arrivals, and starts with where each bucket begins."""
    arrivals, keys, starts = space.arrivals, space.keys, space.starts[: BUCKETS * n]
    per_ms = (starts.size - 1) / max(last - first, LEAST_SPAN)
    starts[:] = 0
    for i in range(n):
        keys[i] = np.int32((arrivals[i] - first) * per_ms)
    for i in range(n):
        starts[keys[i]] += np.uint32(1)
    begin = np.uint32(0)
    for b in range(starts.size):
        count = starts[b]
        starts[b] = begin
        begin += count


@borrowing
def fill_arrived(
    times: Floats,
    channels: Numbers,
    delays: Floats,
    space: SortSpace,
    out_times: Floats,
    out_channels: Numbers,
) -> None:
    """Write the inputs of one pattern to out in the order in which they arrive.

    Cost: linear in the inputs, or n log n if many of them share a few buckets. Branches depend on
    the delays only where inputs share one: a wrong guess takes longer than all else for an input.
    """
    n = times.size
    if n == 0:
        return
    arrivals, keys, starts = space
    last = times[0]
    for i in range(n):
        arrivals[i] = times[i] + delays[channels[i]]
        last = max(last, arrivals[i])
    count_buckets(times[0], last, n, space)
    for i in range(n):
        k = starts[keys[i]]
        starts[keys[i]] = k + np.uint32(1)
        out_times[k] = arrivals[i]
        out_channels[k] = channels[i]
    if not insert_events(out_times, out_channels, 0, n, MOST_MOVES * n):
        sort_events(out_times, out_channels, n, space)


@borrowing
def fill_all_arrived(
    times: Floats,
    channels: Numbers,
    offsets: Ints,
    delays: Floats,
    space: SortSpace,
    out_times: Floats,
    out_channels: Numbers,
) -> None:
    """`fill_arrived` for all patterns of a set; scratch space is as long as the longest."""
    for p in range(offsets.size - 1):
        first, stop = offsets[p], offsets[p + 1]
        fill_arrived(
            times[first:stop],
            channels[first:stop],
            delays,
            space,
            out_times[first:stop],
            out_channels[first:stop],
        )
