"""Many neurons answer the same patterns: the decays are shared, the state is vectorised.

Neurons go in blocks of at most 64. The loop over a block updates every state and asks each
whether the coming interval may hold a spike; only those that may are looked at one by one.
Testing the *coming* interval means that no earlier state has to be kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike.kernels.events import Events, Floats, Span, interval_of, span_until
from linspike.kernels.jit import kernel
from linspike.kernels.membrane import Interval, Membrane, fire
from linspike.kernels.simulate import simulate

BLOCK = 64  # one word of alarm bits; this width compiles to vector code
ONE_BY_ONE = 3  # up to so many neurons the plain loop is faster


class Spikes(NamedTuple):
    """Growing list of spikes in the order they were found."""

    times: Floats
    neurons: npt.NDArray[np.int32]


class Block(NamedTuple):
    """State of one block of neurons."""

    a: Floats
    b: Floats
    counts: npt.NDArray[np.int64]
    weights: Floats  # (channels, neurons), contiguous


@kernel
def fire_one(
    j: int,
    block: Block,
    coming: Interval,
    threshold: float,
    m: Membrane,
    found: Spikes,
    n: int,
    cap: int,
) -> int:
    """Spikes of neuron j in the coming interval, added to found; returns the new n.

    A neuron that reaches its cap is silenced by a state of minus infinity.
    """
    room = min(found.times.size, n + cap - block.counts[j])
    a, after = fire(block.a[j], block.b[j], coming, threshold, m, found.times[:room], n)
    for i in range(n, after):
        found.neurons[i] = j
    block.counts[j] += after - n
    block.a[j] = -np.inf if block.counts[j] == cap else a
    return after


@kernel
def run_wide(
    events: Events, span: Span, block: Block, threshold: float, m: Membrane, found: Spikes, cap: int
) -> int:
    """A full block of 64 neurons; returns the number of spikes found (see `run_block`)."""
    a, b = block.a, block.b
    before_m = 0.0
    before_s = 0.0
    n = 0
    for e in range(span.first, span.stop):
        coming = interval_of(events, span, e)
        end_m = coming.end_m
        slack = m.ratio * end_m + (1.0 - m.ratio)
        row = block.weights[events.channels[e]]
        alarms = np.uint64(0)
        for j in range(BLOCK):
            x = a[j] * before_m + row[j]
            y = b[j] * before_s + row[j]
            alarms |= np.uint64(x * end_m - y * slack >= threshold) << np.uint64(j)
            a[j] = x
            b[j] = y
        before_m = end_m
        before_s = coming.end_s
        j = 0
        while alarms != np.uint64(0):
            while alarms & np.uint64(255) == np.uint64(0):
                alarms >>= np.uint64(8)
                j += 8
            if alarms & np.uint64(1):
                n = fire_one(j, block, coming, threshold, m, found, n, cap)
                if n == found.times.size:
                    return n
            alarms >>= np.uint64(1)
            j += 1
    return n


@kernel
def run_narrow(
    events: Events, span: Span, block: Block, threshold: float, m: Membrane, found: Spikes, cap: int
) -> int:
    """A block of any width, with the same arithmetic as `run_wide`."""
    a, b = block.a, block.b
    before_m = 0.0
    before_s = 0.0
    n = 0
    for e in range(span.first, span.stop):
        coming = interval_of(events, span, e)
        end_m = coming.end_m
        slack = m.ratio * end_m + (1.0 - m.ratio)
        row = block.weights[events.channels[e]]
        alarms = 0
        for j in range(a.size):
            x = a[j] * before_m + row[j]
            y = b[j] * before_s + row[j]
            alarms += x * end_m - y * slack >= threshold
            a[j] = x
            b[j] = y
        before_m = end_m
        before_s = coming.end_s
        if alarms > 0:
            for j in range(a.size):
                if a[j] * end_m - b[j] * slack >= threshold:
                    n = fire_one(j, block, coming, threshold, m, found, n, cap)
                    if n == found.times.size:
                        return n
    return n


@kernel
def respond_block(
    events: Events,
    patterns: tuple[int, int],
    until: Floats,
    block: Block,
    threshold: float,
    m: Membrane,
    found: Spikes,
    counts: npt.NDArray[np.int64],
    finite: npt.NDArray[np.bool_],
    cap: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """Answers of one block to patterns[0] up to patterns[1].

    counts and finite are (patterns, neurons of the block), filled as patterns are finished;
    until and cap hold one value a pattern. Returns the pattern that no longer fitted into found
    (or patterns[1]) and the number of spikes found before it.
    """
    total = 0
    for p in range(patterns[0], patterns[1]):
        room = Spikes(found.times[total:], found.neurons[total:])
        block.a[:] = 0.0
        block.b[:] = 0.0
        block.counts[:] = 0
        span = span_until(events, p, until[p], m)
        if block.a.size == BLOCK:
            n = run_wide(events, span, block, threshold, m, room, cap[p])
        else:
            n = run_narrow(events, span, block, threshold, m, room, cap[p])
        if n == room.times.size:
            return p, total
        counts[p] = block.counts
        for j in range(block.a.size):
            finite[p, j] = np.isfinite(block.a[j] - block.b[j])
        total += n
    return patterns[1], total


@kernel
def respond_rows(
    events: Events,
    patterns: tuple[int, int],
    until: Floats,
    weights: Floats,
    threshold: float,
    m: Membrane,
    found: Spikes,
    counts: npt.NDArray[np.int64],
    finite: npt.NDArray[np.bool_],
    cap: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """`respond_block` for a few neurons, one by one; weights are (neurons, channels)."""
    total = 0
    for p in range(patterns[0], patterns[1]):
        span = span_until(events, p, until[p], m)
        n = 0
        for j in range(weights.shape[0]):
            room = found.times[total + n : total + n + cap[p]]
            k, finite[p, j] = simulate(events, span, weights[j], threshold, m, room)
            finite[p, j] &= k < cap[p]
            if k == room.size and k < cap[p]:
                return p, total
            found.neurons[total + n : total + n + k] = j
            counts[p, j] = k
            n += k
        total += n
    return patterns[1], total


@kernel
def scatter(
    found: Spikes,
    patterns: tuple[int, int],
    first_neuron: int,
    counts: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    out: Floats,
) -> None:
    """Sort found spikes, pattern by pattern, into out; starts is (neurons, patterns)."""
    i = 0
    placed = np.zeros(counts.shape[1], np.int64)
    for p in range(patterns[0], patterns[1]):
        placed[:] = 0
        for _ in range(counts[p].sum()):
            j = found.neurons[i]
            out[starts[first_neuron + j, p] + placed[j]] = found.times[i]
            placed[j] += 1
            i += 1
