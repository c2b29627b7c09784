"""Our numbers beside the paper's, and the verdict on each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, Self

from linspike.paper.report.numbers import number_for, rows_of
from linspike.paper.report.printed import Aim, Printed, Relation
from linspike.study.experiment import Summary
from linspike.study.rows import Row, RowKey, Status


class Verdict(StrEnum):
    """Verdicts of a row on the paper's number, in the order in which verdicts are counted.

    Attributes
    ----------
    meaning : str
        The sentence shown to readers.
    symbol : str
        Sign on the page.
    """

    meaning: str
    symbol: str

    BETTER = "better", "▲", "the whole 95 % interval lies on the better side of the paper's number"
    REPRODUCED = (
        "reproduced",
        "●",
        "the interval holds the paper's number, or lies where the paper claims",
    )
    SHORT = "short", "▼", "the whole interval lies on the worse side of the paper's number"
    DIFFERS = "differs", "≠", "a claim without a better side, and the interval lies elsewhere"
    UNDECIDED = (
        "undecided",
        "~",
        "the paper claims more or less than a number, and the interval lies on both sides",
    )
    NOT_COMPARABLE = (
        "not comparable at this scale",
        "○",
        "smoke scale shows that everything runs; its sizes and trials are too small",
    )
    NO_NUMBER = "no number in the paper", "+", "measured beyond the paper"
    NO_RESULT = "no result", "?", "run, but the number could not be had; the note says why"
    QUOTED = "quoted", "§", "a number that the paper has from other work; nothing to run"
    SHOWN = (
        "shown",
        "∥",
        "a statistic that depends on the number of trials, with the paper's beside it",
    )
    SKIPPED = "skipped", "⊘", "its data are not there; the note says which"
    NOT_RUN = "not run", "·", "no trials of it in this store"

    def __new__(cls, word: str, symbol: str, meaning: str) -> Self:
        """Return the member with its attributes."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.symbol, member.meaning = symbol, meaning
        return member


class Result(NamedTuple):
    """One line of a comparison: a row of `linspike list --json`.

    `row` is the label of the row's key, `claim` the paper's number as it states it.
    """

    id: str
    row: str
    paper: float | None
    ours: float | None
    lo: float | None
    hi: float | None
    n: int
    unit: str
    scale: str
    verdict: Verdict
    note: str
    claim: str = ""
    where: str = ""


def is_measured(result: Result) -> bool:
    """Return whether a result has a number, or a bound on one."""
    return any(number is not None for number in (result.ours, result.lo, result.hi))


def judge(printed: Printed | None, row: Row | None, scale: str) -> Verdict:
    """Return what a row says about the paper's number; lo and hi end its 95 % interval.

    A row without either end is taken as exact; one without one end is open on that side.
    """
    if row is None:
        return Verdict.QUOTED if printed is not None and printed.quoted else Verdict.NOT_RUN
    value = _value(row)
    if row.status is Status.SKIPPED:
        return Verdict.SKIPPED
    if value is None and row.lo is None and row.hi is None:
        return Verdict.NO_RESULT
    if printed is None:
        return Verdict.NO_NUMBER
    if scale == "smoke":
        return Verdict.NOT_COMPARABLE
    if printed.aim is Aim.BESIDE:
        return Verdict.SHOWN
    lo, hi = _ends(value, row.lo, row.hi)
    if value is None and lo <= printed.value <= hi:
        return Verdict.NO_RESULT  # a bound on one side, and the paper's number within it
    if printed.relation.is_end:
        return _judge_end(printed, lo, hi)
    return _judge_met(printed, lo, hi) if printed.aim is Aim.EQUAL else _judge(printed, lo, hi)


def _value(row: Row | None) -> float | None:
    return None if row is None or row.value is None or math.isnan(row.value) else row.value


def _ends(value: float | None, lo: float | None, hi: float | None) -> tuple[float, float]:
    if value is not None and lo is None and hi is None:
        return value, value
    return -math.inf if lo is None else lo, math.inf if hi is None else hi


def _judge_met(printed: Printed, lo: float, hi: float) -> Verdict:
    lowest = printed.value - printed.rounding
    highest = (printed.value if printed.upto is None else printed.upto) + printed.rounding
    return Verdict.REPRODUCED if lo <= highest and hi >= lowest else Verdict.DIFFERS


def _judge(printed: Printed, lo: float, hi: float) -> Verdict:
    if printed.aim is Aim.LOWER:
        lo, hi, value = -hi, -lo, -printed.value
    else:
        value = printed.value
    if hi < value:
        return Verdict.SHORT
    return Verdict.BETTER if lo > value else Verdict.REPRODUCED


def _judge_end(printed: Printed, lo: float, hi: float) -> Verdict:
    """Return the verdict on a claim of more or less than a number: beyond it nothing is better."""
    value = printed.value
    if printed.relation in (Relation.AT_MOST, Relation.BELOW):
        lo, hi, value = -hi, -lo, -value
    if hi < value:
        return Verdict.DIFFERS if printed.aim is Aim.EQUAL else Verdict.SHORT
    beyond = lo >= value if printed.relation.includes else lo > value
    return Verdict.REPRODUCED if beyond else Verdict.UNDECIDED


def list_keys(experiment: str, summary: Summary | None) -> list[RowKey]:
    """Return the rows of a summary, then those that the paper asks for and the summary lacks."""
    found = [] if summary is None else [row.key for row in summary.rows]
    return found + [key for key in rows_of(experiment) if key not in found]


def compare(experiment: str, scale: str, summary: Summary | None) -> list[Result]:
    """Return a result for every key of `list_keys`; without a summary all are not run."""
    rows = {} if summary is None else {row.key: row for row in summary.rows}
    return [
        _compare_row(experiment, scale, key, rows.get(key))
        for key in list_keys(experiment, summary)
    ]


def _compare_row(experiment: str, scale: str, key: RowKey, row: Row | None) -> Result:
    printed = number_for(experiment, key)
    return Result(
        id=experiment,
        row=key.label,
        paper=None if printed is None else printed.value,
        ours=_value(row),
        lo=None if row is None else row.lo,
        hi=None if row is None else row.hi,
        n=0 if row is None else row.n,
        unit=(row.unit if row is not None else "") or (printed.unit if printed else ""),
        scale=scale,
        verdict=judge(printed, row, scale),
        note=_join_notes(key, printed, "" if row is None else row.note),
        claim="" if printed is None else printed.text,
        where="" if printed is None else printed.where,
    )


def _join_notes(key: RowKey, printed: Printed | None, own: str) -> str:
    """Return our note, then the note on the printed number or, if it is another row's, whose."""
    if printed is None:
        return own
    theirs = (
        printed.note
        if key == printed.row
        else f"Beside the paper's number for {printed.row.label}."
    )
    return join_sentences(own, theirs)


def join_sentences(first: str, second: str) -> str:
    """Return two notes as one, each a sentence."""
    stop = "." if first and second and first[-1] not in ".!?" else ""
    return f"{first}{stop} {second}".strip()


def count_verdicts(results: Iterable[Result]) -> dict[Verdict, int]:
    """Return how many rows have each verdict; all verdicts are keys, in their order."""
    number = dict.fromkeys(Verdict, 0)
    for result in results:
        number[result.verdict] += 1
    return number
