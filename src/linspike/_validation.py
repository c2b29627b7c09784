"""Checks of values that every layer shares."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError, Words

MOST_WHOLE = 2**62


def check_real(
    value: Any,
    name: str,
    owner: str,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    below: float = math.inf,
    domain: str,
    infinite: bool = False,
) -> float:
    """Value as a float in (above, below) and at least `least`, or an error that says `domain`."""
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of(name, owner, domain, value) from None
    inside = above < number < below or (infinite and number == math.inf)
    if not (inside and number >= least):
        raise ParameterError.of(name, owner, domain, value)
    return number


def check_flag(value: Any, name: str, owner: str) -> bool:
    """Value as a bool; texts and numbers are not taken for one."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError.of(name, owner, "True or False", value)
    return bool(value)


def check_choice(value: Any, name: str, owner: str, allowed: Collection[str]) -> str:
    """Value if it is one of the allowed words, or an error that lists them."""
    if not isinstance(value, str) or value not in allowed:
        raise ParameterError.of(name, owner, f"one of {tuple(allowed)}", value)
    return value


def check_integer(value: Any, name: str, owner: str, *, least: int, most: int = MOST_WHOLE) -> int:
    """Value as an int from `least` to `most`, or an error."""
    domain = f"a whole number of at least {least}"
    if most < MOST_WHOLE:
        domain += f" and at most {most}"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ParameterError.of(name, owner, domain, value) from None
    if not least <= number <= most:
        raise ParameterError.of(name, owner, domain, value)
    return number


def check_row(values: Any, name: str, owner: str) -> Floats:
    """Return values as an array of two or more finite numbers."""
    domain = "two or more finite numbers"
    array = _check_array(values, name, owner, domain, ndim=1)
    return _refuse_where(~np.isfinite(array), array, name, owner, domain)


def check_scores(values: Any, name: str, owner: str) -> Floats:
    """Return values as an array (trials, methods) of numbers, infinity allowed."""
    domain = "an array (trials, methods) of numbers, two or more each way, without NaN"
    array = _check_array(values, name, owner, domain, ndim=2)
    return _refuse_where(np.isnan(array), array, name, owner, domain)


def check_names(names: Sequence[str], count: int, owner: str) -> tuple[str, ...]:
    """Return the names of so many methods."""
    if isinstance(names, str) or len(names) != count:
        raise ParameterError.of("names", owner, f"{count} names, one a method", names)
    return tuple(names)


def _check_array(values: Any, name: str, owner: str, domain: str, *, ndim: int) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError.of(name, owner, domain, values) from None
    if array.ndim != ndim or min(array.shape) < 2:
        raise ParameterError.of(name, owner, domain, Words(f"shape {array.shape}"))
    return array


def _refuse_where(refused: Any, array: Floats, name: str, owner: str, domain: str) -> Floats:
    for at in np.argwhere(refused):
        raise ParameterError.of(name, owner, domain, Words(f"{array[*at]} at {at.tolist()}"))
    return array
