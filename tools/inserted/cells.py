"""Cells of tables of published results."""

from __future__ import annotations

from collections.abc import Sequence

from tools.inserted.sources import Sources, UnknownNumberError, format_field

NONE = "-"
PROGRAM, PSP_PROGRAM = "DTA (paper's linear program)", "DTA psp (paper's linear program)"
PROJECTION = "DTA (projection)"
TIME_RULES = ("HTP", "E-learning", "FP", "FILT", "ReSuMe", "first error", "PSD")
COUNT_RULES = ("MST", "EML", "EMLC", "EMLC by peak")


def paper_cell(sources: Sources, experiment: str, label: str) -> str:
    """Return the number that the paper prints, or "-"."""
    row = sources.row(experiment, label)
    return NONE if row["paper"] is None else format_field(row, "paper")


def our_cell(sources: Sources, experiment: str, label: str, digits: int | None = None) -> str:
    """Return our number with its interval; a number below the paper's says "short"."""
    row = sources.row(experiment, label)
    cell = f"{format_field(row, 'ours', digits)} {format_field(row, 'interval', digits)}"
    return f"{cell}, **short**" if row["verdict"] == "short" else cell


def optional_cell(sources: Sources, experiment: str, label: str) -> str:
    """Return our number, or "-" if the row is not published."""
    try:
        return our_cell(sources, experiment, label)
    except UnknownNumberError:
        return NONE


def best_cell(
    sources: Sources, experiment: str, labels: Sequence[str], rules: Sequence[str]
) -> str:
    """Return the rule with the largest number among those published, and its number."""
    rows = sources.published[experiment]
    found = [
        (rows[label.format(rule)]["ours"], rule, label.format(rule))
        for rule in rules
        for label in labels
        if label.format(rule) in rows
    ]
    if not found:
        return NONE
    _, rule, label = max(found)
    row = rows[label]
    return f"{rule} {format_field(row, 'ours')} {format_field(row, 'interval')}"
