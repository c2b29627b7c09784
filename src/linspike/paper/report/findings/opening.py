"""First screen of the page: three sentences, and the capacities of all rules as forest plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from linspike.paper.report.findings.finding import fill
from linspike.paper.report.findings.tables import OPENING
from linspike.paper.report.layout.shapes import LIMIT, Group
from linspike.paper.report.layout.tables import (
    COUNT_RULES,
    COUNTS,
    LONG,
    SHORT,
    STRICT,
    TIMES_RULES,
)
from linspike.paper.report.pivot import join
from linspike.paper.report.sections import Section, find_in
from linspike.paper.report.verdicts import is_measured
from linspike.study.panels import Estimate, Forest, Panel
from linspike.study.rows import RowKey


class Plot(NamedTuple):
    """One forest plot: rules of an experiment, with the setting all share and the best one."""

    title: str
    experiment: str
    group: Group
    rules: tuple[RowKey, ...]


PLOTS = (
    Plot("Short patterns", "table1", SHORT, TIMES_RULES),
    Plot("One long pattern", "table1", LONG, TIMES_RULES),
    Plot("One long pattern, strict", "table1", STRICT, TIMES_RULES),
    Plot("Five classes", "table2", COUNTS, COUNT_RULES),
)


def write_opening(sections: Sequence[Section]) -> list[str]:
    """Return what was found, in three points if all was run; what was run if it supports none."""
    points: dict[str, list[str]] = {}
    for word, text in fill(OPENING, lambda experiment, key: find_in(sections, experiment, key)):
        points.setdefault(word, []).append(text)
    return [" ".join(texts) for texts in points.values()] or _describe_run(sections)


def _describe_run(sections: Sequence[Section]) -> list[str]:
    """Return three sentences that hold for any run."""
    ran = [section for section in sections if section.trials]
    skipped = [section.place for section in sections if section.skipped and not section.trials]
    trials = sum(section.trials for section in ran if not section.source)
    without = (
        f"Without their data were skipped: {', '.join(skipped)}."
        if skipped
        else "None was skipped for want of data."
    )
    return [
        f"{len(ran)} of {len(sections)} experiments ran from end to end, in {trials} trials.",
        without,
        "Each section has its numbers, the paper's, and the command that makes them again.",
    ]


def plot_capacities(sections: Sequence[Section]) -> list[Panel]:
    """Return the forest plots for which there are results."""
    panels = []
    for plot in PLOTS:
        rows = [_estimate(sections, plot, rule) for rule in plot.rules]
        measured = [row for row in rows if row is not None]
        if measured:
            (limit_rule,) = LIMIT
            limit = _estimate(sections, plot, limit_rule)
            forest = Forest(measured, limit.value if limit else None)
            panels.append(Panel(plot.title, plot.group.unit, "", forest=forest))
    return panels


def _estimate(sections: Sequence[Section], plot: Plot, rule: RowKey) -> Estimate | None:
    """Return a rule at its best setting, beside its common one; None if neither was measured."""
    keys = [join(rule, column.fields) for column in plot.group.columns]
    common, tuned = (find_in(sections, plot.experiment, key) for key in keys)
    measured = [each for each in (tuned, common) if each is not None and is_measured(each)]
    best = next(iter(measured), None)
    if best is None:
        return None
    beside = common.ours if common is not None and common is not best else None
    paper = None if best.scale == "smoke" else best.paper  # of another size
    return Estimate(rule.label, best.ours, best.lo, best.hi, beside, paper, rule.method)
