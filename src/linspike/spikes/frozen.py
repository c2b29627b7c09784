"""Values that cannot be changed: read-only arrays and classes without setters."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view that cannot be written through, nor made writable again."""
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]


class Frozen:
    """Base of classes whose attributes can be neither set nor deleted."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be deleted.")
