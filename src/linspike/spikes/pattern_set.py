"""Many input patterns over the same channels, in flat arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt

from linspike import _files
from linspike._typing import Floats, Ints
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.spikes import convert
from linspike.spikes.pattern import Pattern
from linspike.spikes.ragged import Frozen, Ragged, integer_array, read_only, real_array

FORMAT = "linspike.PatternSet"
FORMAT_VERSION = 1


@final
class PatternSet(Frozen):
    """Patterns over the same channels; pattern p holds spikes offsets[p]:offsets[p + 1].

    Frozen: the arrays are read-only. An integer picks a `Pattern`; a slice, an integer array or
    a boolean mask picks a smaller set. There is no empty set.

    Parameters
    ----------
    times, channels : arrays
        Spikes of all patterns one after another, times ascending within each.
    offsets : array of int
        Bounds of the patterns, from 0 to the number of spikes.
    n_channels : int
        Number of channels, silent ones included.
    duration : float or array of float
        Length of every pattern, or of each.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.PatternSet([1.0, 2.0, 0.5], [0, 1, 1], [0, 2, 3], 2, 10.0)
    >>> patterns
    PatternSet(2 patterns, 3 spikes, 2 channels, 10.0 ms)
    >>> patterns[1].times
    array([0.5])
    """

    __slots__ = ("_ragged",)

    _ragged: Ragged

    def __init__(
        self, times: Any, channels: Any, offsets: Any, n_channels: int, duration: Any
    ) -> None:
        ragged = Ragged(times, channels, offsets, n_channels, duration, "PatternSet")
        object.__setattr__(self, "_ragged", ragged)

    @classmethod
    def sorted(
        cls, times: Any, channels: Any, offsets: Any, n_channels: int, duration: Any
    ) -> PatternSet:
        """A set from spikes in any order within each pattern."""
        flat = real_array(times, "times", "PatternSet")
        of_channel = integer_array(channels, "channels", "PatternSet")
        bounds = integer_array(offsets, "offsets", "PatternSet")
        fits = of_channel.size == flat.size and bounds.size > 1 and (np.diff(bounds) >= 0).all()
        if fits and bounds[0] == 0 and bounds[-1] == flat.size:
            flat, of_channel, bounds = convert.by_time(flat, of_channel, bounds)
        return cls(flat, of_channel, bounds, n_channels, duration)

    @classmethod
    def from_patterns(cls, patterns: Sequence[Pattern]) -> PatternSet:
        """A set from single patterns over the same channels."""
        listed = _listed(patterns, "patterns", Pattern)
        return cls.concatenate([cls._of_one(pattern) for pattern in listed])

    @classmethod
    def from_lists(cls, lists: Sequence[Any], duration: Any) -> PatternSet:
        """A set from lists[p][c], the ascending times of channel c in pattern p."""
        try:
            widths = sorted({len(pattern) for pattern in lists})
        except TypeError:
            domain = "a list of patterns, each a list of trains"
            raise ParameterError.of("lists", "PatternSet", domain, lists) from None
        if len(widths) != 1:
            raise ParameterError.of(
                "lists", "PatternSet", "patterns with the same number of channels", widths
            )
        return cls(*convert.from_lists(lists, "PatternSet"), widths[0], duration)

    @classmethod
    def from_raster(cls, raster: Any, dt: float, *, order: str) -> PatternSet:
        """A set from a dense 0/1 array whose first axis is the pattern; bin i is time i*dt.

        order names the other two axes: "time_channel" or "channel_time".
        """
        flat, n_channels, duration = convert.from_raster(raster, dt, order, "PatternSet")
        return cls(*flat, n_channels, duration)

    @classmethod
    def from_latencies(cls, latencies: Any, duration: Any) -> PatternSet:
        """A set with at most one spike per channel: latencies[p, c], NaN for silence."""
        flat, n_channels = convert.from_latencies(latencies, "PatternSet")
        return cls(*flat, n_channels, duration)

    @classmethod
    def concatenate(cls, sets: Sequence[PatternSet]) -> PatternSet:
        """One set with the patterns of several, in order."""
        sets = _listed(sets, "sets", PatternSet)
        widths = sorted({part.n_channels for part in sets})
        if len(widths) != 1:
            raise SpikeDataError(
                "Patterns to be joined must have the same number of channels. "
                f"Got {widths} instead."
            )
        sizes = np.concatenate([np.diff(part.offsets) for part in sets])
        return cls(
            np.concatenate([part.times for part in sets]),
            np.concatenate([part.channels for part in sets]),
            np.concatenate([[0], np.cumsum(sizes)]),
            widths[0],
            np.concatenate([part.durations for part in sets]),
        )

    @classmethod
    def _of_one(cls, pattern: Pattern) -> PatternSet:
        offsets = [0, len(pattern)]
        return cls(pattern.times, pattern.channels, offsets, pattern.n_channels, pattern.duration)

    @property
    def times(self) -> Floats:
        """Spike times of all patterns (read-only)."""
        return read_only(self._ragged.times)

    @property
    def channels(self) -> npt.NDArray[np.int32]:
        """Channel of each spike (read-only)."""
        return read_only(self._ragged.channels)

    @property
    def offsets(self) -> Ints:
        """Bounds of the patterns in `times` (read-only)."""
        return read_only(self._ragged.offsets)

    @property
    def durations(self) -> Floats:
        """Length of each pattern (read-only)."""
        return read_only(self._ragged.durations)

    @property
    def n_channels(self) -> int:
        """Number of channels, silent ones included."""
        return self._ragged.n_channels

    def save(self, path: str | PathLike[str]) -> None:
        """Write the set as an npz file, without pickle; the old file stays until all is written."""
        _files.save_arrays(
            path,
            FORMAT,
            FORMAT_VERSION,
            times=self.times,
            channels=self.channels,
            offsets=self.offsets,
            durations=self.durations,
            n_channels=np.int64(self.n_channels),
        )

    @classmethod
    def load(cls, path: str | PathLike[str], *, max_bytes: int | None = None) -> PatternSet:
        """Read a set that `save` wrote.

        max_bytes is the most memory that its arrays may take. Unless given, 1 GiB or fifty times
        the size of the file, whichever is more.
        """
        names = ("times", "channels", "offsets", "n_channels", "durations")
        arrays = _files.load_arrays(path, FORMAT, FORMAT_VERSION, names, max_bytes)
        with _files.refusing_damage(path):
            parts = [arrays[name] for name in names]
            return cls(parts[0], parts[1], parts[2], parts[3].item(), parts[4])

    def __len__(self) -> int:
        return self._ragged.durations.size

    def __iter__(self) -> Iterator[Pattern]:
        return (Pattern._view(self._ragged, index) for index in range(len(self)))

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> Pattern: ...

    @overload
    def __getitem__(self, key: slice | Sequence[int] | npt.NDArray[Any]) -> PatternSet: ...

    def __getitem__(self, key: Any) -> Pattern | PatternSet:
        if not isinstance(key, (slice, bool)) and np.ndim(key) == 0 and hasattr(key, "__index__"):
            index = operator.index(key)
            if not -len(self) <= index < len(self):
                raise IndexError(f"pattern {index} of a set of {len(self)}")
            return Pattern._view(self._ragged, index % len(self))
        return self._subset(np.arange(len(self))[key])

    def _subset(self, chosen: Ints) -> PatternSet:
        if chosen.ndim != 1 or chosen.size == 0:
            got = Words(f"a choice of shape {chosen.shape}")
            raise ParameterError.of("key", "PatternSet", "a list of at least one pattern", got)
        sizes = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        shift = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], sizes)
        spikes = np.arange(offsets[-1]) + shift
        return PatternSet(
            self.times[spikes],
            self.channels[spikes],
            offsets,
            self.n_channels,
            self.durations[chosen],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PatternSet):
            return NotImplemented
        return self.n_channels == other.n_channels and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("times", "channels", "offsets", "durations")
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = (self.times, self.channels, self.offsets, self.n_channels, self.durations)
        return PatternSet, arrays

    def __repr__(self) -> str:
        low, high = self.durations.min(), self.durations.max()
        span = f"{low} ms" if low == high else f"{low} to {high} ms"
        counts = f"{len(self)} patterns, {self.times.size} spikes, {self.n_channels} channels"
        return f"PatternSet({counts}, {span})"


def _listed(things: Any, name: str, kind: type) -> list[Any]:
    """Things as a list of at least one of this kind, or an error."""
    listed = list(things) if isinstance(things, Iterable) and not isinstance(things, kind) else []
    if not listed or not all(isinstance(thing, kind) for thing in listed):
        domain = f"a list of at least one {kind.__name__}"
        raise ParameterError.of(name, "PatternSet", domain, things)
    return listed
