"""Plain data from outside, as JSON has it: read with checks, and written without NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError, Words

OWNER = "the document"
DIGITS = 5  # of numbers that are only drawn


def refuse(name: str, domain: str, got: Any, remedy: str = "") -> ParameterError:
    """Return the error for an entry that cannot be used; long values are cut."""
    shown = repr(got)
    short = Words(shown if len(shown) <= 60 else f"{shown[:57]}...")
    return ParameterError.of(name, OWNER, domain, short, remedy)


def read_entries(value: Any, name: str) -> dict[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise refuse(name, "a JSON object", value)
    return value


def read_list(value: Any, name: str, least: int, most: int) -> list[Any]:
    """Return a JSON array of allowed length."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        got = Words(f"{len(value)} entries") if isinstance(value, list) else value
        raise refuse(name, f"a list of {least} to {most} entries", got)
    return value


def read_whole(value: Any, name: str, least: int, most: int) -> int:
    """Return a whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise refuse(name, f"a whole number from {least} to {most}", value)
    return value


def read_number(value: Any, name: str, least: float, most: float) -> float:
    """Return a number in a range."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        raise refuse(name, f"a number from {least:g} to {most:g}", value)
    return float(value)


def read_flag(value: Any, name: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise refuse(name, "true or false", value)
    return value


def read_choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """Return one of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise refuse(name, f"one of {', '.join(choices)}", value)
    return value


def read_text(value: Any, name: str, most: int) -> str:
    """Return a text that is not too long."""
    if not isinstance(value, str) or len(value) > most:
        raise refuse(name, f"a text of at most {most} characters", value)
    return value


def read_numbers(value: Any, name: str, limits: tuple[float, float], length: int) -> Floats:
    """Return a list of at most `length` numbers, all in a range."""
    entries = read_list(value, name, 0, length)
    low, high = limits
    kinds = {type(each) for each in entries}
    if not kinds <= {int, float}:
        odd = next(each for each in entries if type(each) not in (int, float))
        raise refuse(name, "a list of numbers", odd)
    try:
        found: Floats = np.array(entries, dtype=np.float64)
    except OverflowError:
        raise refuse(name, f"numbers from {low:g} to {high:g}", Words("a huge one")) from None
    bad = ~((found >= low) & (found <= high))
    if bad.any():
        raise refuse(name, f"numbers from {low:g} to {high:g}", float(found[bad][0]))
    return found


def as_plain(values: Any, digits: int | None = None) -> Any:
    """Return numbers as JSON can hold them: None in place of what is not finite.

    digits is the number of decimals that are kept; all of them unless given.
    """
    if np.ndim(values) == 0:
        number = float(values)
        if not math.isfinite(number):
            return None
        return number if digits is None else round(number, digits)
    array = np.asarray(values, dtype=np.float64)
    listed = (array if digits is None else array.round(digits)).tolist()
    return listed if np.isfinite(array).all() else _without_nan(listed)


def _without_nan(values: Any) -> Any:
    if isinstance(values, list):
        return [_without_nan(each) for each in values]
    return values if math.isfinite(values) else None
