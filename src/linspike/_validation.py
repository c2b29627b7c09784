"""Checks of arguments that every layer shares: each returns the value it accepts, or raises."""

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
    infinite: bool = False,
    domain: str = "",
) -> float:
    """Return the value as a float in (above, below) and at least `least`, or raise.

    `infinite` allows infinity too. The message states the interval, or `domain` if given: where
    the interval has bounds that are themselves parameters, or None is allowed as well.
    """
    allowed = domain or describe_interval(above, least, below, infinite)
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of(name, owner, allowed, value) from None
    inside = above < number < below or (infinite and number == math.inf)
    if not (inside and number >= least):
        raise ParameterError.of(name, owner, allowed, value)
    return number


def describe_interval(above: float, least: float, below: float, infinite: bool) -> str:
    """Return the sentence for an interval, as it stands after "must be" in a message."""
    if below < math.inf:
        return f"in [{least:g}, {below:g})" if least > above else f"in ({above:g}, {below:g})"
    if least > -math.inf:
        return f"at least {least:g}" if infinite else f"finite and at least {least:g}"
    if above > -math.inf:
        bound = "positive" if above == 0.0 else f"above {above:g}"
        return bound if infinite else f"{bound} and finite"
    return "finite"


def check_flag(value: Any, name: str, owner: str) -> bool:
    """Return the value as a bool, or raise; texts and numbers are not taken for one."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError.of(name, owner, "True or False", value)
    return bool(value)


def check_choice(value: Any, name: str, owner: str, allowed: Collection[str]) -> str:
    """Return the value if it is one of the allowed words, or raise with the list of them."""
    if not isinstance(value, str) or value not in allowed:
        raise ParameterError.of(name, owner, f"one of {tuple(allowed)}", value)
    return value


def check_integer(value: Any, name: str, owner: str, *, least: int, most: int = MOST_WHOLE) -> int:
    """Return the value as an int from `least` to `most`, or raise."""
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


def check_float_array(values: Any, name: str, owner: str, ndim: int | None = 1) -> Floats:
    """Return the values as a new C-contiguous float64 array of this dimension (None: any)."""
    domain = "an array of numbers" if ndim is None else f"a {ndim}-D array of numbers"
    try:
        array = np.asarray(values)
        if (array.dtype.kind not in "iuf" and array.size) or np.ma.isMaskedArray(values):
            raise TypeError
        array = np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError.of(name, owner, domain, describe_value(values)) from None
    if ndim is not None and array.ndim != ndim:
        raise ParameterError.of(name, owner, domain, Words(f"shape {array.shape}"))
    return array


def check_int_array(values: Any, name: str, owner: str, *, widen: bool = True) -> Any:
    """Return the values as a 1-D array of integers, or raise; floats are not integers.

    The array is a new one of int64; with `widen` off it is the one that came in, where the caller
    copies it anyway.
    """
    domain = "a 1-D array of integers"
    try:
        array = np.asarray(values)
    except ValueError:
        raise ParameterError.of(name, owner, domain, describe_value(values)) from None
    good = array.ndim == 1 and (array.dtype.kind in "iu" or not array.size)
    if not good or np.ma.isMaskedArray(values):
        whole = array.dtype.kind == "f" and (array == np.round(array)).all()
        remedy = "Whole numbers as floats: convert them with .astype(int)." if whole else ""
        raise ParameterError.of(name, owner, domain, describe_value(values), remedy)
    if array.size and array.max() > np.iinfo(np.int64).max:
        raise ParameterError.of(name, owner, "at most 2**63 - 1", int(array.max()))
    return array.astype(np.int64) if widen or array.dtype.kind not in "iu" else array


def describe_value(values: Any) -> Any:
    """Return a short description of a refused value for an error message."""
    if np.ma.isMaskedArray(values):
        return Words("a masked array")
    if isinstance(values, np.ndarray):
        return Words(f"an array of {values.dtype} with shape {values.shape}")
    text = repr(values)
    if "\n" in text:  # tables
        text = " ".join(text.split())
        return Words(text if len(text) <= 60 else text[:57] + "...")
    return values if len(text) <= 60 else Words(text[:57] + "...")


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
