"""One output train: ascending spike times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, final

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike._validation import check_float_array, check_real
from linspike.errors import ParameterError, Words
from linspike.spikes.frozen import Frozen, read_only


@final
class SpikeTrain(Frozen):
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
        array = check_float_array(times, "times", "SpikeTrain")
        end = check_real(duration, "duration", "SpikeTrain", least=0.0, infinite=True)
        _refuse(array, ~np.isfinite(array), "finite")
        _refuse(array, array < 0.0, "at least 0")
        _refuse(array, np.diff(array, prepend=0.0) < 0.0, "ascending", "Sort them first.")
        _refuse(array, array > end, f"at most the duration ({end})")
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
        ends = (self.duration, self.truncated) == (other.duration, other.truncated)
        return ends and np.array_equal(self._times, other._times)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._times, self.duration, self.truncated)

    def __repr__(self) -> str:
        shown = self._times[:6].tolist()
        times = repr(shown) if len(self) <= 6 else f"[{', '.join(map(repr, shown))}, ...]"
        count = "" if len(self) <= 6 else f"{len(self)} spikes: "
        flag = ", truncated=True" if self.truncated else ""
        return f"SpikeTrain({count}{times}, duration={self.duration}{flag})"


def _refuse(times: Floats, bad: npt.NDArray[np.bool_], domain: str, remedy: str = "") -> None:
    if bad.any():
        at = int(np.argmax(bad))
        got = Words(f"{times[at].item()!r} (spike {at})")
        raise ParameterError.of("times", "SpikeTrain", domain, got, remedy)


def _restore(times: Floats, duration: float, truncated: bool) -> SpikeTrain:
    return SpikeTrain(times, duration, truncated=truncated)
