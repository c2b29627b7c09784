"""What the paper leaves open, tried out: objective, bound, margin, skipped steps, gap and ramp.

Maps of the share of trials learned, and of the epochs they took, at one load near the paper's
capacity; and the paper's own linear ramp with fresh and with warm starts, on a smaller neuron.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.beyond.hard_constraints import HardConstraints
from linspike.neuron.srm import SRM
from linspike.paper.common.capacity_cells import EncodingCell, train_chains
from linspike.paper.common.methods import ANNEALED, STEADY, projection
from linspike.rules.base import Rule
from linspike.study.analysis.capacity import linear_ramp
from linspike.study.cells import Record, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Image, Panel
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import Task, decoding, encoding
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

TIMES, COUNTS, RAMP = "short", "counts", "ramp"  # tasks
HARD_LOAD = "hard"


class Size(NamedTuple):
    """Trials a cell, channels, loads and epochs of the tasks, axes of the maps, ramp's channels."""

    trials: int
    n_channels: int
    loads: dict[str, int]
    max_epochs: dict[str, int]
    bounds: tuple[float, ...]
    margins: tuple[float, ...]
    ramp_channels: int


LOADS = {TIMES: 50, HARD_LOAD: 20, COUNTS: 350}
EPOCHS = {TIMES: 500, COUNTS: 100}
MARGINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
SIZES = {
    "smoke": Size(
        trials=1,
        n_channels=60,
        loads={TIMES: 3, HARD_LOAD: 2, COUNTS: 15},
        max_epochs={TIMES: 30, COUNTS: 20},
        bounds=(0.1, 0.3),
        margins=(0.0, 0.1),
        ramp_channels=30,
    ),
    # A bound of 3 runs away on counts, slowly.
    "laptop": Size(3, 500, LOADS, EPOCHS, (0.05, 0.1, 0.2, 0.3, 0.5, 1.0), MARGINS, 100),
    "paper": Size(20, 500, LOADS, EPOCHS, (0.05, 0.1, 0.2, 0.4, 0.6, 1.0, 3.0), MARGINS, 200),
}


@dataclass(frozen=True, kw_only=True)
class AblationCell(EncodingCell):
    """A cell of a map, or a ramp.

    Parameters
    ----------
    task : str
        "short" for desired times, "counts", or "ramp".
    warm : bool
        Whether each load of a ramp starts from the weights of the one before.
    """

    warm: bool = False

    def make_rule(self) -> Rule:
        """Return the rule with the cell's settings; one of them is not in the registry."""
        if self.rule == HardConstraints.key:
            return HardConstraints(**self.settings)
        return super().make_rule()

    def make_task(self, seed: int) -> Task:
        """Return the data of one trial."""
        if self.task == COUNTS:
            return decoding(seed, self.load, n_channels=self.n_channels)
        return super().make_task(seed)


class Family(NamedTuple):
    """One pair of maps over bound and margin: what differs from the defaults in it."""

    key: RowKey
    task: str
    settings: dict[str, Any]
    rule: str = "dta"
    min_gap: float = 5.0
    min_onset: float = 10.0

    @property
    def hard(self) -> bool:
        """Whether constraints have no slack: a smaller load, and bounds as they are."""
        return self.rule != "dta"


def _times(variant: str, settings: dict[str, Any], **more: Any) -> Family:
    return Family(RowKey("times", variant=variant), TIMES, settings, **more)


def _counts(variant: str, settings: dict[str, Any]) -> Family:
    return Family(RowKey("counts", variant=variant), COUNTS, settings)


STEADY_STEPS = {"schedule": STEADY}
HARD = {"min_multiplier": 0.0, "fallback_step": 0.01}
PROGRAM = {
    **HARD,
    "match_tolerance": 0.0,
    "fallback_per": "step",
    "skip_below": 1.0,
    **STEADY_STEPS,
}
FEASIBLE = _times("objective feasible", PROGRAM, rule="dta_lp")
MIN_NORM = {**HARD, "objective": "min_norm"}
FAMILIES = (
    _times("", {}),
    _times("steady", STEADY_STEPS),
    _times("skip_below 0.2", {"skip_below": 0.2}),
    _times("bound per set", {"bound_per": "set"}),
    _times("overshoot free", {"allow_negative": False, **STEADY_STEPS}),
    _times("no gap", {}, min_gap=0.0, min_onset=0.0),
    FEASIBLE,
    _times("objective min_norm", MIN_NORM, rule=HardConstraints.key),
    _counts("", {}),
    _counts("steady", STEADY_STEPS),
    _counts("bound per row", {"bound_per": "row"}),
    _counts("critical threshold", {"count_target": "critical"}),
    _counts("gradient", {"count_target": "gradient"}),
)
SMOKE = (_times("", {}), FEASIBLE, _counts("", {}))
HARD_BOUNDS = (0.005, 0.01, 0.02, 0.05, 0.2, 1.0)  # multipliers as they are
HARD_MARGINS = (1e-6, 0.02, 0.1)
RAMPS = {RowKey(RAMP, variant="fresh"): False, RowKey(RAMP, variant="warm"): True}
PROJECTION = projection(schedule=ANNEALED)


def cells(scale: str, trials: Sequence[Trial]) -> list[AblationCell]:
    """Return the maps, then the ramps."""
    size = SIZES[scale]
    found: list[AblationCell] = []
    for family in SMOKE if scale == "smoke" else FAMILIES:
        bounds, margins = _axes(scale, family)
        base = AblationCell(
            scale=scale,
            row=family.key,
            rule=family.rule,
            load=size.loads[HARD_LOAD if family.hard else family.task],
            n_channels=size.n_channels,
            max_epochs=size.max_epochs[family.task],
            task=family.task,
            min_gap=family.min_gap,
            min_onset=family.min_onset,
        )
        settings = {**({} if family.hard else {"schedule": ANNEALED}), **family.settings}
        found += [
            base.but(settings={"bound": bound, "margin": margin, **settings})
            for bound in bounds
            for margin in margins
        ]
    found += [
        AblationCell(
            scale=scale,
            row=key,
            rule=PROJECTION.rule,
            settings=PROJECTION.settings_at(),
            n_channels=size.ramp_channels,
            max_epochs=size.max_epochs[TIMES],
            task=RAMP,
            warm=warm,
        )
        for key, warm in RAMPS.items()
    ]
    return found


def _axes(scale: str, family: Family) -> tuple[Sequence[float], Sequence[float]]:
    if not family.hard:
        return SIZES[scale].bounds, SIZES[scale].margins
    return (HARD_BOUNDS[2:3], HARD_MARGINS[:1]) if scale == "smoke" else (HARD_BOUNDS, HARD_MARGINS)


def seeds(scale: str, cell: AblationCell) -> Sequence[int]:
    """Return the seeds of a cell."""
    return range(SIZES[scale].trials)


def trials(cell: AblationCell, seeds: Sequence[int]) -> list[Record]:
    """Train the chains of one cell, or whole ramps."""
    if cell.task == RAMP:
        return [{"failed_at": _climb_ramp(cell, seed)} for seed in seeds]
    return train_chains(cell, seeds)


def _climb_ramp(cell: AblationCell, seed: int) -> int:
    """Return the first number of patterns that is not learned, one after the other."""
    trainer = Trainer(SRM(), cell.make_rule(), max_epochs=cell.max_epochs)

    def attempt(load: int, weights: Floats | None) -> tuple[bool, Floats]:
        task = encoding(seed, load, n_channels=cell.n_channels)
        start = task.weights if weights is None else weights
        (result,) = raise_if_interrupted(
            [trainer.fit(start, task.patterns, task.targets, seed=seed)]
        )
        return result.converged, result.weights

    return linear_ramp(range(1, cell.n_channels), attempt, warm=cell.warm)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return maps of the share learned and of epochs, and the load at which half the ramps end."""
    size = SIZES[scale]
    rows: list[Row] = []
    panels: list[Panel] = []
    details: list[Panel] = []
    for family in FAMILIES:
        own = [trial for trial in trials if trial.cell.row == family.key]
        if own:
            maps = [_map(own, _axes(scale, family), what) for what in ("learned", "epochs")]
            (details if family.key.variant else panels).extend(maps)
            rows.append(_best_row(own))
    for key in RAMPS:
        failed = [trial.record["failed_at"] for trial in trials if trial.cell.row == key]
        if failed:
            lo, middle, hi = np.quantile(failed, (0.25, 0.5, 0.75))
            note = f"N = {size.ramp_channels}; median of the first load that failed, "
            note += f"quartiles {lo:g} and {hi:g}"
            rows.append(Row(key, float(middle), None, None, len(failed), "patterns", note))
    note = (
        f"Maps at P = {size.loads[TIMES]} patterns for times, {size.loads[HARD_LOAD]} for "
        f"objectives without slack, and {size.loads[COUNTS]} for counts."
    )
    return Summary(tuple(rows), tuple(panels), (note,), tuple(details))


def _point(cell: AblationCell) -> tuple[float, float]:
    """Return where a cell is in its map."""
    return cell.settings["bound"], cell.settings["margin"]


def _map(own: Sequence[Trial], axes: tuple[Sequence[float], Sequence[float]], what: str) -> Panel:
    bounds, margins = axes
    values = [[_mean(own, (bound, margin), what) for bound in bounds] for margin in margins]
    label = "share learned" if what == "learned" else "mean epochs"
    # The same colours in every map of a kind.
    ends = (0.0, 1.0) if what == "learned" else (0.0, float(own[0].cell.max_epochs))
    image = Image(list(bounds), list(margins), values, label, ends)
    return Panel(f"{own[0].cell.row.label}: {label}", "bound", "margin", image=image)


def _mean(own: Sequence[Trial], point: tuple[float, float], what: str) -> float | None:
    """Return the mean at a point; a chain that ended without learning took all epochs."""
    found = []
    for cell, _, record in own:
        if _point(cell) == point:
            failed = what == "epochs" and not record["learned"]
            found.append(float(cell.max_epochs if failed else record[what]))
    return float(np.mean(found)) if found else None


def _best_row(own: Sequence[Trial]) -> Row:
    """Return the point of a map with most learned, then fewest epochs."""
    groups: dict[tuple[float, float], list[Record]] = {}
    for trial in own:
        groups.setdefault(_point(trial.cell), []).append(trial.record)
    scores = {
        point: (np.mean([r["learned"] for r in group]), -np.mean([r["epochs"] for r in group]))
        for point, group in groups.items()
    }
    best = max(scores, key=lambda point: scores[point])
    share, epochs = scores[best]
    note = f"best of its map: bound {best[0]:g}, margin {best[1]:g}, {-epochs:.0f} epochs"
    key = own[0].cell.row
    return Row(key, float(share), None, None, len(groups[best]), "share learned", note)


EXPERIMENT = Experiment(
    Heading(
        "ablation", "Sections 2.4 and 3", "What the paper leaves open, and how much it matters"
    ),
    Protocol(AblationCell, cells, seeds, trials, summarise),
    batch=5,
    cost=lambda cell: 0.2 if cell.task != RAMP else 5.0,
)
