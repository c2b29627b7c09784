"""Conversion of lists, rasters and latency matrices to flat spikes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_float_array, check_real
from linspike.errors import ParameterError, Words

ORDERS = ("time_channel", "channel_time")
ROWS = 1000  # of latencies at once


class Flat(NamedTuple):
    """Return times, channels and offsets of several patterns, each ascending in time."""

    times: Floats
    channels: Ints
    offsets: Ints


def by_time(times: Floats, channels: Ints, offsets: Ints) -> Flat:
    """Return each pattern sorted by time; simultaneous spikes keep their order."""
    pattern = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    order = np.lexsort((times, pattern))
    return Flat(times[order], channels[order], offsets)


def from_lists(lists: Sequence[Sequence[Any]], owner: str) -> Flat:
    """lists[p][c] holds the ascending times of channel c in pattern p."""
    times, channels, sizes = [], [], []
    for p, pattern in enumerate(lists):
        arrays = [
            check_float_array(train, f"channel {c} of pattern {p}", owner)
            for c, train in enumerate(pattern)
        ]
        for c, train in enumerate(arrays):
            falls = np.flatnonzero(np.diff(train) < 0.0)
            for at in falls[:1]:
                raise ParameterError.of(
                    f"channel {c} of pattern {p}",
                    owner,
                    "ascending in time",
                    Words(f"{train[at + 1].item()!r} after {train[at].item()!r}"),
                    "Sort the times of each channel: np.sort(times).",
                )
        times += arrays
        channels += [np.full(train.size, c) for c, train in enumerate(arrays)]
        sizes.append(sum(train.size for train in arrays))
    flat_times = np.concatenate([np.empty(0), *times])
    flat_channels = np.concatenate([np.empty(0, np.int64), *channels])
    return by_time(flat_times, flat_channels, np.concatenate([[0], np.cumsum(sizes, dtype=int)]))


def from_raster(
    raster: Any, dt: Any, order: str, owner: str, ndim: int = 3
) -> tuple[Flat, int, float]:
    """Return the spikes of a dense 0/1 array (patterns, ...); bin i stands for time i*dt.

    ndim is 2 for a single pattern without the first axis. Returns the spikes, the number of
    channels and the duration.
    """
    step = check_real(dt, "dt", owner, above=0.0)
    if order not in ORDERS:
        raise ParameterError.of("order", owner, f"one of {ORDERS}", order)
    try:
        array = np.asarray(raster)
    except ValueError:
        raise ParameterError.of("raster", owner, "a full array, not ragged", raster) from None
    if array.ndim != ndim or array.size == 0:
        raise ParameterError.of(
            "raster",
            owner,
            f"a filled {ndim}-D array of {'patterns, ' if ndim == 3 else ''}time and channels",
            Words(f"shape {array.shape}"),
        )
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ParameterError.of(
            "raster", owner, "made of 0 and 1", Words(f"other values ({array.dtype})")
        )
    array = array.reshape((-1, *array.shape[-2:]))
    if order == "channel_time":
        array = array.swapaxes(1, 2)
    pattern, bins, channels = np.nonzero(array)
    counts = np.bincount(pattern, minlength=array.shape[0])
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return (
        Flat((bins * step).astype(np.float64), channels, offsets),
        array.shape[2],
        array.shape[1] * step,
    )


def from_latencies(latencies: Any, owner: str, ndim: int = 2) -> tuple[Flat, int]:
    """Return one spike per channel at most: latencies[p, c] is its time, NaN for silence."""
    matrix = check_float_array(latencies, "latencies", owner, ndim=ndim)
    if matrix.size == 0:
        raise ParameterError.of(
            "latencies", owner, "a filled matrix", Words(f"shape {matrix.shape}")
        )
    matrix = matrix.reshape((-1, matrix.shape[-1]))
    # In slices: large sets need little memory beside their own.
    parts = [sorted_rows(matrix[at : at + ROWS]) for at in range(0, len(matrix), ROWS)]
    return joined(parts), matrix.shape[1]


def sorted_rows(latencies: Floats) -> Flat:
    """Return the spikes of a few rows of latencies in order of time; NaN is silence."""
    counts = np.count_nonzero(~np.isnan(latencies), axis=1)
    order = np.argsort(latencies, axis=1, kind="stable")  # NaN comes last
    spikes = np.arange(latencies.shape[1]) < counts[:, np.newaxis]
    times = np.take_along_axis(latencies, order, axis=1)[spikes]
    return Flat(times, order[spikes].astype(np.int32), np.concatenate([[0], np.cumsum(counts)]))


def filled(blocks: Iterable[Floats], shape: tuple[int, int]) -> Flat:
    """Return the spikes of all blocks of latencies, whose rows and channels are `shape` together.

    The arrays have room for a spike everywhere; memory is taken where there is one.
    """
    times = np.empty(shape[0] * shape[1])
    channels: Any = np.empty(times.size, np.int32)
    sizes, stop = [np.zeros(1, np.int64)], 0
    for block in blocks:
        part = sorted_rows(block)
        start, stop = stop, stop + part.times.size
        times[start:stop], channels[start:stop] = part.times, part.channels
        sizes.append(np.diff(part.offsets))
    return Flat(times[:stop], channels[:stop], np.cumsum(np.concatenate(sizes)))


def joined(parts: list[Flat]) -> Flat:
    """Return several stretches of patterns as one; the list is emptied, to save memory."""
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    times = np.empty(offsets[-1])
    channels = np.empty(offsets[-1], np.int32)
    stop = times.size
    while parts:
        part = parts.pop()
        start = stop - part.times.size
        times[start:stop] = part.times
        channels[start:stop] = part.channels
        stop = start
    return Flat(times, channels, offsets)
