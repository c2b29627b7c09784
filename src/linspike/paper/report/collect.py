"""From a store, or from what is published with the package, to sections of a report."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from importlib import resources
from typing import Any

from linspike.paper.report.html import Section
from linspike.paper.report.verdicts import Result, results
from linspike.study.experiment import SCALES, Experiment, Summary, Trial
from linspike.study.runner import select_current
from linspike.study.store import Store

PUBLISHED = "published.json"


def largest_scale(store: Store, made: Experiment, seed_block: int = 0) -> str | None:
    """The largest scale at which an experiment is complete; else the largest with any trials."""
    begun, complete = None, None
    for scale in SCALES:
        held = store.trials(made, scale, seed_block)
        trials, lacking = select_current(made, scale, held, seed_block)
        if trials:
            begun = scale
            if not lacking:
                complete = scale
    return complete or begun


def collect(
    store: Store, experiments: Sequence[Experiment], scale: str | None = None, seed_block: int = 0
) -> list[Section]:
    """One section per experiment: at this scale, or at the largest there is.

    An experiment without trials gets a section whose rows say "not run".
    """
    return [
        _section(store, made, scale or largest_scale(store, made, seed_block), seed_block)
        for made in experiments
    ]


def _section(store: Store, made: Experiment, scale: str | None, seed_block: int) -> Section:
    held = store.trials(made, scale, seed_block) if scale else []
    shown = scale or "smoke"
    trials, lacking = select_current(made, shown, held, seed_block)
    summary = _summary(made, shown, trials)
    notes = summary.notes if summary else ()
    if trials and lacking:
        missing = sum(len(seeds) for _, seeds in lacking)
        notes = (
            *notes,
            f"Incomplete: {len(trials)} trials are there, {missing} more are known of.",
        )
    reason = made.needs()
    seeds = f" --seed {seed_block}" if seed_block else ""
    return Section(
        id=made.id,
        title=made.title,
        place=made.place,
        command=f"linspike reproduce {made.id} --scale {shown}{seeds}",
        results=tuple(results(made.id, shown, summary)),
        panels=summary.panels if summary else (),
        notes=notes,
        trials=len(trials),
        seconds=store.seconds(made.id, shown) if trials else 0.0,
        source=made.source,
        skipped=reason if not trials else "",
    )


def _summary(made: Experiment, scale: str, trials: Sequence[Trial]) -> Summary | None:
    """What the trials show; nothing where too few are there to say it."""
    if not trials:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # means of nothing, where trials are missing
            return made.summarise(scale, trials)
    except (LookupError, ValueError, TypeError, ZeroDivisionError):
        return None


def published() -> dict[str, Any]:
    """The results that come with the package: {"schema", "rows", "provenance"}; no rows if none."""
    source = resources.files("linspike.paper.report") / PUBLISHED
    if not source.is_file():
        return {"schema": 1, "rows": [], "provenance": {}}
    found: dict[str, Any] = json.loads(source.read_text())
    return found


def published_results(ids: Sequence[str]) -> list[Result]:
    """Published rows of these experiments; those without any say "not run"."""
    rows = [Result(**row) for row in published()["rows"]]
    known = {row.id for row in rows}
    found: list[Result] = []
    for name in ids:
        found += (
            [row for row in rows if row.id == name]
            if name in known
            else results(name, "paper", None)
        )
    return found
