"""From a store, or from what is published with the package, to sections of a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from linspike.experiments.base import SCALES
from linspike.experiments.catalogue import experiment
from linspike.experiments.store import Store
from linspike.reports.page import Section
from linspike.reports.verdicts import Result, results

PUBLISHED = "published.json"


def largest_scale(store: Store, name: str) -> str | None:
    """The largest scale at which the store holds trials of an experiment."""
    there = {trial.cell["scale"] for trial in store.trials(name)}
    found = [scale for scale in SCALES if scale in there]
    return found[-1] if found else None


def collect(
    store: Store, ids: Sequence[str], scale: str | None = None, base: int = 0
) -> list[Section]:
    """One section per experiment: at this scale, or at the largest there is.

    An experiment without trials gets a section whose rows say "not run".
    """
    return [_section(store, name, scale or largest_scale(store, name), base) for name in ids]


def _section(store: Store, name: str, scale: str | None, base: int) -> Section:
    made = experiment(name)
    trials = store.trials(name, scale, base) if scale else []
    summary = made.summarise(scale, trials) if scale and trials else None
    shown = scale or "smoke"
    reason = made.needs()
    return Section(
        id=name,
        title=made.title,
        place=made.place,
        command=f"linspike reproduce {name} --scale {shown}",
        results=tuple(results(name, shown, summary)),
        panels=summary.panels if summary else (),
        notes=summary.notes if summary else (),
        trials=len(trials),
        seconds=store.seconds(name, shown) if trials else 0.0,
        skipped=reason if not trials else "",
    )


def published() -> dict[str, Any]:
    """The results that come with the package: {"schema", "rows", "provenance"}; no rows if none."""
    source = resources.files("linspike.reports") / PUBLISHED
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
