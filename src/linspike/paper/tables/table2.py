"""Table 2: how many patterns a neuron can be taught to answer with desired counts, five classes.

MST, EML, EMLC (both readings) and DTA at the paper's common step size and at their best of fourteen
settings: seven step sizes, each steady and annealed.
"""

from __future__ import annotations

from collections.abc import Sequence

from linspike.paper.common.capacity_rows import (
    Contender,
    best_setting,
    contender,
    learn,
    ours,
    outcomes,
    papers_programme,
    row_of,
    search_cells,
    setting_of,
    tuning_cells,
    tuning_seeds,
)
from linspike.rules.base import STEADY
from linspike.rules.dta import ANNEALED
from linspike.study.capacity import Search
from linspike.study.experiment import Cell, Experiment, Line, Mark, Panel, Record, Summary, Trial
from linspike.study.tasks import decoding

CLASSES = 5
OURS = ours("DTA (ours)", schedule=ANNEALED)
GRADIENT = ours("DTA (ours), gradient", count_target="gradient", schedule=ANNEALED)
RIVALS = (contender("MST", "mst"), contender("EML", "eml"), contender("EMLC", "emlc"))
PER_ROW = papers_programme("DTA (paper's LP), fallback step per row", fallback_per="row")
TUNED = (
    papers_programme("DTA (paper's LP)"),
    OURS,
    GRADIENT,
    *RIVALS,
    contender("EMLC by peak", "emlc", weakest="peak"),
)
# The paper's own step leaves MST at a third of what it can do; a smaller one shows where that is.
SMALL_STEP = 0.001
SIZES = {
    "smoke": {"trials": 2, "n": 60, "epochs": 20, "tuning": 0, "start": 20},
    "laptop": {"trials": 10, "n": 500, "epochs": 100, "tuning": 2, "start": 250},
    "paper": {"trials": 50, "n": 500, "epochs": 100, "tuning": 3, "start": 300},
}
TUNED_AT = (150, 250, 350, 450)  # seeds for tuning at each of these loads


def _base(scale: str, who: Contender, value: float, row: str, **more: object) -> Cell:
    size = SIZES[scale]
    return {
        "scale": scale,
        "row": row,
        "tuning": False,
        "rule": who.rule,
        "settings": {**who.settings, who.parameter: value},
        "n": size["n"],
        "epochs": size["epochs"],
        **more,
    }


def _rows(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    rows = [_base(scale, who, who.common, who.name) for who in TUNED]
    rows += [_base(scale, who, SMALL_STEP, f"{who.name}, eta 0.001") for who in RIVALS]
    for who in (OURS, GRADIENT):
        steady = who._replace(settings={**who.settings, "schedule": STEADY})
        rows.append(_base(scale, steady, who.common, f"{who.name}, steady"))
    rows.append(_base(scale, PER_ROW, PER_ROW.common, PER_ROW.name))
    if SIZES[scale]["tuning"]:
        for who in TUNED:
            best = best_setting(trials, who, SIZES[scale]["tuning"] * len(TUNED_AT))
            if best is not None:
                row = f"{who.name}, best"
                rows.append(_base(scale, who, best.value, row, anneal=best.pace))
    return rows


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """Tuning first, then every load that the searches ask for."""
    size = SIZES[scale]
    found: list[Cell] = []
    if size["tuning"]:
        for who in TUNED:
            base = _base(scale, who, who.common, who.name)
            found += tuning_cells(base, who, TUNED_AT)
    search = Search(size["start"], CLASSES, CLASSES, 4 * size["start"])
    for base in _rows(scale, trials):
        found += search_cells(base, search, trials, size["trials"])
    return found


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """Trials of a cell."""
    size = SIZES[scale]
    return tuning_seeds(size["tuning"]) if cell["tuning"] else range(size["trials"])


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Chains of one load."""
    tasks = [
        decoding(seed, cell["load"], n_classes=CLASSES, n_channels=cell["n"]) for seed in seeds
    ]
    return learn(cell, tasks, seeds)


def _remark(name: str, trials: Sequence[Trial]) -> str:
    """The setting of a row."""
    return setting_of(next(trial.cell for trial in trials if trial.cell["row"] == name))


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Capacities in patterns, and the share learned against the load."""
    names = sorted({trial.cell["row"] for trial in trials if not trial.cell["tuning"]})
    rows, lines = [], []
    for name in names:
        rows.append(row_of(name, trials, "patterns", note=_remark(name, trials)))
        found = outcomes(trials, name)
        loads = sorted(found)
        shares = [sum(found[load].values()) / len(found[load]) for load in loads]
        lines.append(Line(name, loads, shares))
    panel = Panel(
        "Five classes",
        "number of patterns",
        "share of trials learned",
        tuple(lines),
        marks=(Mark("y", 0.5, "half"),),
    )
    size = SIZES[scale]
    notes = (
        f"N = {size['n']}, T = 50, rates 0.005, {size['trials']} trials a load, "
        f"{size['epochs']} epochs.",
        "At its best step MST learns several times what it learns at a small one: an advantage "
        "that is seen at one common step size only is a matter of step size.",
    )
    return Summary(tuple(rows), (panel,), notes)


EXPERIMENT = Experiment(
    id="table2",
    title="Capacity for desired counts: the most patterns that half of the trials learn",
    place="Table 2",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 20.0 if cell["settings"].get("objective") == "feasible" else 0.4,
)
