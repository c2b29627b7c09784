"""From the trials of a store to sections of a report."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Sequence
from typing import NamedTuple

from linspike.paper.report.findings.notes import add_readings
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import compare, list_keys
from linspike.study.cells import RowCell, Trial
from linspike.study.experiment import SCALES, Experiment, NotEnoughTrials, Summary
from linspike.study.rows import RowKey
from linspike.study.runner import Coverage, select_current
from linspike.study.store import Store


def collect(
    store: Store, experiments: Sequence[Experiment], scale: str | None = None, seed_block: int = 0
) -> list[Section]:
    """Return one section per experiment: at this scale, or at the largest there is.

    An experiment without trials gets a section whose rows say "not run". Notes on rows that are
    short or differ end in what other readings gave.
    """
    scales = (scale,) if scale else SCALES
    sections = [
        _make_section(store, experiment, select_largest(store, experiment, scales, seed_block))
        for experiment in experiments
    ]
    return add_readings(sections)


class Selection(NamedTuple):
    """Trials of an experiment at one scale and block of seeds, and what is missing there."""

    scale: str
    seed_block: int
    coverage: Coverage


def select_largest(
    store: Store, experiment: Experiment, scales: Sequence[str] = SCALES, seed_block: int = 0
) -> Selection:
    """Return the trials of the last scale at which an experiment is complete.

    If it is at none, those of the last with any trials; the first, without trials, if there is
    none either.
    """
    found = [_select(store, experiment, scale, seed_block) for scale in scales]
    begun = [each for each in found if each.coverage.trials]
    complete = [each for each in begun if not each.coverage.missing]
    return (complete or begun or found[:1])[-1]


def _select(store: Store, experiment: Experiment, scale: str, seed_block: int) -> Selection:
    held = store.trials(experiment, scale, seed_block)
    return Selection(scale, seed_block, select_current(experiment, scale, held, seed_block))


def _make_section(store: Store, experiment: Experiment, selection: Selection) -> Section:
    shown, seed_block, (trials, missing) = selection
    summary = _summarise(experiment, shown, trials)
    keys = list_keys(experiment.id, summary)
    notes = summary.notes if summary else ()
    if trials and missing:
        count = sum(len(seeds) for _, seeds in missing)
        notes = (*notes, f"Incomplete: {len(trials)} trials are there, {count} more are known of.")
    seed = f" --seed {seed_block}" if seed_block else ""
    command = f"linspike reproduce {experiment.id} --scale {shown}{seed}"
    return Section(
        id=experiment.id,
        title=experiment.heading.title,
        place=experiment.heading.place,
        command=command,
        results=tuple(compare(experiment.id, shown, summary)),
        keys=tuple(keys),
        commands=tuple(row_commands(experiment, shown, command, keys)),
        panels=summary.panels if summary else (),
        details=summary.details if summary else (),
        notes=notes,
        trials=len(trials),
        # Trials of another experiment are timed there, once.
        seconds=store.seconds(experiment.id, shown) if trials and not experiment.source else 0.0,
        source=experiment.source,
        skipped="" if trials else experiment.needs(),
    )


def _summarise(experiment: Experiment, scale: str, trials: Sequence[Trial]) -> Summary | None:
    """Return what the trials show; None where there are too few."""
    if not trials:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # statistics of few trials
            return experiment.summarise(scale, trials)
    except NotEnoughTrials:
        return None


def row_commands(
    experiment: Experiment, scale: str, command: str, keys: Sequence[RowKey]
) -> list[str]:
    """Return what to type for each row: the row alone where it has trials of its own."""
    cells = experiment.cells(scale, [])
    own = {cell.row for cell in cells if isinstance(cell, RowCell)}
    rows = [key.but(quantity="") for key in keys]
    return [f"{command} --rows {shlex.quote(row.label)}" if row in own else command for row in rows]
