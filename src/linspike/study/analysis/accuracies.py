"""Accuracies of rows of trials: what the tables of classifiers share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike.study.experiment import Panel, Ranks, Row, Trial, paired, percent_interval
from linspike.study.analysis.statistics import nemenyi


def scores(trials: Sequence[Trial], row: str, part: str) -> dict[int, float]:
    """Final accuracy of one row by seed."""
    return {trial.seed: trial.record[part][-1] for trial in trials if trial.cell["row"] == row}


def accuracy_rows(trials: Sequence[Trial], row: str, more: str = "") -> list[Row]:
    """Training and test accuracy of one row, with the setting and the spread over trials."""
    rows = []
    for part in ("train", "test"):
        found = np.array(list(scores(trials, row, part).values()))
        if found.size:
            cell = next(trial.cell for trial in trials if trial.cell["row"] == row)
            key = "eta" if "eta" in cell["settings"] else "bound"
            sd = f", sd {found.std(ddof=1):.2f}" if found.size > 1 else ""
            decay = f", decay {cell['decay']:g}" if cell["decay"] else ""
            note = f"{key} {cell['settings'][key]:g}{decay}{more}{sd}"
            about = percent_interval(found)
            rows.append(Row(f"{row}, {part}", *about, n=found.size, unit="%", note=note))
    return rows


def rank_panel(
    trials: Sequence[Trial], names: Sequence[str], variant: str, title: str
) -> list[Panel]:
    """Which rows are told apart in testing, all of them together; nothing if too few are there."""
    found = paired([scores(trials, f"{variant}{name}", "test") for name in names])
    if len(found) < 2 or np.ptp(found, axis=1).max() == 0.0:
        return []
    told = nemenyi(found, names=names)
    ranks = Ranks(told.names, told.mean_ranks, told.critical_difference)
    return [Panel(f"Mean ranks in testing (1 is best), {title}", "", "", ranks=ranks)]
