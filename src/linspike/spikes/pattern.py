"""One input pattern: spikes on many channels during a stretch of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike._validation import check_float_array, check_int_array, check_real
from linspike.spikes import convert
from linspike.spikes.frozen import Frozen, read_only
from linspike.spikes.ragged import Ragged


@final
class Pattern(Frozen):
    """Input spikes on `n_channels` channels from 0 to `duration`, in milliseconds.

    Frozen: the arrays are read-only. Times must ascend; `Pattern.sorted` sorts. Simultaneous
    spikes are allowed, also on one channel.

    Parameters
    ----------
    times : array of float
        Ascending spike times in [0, duration].
    channels : array of int
        Channel of each spike.
    n_channels : int
        Number of channels, silent ones included.
    duration : float
        Length of the pattern.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.Pattern(times=[1.0, 3.5, 7.0], channels=[0, 2, 0], n_channels=3, duration=50.0)
    Pattern(3 spikes, 3 channels, 50.0 ms)
    """

    __slots__ = ("_index", "_ragged")

    _ragged: Ragged
    _index: int

    def __init__(self, times: Any, channels: Any, n_channels: int, duration: float) -> None:
        check_real(duration, "duration", "Pattern", above=0.0)
        flat = check_float_array(times, "times", "Pattern")
        ragged = Ragged(flat, channels, [0, flat.size], n_channels, duration, "Pattern")
        object.__setattr__(self, "_ragged", ragged)
        object.__setattr__(self, "_index", 0)

    @classmethod
    def sorted(cls, times: Any, channels: Any, n_channels: int, duration: float) -> Pattern:
        """Return a pattern from spikes in any order; simultaneous ones keep theirs."""
        order = np.argsort(check_float_array(times, "times", "Pattern"), kind="stable")
        channels = check_int_array(channels, "channels", "Pattern")
        if channels.size != order.size:
            return cls(times, channels, n_channels, duration)  # says what is wrong
        return cls(np.asarray(times)[order], channels[order], n_channels, duration)

    @classmethod
    def from_lists(cls, lists: Sequence[Any], duration: float) -> Pattern:
        """Return a pattern from one ascending list of times per channel."""
        flat = convert.from_lists([lists], "Pattern")
        return cls(flat.times, flat.channels, len(lists), duration)

    @classmethod
    def from_raster(cls, raster: Any, dt: float, *, order: str) -> Pattern:
        """Return a pattern from a dense 0/1 array; bin i stands for time i*dt.

        order says what the axes are: "time_channel" or "channel_time".
        """
        flat, n_channels, duration = convert.from_raster(raster, dt, order, "Pattern", ndim=2)
        return cls(flat.times, flat.channels, n_channels, duration)

    @classmethod
    def from_latencies(cls, latencies: Any, duration: float) -> Pattern:
        """Return a pattern with at most one spike per channel; NaN is a silent channel."""
        flat, n_channels = convert.from_latencies(latencies, "Pattern", ndim=1)
        return cls(flat.times, flat.channels, n_channels, duration)

    @classmethod
    def _view(cls, ragged: Ragged, index: int) -> Pattern:
        pattern = object.__new__(cls)
        object.__setattr__(pattern, "_ragged", ragged)
        object.__setattr__(pattern, "_index", index)
        return pattern

    @property
    def times(self) -> Floats:
        """Spike times, ascending (read-only)."""
        return read_only(self._ragged.times[self._bounds])

    @property
    def channels(self) -> npt.NDArray[np.int32]:
        """Channel of each spike (read-only)."""
        return read_only(self._ragged.channels[self._bounds])

    @property
    def n_channels(self) -> int:
        """Number of channels, silent ones included."""
        return self._ragged.n_channels

    @property
    def duration(self) -> float:
        """Length of the pattern in milliseconds."""
        return float(self._ragged.durations[self._index])

    @property
    def _bounds(self) -> slice:
        offsets = self._ragged.offsets
        return slice(int(offsets[self._index]), int(offsets[self._index + 1]))

    def __len__(self) -> int:
        bounds = self._bounds
        return int(bounds.stop - bounds.start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return (
            self.n_channels == other.n_channels
            and self.duration == other.duration
            and np.array_equal(self.times, other.times)
            and np.array_equal(self.channels, other.channels)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Pattern, (self.times, self.channels, self.n_channels, self.duration)

    def __repr__(self) -> str:
        return f"Pattern({len(self)} spikes, {self.n_channels} channels, {self.duration} ms)"
