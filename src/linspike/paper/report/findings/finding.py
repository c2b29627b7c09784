"""A statement about results: its numbers are filled in, its comparisons are checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from string import Formatter
from typing import NamedTuple

from linspike.paper.report.verdicts import Result
from linspike.study.rows import RowKey

SHOWN, NOT_STATED = "Shown", "Not stated"  # where the paper prints nothing that could differ
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
        holds 0. "meets": the interval holds the number that the paper prints for the other.
        "holds", "at least", "at most": the interval holds, or the whole of it is at least or at
        most, the number `value`.
    times : float
        The left value is at least so many times the right one.
    value : float
        Number that the left one is compared with.
    """

    left: str
    how: str
    right: str = ""
    times: float = 0.0
    value: float = 0.0


class Statement(NamedTuple):
    """A text on the page, and what must hold for it to stand there.

    Parameters
    ----------
    word : str
        Says what kind it is, and stands before it.
    text : str
        With numbers as `{name}`, `{name:range}` (with its interval), `{name:paper}` (as the paper
        states it), `{name:share}` (in per cent), or with a format of Python.
    checks : tuple of Check
        What it says about them.
    """

    word: str
    text: str
    checks: tuple[Check, ...]

    @property
    def shown(self) -> dict[str, set[str]]:
        """Names of the numbers in the text, with the formats of each."""
        found: dict[str, set[str]] = {}
        for _, name, spec, _ in Formatter().parse(self.text):
            if name:
                found.setdefault(name, set()).add(spec or "")
        return found

    @property
    def checked(self) -> set[str]:
        """Names of the numbers in its checks."""
        rights = {check.right for check in self.checks if check.how != "is"}
        return {check.left for check in self.checks} | rights - {""}


class Finding(NamedTuple):
    """Statements about an experiment.

    Parameters
    ----------
    numbers : mapping of str to (experiment, RowKey)
        Where the numbers of all statements are.
    statements : tuple of Statement
        Each stands on its own numbers.
    scale : str
        At which the numbers were measured; at another nothing is said.
    """

    numbers: Mapping[str, tuple[str, RowKey]]
    statements: tuple[Statement, ...]
    scale: str = "paper"


def say(word: str, text: str, *checks: Check) -> Statement:
    """Return a statement."""
    return Statement(word, text, checks)


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


def fill(finding: Finding, find: Find) -> list[tuple[str, str]]:
    """Return word and text of each statement that the results support, with its numbers.

    They do not support it if a number is missing or of another scale, or if a check fails.
    """
    located = {name: find(*where) for name, where in finding.numbers.items()}
    found = {
        name: result
        for name, result in located.items()
        if result is not None and result.scale == finding.scale
    }
    return [
        (each.word, _write(each, found))
        for each in finding.statements
        if _is_supported(each, found)
    ]


def _is_supported(statement: Statement, found: Mapping[str, Result]) -> bool:
    if not (statement.checked | set(statement.shown)) <= set(found):
        return False
    values = [name for name, specs in statement.shown.items() if specs != {"paper"}]
    if any(found[name].ours is None for name in values):
        return False
    return all(holds(check, found) for check in statement.checks)


def _write(statement: Statement, found: Mapping[str, Result]) -> str:
    """Return the text with its numbers; a number and its unit stay on one line."""
    text = statement.text.format(**{name: _Shown(found[name]) for name in statement.shown})
    return text.replace(" %", "\u00a0%").replace(" ms", "\u00a0ms")


def holds(check: Check, found: Mapping[str, Result]) -> bool:
    """Return whether the numbers are as a check says."""
    left = found[check.left]
    if check.how == "is":
        return left.verdict == check.right
    lo, value, hi = _ends(left)
    if check.how in ("near zero", "holds"):
        return lo <= check.value <= hi
    if check.how in ("at least", "at most"):
        return lo >= check.value if check.how == "at least" else hi <= check.value
    if check.how == "meets":
        printed = found[check.right].paper
        return printed is not None and lo <= printed <= hi
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
