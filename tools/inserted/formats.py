"""How numbers are written in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

# Places kept behind the point, by unit: capacities to hundreds of milliseconds.
PLACES = {"patterns": 0, "classes": 0, "%": 1, "points": 1}
LONG_MS = 500.0
DIGITS = 3


def places_of(value: float, unit: str, digits: int | None) -> int:
    """Return how many places behind the point to keep; negative ones round tens, hundreds, ..."""
    if digits is None:
        if unit in PLACES:
            return PLACES[unit]
        if unit == "ms" and abs(value) >= LONG_MS:
            return -2
        if float(value).is_integer():
            return 0
        digits = DIGITS
    return digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)


def format_places(value: float, places: int) -> str:
    """Return the value with so many places; in powers of ten if it is very small."""
    if 0.0 < abs(value) < 1e-3:
        first = -math.floor(math.log10(abs(value)))
        return f"{value:.{max(places - first, 0)}e}"
    return f"{round(value, places):.{max(places, 0)}f}"


def format_number(value: float, unit: str = "", digits: int | None = None) -> str:
    """Return a value with so many significant digits, or as is usual for its unit."""
    return format_places(value, places_of(value, unit, digits))


def format_interval(
    value: float, low: float, high: float, unit: str = "", digits: int | None = None
) -> str:
    """Return "(low-high)", both with the places of the value."""
    places = places_of(value, unit, digits)
    return f"({format_places(low, places)}-{format_places(high, places)})"


def format_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
