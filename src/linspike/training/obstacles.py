"""Targets that no weights can meet, found by cheap checks and named in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.training.state import ChainData, ChainTask
from linspike.kernels.trains.distances import times_met
from linspike.training.result import Ending

# Weights of two close spikes in units of those of one. In trials DTA learned no pair above 50 and
# few above 20, but most below.
MOST_RISE = 20.0
MOST_WEIGHT = 10.0  # thresholds, for a spike long after the input; in trials DTA learned none above
MOST_SHOWN, DIGITS = 4, 4  # desired times in a sentence, and their decimals


def first_obstacles(task: ChainTask, chains: list[int], numbers: Ints | None) -> dict[int, str]:
    """Return the first obstacle of each of these chains that has one; numbers name the patterns."""
    equal = find_equal_patterns(task.data)
    found = {g: next(find_obstacles(task, g, equal, numbers), "") for g in chains}
    return {g: obstacle for g, obstacle in found.items() if obstacle}


def find_obstacles(
    task: ChainTask, g: int, equal: list[list[int]], numbers: Ints | None = None
) -> Iterator[str]:
    """Yield a sentence for each target of chain g that no weights can meet, as far as is found.

    equal holds the groups of `find_equal_patterns`. Patterns are named by their numbers; 0, 1, ...
    unless given.
    """
    data = task.data
    numbers = np.arange(data.horizons.size) if numbers is None else numbers
    begins, ends = data.events.offsets[:-1], data.events.offsets[1:]
    # The first input of each pattern; where there is none, one that never comes.
    first_input = np.full(begins.size, np.inf)
    driven = begins < ends
    first_input[driven] = data.events.times[begins[driven]]
    n_desired = np.diff(data.offsets)
    silent = (first_input >= data.horizons) & ((n_desired > 0) | (data.counts[g] > 0))
    for p in np.flatnonzero(silent):
        yield Ending.NO_INPUT.value.format(pattern=numbers[p])
    for p in np.flatnonzero(~silent & (n_desired > 0)):
        desired = data.times[data.offsets[p]]
        if desired <= first_input[p]:
            times = {"desired": desired, "first_input": first_input[p]}
            yield Ending.TOO_EARLY.value.format(pattern=numbers[p], **times)
    if task.options.max_delay == 0.0:  # delays that are learned may move inputs there
        yield from _find_faded_inputs(task, numbers, first_input)
        yield from _find_close_spikes(task, numbers)
    for first, *others in equal:
        for other in others:
            if not _may_both_be_met(task, g, first, other):
                yield Ending.SAME_INPUT.value.format(
                    pattern=numbers[first],
                    other=numbers[other],
                    desired=_describe_target(data, g, first),
                    other_desired=_describe_target(data, g, other),
                )
                break


def _find_faded_inputs(task: ChainTask, numbers: Ints, first_input: Floats) -> Iterator[str]:
    """Yield a sentence for each desired spike of which the input has faded away.

    V0 is w X(t) and must reach the threshold at least, so |w| is at least 1/|X(t)|, in thresholds.
    At its peak a single input has |X(t)| = 1.
    """
    data = task.data
    pattern_of = np.repeat(np.arange(data.offsets.size - 1), np.diff(data.offsets))
    for i, p in enumerate(pattern_of):
        drive = float(np.linalg.norm(data.k_desired[i]))
        # Before the first input there is none at all, and another sentence says so.
        if data.times[i] > first_input[p] and 0.0 < MOST_WEIGHT * drive < 1.0:
            names = {"pattern": numbers[p], "desired": round(float(data.times[i]), DIGITS)}
            yield Ending.FADED.value.format(**names, weight=1.0 / drive)


def _find_close_spikes(task: ChainTask, numbers: Ints) -> Iterator[str]:
    """Yield a sentence for each two desired spikes that are too close.

    From t to the next spike at u, V0 rises by w (X(u) - X(t)), and must make up for the reset, of
    which exp(-(u - t)/tau_m) is left. So |w| is at least that over |X(u) - X(t)|, in thresholds.
    """
    data, constants = task.data, task.constants
    pattern_of = np.repeat(np.arange(data.offsets.size - 1), np.diff(data.offsets))
    for i in np.flatnonzero(np.diff(pattern_of) == 0):
        gap = data.times[i + 1] - data.times[i]
        names = {"pattern": numbers[pattern_of[i]], "desired": round(float(data.times[i]), DIGITS)}
        if gap == 0.0:
            yield Ending.TWICE.value.format(**names)
            continue
        rise = float(np.linalg.norm(data.k_desired[i + 1] - data.k_desired[i]))
        needed = math.exp(-gap * constants.m.rate_m) * math.sqrt(constants.mean_max_drive)
        if needed > MOST_RISE * rise > 0.0:  # without any input before, it is too early
            following = round(float(data.times[i + 1]), DIGITS)
            names |= {"following": following, "factor": needed / rise}
            yield Ending.TOO_CLOSE.value.format(**names)


def find_equal_patterns(data: ChainData) -> list[list[int]]:
    """Return groups of two or more patterns with the same input and horizon."""
    events, sizes = data.events, np.diff(data.events.offsets)
    driven = np.flatnonzero(sizes)
    begins, last = events.offsets[driven], sizes[driven] - 1
    # A few times of each pattern distinguish almost all; the rest are compared in full.
    marks = [events.times[begins + part * last // 4] for part in range(5)]
    keys = [data.horizons[driven], sizes[driven], *marks]
    order = np.lexsort(keys)
    equal = np.ones(max(order.size - 1, 0), bool)  # to the next in this order
    for key in keys:
        equal &= key[order[1:]] == key[order[:-1]]
    alike = np.zeros(order.size, bool)
    alike[order[:-1][equal]] = alike[order[1:][equal]] = True
    groups: dict[Any, list[int]] = {}
    for p in driven[alike]:
        spikes = slice(events.offsets[p], events.offsets[p + 1])
        key = data.horizons[p], events.times[spikes].tobytes(), events.channels[spikes].tobytes()
        groups.setdefault(key, []).append(int(p))
    return [group for group in groups.values() if len(group) > 1]


def _may_both_be_met(task: ChainTask, g: int, p: int, q: int) -> bool:
    """Return whether one response may be right for the targets of two equal patterns.

    If it is right for both times, these are no farther apart than both bounds together.
    """
    data, options = task.data, task.options
    counts = data.counts[g, [p, q]]
    if counts[0] >= 0:
        return bool(counts[0] == counts[1] or (options.at_least and counts.min() > 0))
    first, other = (data.times[data.offsets[each] : data.offsets[each + 1]] for each in (p, q))
    return times_met(first, other, data.bounds[p] + data.bounds[q], options.criterion, 1.0)


def _describe_target(data: ChainData, g: int, p: int) -> str:
    if data.counts[g, p] >= 0:
        count = int(data.counts[g, p])
        return "1 spike" if count == 1 else f"{count} spikes"
    times = data.times[data.offsets[p] : data.offsets[p + 1]].tolist()
    shown = ", ".join(f"{time:.6g}" for time in times[:MOST_SHOWN])
    more = ", ..." if len(times) > MOST_SHOWN else ""
    return f"spikes at {shown}{more} ms" if times else "no spikes"
