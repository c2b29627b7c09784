"""Cells of a table: texts to numbers, and the words of messages about them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from linspike.errors import printable

MISSING = {"", "?", "na", "n/a", "nan", "none", "null"}
# 007 is a name, not the number 7; longer numbers would not fit into 64 bits.
INTEGER = re.compile(r"[+-]?(0|[1-9]\d{0,17})(\.0*)?")
SHOWN = 12  # names in a message
LONGEST = 40  # characters of a cell in a message


def as_number(cell: str, decimal: str = ".") -> float | None:
    """Return a cell as a number, or None if it is none; decimal is the mark before decimals."""
    if "_" in cell:  # Python would take 1_000 for a number
        return None
    if decimal != ".":
        if "." in cell:
            return None
        cell = cell.replace(decimal, ".")
    try:
        return float(cell)
    except ValueError:
        return None


def parse_numbers(cells: Iterable[str], decimal: str) -> list[float]:
    """Return cells as numbers, NaN where a cell is none."""
    found = list(cells)
    try:
        joined = "".join(found)
        if "_" in joined or decimal != ".":
            raise ValueError
        return list(map(float, found))
    except ValueError:
        numbers = (as_number(cell, decimal) for cell in found)
        return [float("nan") if number is None else number for number in numbers]


def parse_integer(text: str) -> int:
    """Return a text that `INTEGER` matches, 3.0 too, as a number; floats would lose digits."""
    return int(text.partition(".")[0])


def make_key(text: str, *, as_numbers: bool) -> str:
    """Return a name for comparison: 1, +1 and 1.0 are one number, but different texts."""
    return str(parse_integer(text)) if as_numbers and INTEGER.fullmatch(text) else text


def hint_name(name: str, names: Iterable[str]) -> str:
    """Return a question with the one of the names that is most like a wrong one, if any is."""
    folded = {known.casefold(): known for known in names}
    nearest = difflib.get_close_matches(name.casefold(), folded, 1)
    return f" Did you mean {folded[nearest[0]]!r}?" if nearest else ""


def hint_header(names: Iterable[str]) -> str:
    """Return a hint if names look like a row of data; one number may be a name."""
    if sum(as_number(name) is not None for name in names) < 2:
        return ""
    return " A header line seems to be missing: the first line must name the columns."


def join_names(names: Iterable[object]) -> str:
    """Return names for a sentence: not too many, and without control characters."""
    texts = [printable(name) or "(unnamed)" for name in names]
    more = f", and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def count_noun(count: int, noun: str) -> str:
    """Return a number with its noun: 1 cell, 2 cells."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def explain_cell(cell: str, decimal: str, gaps: str, drop: str) -> str:
    """Return why a cell is no finite number, and what can be done about it.

    gaps says how many rows lack a value; drop leaves out the column, if the command can do so.
    """
    if cell.casefold() in MISSING:
        shown = f" ({cell})" if cell else ""
        other = f", or leave the column out with {drop}" if drop else ""
        remedy = f"Fill them in or delete these rows{other}."
        return f"the cell has no value{shown}. Rows with missing values: {gaps}. {remedy}"
    if as_number(cell, decimal) is not None:
        return f"{_shorten(cell)} is not finite."
    remedy = f" Leave the column out with {drop}." if drop else ""
    if decimal == "." and as_number(cell, ",") is not None:
        remedy = " Give --decimal , for decimals with a comma."
    elif decimal != "." and as_number(cell) is not None:
        remedy = f" With --decimal {decimal} decimals have no point."
    return f"{_shorten(cell)!r} is not a number.{remedy}"


def _shorten(cell: str) -> str:
    return cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 3]}..."
