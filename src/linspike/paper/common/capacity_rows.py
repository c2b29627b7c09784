"""What the capacity tables share: rows of rules, their search over loads, and their trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import STEADY, Rule
from linspike.rules.dta import ANNEALED
from linspike.spikes.distances import match_spikes
from linspike.spikes.targets import SpikeTimes
from linspike.study.capacity import HalfPoint, Search, half_point, next_loads
from linspike.study.experiment import Cell, Record, Row, Trial
from linspike.study.selection import TUNING
from linspike.study.tasks import Task
from linspike.study.tuning import ABSOLUTE_BOUNDS, BOUNDS, ETAS, TUNING_SEEDS
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

COMMON_ETA = 0.01  # what the paper trains all rules with
PACES = (STEADY, ANNEALED)  # every rule is tuned with both


class Contender(NamedTuple):
    """A rule as it enters a table: its name there, key, fixed settings, and what is tuned."""

    name: str
    rule: str
    settings: dict[str, Any]
    parameter: str
    common: float  # the tuned parameter at the paper's common setting, or our default
    values: tuple[float, ...]


def contender(name: str, rule: str, **settings: Any) -> Contender:
    """A rule with a step size."""
    return Contender(name, rule, settings, "eta", COMMON_ETA, ETAS)


def ours(name: str, **settings: Any) -> Contender:
    """DTA with its default bound; whoever trains in one go spells out its annealing."""
    return Contender(name, "dta", settings, "bound", 0.4, BOUNDS)


def papers_programme(name: str, **settings: Any) -> Contender:
    """The paper's linear program, spelled out so that a cell says all of it."""
    spelled = {
        "min_multiplier": 1e-6,
        "margin": 1e-6,
        "fallback_step": 0.01,
        "fallback_per": "step",
        "match_tolerance": 0.0,
        "schedule": STEADY,
        **settings,
    }
    return Contender(name, "dta_lp", spelled, "bound", 0.01, ABSOLUTE_BOUNDS)


def at_common(who: Contender) -> dict[str, Any]:
    """All settings of a rule as it enters without tuning: a cell does not lean on defaults."""
    return {**who.settings, who.parameter: who.common}


def make_rule(cell: Cell) -> Any:
    """The rule of a cell."""
    return rule_of(cell["rule"], "experiment", **cell["settings"])


def learn(
    cell: Cell, tasks: Sequence[Task], seeds: Sequence[int], rule: Rule | None = None
) -> list[Record]:
    """Train one chain per task and look at what came of it."""
    neuron = SRM(tau_m=cell.get("tau_m", 20.0), tau_s=cell.get("tau_s", 5.0))
    trainer = Trainer(
        neuron,
        rule or make_rule(cell),
        max_epochs=cell["epochs"],
        criterion=cell.get("criterion", "paper"),
        schedule=cell.get("anneal"),
    )
    weights, patterns, targets = zip(*tasks, strict=True)
    results = raise_if_interrupted(
        trainer.fit_many(np.array(weights), patterns, targets, seeds=list(seeds), threads=1)
    )
    records = []
    for task, result in zip(tasks, results, strict=True):
        record: Record = {"learned": bool(result.converged), "epochs": int(result.epochs)}
        if isinstance(task.targets, SpikeTimes):
            record.update(_errors(neuron, result.weights, task))
        records.append(record)
    return records


def _errors(neuron: SRM, weights: Any, task: Task) -> Record:
    """Desired spikes, those missed and those too many, at the end of learning."""
    responses = neuron.respond_many(weights[np.newaxis], task.patterns, threads=1)[0]
    assert isinstance(task.targets, SpikeTimes)
    couples = zip(responses, task.targets, strict=True)
    pairs = [match_spikes(response, desired) for response, desired in couples]
    return {
        "desired": int(sum(pair.paired + pair.missed for pair in pairs)),
        "missed": int(sum(pair.missed for pair in pairs)),
        "extra": int(sum(pair.extra for pair in pairs)),
    }


def outcomes(trials: Sequence[Trial], row: str) -> dict[int, dict[int, bool]]:
    """Learned or not, by load and seed, of one row."""
    found: dict[int, dict[int, bool]] = {}
    for trial in trials:
        if trial.cell["row"] == row and not trial.cell["tuning"]:
            found.setdefault(trial.cell["load"], {})[trial.seed] = trial.record["learned"]
    return found


def search_cells(base: Cell, search: Search, trials: Sequence[Trial], desired: int) -> list[Cell]:
    """Cells of all loads tried so far and of those to try next."""
    found = outcomes(trials, base["row"])
    whole = {load: seeds for load, seeds in found.items() if len(seeds) >= desired}
    share = {load: sum(seeds.values()) / len(seeds) for load, seeds in whole.items()}
    started = [load for load in found if load not in whole]  # a run that was cut off
    loads = [*whole, *(started or next_loads(search, share))]
    return [{**base, "load": load} for load in sorted(loads)]


class Best(NamedTuple):
    """What tuning chose."""

    value: float
    pace: tuple[float, float]


def tuning_cells(base: Cell, who: Contender, loads: Sequence[int]) -> list[Cell]:
    """One cell for each setting of a rule, steady or annealed, and load, on seeds for tuning."""
    return [
        {
            **base,
            "row": f"{TUNING}{who.name}",
            "tuning": True,
            "load": load,
            "settings": {**who.settings, who.parameter: value},
            "anneal": pace,
        }
        for value in who.values
        for pace in PACES
        for load in loads
    ]


def best_setting(
    trials: Sequence[Trial], who: Contender, desired: int, *, by_spikes: bool = False
) -> Best | None:
    """The best setting found in tuning, or None if one of them lacks trials: `desired` for each.

    Best is who learned most of the trials at all loads, then has fewest wrong spikes if nobody
    learned any (or by_spikes, for a criterion that counts them), then took fewest epochs.
    """
    found: dict[Best, list[Record]] = {}
    for trial in trials:
        if trial.cell["row"] == f"{TUNING}{who.name}":
            first, last = trial.cell["anneal"]
            key = Best(trial.cell["settings"][who.parameter], (first, last))
            # One that ran away stopped early, which is no merit.
            record = trial.record
            used = record["epochs"] if record["learned"] else trial.cell["epochs"]
            found.setdefault(key, []).append({**record, "epochs": used})
    scores = {}
    for setting in (Best(value, pace) for value in who.values for pace in PACES):
        mine = found.get(setting, [])
        if len(mine) < desired:
            return None
        learned = sum(record["learned"] for record in mine)
        epochs = sum(record["epochs"] for record in mine)
        right = -sum(record.get("missed", 0) + record.get("extra", 0) for record in mine)
        scores[setting] = (learned, right if by_spikes or learned == 0 else 0, -epochs)
    return max(scores, key=lambda setting: scores[setting])


def setting_of(cell: Cell) -> str:
    """What is tuned about a rule, for a remark: its step size or bound, and annealing."""
    settings = cell["settings"]
    key = "eta" if "eta" in settings else "bound"
    first, last = cell.get("anneal") or settings.get("schedule") or STEADY
    paces = "" if (first, last) == STEADY else f", annealed {first:g} to {last:g}"
    return f"{key} {settings[key]:g}{paces}"


def tuning_seeds(count: int) -> Sequence[int]:
    """Seeds that no table is measured on."""
    return TUNING_SEEDS[:count]


def row_of(
    name: str, trials: Sequence[Trial], unit: str, per_load: float = 1.0, note: str = ""
) -> Row:
    """The 50 % point of a row, in its unit."""
    found = outcomes(trials, name)
    point: HalfPoint = half_point(found)
    n = max((len(seeds) for seeds in found.values()), default=0)

    def scaled(value: float | None) -> float | None:
        return None if value is None else value * per_load

    remark = "; ".join(part for part in (point.note, note) if part)
    return Row(name, scaled(point.value), scaled(point.lo), scaled(point.hi), n, unit, remark)


Tasks = Callable[[Cell, int], Task]
