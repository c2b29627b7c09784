"""One output train: ascending spike times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, final

import numpy as np

from linspike import checks
from linspike.errors import ParameterError
from linspike.spikes.ragged import Floats, read_only, real_array


@final
class SpikeTrain:
    """Ascending spike times in [0, duration], in milliseconds.

    Frozen: `times` is read-only. `truncated` is True for a response that was cut off at the cap
    on spikes (see `SRM.respond`).

    Examples
    --------
    >>> import linspike as ls
    >>> ls.SpikeTrain([3.0, 8.5], duration=50.0)
    SpikeTrain([3.0, 8.5], duration=50.0)
    """

    __slots__ = ("_times", "duration", "truncated")

    _times: Floats
    duration: float
    truncated: bool

    def __init__(
        self, times: Any = (), duration: float = math.inf, *, truncated: bool = False
    ) -> None:
        array = real_array(times, "times", "SpikeTrain")
        end = checks.real(
            duration, "duration", "SpikeTrain", above=0.0, domain="positive", infinite=True
        )
        if array.size and not np.isfinite(array).all():
            raise ParameterError.of("times", "SpikeTrain", "finite", array.tolist())
        if array.size and not (array[0] >= 0.0 and (np.diff(array) >= 0.0).all()):
            raise ParameterError.of(
                "times",
                "SpikeTrain",
                "ascending and at least 0",
                array.tolist(),
                "Sort them first." if array.min() >= 0.0 else "",
            )
        if array.size and array[-1] > end:
            raise ParameterError.of(
                "times", "SpikeTrain", f"at most the duration ({end})", float(array[-1])
            )
        self._set(array, end, bool(truncated))

    def _set(self, times: Floats, duration: float, truncated: bool) -> None:
        object.__setattr__(self, "_times", times)
        object.__setattr__(self, "duration", duration)
        object.__setattr__(self, "truncated", truncated)

    @classmethod
    def _trusted(cls, times: Floats, duration: float, truncated: bool = False) -> SpikeTrain:
        train = object.__new__(cls)
        train._set(times, duration, truncated)
        return train

    @property
    def times(self) -> Floats:
        """Spike times, ascending (read-only)."""
        return read_only(self._times)

    def __len__(self) -> int:
        return self._times.size

    def __iter__(self) -> Iterator[float]:
        return iter(self._times.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.times, dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpikeTrain):
            return NotImplemented
        return self.duration == other.duration and np.array_equal(self._times, other._times)

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"SpikeTrain is frozen: '{name}' cannot be set.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._times, self.duration, self.truncated)

    def __repr__(self) -> str:
        shown = self._times[:6].tolist()
        times = repr(shown) if len(self) <= 6 else f"[{', '.join(map(repr, shown))}, ...]"
        count = "" if len(self) <= 6 else f"{len(self)} spikes: "
        flag = ", truncated=True" if self.truncated else ""
        return f"SpikeTrain({count}{times}, duration={self.duration}{flag})"


def _restore(times: Floats, duration: float, truncated: bool) -> SpikeTrain:
    return SpikeTrain(times, duration, truncated=truncated)
