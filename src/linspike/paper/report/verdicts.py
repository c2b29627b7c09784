"""Our numbers beside the paper's, and what that says."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from linspike.paper.report import numbers as paper
from linspike.paper.report.numbers import Printed
from linspike.study.experiment import Row, Summary

BETTER = "better"
REPRODUCED = "reproduced"
SHORT = "short"
DIFFERS = "differs"
UNDECIDED = "undecided"
NOT_COMPARABLE = "not comparable at this scale"
NO_NUMBER = "no number in the paper"
NO_RESULT = "no result"
QUOTED = "quoted"
SHOWN = "shown"
SKIPPED = "skipped"
NOT_RUN = "not run"

MEANING = {  # in the order in which they are counted
    BETTER: "the whole 95 % interval lies on the better side of the paper's number",
    REPRODUCED: "the interval holds the paper's number, or lies where the paper claims",
    SHORT: "the whole interval lies on the worse side of the paper's number",
    DIFFERS: "a number without a better side, and the interval lies elsewhere",
    UNDECIDED: "the paper claims more or less than a number, and the interval lies on both sides",
    NOT_COMPARABLE: "smoke scale shows that everything runs; its sizes and trials are too small",
    NO_NUMBER: "measured beyond the paper",
    NO_RESULT: "run, but the number could not be had; the note says why",
    QUOTED: "a number that the paper has from other work; nothing to run",
    SHOWN: "a statistic that depends on the number of trials, with the paper's beside it",
    SKIPPED: "its data are not there; the note says which",
    NOT_RUN: "no trials of it in this store",
}


class Result(NamedTuple):
    """One line of a comparison. `claim` is the paper's number as it states it."""

    id: str
    row: str
    paper: float | None
    ours: float | None
    lo: float | None
    hi: float | None
    n: int
    unit: str
    scale: str
    verdict: str
    note: str
    claim: str = ""
    where: str = ""


def verdict(printed: Printed | None, row: Row | None, scale: str) -> str:
    """What a row says about the paper's number; lo and hi are the ends of its 95 % interval.

    A row without either end is taken as exact; one without one end is open on that side.
    """
    if row is None:
        return QUOTED if printed is not None and paper.is_quoted(printed) else NOT_RUN
    value = row.value if row.value is not None and not math.isnan(row.value) else None
    if value is None and row.lo is None and row.hi is None:
        return SKIPPED if row.note.startswith("skipped") else NO_RESULT
    if printed is None:
        return NO_NUMBER
    if scale == "smoke":
        return NOT_COMPARABLE
    if printed.aim == paper.BESIDE:
        return SHOWN
    lo, hi = _ends(value, row.lo, row.hi)
    if value is None and lo <= printed.value <= hi:
        return NO_RESULT  # a bound on one side, and the paper's number within it
    return _met(printed, lo, hi) if printed.aim == paper.EQUAL else _beaten(printed, lo, hi)


def _ends(value: float | None, lo: float | None, hi: float | None) -> tuple[float, float]:
    if value is not None and lo is None and hi is None:
        return value, value
    return -math.inf if lo is None else lo, math.inf if hi is None else hi


def _met(printed: Printed, lo: float, hi: float) -> str:
    least = printed.value - printed.rounding
    most = (printed.value if printed.upto is None else printed.upto) + printed.rounding
    return REPRODUCED if lo <= most and hi >= least else DIFFERS


def _beaten(printed: Printed, lo: float, hi: float) -> str:
    if printed.aim == paper.LOWER:
        lo, hi, value = -hi, -lo, -printed.value
    else:
        value = printed.value
    if hi < value:
        return SHORT
    if not paper.RELATIONS[printed.relation][1]:
        return BETTER if lo > value else REPRODUCED
    # The paper names an end: all beyond it is what it claims, and an interval on both sides of it
    # tells nothing.
    beyond = lo >= value if printed.relation in ("at least", "at most") else lo > value
    return REPRODUCED if beyond else UNDECIDED


def results(experiment: str, scale: str, summary: Summary | None) -> list[Result]:
    """Every row of a summary and every number of the paper for it, in the summary's order.

    Rows that the paper has, and our own beside them, stand at the end as not run if the summary
    lacks them. Without a summary all are not run.
    """
    found = () if summary is None else summary.rows
    names = {row.name for row in found}
    joined = [_result(experiment, scale, row.name, row) for row in found]
    absent = [name for name in paper.rows_of(experiment) if name not in names]
    return joined + [_result(experiment, scale, name, None) for name in absent]


def _result(experiment: str, scale: str, name: str, row: Row | None) -> Result:
    printed = paper.number_for(experiment, name)
    value = None if row is None or row.value is None or math.isnan(row.value) else row.value
    return Result(
        id=experiment,
        row=name,
        paper=None if printed is None else printed.value,
        ours=value,
        lo=None if row is None else row.lo,
        hi=None if row is None else row.hi,
        n=0 if row is None else row.n,
        unit=(row.unit if row is not None else "") or (printed.unit if printed else ""),
        scale=scale,
        verdict=verdict(printed, row, scale),
        note=_note(name, printed, "" if row is None else row.note),
        claim="" if printed is None else paper.as_printed(printed),
        where="" if printed is None else printed.where,
    )


def _note(name: str, printed: Printed | None, own: str) -> str:
    """Our remark, then the remark on the printed number or, if it is another row's, whose."""
    if printed is None:
        return own
    theirs = (
        printed.note if name == printed.row else f"Beside the paper's number for {printed.row}."
    )
    if own and theirs and own[-1] not in ".!?":
        own += "."
    return f"{own} {theirs}".strip()


def counts(found: Iterable[Result]) -> dict[str, int]:
    """How many rows have each verdict, in the order of `MEANING`; all verdicts are keys."""
    number = dict.fromkeys(MEANING, 0)
    for result in found:
        number[result.verdict] += 1
    return number
