"""Answers of many neurons to many patterns."""

from __future__ import annotations

import functools
import itertools
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
from linspike.spikes.ragged import Frozen, read_only
from linspike.spikes.spike_train import SpikeTrain

EVENTS_PER_JOB = 250_000  # events times neurons, at least: a quarter of a millisecond
TASKS_PER_THREAD = 4  # of each block, so that threads end together
SPIKES_PER_THREAD = 100_000  # fewer are moved to their places faster by one thread
FIRST_BUFFER = 4096
EVENTS_PER_SPIKE = 64  # the first buffer holds one spike for so many events
LINE = 16  # numbers of 8 bytes: two cache lines, as processors fetch them in pairs


@final
class Responses(Frozen):
    """Spike trains of neurons x patterns, in flat arrays.

    responses[i, p] is the `SpikeTrain` of neuron i to pattern p, responses[i] the list of all of
    neuron i's; `counts` is (neurons, patterns); `truncated` marks answers cut off at the cap.
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
        parts = (times, starts_of(counts), horizons, read_only(counts), read_only(truncated))
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


def starts_of(counts: Ints) -> Ints:
    """Where each train begins in the flat times."""
    ends: Ints = np.cumsum(counts.ravel(), dtype=np.int64).reshape(counts.shape)
    return ends - counts


class _Group:
    """A block of neurons: its weights as the kernels want them, and room for its counts."""

    def __init__(self, first: int, weights: Floats, n_patterns: int) -> None:
        self.first, self.width = first, weights.shape[0]
        self.one_by_one = self.width <= ONE_BY_ONE
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


def _own_lines(size: int, dtype: Any) -> npt.NDArray[Any]:
    """An array that shares no cache line with anything: threads write to theirs at every event."""
    return np.empty(size + 2 * LINE, dtype)[LINE:-LINE]


def _run_task(given: BatchInput, task: _Task) -> list[_Piece]:
    """Simulate a task, with a larger buffer whenever a pattern does not fit."""
    group = task.group
    kernel: Any = respond_rows
    neurons: Any = group.weights
    if not group.one_by_one:
        kernel = respond_block
        a, b = _own_lines(group.width, np.float64), _own_lines(group.width, np.float64)
        neurons = Block(a, b, _own_lines(group.width, np.int64), group.weights)
    pieces = []
    n_events = int(given.events.offsets[task.last] - given.events.offsets[task.first])
    now, size = task.first, FIRST_BUFFER + group.width * n_events // EVENTS_PER_SPIKE
    while now < task.last:
        found = Spikes(np.empty(size), np.empty(size, np.int32))
        out = BatchOutput(found, group.counts, group.finite)
        done, n = kernel(given, (now, task.last), neurons, out)
        if done > now:
            spikes = Spikes(found.times[:n], found.neurons[:n])
            pieces.append(_Piece(group, now, done, spikes))
        now, size = done, 2 * size
    return pieces


def respond_all(given: BatchInput, weights: Floats, threads: int) -> Responses:
    """Simulate every neuron on every pattern; the same bits for any number of threads."""
    groups = [
        _Group(first, weights[first : first + BLOCK], given.horizons.size)
        for first in range(0, weights.shape[0], BLOCK)
    ]
    tasks = [task for group in groups for task in _tasks(group, given.events.offsets, threads)]
    found = run_jobs(functools.partial(_run_task, given), tasks, threads)
    counts = np.concatenate([group.counts.T for group in groups])
    truncated = ~np.concatenate([group.finite.T for group in groups])
    starts = starts_of(counts)
    times = np.empty(int(counts.sum()))
    for group in groups:
        group.places = np.ascontiguousarray(starts[group.first : group.first + group.width].T)

    def place(pieces: list[_Piece]) -> None:
        for group, first, last, spikes in pieces:
            scatter(spikes, (first, last), group.counts, group.places, times)

    run_jobs(place, found, threads if times.size > SPIKES_PER_THREAD else 1)
    return Responses(times, counts, truncated, given.horizons)


def _tasks(group: _Group, offsets: Ints, threads: int) -> list[_Task]:
    """Stretches of about equal work, a few for each thread; answers do not depend on them."""
    share = int(offsets[-1]) // (TASKS_PER_THREAD * threads) + 1 if threads > 1 else offsets[-1] + 1
    stretch = offsets[:-1] // max(share, EVENTS_PER_JOB // group.width, 1)
    bounds = [0, *(np.flatnonzero(np.diff(stretch)) + 1).tolist(), offsets.size - 1]
    return [_Task(group, first, last) for first, last in itertools.pairwise(bounds)]
