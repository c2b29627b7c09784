"""Windows in milliseconds, cut out of recordings."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from linspike._typing import Bools, Floats
from linspike.errors import ParameterError, UnitWarning, caller_level

DOMAIN = "a length or a tuple (start, end), in ms"


def check_window(window: Any, owner: str) -> tuple[float, float]:
    """Return start and end of a window; a length is a window from 0."""
    pair = window if isinstance(window, tuple) else (0.0, window)
    try:
        if len(pair) != 2 or any(isinstance(part, (bool, str, bytes)) for part in pair):
            raise TypeError
        start, end = (float(part) for part in pair)
    except (TypeError, ValueError):
        raise ParameterError.of("window", owner, DOMAIN, window) from None
    if not (np.isfinite([start, end]).all() and start < end):
        domain = "positive and finite" if not isinstance(window, tuple) else "finite, start < end"
        raise ParameterError.of("window", owner, f"{DOMAIN}, {domain}", window)
    return start, end


def cut(times: Floats, window: tuple[float, float], rounding: Any = 0.0) -> tuple[Floats, Bools]:
    """Return times from the window's start, and which are in it, ends included.

    Times that are outside by no more than `rounding` are put at the end they passed.
    """
    start, end = window
    inside = (times >= start - rounding) & (times <= end + rounding)
    return np.clip(times - start, 0.0, end - start), inside


def warn_empty(n_spikes: int, n_inside: int, owner: str, remedy: str) -> None:
    """Warn if there are spikes, but none in any window."""
    if n_spikes and not n_inside:
        text = f"{owner}: none of the {n_spikes} spikes is in a window. {remedy}"
        warnings.warn(text, UnitWarning, stacklevel=caller_level())
