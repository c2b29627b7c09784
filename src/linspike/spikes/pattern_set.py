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
from linspike._validation import check_choice, check_float_array, check_int_array
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.spikes import convert
from linspike.spikes.events import (
    EventArrays,
    EventTable,
    count_channels,
    read_events,
    sort_events,
)
from linspike.spikes.frozen import Frozen, read_only
from linspike.spikes.pattern import Pattern
from linspike.spikes.ragged import Ragged
from linspike.spikes.structured import read_structured
from linspike.spikes.units import TIME_UNITS, from_ms, warn_high_rate

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
    def _adopt(
        cls, times: Floats, channels: Any, offsets: Ints, n_channels: int, duration: Any
    ) -> PatternSet:
        """Return a set that keeps new arrays of float64 and int32 instead of copying them."""
        how = {"owned": True}
        ragged = Ragged(times, channels, offsets, n_channels, duration, "PatternSet", **how)
        return cls._view(ragged)

    @classmethod
    def _view(cls, ragged: Ragged) -> PatternSet:
        found = cls.__new__(cls)
        object.__setattr__(found, "_ragged", ragged)
        return found

    @classmethod
    def sorted(
        cls, times: Any, channels: Any, offsets: Any, n_channels: int, duration: Any
    ) -> PatternSet:
        """Return a set from spikes in any order within each pattern."""
        flat = check_float_array(times, "times", "PatternSet")
        of_channel = check_int_array(channels, "channels", "PatternSet")
        bounds = check_int_array(offsets, "offsets", "PatternSet")
        fits = of_channel.size == flat.size and bounds.size > 1 and (np.diff(bounds) >= 0).all()
        if fits and bounds[0] == 0 and bounds[-1] == flat.size:
            flat, of_channel, bounds = convert.by_time(flat, of_channel, bounds)
        return cls(flat, of_channel, bounds, n_channels, duration)

    @classmethod
    def from_patterns(cls, patterns: Sequence[Pattern]) -> PatternSet:
        """Return a set from single patterns over the same channels."""
        listed = _listed(patterns, "patterns", Pattern)
        return cls.concatenate([cls._of_one(pattern) for pattern in listed])

    @classmethod
    def from_lists(cls, lists: Sequence[Any], duration: Any) -> PatternSet:
        """Return a set from lists[p][c], the ascending times of channel c in pattern p."""
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
        """Return a set from a dense 0/1 array whose first axis is the pattern; bin i is time i*dt.

        order names the other two axes: "time_channel" or "channel_time".
        """
        flat, n_channels, duration = convert.from_raster(raster, dt, order, "PatternSet")
        return cls(*flat, n_channels, duration)

    @classmethod
    def from_latencies(cls, latencies: Any, duration: Any) -> PatternSet:
        """Return a set with at most one spike per channel: latencies[p, c], NaN for silence."""
        flat, n_channels = convert.from_latencies(latencies, "PatternSet")
        return cls(*flat, n_channels, duration)

    @classmethod
    def from_events(
        cls,
        times: Any,
        channels: Any,
        samples: Any = None,
        *,
        time_unit: str,
        window: Any = None,
        n_channels: int | None = None,
    ) -> PatternSet:
        """Return a set from events in any order: one time, channel and sample per spike.

        Events are sorted by sample and time; simultaneous ones keep their order.

        Parameters
        ----------
        times : array of float
            Times from the start of their sample. Of a recording with trials, pass
            ``times - starts[samples]``.
        channels : array of int
            Channels, from 0.
        samples : array, optional
            Sample, such as the trial, that each event belongs to; each becomes a pattern.
            Integers number the patterns from 0, and a number without events is an empty pattern.
            Other labels give patterns in sorted order, that of ``np.unique(samples)``. All
            events are one sample unless given.
        time_unit : {"s", "ms", "us", "ns"}
            Unit of `times`; the patterns are in milliseconds.
        window : float, tuple (start, end) or array of float, optional
            Which part of each sample becomes its pattern, in milliseconds, ends included: the
            time from 0 to this length, or from start to end, counted from start. An array has
            one length per sample, and so says how many samples there are. Events outside are
            left out; unless the window is a tuple, a `UnitWarning` says how many. Without a
            window all patterns are as long as the latest time.
        n_channels : int, optional
            Number of channels; the highest channel and one unless given.

        Examples
        --------
        >>> import linspike as ls
        >>> trials = [0, 1, 0]
        >>> ls.PatternSet.from_events([0.03, 0.01, 0.02], [2, 0, 1], trials, time_unit="s")
        PatternSet(2 patterns, 3 spikes, 3 channels, 30.0 ms)
        """
        table = read_events(times, channels, samples, time_unit)
        return cls._assemble(table, window, count_channels(table, n_channels))

    @classmethod
    def from_structured(
        cls,
        events: Any,
        fields: Sequence[str] = ("t", "x", "y", "p"),
        *,
        sensor_size: Sequence[int],
        time_unit: str,
        window: Any = None,
    ) -> PatternSet:
        """Return a set from structured arrays of events, such as those of an event camera.

        The first coordinate varies fastest: the channel of (x, y, p) is
        ``x + width * (y + height * p)``. So ``weights.reshape(2, height, width)`` are images, and
        ``x, y, p = np.unravel_index(channels, sensor_size, order="F")``.

        Parameters
        ----------
        events : structured array, or list of them
            Events of one sample, or of each, in any order.
        fields : sequence of str
            Names of the time and of the coordinates.
        sensor_size : sequence of int
            Number of values of each coordinate, as (width, height, polarities).
        time_unit, window
            As for `from_events`; events of cameras are mostly in microseconds, "us".

        Examples
        --------
        >>> import numpy as np, linspike as ls
        >>> kind = [("x", int), ("y", int), ("t", int), ("p", int)]
        >>> events = np.array([(3, 1, 500, 0), (0, 2, 1500, 1)], dtype=kind)
        >>> patterns = ls.PatternSet.from_structured(events, sensor_size=(4, 3, 2), time_unit="us")
        >>> patterns.times, patterns.channels
        (array([0.5, 1.5]), array([ 7, 20], dtype=int32))
        """
        table, n_channels = read_structured(events, fields, sensor_size, time_unit)
        return cls._assemble(table, window, n_channels)

    @classmethod
    def _assemble(cls, table: EventTable, window: Any, n_channels: int) -> PatternSet:
        flat, durations = sort_events(table, window)
        patterns = cls(*flat, n_channels, durations)
        remedy = "If the times are not in the unit that was named, name another time_unit."
        total = n_channels * float(durations.sum())
        warn_high_rate(flat.times.size, total, "PatternSet", remedy)
        return patterns

    @classmethod
    def concatenate(cls, sets: Sequence[PatternSet]) -> PatternSet:
        """Return one set with the patterns of several, in order."""
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

    def to_events(self, *, time_unit: str = "ms") -> EventArrays:
        """Return times, channels and samples of all spikes, for `from_events` and for tables.

        ``PatternSet.from_events(*p.to_events(), time_unit="ms", window=p.durations,
        n_channels=p.n_channels)`` is p again, to the last bit.

        Parameters
        ----------
        time_unit : {"s", "ms", "us", "ns"}
            Unit of the times.

        Returns
        -------
        named tuple (times, channels, samples)
            One entry per spike, by pattern and time; samples number the patterns from 0.
        """
        unit = check_choice(time_unit, "time_unit", "to_events", TIME_UNITS)
        samples = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        times = from_ms(np.array(self.times), unit)
        return EventArrays(times, self.channels.astype(np.int64), samples)

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
    """Return things as a list of at least one of this kind, or raise."""
    listed = list(things) if isinstance(things, Iterable) and not isinstance(things, kind) else []
    if not listed or not all(isinstance(thing, kind) for thing in listed):
        domain = f"a list of at least one {kind.__name__}"
        raise ParameterError.of(name, "PatternSet", domain, things)
    return listed
