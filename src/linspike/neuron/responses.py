"""Responses of many neurons to many patterns."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any, NamedTuple, final, overload

import numpy as np
import numpy.typing as npt

from linspike._threads import run_jobs
from linspike._typing import Floats, Ints
from linspike.kernels.simulation.batch import (
    BLOCK,
    ONE_BY_ONE,
    BatchInput,
    BatchOutput,
    Block,
    Spikes,
    respond_block,
    respond_rows,
    scatter,
)
from linspike.neuron.arguments import (
    FREE_SPIKES,
    SPIKES_PER_INPUT,
    check_horizon,
    check_max_spikes,
)
from linspike.neuron.arrivals import arrive
from linspike.neuron.decay_tables import bare_events, events_of, make_presented
from linspike.spikes.frozen import Frozen, read_only
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

EVENTS_PER_JOB = 250_000  # events times neurons, at least: a quarter of a millisecond
MOST_PER_JOB = 100_000_000  # likewise: a tenth of a second or so, in which Ctrl-C waits
DELAYED_COST = 10  # of an event that arrives at each neuron at another time
TASKS_PER_THREAD = 4  # of each block, so that threads end together
SPIKES_PER_THREAD = 100_000  # fewer are moved to their places faster by one thread
FIRST_BUFFER = 4096
EVENTS_PER_SPIKE = 64  # the first buffer holds one spike for so many events
LINE = 16  # numbers of 8 bytes: two cache lines, as processors fetch them in pairs


@final
class Responses(Frozen):
    """Spike trains of neurons x patterns, in flat arrays.

    responses[i, p] is the `SpikeTrain` of neuron i to pattern p, responses[i] the list of all of
    neuron i's; `counts` is (neurons, patterns); `truncated` marks those cut off at the cap.
    """

    __slots__ = ("_horizons", "_starts", "_times", "counts", "truncated")

    _times: Floats
    _starts: Ints
    _horizons: Floats
    counts: Ints
    truncated: npt.NDArray[np.bool_]

    def __init__(
        self,
        times: Floats,
        counts: Ints,
        truncated: npt.NDArray[np.bool_],
        horizons: Floats,
    ) -> None:
        parts = (times, find_starts(counts), horizons, read_only(counts), read_only(truncated))
        names = ("_times", "_starts", "_horizons", "counts", "truncated")
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(self, name, part)

    @property
    def times(self) -> Floats:
        """All spike times, neuron by neuron and pattern by pattern (read-only)."""
        return read_only(self._times)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of neurons and of patterns."""
        return self.counts.shape[0], self.counts.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, key: tuple[int, int]) -> SpikeTrain: ...

    @overload
    def __getitem__(self, key: int) -> list[SpikeTrain]: ...

    def __getitem__(self, key: tuple[int, int] | int) -> SpikeTrain | list[SpikeTrain]:
        if not isinstance(key, tuple):
            row = range(self.shape[0])[key]
            return [self[row, pattern] for pattern in range(self.shape[1])]
        neuron, pattern = key
        start = self._starts[neuron, pattern]
        return SpikeTrain._trusted(
            self._times[start : start + self.counts[neuron, pattern]],
            float(self._horizons[pattern]),
            bool(self.truncated[neuron, pattern]),
        )

    def __repr__(self) -> str:
        neurons, patterns = self.shape
        cut = int(self.truncated.sum())
        flag = f", {cut} truncated" if cut else ""
        return f"Responses({neurons} neurons, {patterns} patterns, {self._times.size} spikes{flag})"


def find_starts(counts: Ints) -> Ints:
    """Return where each train begins in the flat times."""
    ends: Ints = np.cumsum(counts.ravel(), dtype=np.int64).reshape(counts.shape)
    return ends - counts


class _Group:
    """A block of neurons: its weights as the kernels take them, and buffers for its counts.

    Neurons with delays of their own are simulated one by one: they share no event.
    """

    def __init__(self, first: int, weights: Floats, delays: Floats, n_patterns: int) -> None:
        self.first, self.width = first, weights.shape[0]
        self.delays, self.delayed = delays, delays.shape[1] > 0
        self.one_by_one = self.delayed or self.width <= ONE_BY_ONE
        self.weights = np.ascontiguousarray(weights if self.one_by_one else weights.T)
        self.counts = np.zeros((n_patterns, self.width), np.int64)
        self.finite = np.ones((n_patterns, self.width), bool)
        self.places = self.counts


class _Task(NamedTuple):
    """A block of neurons and a stretch of patterns: the unit of work of a thread."""

    group: _Group
    first: int
    last: int


class _Piece(NamedTuple):
    """Spikes of a block for the patterns from first to last, as the kernel found them."""

    group: _Group
    first: int
    last: int
    spikes: Spikes


def _make_array(size: int, dtype: Any) -> npt.NDArray[Any]:
    """Return an array that shares no cache line with others: threads write to it at every event."""
    return np.empty(size + 2 * LINE, dtype)[LINE:-LINE]


def _run_task(given: BatchInput, task: _Task) -> list[_Piece]:
    """Simulate a task, with a larger buffer whenever a pattern does not fit."""
    group = task.group
    kernel: Any = respond_rows
    neurons: tuple[Any, ...]
    if group.one_by_one:
        presented = make_presented(given.events, delayed=group.delayed)
        neurons = (group.weights, group.delays, presented)
    else:
        kernel = respond_block
        a, b = _make_array(group.width, np.float64), _make_array(group.width, np.float64)
        neurons = (Block(a, b, _make_array(group.width, np.int64), group.weights),)
    pieces = []
    n_events = int(given.events.offsets[task.last] - given.events.offsets[task.first])
    now, size = task.first, FIRST_BUFFER + group.width * n_events // EVENTS_PER_SPIKE
    while now < task.last:
        found = Spikes(np.empty(size), np.empty(size, np.int32))
        out = BatchOutput(found, group.counts, group.finite)
        done, n = kernel(given, (now, task.last), *neurons, out)
        if done > now:
            spikes = Spikes(found.times[:n], found.neurons[:n])
            pieces.append(_Piece(group, now, done, spikes))
        now, size = done, 2 * size
    return pieces


def make_batch_input(
    patterns: PatternSet,
    delays: Floats | None,
    until: float | None,
    max_spikes: int | None,
    neuron: Any,
    owner: str,
) -> BatchInput:
    """Return what the kernels need of patterns and neuron; checks horizon and cap.

    With delays that all neurons share, events are as they arrive; with a row per neuron they have
    no decays.
    """
    horizons = np.array(patterns.durations)
    if until is not None:
        horizons[:] = check_horizon(until, math.nan, owner)
    caps: Ints = FREE_SPIKES + SPIKES_PER_INPUT * np.diff(patterns.offsets)
    if max_spikes is not None:
        caps[:] = check_max_spikes(max_spikes, 0, owner)
    m = neuron._membrane
    if delays is None:
        events = events_of(patterns._ragged, m)
    elif delays.ndim == 1:
        events = events_of(arrive(patterns._ragged, delays), m)
    else:
        events = bare_events(patterns._ragged)
    return BatchInput(events, horizons, caps, neuron._scaled_threshold, m)


def delay_rows(delays: Floats | None, n_neurons: int) -> Floats:
    """Return a row of delays per neuron, without entries where its inputs have arrived already."""
    return np.empty((n_neurons, 0)) if delays is None or delays.ndim == 1 else delays


def respond_all(
    given: BatchInput, weights: Floats, delays: Floats | None, threads: int
) -> Responses:
    """Simulate every neuron on every pattern; the same bits for any number of threads.

    delays are those that `make_batch_input` was given.
    """
    rows = delay_rows(delays, weights.shape[0])
    stretches = [slice(first, first + BLOCK) for first in range(0, weights.shape[0], BLOCK)]
    groups = [
        _Group(each.start, weights[each], rows[each], given.horizons.size) for each in stretches
    ]
    tasks = [task for group in groups for task in _split(group, given.events.offsets, threads)]
    found = run_jobs(functools.partial(_run_task, given), tasks, threads)
    counts = np.concatenate([group.counts.T for group in groups])
    truncated = ~np.concatenate([group.finite.T for group in groups])
    starts = find_starts(counts)
    times = np.empty(int(counts.sum()))
    for group in groups:
        group.places = np.ascontiguousarray(starts[group.first : group.first + group.width].T)

    def place(pieces: list[_Piece]) -> None:
        for group, first, last, spikes in pieces:
            scatter(spikes, (first, last), group.counts, group.places, times)

    run_jobs(place, found, threads if times.size > SPIKES_PER_THREAD else 1)
    return Responses(times, counts, truncated, given.horizons)


def _split(group: _Group, offsets: Ints, threads: int) -> list[_Task]:
    """Return stretches of about equal work, a few for each thread; no result depends on them."""
    share = int(offsets[-1]) // (TASKS_PER_THREAD * threads) + 1 if threads > 1 else offsets[-1] + 1
    cost = group.width * (DELAYED_COST if group.delayed else 1)
    share = min(share, MOST_PER_JOB // cost)
    stretch = offsets[:-1] // max(share, EVENTS_PER_JOB // cost, 1)
    bounds = [0, *(np.flatnonzero(np.diff(stretch)) + 1).tolist(), offsets.size - 1]
    return [_Task(group, first, last) for first, last in itertools.pairwise(bounds)]
