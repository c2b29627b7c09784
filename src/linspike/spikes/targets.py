"""Targets of learning: spike times or spike counts, one per pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from os import PathLike, fspath
from typing import Any

import numpy as np

from linspike import _files
from linspike._typing import Floats, Ints
from linspike._validation import check_int_array, describe_value
from linspike.errors import FileFormatError, ParameterError, Words
from linspike.spikes.frozen import read_only
from linspike.spikes.ragged import check_offsets
from linspike.spikes.spike_train import SpikeTrain

TIMES_FORMAT, COUNTS_FORMAT = "linspike.SpikeTimes", "linspike.SpikeCounts"
FORMAT_VERSION = 1
TRAIN_BYTES = 400  # of a SpikeTrain without spikes


@dataclass(frozen=True, init=False, eq=False)
class SpikeTimes:
    """Desired spike times of each pattern.

    Examples
    --------
    >>> import linspike as ls
    >>> desired = ls.SpikeTimes([[12.0, 30.0], []])
    >>> len(desired), desired[0]
    (2, SpikeTrain([12.0, 30.0], duration=inf))
    """

    trains: tuple[SpikeTrain, ...]
    _times: Floats = field(init=False, repr=False)  # of all trains, one after another
    _offsets: Ints = field(init=False, repr=False)  # train p is _times[_offsets[p]:_offsets[p + 1]]

    def __init__(self, trains: Sequence[SpikeTrain | Sequence[float] | Floats]) -> None:
        if isinstance(trains, SpikeTrain) or not isinstance(trains, Iterable):
            raise _refuse_trains(trains)
        given = tuple(trains)
        if any(isinstance(train, (float, int, np.number)) for train in given):
            raise _refuse_trains(trains)
        listed = tuple(
            train if isinstance(train, SpikeTrain) else _desired_train(train, index)
            for index, train in enumerate(given)
        )
        if not listed:
            raise ParameterError.of("trains", "SpikeTimes", "at least one train", trains)
        object.__setattr__(self, "trains", listed)
        lengths = [len(train) for train in listed]
        object.__setattr__(self, "_times", np.concatenate([train.times for train in listed]))
        object.__setattr__(self, "_offsets", np.concatenate([[0], np.cumsum(lengths)]))

    @property
    def counts(self) -> Ints:
        """Number of desired spikes of each pattern."""
        return np.diff(self._offsets)

    def save(self, path: str | PathLike[str]) -> None:
        """Write an npz file without pickle; an old file stays until all is written.

        All of each train is kept: its times to the last bit, its duration, and whether it was
        truncated.
        """
        _files.save_arrays(
            path,
            TIMES_FORMAT,
            FORMAT_VERSION,
            times=self._times,
            offsets=self._offsets,
            durations=np.array([train.duration for train in self.trains]),
            truncated=np.array([train.truncated for train in self.trains]),
        )

    @classmethod
    def load(cls, path: str | PathLike[str], *, max_bytes: int | None = None) -> SpikeTimes:
        """Read targets that `save` wrote; max_bytes as for `PatternSet.load`."""
        names = ("times", "offsets", "durations", "truncated")
        trains = {"offsets": TRAIN_BYTES}
        arrays = _files.load_arrays(
            path, TIMES_FORMAT, FORMAT_VERSION, names, max_bytes, entry_bytes=trains
        )
        with _files.refusing_damage(path):
            times = arrays["times"]
            bounds = check_offsets(arrays["offsets"], times.size, "SpikeTimes").tolist()
            ends = arrays["durations"].tolist()
            flags = arrays["truncated"].astype(bool, casting="safe").tolist()
            parts = zip(pairwise(bounds), ends, flags, strict=True)
            return cls([SpikeTrain(times[a:b], end, truncated=cut) for (a, b), end, cut in parts])

    def __len__(self) -> int:
        return len(self.trains)

    def __iter__(self) -> Iterator[SpikeTrain]:
        return iter(self.trains)

    def __getitem__(self, index: int) -> SpikeTrain:
        return self.trains[index]

    def __eq__(self, other: object) -> bool:
        return self.trains == other.trains if isinstance(other, SpikeTimes) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _refuse_trains(trains: Any) -> ParameterError:
    remedy = "A single train must stand in a list too: SpikeTimes([train])."
    domain = "a list of trains, one per pattern"
    return ParameterError.of("trains", "SpikeTimes", domain, describe_value(trains), remedy)


def _desired_train(times: Any, index: int) -> SpikeTrain:
    try:
        return SpikeTrain(times)
    except ParameterError as error:
        raise ParameterError(f"Desired train {index}: {error}") from None


@dataclass(frozen=True, init=False, eq=False)
class SpikeCounts:
    """Desired number of spikes of each pattern.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.SpikeCounts([1, 0, 3]).counts
    array([1, 0, 3])
    """

    counts: Ints

    def __init__(self, counts: Any) -> None:
        array = check_int_array(counts, "counts", "SpikeCounts")
        if array.size == 0:
            raise ParameterError.of("counts", "SpikeCounts", "at least one count", counts)
        if (array < 0).any():
            at = int(np.argmax(array < 0))
            got = Words(f"{int(array[at])} for pattern {at}")
            raise ParameterError.of("counts", "SpikeCounts", "at least 0", got)
        object.__setattr__(self, "counts", read_only(array))

    def save(self, path: str | PathLike[str]) -> None:
        """Write an npz file without pickle; an old file stays until all is written."""
        _files.save_arrays(path, COUNTS_FORMAT, FORMAT_VERSION, counts=self.counts)

    @classmethod
    def load(cls, path: str | PathLike[str], *, max_bytes: int | None = None) -> SpikeCounts:
        """Read targets that `save` wrote; max_bytes as for `PatternSet.load`."""
        arrays = _files.load_arrays(path, COUNTS_FORMAT, FORMAT_VERSION, ("counts",), max_bytes)
        with _files.refusing_damage(path):
            return cls(arrays["counts"])

    def __reduce__(self) -> tuple[Any, ...]:
        return SpikeCounts, (self.counts,)

    def __len__(self) -> int:
        return self.counts.size

    def __getitem__(self, index: int) -> int:
        return int(self.counts[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpikeCounts):
            return NotImplemented
        return np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]


def load_targets(
    path: str | PathLike[str], *, max_bytes: int | None = None
) -> SpikeTimes | SpikeCounts:
    """Read targets of either kind; max_bytes as for `PatternSet.load`."""
    kind = _files.kind_of(path, max_bytes)
    if kind == TIMES_FORMAT:
        return SpikeTimes.load(path, max_bytes=max_bytes)
    if kind == COUNTS_FORMAT:
        return SpikeCounts.load(path, max_bytes=max_bytes)
    raise FileFormatError(
        f"{fspath(path)!r} holds no targets: it is neither a {TIMES_FORMAT} nor a "
        f"{COUNTS_FORMAT} file."
    )
