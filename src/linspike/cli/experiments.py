"""Experiments as the command line names them: ids, rows, scales and stores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from linspike import beyond, paper
from linspike.cli.options import setting
from linspike.study.experiment import SCALES, Experiment
from linspike.study.registry import Registry
from linspike.study.selection import list_rows, select_rows
from linspike.study.store import DEFAULT_PATH

REGISTRY = Registry(paper.EXPERIMENTS, beyond.EXPERIMENTS)

ALL_IDS = click.argument("ids", nargs=-1, metavar="[ID ...|all]")
SCALE = click.Choice(SCALES)
STORE = setting(
    "--store",
    click.Path(path_type=Path, dir_okay=False),
    DEFAULT_PATH,
    "SQLite file with the results of all trials.",
)


def choose_experiments(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments of these ids; all without an id or with "all"."""
    unknown = [name for name in names if name not in (*REGISTRY.ids, "all")]
    if unknown:
        known = ", ".join((*REGISTRY.ids, "all"))
        raise click.UsageError(f"There is no experiment '{unknown[0]}'. There are: {known}.")
    return REGISTRY.load_all(names)


def choose_rows(
    found: Sequence[Experiment], patterns: Sequence[str], scale: str
) -> list[Experiment]:
    """Return the experiments with the rows that match a pattern; all rows without a pattern."""
    if not patterns:
        return list(found)
    parts = [select_part(experiment, patterns, scale) for experiment in found]
    if any(part.cells(scale, []) for part in parts):
        return parts
    names = sorted({name for experiment in found for name in list_rows(experiment, scale)})
    known = f"The rows are: {'; '.join(names)}." if names else "There are no rows to choose from."
    raise click.UsageError(f"No row matches --rows. {known}")


def select_part(experiment: Experiment, patterns: Sequence[str], scale: str) -> Experiment:
    """Return the rows that match; the pattern "paper" means rows with a number in the paper."""
    from linspike.paper.report.numbers import rows_of

    labels = [pattern for pattern in patterns if pattern != "paper"]
    printed = set()
    if "paper" in patterns:
        printed = {key.but(quantity="") for key in rows_of(experiment.id)}
        if printed and not select_rows(experiment, (), printed).cells(scale, []):
            return experiment  # its numbers come from all its trials together
    return select_rows(experiment, labels, printed)
