"""What the paper leaves open, tried out: objective, bound, margin, settle, gap and ramp.

Maps of the share of trials learned, and of the epochs they took, at one load near the paper's
capacity; and the paper's own linear ramp with fresh and with warm starts, on a smaller neuron.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.beyond.hard_constraints import HardConstraints
from linspike.neuron.srm import SRM
from linspike.paper.common.capacity_rows import at_common, learn, make_rule, ours
from linspike.rules.base import STEADY
from linspike.rules.dta import ANNEALED
from linspike.study.capacity import linear_ramp
from linspike.study.experiment import Cell, Experiment, Image, Panel, Record, Row, Summary, Trial
from linspike.study.tasks import Task, decoding, encoding
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

SIZES: dict[str, dict[str, Any]] = {
    "smoke": {
        "trials": 1,
        "n": 60,
        "loads": {"times": 3, "hard": 2, "counts": 15},
        "bounds": (0.1, 0.3),
        "margins": (0.0, 0.1),
        "epochs": {"times": 30, "counts": 20},
        "ramp_n": 30,
    },
    "laptop": {
        "trials": 3,
        "n": 500,
        "loads": {"times": 50, "hard": 20, "counts": 350},
        "bounds": (0.05, 0.1, 0.2, 0.3, 0.5, 1.0),  # 3 runs away on counts, slowly
        "margins": (0.0, 0.02, 0.05, 0.1, 0.2, 0.4),
        "epochs": {"times": 500, "counts": 100},
        "ramp_n": 100,
    },
    "paper": {
        "trials": 20,
        "n": 500,
        "loads": {"times": 50, "hard": 20, "counts": 350},
        "bounds": (0.05, 0.1, 0.2, 0.4, 0.6, 1.0, 3.0),
        "margins": (0.0, 0.02, 0.05, 0.1, 0.2, 0.4),
        "epochs": {"times": 500, "counts": 100},
        "ramp_n": 200,
    },
}


class Family(NamedTuple):
    """One pair of maps over bound and margin: what differs from the defaults in it."""

    name: str
    task: str
    settings: dict[str, Any]
    hard: bool = False  # constraints without slack: a smaller load
    rule: str = "dta"  # or "min_norm", which is not in the registry


HARD: dict[str, Any] = {
    "min_multiplier": 0.0,
    "match_tolerance": 0.0,
    "fallback_step": 0.01,
    "fallback_per": "step",
    "schedule": STEADY,
}
FAMILIES = (
    Family("times", "times", {}),
    Family("times, steady", "times", {"schedule": STEADY}),
    Family("times, settle 0.2", "times", {"skip_below": 0.2}),
    Family("times, bound per set", "times", {"bound_per": "set"}),
    Family("times, overshoot free", "times", {"allow_negative": False, "schedule": STEADY}),
    Family("times, no gap", "times", {}),
    Family("times, objective feasible", "times", HARD, hard=True, rule="dta_lp"),
    Family("times, objective min_norm", "times", {}, hard=True, rule="min_norm"),
    Family("counts", "counts", {}),
    Family("counts, steady", "counts", {"schedule": STEADY}),
    Family("counts, bound per row", "counts", {"bound_per": "row"}),
    Family("counts, critical threshold", "counts", {"count_target": "critical"}),
    Family("counts, gradient", "counts", {"count_target": "gradient"}),
)
SMOKE = ("times", "times, objective feasible", "counts")
HARD_BOUNDS = (0.005, 0.01, 0.02, 0.05, 0.2, 1.0)  # multipliers as they are
HARD_MARGINS = (1e-6, 0.02, 0.1)
RAMPS = ("fresh", "warm")


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """The maps, then the ramps."""
    size = SIZES[scale]
    found: list[Cell] = []
    for family in FAMILIES:
        if scale == "smoke" and family.name not in SMOKE:
            continue
        bounds, margins = _axes(scale, family)
        gap = family.name != "times, no gap"
        found += [
            {
                "scale": scale,
                "row": family.name,
                "task": family.task,
                "rule": family.rule,
                "settings": {
                    "bound": bound,
                    "margin": margin,
                    **({} if family.hard else {"schedule": ANNEALED}),
                    **family.settings,
                },
                "n": size["n"],
                "load": size["loads"]["hard" if family.hard else family.task],
                "epochs": size["epochs"][family.task],
                "min_gap": 5.0 if gap else 0.0,
                "min_onset": 10.0 if gap else 0.0,
            }
            for bound in bounds
            for margin in margins
        ]
    found += [
        {
            "scale": scale,
            "row": f"ramp, {ramp}",
            "task": "ramp",
            "ramp": ramp,
            "rule": "dta",
            "settings": at_common(ours("", schedule=ANNEALED)),
            "n": size["ramp_n"],
            "epochs": size["epochs"]["times"],
        }
        for ramp in RAMPS
    ]
    return found


def _axes(scale: str, family: Family) -> tuple[Sequence[float], Sequence[float]]:
    size = SIZES[scale]
    if not family.hard:
        return size["bounds"], size["margins"]
    return (HARD_BOUNDS[2:3], HARD_MARGINS[:1]) if scale == "smoke" else (HARD_BOUNDS, HARD_MARGINS)


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """Trials of a cell."""
    return range(SIZES[scale]["trials"])


def _task(cell: Cell, seed: int) -> Task:
    if cell["task"] == "counts":
        return decoding(seed, cell["load"], n_channels=cell["n"])
    gaps = {"min_gap": cell["min_gap"], "min_onset": cell["min_onset"]}
    return encoding(seed, cell["load"], n_channels=cell["n"], **gaps)


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Chains of one cell, or whole ramps."""
    if cell["task"] == "ramp":
        return [{"failed_at": _ramp(cell, seed)} for seed in seeds]
    rule = HardConstraints("min_norm", **cell["settings"]) if cell["rule"] == "min_norm" else None
    return learn(cell, [_task(cell, seed) for seed in seeds], seeds, rule)


def _ramp(cell: Cell, seed: int) -> int:
    """The first number of patterns that is not learned, one after the other."""
    trainer = Trainer(SRM(), make_rule(cell), max_epochs=cell["epochs"])

    def attempt(load: int, weights: Floats | None) -> tuple[bool, Floats]:
        task = encoding(seed, load, n_channels=cell["n"])
        start = task.weights if weights is None else weights
        (result,) = raise_if_interrupted(
            [trainer.fit(start, task.patterns, task.targets, seed=seed)]
        )
        return result.converged, result.weights

    return linear_ramp(range(1, cell["n"]), attempt, warm=cell["ramp"] == "warm")


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Maps of the share learned and of epochs; the load at which half of the ramps had failed."""
    size = SIZES[scale]
    rows, panels = [], []
    for family in FAMILIES:
        mine = [trial for trial in trials if trial.cell["row"] == family.name]
        if mine:
            axes = _axes(scale, family)
            panels += [_map(family.name, mine, axes, what) for what in ("learned", "epochs")]
            rows.append(_best(family.name, mine))
    for ramp in RAMPS:
        failed = [t.record["failed_at"] for t in trials if t.cell["row"] == f"ramp, {ramp}"]
        if failed:
            lo, middle, hi = np.quantile(failed, (0.25, 0.5, 0.75))
            note = f"N = {size['ramp_n']}; median of the first load that failed, "
            note += f"quartiles {lo:g} and {hi:g}"
            name = f"ramp, {ramp}"
            rows.append(Row(name, float(middle), None, None, len(failed), "patterns", note))
    loads = size["loads"]
    note = (
        f"Maps at P = {loads['times']} patterns for times, {loads['hard']} for objectives without "
        f"slack, and {loads['counts']} for counts."
    )
    return Summary(tuple(rows), tuple(panels), (note,))


def _map(
    name: str, mine: Sequence[Trial], axes: tuple[Sequence[float], Sequence[float]], what: str
) -> Panel:
    bounds, margins = axes
    values = [[_mean(mine, bound, margin, what) for bound in bounds] for margin in margins]
    label = "share learned" if what == "learned" else "mean epochs"
    # The same colours in every map of a kind.
    ends = (0.0, 1.0) if what == "learned" else (0.0, float(mine[0].cell["epochs"]))
    image = Image(list(bounds), list(margins), values, label, ends)
    return Panel(f"{name}: {label}", "bound", "margin", image=image)


def _mean(mine: Sequence[Trial], bound: float, margin: float, what: str) -> float | None:
    found = [
        float(trial.record[what] if _counts(trial, what) else trial.cell["epochs"])
        for trial in mine
        if (trial.cell["settings"]["bound"], trial.cell["settings"]["margin"]) == (bound, margin)
    ]
    return float(np.mean(found)) if found else None


def _counts(trial: Trial, what: str) -> bool:
    """Whether a number is as recorded; a chain that ended without learning took all epochs."""
    return what != "epochs" or bool(trial.record["learned"])


def _best(name: str, mine: Sequence[Trial]) -> Row:
    """The cell of a map with most learned, then fewest epochs."""
    groups: dict[tuple[float, float], list[Record]] = {}
    for trial in mine:
        settings = trial.cell["settings"]
        groups.setdefault((settings["bound"], settings["margin"]), []).append(trial.record)
    scores = {
        key: (np.mean([r["learned"] for r in group]), -np.mean([r["epochs"] for r in group]))
        for key, group in groups.items()
    }
    bound, margin = max(scores, key=lambda key: scores[key])
    share, epochs = scores[bound, margin]
    note = f"best of its map: bound {bound:g}, margin {margin:g}, {-epochs:.0f} epochs"
    n = len(groups[bound, margin])
    return Row(name, float(share), None, None, n, "share learned", note)


EXPERIMENT = Experiment(
    id="ablation",
    title="What the paper leaves open, and how much it matters",
    place="Sections 2.4 and 3",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 0.2 if cell["task"] != "ramp" else 5.0,
)
