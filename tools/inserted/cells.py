"""Cells of tables of published results."""

from __future__ import annotations

from collections.abc import Sequence

from tools.inserted.sources import Sources, UnknownNumberError, format_field

NONE = "-"
PROGRAM, PSP_PROGRAM = "DTA (paper's linear program)", "DTA psp (paper's linear program)"
PROJECTION = "DTA (projection)"
TIME_RULES = ("HTP", "E-learning", "FP", "FILT", "ReSuMe", "first error", "PSD")
COUNT_RULES = ("MST", "EML", "EMLC", "EMLC by peak")
LIMIT, FOUND = "exact limit", "found within 1 ms (lower bound)"
SHARE = "share of the exact limit"
# Rows of table 1 that were also run under the strict criterion.
STRICT = tuple(
    f"{task}, {method}" for task in ("short", "long") for method in (PROJECTION, PSP_PROGRAM)
)


def paper_cell(sources: Sources, experiment: str, label: str) -> str:
    """Return the number that the paper prints, or "-"."""
    row = sources.row(experiment, label)
    return NONE if row["paper"] is None else format_field(row, "paper")


def our_cell(sources: Sources, experiment: str, label: str, digits: int | None = None) -> str:
    """Return our number with its interval; a number below the paper's says "short"."""
    row = sources.row(experiment, label)
    cell = f"{format_field(row, 'ours', digits)} {format_field(row, 'interval', digits)}"
    return f"{cell}, **short**" if row["verdict"] == "short" else cell


def limit_cell(sources: Sources, experiment: str, label: str) -> str:
    """Return the exact limit of a task, or "-" where none is published."""
    row = label.format(LIMIT)
    return our_cell(sources, experiment, row) if row in sources.published[experiment] else NONE


def share_cell(sources: Sources, labels: Sequence[str]) -> str:
    """Return the first published share of the exact limit among these rows; "-" without one."""
    found = sources.published["table1"]
    labels = [f"{label}, {SHARE}" for label in labels]
    return next((our_cell(sources, "table1", label) for label in labels if label in found), NONE)


def strict_cell(sources: Sources, experiment: str, label: str) -> str:
    """Return our number under the strict criterion, or "-" where it was not run."""
    row = f"{label}, strict"
    if label in STRICT:
        return our_cell(sources, experiment, row)
    if row in sources.published[experiment]:
        raise UnknownNumberError(f"row {row!r} is published: name {label!r} in STRICT")
    return NONE


def best_cell(
    sources: Sources, experiment: str, labels: Sequence[str], rules: Sequence[str]
) -> str:
    """Return the rule with the largest number, and its number; "-" without rules."""
    if not rules:
        return NONE
    rows = [
        (rule, sources.row(experiment, label.format(rule))) for rule in rules for label in labels
    ]
    for _, row in rows:
        format_field(row, "ours")  # raises where there is none
    rule, row = max(rows, key=lambda pair: float(pair[1]["ours"]))
    return f"{rule} {format_field(row, 'ours')} {format_field(row, 'interval')}"
