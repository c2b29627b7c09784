"""A statement about results: its numbers are filled in, its comparisons are checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from linspike.paper.report.verdicts import Result
from linspike.study.rows import RowKey

Find = Callable[[str, RowKey], Result | None]  # experiment and row


class Check(NamedTuple):
    """A comparison that a text makes between numbers, by their names in it.

    Parameters
    ----------
    left, right : str
        Names of numbers; right is a verdict for "is".
    how : str
        "ahead of": the whole interval above the other's. "above": the value above the other's.
        "level with": the intervals overlap. "is": it has this verdict. "near zero": the interval
        holds 0.
    times : float
        The left value is at least so many times the right one.
    """

    left: str
    how: str
    right: str = ""
    times: float = 0.0


Numbers = Mapping[str, tuple[str, RowKey]]


class Finding(NamedTuple):
    """Sentences about an experiment, each after a word that says what kind it is.

    Parameters
    ----------
    texts : tuple of str
        With numbers as `{name}`, `{name:range}` (with its interval), `{name:paper}` (as the paper
        states it), `{name:share}` (in per cent), or with a format of Python.
    numbers : mapping of str to (experiment, RowKey)
        Where the numbers are.
    checks : sequence of Check
        What the texts say about them.
    words : tuple of str
        One before each text.
    """

    texts: tuple[str, ...]
    numbers: Numbers
    checks: Sequence[Check] = ()
    words: tuple[str, ...] = ("Agrees", "Differs")


def locate(experiment: str, **keys: RowKey) -> dict[str, tuple[str, RowKey]]:
    """Return where the numbers of one experiment are, by their names."""
    return {name: (experiment, key) for name, key in keys.items()}


class _Shown:
    """A result as the texts of findings show it."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def __format__(self, spec: str) -> str:
        found = self._result
        if spec == "paper":
            return found.claim.split(" ±")[0].removeprefix("about ")
        value = float("nan") if found.ours is None else found.ours
        if spec == "share":
            return f"{100.0 * value:.0f} %"
        if spec == "range" and found.lo is not None and found.hi is not None:
            return f"{_round(value)} ({_round(found.lo)} to {_round(found.hi)})"
        return format(value, spec) if spec and spec != "range" else _round(value)


def _round(value: float) -> str:
    """Return a number with three digits that count."""
    places = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{round(value, places):.{max(places, 0)}f}"


def fill(finding: Finding, find: Find) -> list[tuple[str, str]] | None:
    """Return each word and text with its numbers; None if the results do not support them.

    They do not if one is missing, is of smoke scale, or if a comparison does not hold.
    """
    found: dict[str, Result] = {}
    for name, (experiment, key) in finding.numbers.items():
        result = find(experiment, key)
        if result is None or result.ours is None or result.scale == "smoke":
            return None
        found[name] = result
    if not all(holds(check, found) for check in finding.checks):
        return None
    shown = {name: _Shown(result) for name, result in found.items()}
    # A number and its unit stay on one line.
    texts = [
        text.format(**shown).replace(" %", "\u00a0%").replace(" ms", "\u00a0ms")
        for text in finding.texts
    ]
    return list(zip(finding.words, texts, strict=True))


def holds(check: Check, found: Mapping[str, Result]) -> bool:
    """Return whether the numbers are as a check says."""
    left = found[check.left]
    if check.how == "is":
        return left.verdict == check.right
    lo, value, hi = _ends(left)
    if check.how == "near zero":
        return lo <= 0.0 <= hi
    other_lo, other_value, other_hi = _ends(found[check.right])
    if value < check.times * other_value:
        return False
    if check.how == "level with":
        return lo <= other_hi and other_lo <= hi
    return lo > other_hi if check.how == "ahead of" else value > other_value


def _ends(result: Result) -> tuple[float, float, float]:
    """Return the lower end, the value and the upper end; a missing end is the value."""
    value = float("nan") if result.ours is None else result.ours
    lo = value if result.lo is None else result.lo
    return lo, value, value if result.hi is None else result.hi
