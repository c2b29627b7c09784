"""Flat storage of the input spikes of many patterns, checked once and never changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike._validation import check_integer
from linspike.errors import ParameterError, Words

MOST_CHANNELS = 2**31 - 1


class Ragged:
    """Spikes of all patterns one after another; pattern p is offsets[p]:offsets[p + 1].

    `Pattern` and `PatternSet` are views of it. `tables` is for whoever prepares something per
    set, such as the decays between events; it is not part of the value.
    """

    __slots__ = ("channels", "durations", "n_channels", "offsets", "tables", "times")

    def __init__(
        self,
        times: Any,
        channels: Any,
        offsets: Any,
        n_channels: Any,
        duration: Any,
        owner: str,
    ) -> None:
        self.n_channels = check_integer(n_channels, "n_channels", owner, least=1)
        if self.n_channels > MOST_CHANNELS:
            raise ParameterError.of("n_channels", owner, f"at most {MOST_CHANNELS}", n_channels)
        self.times = real_array(times, "times", owner)
        wide = integer_array(channels, "channels", owner, widen=False)
        if wide.size != self.times.size:
            raise ParameterError.of(
                "channels",
                owner,
                f"as long as 'times' ({self.times.size})",
                wide.size,
            )
        self.offsets = _checked_offsets(offsets, self.times.size, owner)
        self.durations = _checked_durations(duration, self.offsets.size - 1, owner)
        self._check_channels(wide, owner)
        self.channels = wide.astype(np.int32)
        self._check_times(owner)
        self.tables: dict[Any, Any] = {}

    def _check_channels(self, channels: Ints, owner: str) -> None:
        bad = (channels < 0) | (channels >= self.n_channels)
        if bad.any():
            at = int(np.argmax(bad))
            raise ParameterError.of(
                "channels",
                owner,
                f"between 0 and n_channels - 1 = {self.n_channels - 1}",
                _place(channels[at], f"at time {float(self.times[at])!r}", *self.locate(at)),
            )

    def _check_times(self, owner: str) -> None:
        ends: Any = self.durations[:1]  # large sets have one duration, and no room to repeat it
        if not (self.durations == ends).all():
            ends = np.repeat(self.durations, np.diff(self.offsets))
        self._refuse(~np.isfinite(self.times), "finite", owner)
        self._refuse(self.times < 0.0, "at least 0", owner)
        self._refuse(self.times > ends, "at most the pattern's duration", owner)
        falls = np.zeros(self.times.size, bool)
        falls[1:] = self.times[1:] < self.times[:-1]
        starts = self.offsets[:-1]
        falls[starts[starts < falls.size]] = False
        remedy = f"Use {owner}.sorted(...) to sort them." if owner.startswith("Pattern") else ""
        self._refuse(falls, "ascending within a pattern", owner, remedy)

    def _refuse(
        self, bad: npt.NDArray[np.bool_], domain: str, owner: str, remedy: str = ""
    ) -> None:
        if bad.any():
            at = int(np.argmax(bad))
            where = f"on channel {int(self.channels[at])}"
            place = _place(self.times[at], where, *self.locate(at))
            raise ParameterError.of("times", owner, domain, place, remedy)

    def locate(self, at: int) -> tuple[int, int]:
        """Pattern and position within it of flat index `at`."""
        pattern = int(np.searchsorted(self.offsets, at, side="right")) - 1
        return pattern, at - int(self.offsets[pattern])


def _place(value: Any, where: str, pattern: int, spike: int) -> Words:
    return Words(f"{value.item()!r} {where} (pattern {pattern}, spike {spike})")


def real_array(values: Any, name: str, owner: str, ndim: int = 1) -> Floats:
    """A new C-contiguous float64 array of this dimension, or an error."""
    domain = f"a {ndim}-D array of numbers"
    try:
        array = np.asarray(values)
        if (array.dtype.kind not in "iuf" and array.size) or np.ma.isMaskedArray(values):
            raise TypeError
        array = np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of(name, owner, domain, _short(values)) from None
    if array.ndim != ndim:
        raise ParameterError.of(name, owner, domain, Words(f"shape {array.shape}"))
    return array


def integer_array(values: Any, name: str, owner: str, *, widen: bool = True) -> Any:
    """An array of whole numbers of one dimension, or an error; floats are not whole numbers.

    A new one of int64, or with `widen` off what came in, for those who copy it anyway.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise ParameterError.of(name, owner, "a 1-D array of integers", _short(values)) from None
    good = array.ndim == 1 and (array.dtype.kind in "iu" or not array.size)
    if not good or np.ma.isMaskedArray(values):
        raise ParameterError.of(name, owner, "a 1-D array of integers", _short(values))
    if array.size and array.max() > np.iinfo(np.int64).max:
        raise ParameterError.of(name, owner, "at most 2**63 - 1", int(array.max()))
    return array.astype(np.int64) if widen or array.dtype.kind not in "iu" else array


def _short(values: Any) -> Any:
    if np.ma.isMaskedArray(values):
        return Words("a masked array")
    if isinstance(values, np.ndarray):
        return Words(f"an array of {values.dtype} with shape {values.shape}")
    text = repr(values)
    return values if len(text) <= 60 else Words(text[:57] + "...")


def _checked_offsets(offsets: Any, n_spikes: int, owner: str) -> Ints:
    array: Ints = integer_array(offsets, "offsets", owner)
    if array.size < 2:
        raise ParameterError.of(
            "offsets", owner, "the bounds of at least one pattern", _short(offsets)
        )
    if array[0] != 0 or array[-1] != n_spikes or (np.diff(array) < 0).any():
        domain = f"ascending from 0 to the number of spikes ({n_spikes})"
        raise ParameterError.of("offsets", owner, domain, _short(offsets))
    return array


def _checked_durations(duration: Any, n_patterns: int, owner: str) -> Floats:
    domain = "positive and finite, one number or one a pattern"
    try:
        given = np.asarray(duration)
        if given.dtype.kind not in "iuf" or np.ma.isMaskedArray(duration):
            raise TypeError
        array = np.broadcast_to(given.astype(np.float64), (n_patterns,))
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of("duration", owner, domain, _short(duration)) from None
    if not (np.isfinite(array).all() and (array > 0.0).all()):
        raise ParameterError.of("duration", owner, domain, _short(duration))
    return np.array(array)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view that cannot be written through, nor made writable again."""
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]


class Frozen:
    """Attributes can be neither set nor deleted."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be deleted.")
