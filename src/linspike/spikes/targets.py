"""Targets of learning: spike times or spike counts, one per pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_int_array, describe_value
from linspike.errors import ParameterError, Words
from linspike.spikes.frozen import read_only
from linspike.spikes.spike_train import SpikeTrain


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
