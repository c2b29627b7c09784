"""When the inputs of a pattern arrive at a neuron whose channels have delays, and in which order.

An input at t_i on channel c arrives at t_i + d_c, (72). Inputs that arrive together keep the order
of their pattern, so zero delays change nothing. Delays that are learned change little between two
presentations of a pattern: sorting begins with the order of last time, and is then nearly linear.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing, inlined

RUN = 24  # events that are sorted by insertion; runs are then merged

Order = npt.NDArray[np.int32]  # numbers of inputs within their pattern
Channels = npt.NDArray[np.uint32]


@inlined
def comes_before(arrivals: Floats, i: int, j: int) -> bool:
    """Return whether input i arrives before input j, or together with it and stands before it."""
    return arrivals[i] < arrivals[j] or (arrivals[i] == arrivals[j] and i < j)


@borrowing
def sort_run(arrivals: Floats, order: Order, first: int, stop: int) -> None:
    """Sort order[first:stop] by insertion."""
    for k in range(first + 1, stop):
        i = order[k]
        j = k
        while j > first and comes_before(arrivals, i, order[j - 1]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


@borrowing
def merge_runs(
    arrivals: Floats, order: Order, first: int, middle: int, stop: int, spare: Order
) -> None:
    """Merge two neighbouring runs that are sorted; what is in place already is not touched."""
    low, high = middle, middle
    while low > first and comes_before(arrivals, order[middle], order[low - 1]):
        low -= 1
    while high < stop and comes_before(arrivals, order[high], order[middle - 1]):
        high += 1
    n = middle - low
    for i in range(n):
        spare[i] = order[low + i]
    i, j, k = 0, middle, low
    while i < n:
        if j < high and comes_before(arrivals, order[j], spare[i]):
            order[k] = order[j]
            j += 1
        else:
            order[k] = spare[i]
            i += 1
        k += 1


@borrowing
def sort_arrivals(arrivals: Floats, n: int, order: Order, spare: Order) -> None:
    """Sort order, any order of the numbers below n, by time of arrival.

    Merge sort. Cost: n log n, or n if the order that comes in is nearly right.
    """
    for first in range(0, n, RUN):
        sort_run(arrivals, order, first, min(first + RUN, n))
    width = RUN
    while width < n:
        for first in range(0, n - width, 2 * width):
            stop = min(first + 2 * width, n)
            merge_runs(arrivals, order, first, first + width, stop, spare)
        width *= 2


@borrowing
def fill_arrived(
    times: Floats,
    channels: Channels,
    delays: Floats,
    order: Order,
    arrivals: Floats,
    spare: Order,
    out_times: Floats,
    out_channels: Channels,
) -> None:
    """Write the inputs of one pattern to out in the order in which they arrive.

    order holds an order to begin with, and afterwards the right one; arrivals and spare are scratch
    space. All are at least as long as times.
    """
    n = times.size
    for i in range(n):
        arrivals[i] = times[i] + delays[channels[i]]
    sort_arrivals(arrivals, n, order, spare)
    for k in range(n):
        i = order[k]
        out_times[k] = arrivals[i]
        out_channels[k] = channels[i]


@borrowing
def fill_all_arrived(
    times: Floats,
    channels: Channels,
    offsets: Ints,
    delays: Floats,
    order: Order,
    arrivals: Floats,
    spare: Order,
    out_times: Floats,
    out_channels: Channels,
) -> None:
    """`fill_arrived` for all patterns of a set; scratch space is as long as the longest."""
    for p in range(offsets.size - 1):
        first, stop = offsets[p], offsets[p + 1]
        for i in range(stop - first):
            order[i] = i
        fill_arrived(
            times[first:stop],
            channels[first:stop],
            delays,
            order,
            arrivals,
            spare,
            out_times[first:stop],
            out_channels[first:stop],
        )
