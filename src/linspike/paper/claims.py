"""What the paper says in its text about synthetic tasks, each claim put to a direct test.

A claim "capacity c" is tested at load c: more than half of the trials must learn it. A claim "so
many times another's capacity" is tested at that share of the load: half of the other's trials must
fail there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike.paper.common.capacity_rows import at_common, learn, ours, papers_programme
from linspike.rules.dta import ANNEALED
from linspike.study.experiment import (
    Cell,
    Experiment,
    Record,
    Row,
    Summary,
    Trial,
    mean_interval,
)
from linspike.study.tasks import Task, decoding, encoding

LP = at_common(papers_programme(""))
OURS = at_common(ours("", schedule=ANNEALED))


class Claim(NamedTuple):
    """One rule at one load."""

    row: str
    task: str  # "short", "long" or "counts"
    load: int  # patterns; for "long" hundreds of milliseconds
    rule: str
    settings: dict[str, Any]
    epochs: int


CLAIMS = (
    Claim("within 100 epochs at the bound, short, ours", "short", 43, "dta", OURS, 100),
    Claim("within 100 epochs at the bound, long, ours", "long", 172, "dta", OURS, 100),
    Claim("within 100 epochs at the bound, short, paper's LP", "short", 43, "dta_lp", LP, 100),
    Claim("PSD at half of DTA's capacity, eta 0.01", "short", 23, "psd", {"eta": 0.01}, 500),
    Claim("FILT at half of DTA's capacity, eta 0.01", "short", 23, "filt", {"eta": 0.01}, 500),
    Claim("FILT at half of DTA's capacity, eta 0.003", "short", 23, "filt", {"eta": 0.003}, 500),
    Claim("MST at a third of DTA's capacity, eta 0.01", "counts", 120, "mst", {"eta": 0.01}, 100),
    Claim("MST at a third of DTA's capacity, eta 0.001", "counts", 120, "mst", {"eta": 0.001}, 100),
    Claim("MST at DTA's capacity, eta 0.01", "counts", 355, "mst", {"eta": 0.01}, 100),
    Claim("EMLC at half of DTA's capacity, eta 0.01", "counts", 180, "emlc", {"eta": 0.01}, 100),
    Claim("EMLC at half of DTA's capacity, eta 0.001", "counts", 180, "emlc", {"eta": 0.001}, 100),
    Claim("epochs at P = 110, MST, eta 0.01", "counts", 110, "mst", {"eta": 0.01}, 500),
    Claim("epochs at P = 110, MST, eta 0.001", "counts", 110, "mst", {"eta": 0.001}, 500),
    Claim("epochs at P = 110, DTA (ours)", "counts", 110, "dta", OURS, 500),
)
SIZES: dict[str, dict[str, Any]] = {
    "smoke": {"trials": 2, "n": 60, "shrink": 8, "epochs": 20},
    "laptop": {"trials": 10, "n": 500, "shrink": 1, "epochs": None},
    "paper": {"trials": 50, "n": 500, "shrink": 1, "epochs": None},
}


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """One cell a claim."""
    size = SIZES[scale]
    return [
        {
            "scale": scale,
            "row": claim.row,
            "task": claim.task,
            "load": max(2, claim.load // size["shrink"]),
            "rule": claim.rule,
            "settings": claim.settings,
            "n": size["n"],
            "epochs": min(claim.epochs, size["epochs"] or claim.epochs),
        }
        for claim in CLAIMS
    ]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """Trials of a claim."""
    return range(SIZES[scale]["trials"])


def _task(cell: Cell, seed: int) -> Task:
    if cell["task"] == "counts":
        return decoding(seed, cell["load"], n_channels=cell["n"])
    if cell["task"] == "long":
        return encoding(seed, 1, duration=100.0 * cell["load"], n_channels=cell["n"])
    return encoding(seed, cell["load"], n_channels=cell["n"])


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Chains of one claim."""
    return learn(cell, [_task(cell, seed) for seed in seeds], seeds)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Shares learned, and epochs where the claim is about speed."""
    rows = []
    for claim in CLAIMS:
        mine = [trial.record for trial in trials if trial.cell["row"] == claim.row]
        if not mine:
            continue
        learned = np.array([record["learned"] for record in mine], dtype=np.float64)
        if claim.row.startswith("epochs"):
            epochs = np.array([record["epochs"] for record in mine], dtype=np.float64)
            lo, middle, hi = np.quantile(epochs, (0.25, 0.5, 0.75))
            note = f"median; quartiles {lo:g} and {hi:g}"
            rows.append(Row(claim.row, float(middle), None, None, len(mine), "epochs", note))
            continue
        lo, hi = wilson(int(learned.sum()), len(mine))
        rows.append(Row(claim.row, float(learned.mean()), lo, hi, len(mine), "share learned"))
    rows += _speed(trials)
    return Summary(tuple(rows), (), ("Intervals of shares are Wilson's, 95 %.",))


def _speed(trials: Sequence[Trial]) -> list[Row]:
    """MST's epochs over DTA's, trial by trial, at the load that both learn."""
    epochs: dict[str, dict[int, float]] = {}
    for trial in trials:
        if trial.cell["row"].startswith("epochs"):
            epochs.setdefault(trial.cell["row"], {})[trial.seed] = trial.record["epochs"]
    rows = []
    ours = epochs.get("epochs at P = 110, DTA (ours)", {})
    for name, step in (("", "0.01"), (", eta 0.001", "0.001")):
        other = epochs.get(f"epochs at P = 110, MST, eta {step}", {})
        ratios = [other[seed] / ours[seed] for seed in other if ours.get(seed)]
        if ratios:
            found = mean_interval(ratios)
            row = f"epochs at P = 110, MST over DTA{name}"
            rows.append(Row(row, *found, len(ratios), "times", "mean of ratios, trial by trial"))
    return rows


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """95 % interval of a share."""
    from scipy import stats

    found = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


EXPERIMENT = Experiment(
    id="claims",
    title="Claims of the text, each put to a direct test",
    place="Text",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 3.0 if cell["settings"].get("objective") == "feasible" else 0.2,
)
