"""Flat storage of the input spikes of many patterns, checked once and never changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike._validation import (
    check_float_array,
    check_int_array,
    check_integer,
    describe_value,
)
from linspike.errors import ParameterError, Words

MOST_CHANNELS = 2**31 - 1


class Ragged:
    """Spikes of all patterns one after another; pattern p is offsets[p]:offsets[p + 1].

    `Pattern` and `PatternSet` are views of it. `tables` keeps what is prepared once per set, such
    as the decays between events; it is not part of the value. The arrays are copied unless
    `owned` says that nobody else has them; then they are of the types stored here.
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
        *,
        owned: bool = False,
    ) -> None:
        self.n_channels = check_integer(n_channels, "n_channels", owner, least=1)
        if self.n_channels > MOST_CHANNELS:
            raise ParameterError.of("n_channels", owner, f"at most {MOST_CHANNELS}", n_channels)
        self.times = times if owned else check_float_array(times, "times", owner)
        wide = check_int_array(channels, "channels", owner, widen=False)
        if wide.size != self.times.size:
            raise ParameterError.of(
                "channels",
                owner,
                f"as long as 'times' ({self.times.size})",
                wide.size,
            )
        self.offsets = check_offsets(offsets, self.times.size, owner)
        self.durations = _check_durations(duration, self.offsets.size - 1, owner)
        self._check_channels(wide, owner)
        self.channels = wide if owned else wide.astype(np.int32)
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
        ends: Any = self.durations[:1]  # large sets have one duration; repeating it costs memory
        if not (self.durations == ends).all():
            ends = np.repeat(self.durations, np.diff(self.offsets))
        self._refuse(~np.isfinite(self.times), "finite", owner)
        self._refuse(self.times < 0.0, "at least 0", owner)
        late = self.times > ends
        if late.any():
            end = float(self.durations[self.locate(int(np.argmax(late)))[0]])
            self._refuse(late, f"at most the pattern's duration ({end!r} ms)", owner)
        falls = np.zeros(self.times.size, bool)
        falls[1:] = self.times[1:] < self.times[:-1]
        starts = self.offsets[:-1]
        falls[starts[starts < falls.size]] = False
        remedy = f"Use {owner}.sorted(...) to sort them."
        self._refuse(falls, "ascending within a pattern", owner, remedy)

    def _refuse(
        self, bad: npt.NDArray[np.bool_], domain: str, owner: str, remedy: str = ""
    ) -> None:
        if bad.any():
            at = int(np.argmax(bad))
            where = f"on channel {int(self.channels[at])}"
            place = _place(self.times[at], where, *self.locate(at))
            raise ParameterError.of("times", owner, domain, place, remedy)

    def stretch(self, first: int, stop: int) -> Ragged:
        """Return patterns first to stop as a set of their own, with tables of its own, uncopied."""
        begin, end = self.offsets[first], self.offsets[stop]
        part = Ragged.__new__(Ragged)
        part.times, part.channels = self.times[begin:end], self.channels[begin:end]
        part.offsets = self.offsets[first : stop + 1] - begin
        part.durations, part.n_channels = self.durations[first:stop], self.n_channels
        part.tables = {}
        return part

    def locate(self, at: int) -> tuple[int, int]:
        """Return the pattern of flat index `at`, and the position within it."""
        pattern = int(np.searchsorted(self.offsets, at, side="right")) - 1
        return pattern, at - int(self.offsets[pattern])


def _place(value: Any, where: str, pattern: int, spike: int) -> Words:
    return Words(f"{value.item()!r} {where} (pattern {pattern}, spike {spike})")


def check_offsets(offsets: Any, n_spikes: int, owner: str) -> Ints:
    """Return the bounds of patterns or trains in a flat array of so many spikes, or raise."""
    array: Ints = check_int_array(offsets, "offsets", owner)
    if array.size < 2:
        raise ParameterError.of(
            "offsets", owner, "the bounds of at least one pattern", describe_value(offsets)
        )
    if array[0] != 0 or array[-1] != n_spikes or (np.diff(array) < 0).any():
        domain = f"ascending from 0 to the number of spikes ({n_spikes})"
        raise ParameterError.of("offsets", owner, domain, describe_value(offsets))
    return array


def _check_durations(duration: Any, n_patterns: int, owner: str) -> Floats:
    domain = "positive and finite, one number or one a pattern"
    try:
        given = np.asarray(duration)
        if given.dtype.kind not in "iuf" or np.ma.isMaskedArray(duration):
            raise TypeError
        array = np.broadcast_to(given.astype(np.float64), (n_patterns,))
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of("duration", owner, domain, describe_value(duration)) from None
    if not (np.isfinite(array).all() and (array > 0.0).all()):
        raise ParameterError.of("duration", owner, domain, describe_value(duration))
    return np.array(array)
