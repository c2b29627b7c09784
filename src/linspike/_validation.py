"""Checks of single values that every layer shares."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection
from typing import Any

import numpy as np

from linspike.errors import ParameterError

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
