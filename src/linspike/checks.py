"""Checks of single values that every layer shares."""

from __future__ import annotations

import math
import operator
from typing import Any

from linspike.errors import ParameterError


def real(
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
        if isinstance(value, (bool, str)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise ParameterError.of(name, owner, domain, value) from None
    inside = above < number < below or (infinite and number == math.inf)
    if not (inside and number >= least):
        raise ParameterError.of(name, owner, domain, value)
    return number


def whole(value: Any, name: str, owner: str, *, least: int) -> int:
    """Value as an int of at least `least`, or an error."""
    domain = f"a whole number of at least {least}"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ParameterError.of(name, owner, domain, value) from None
    if number < least:
        raise ParameterError.of(name, owner, domain, value)
    return number
