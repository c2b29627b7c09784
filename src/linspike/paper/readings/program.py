"""The paper's linear program: a designed search for the settings that give its capacities.

The paper prints seven capacities of its program, with three windows, and leaves open the bound of
the multipliers, the length of the fallback step, the distance of desired spikes, and whether a
pattern that is learned is taught on. Combinations of these are tried on short patterns and on
counts; margin, matched spikes and the criterion are changed one at a time. The settings
nearest to the printed numbers, and the first, are then tried on one long pattern, and the
nearest of these, by all numbers so far, with its other windows. Distance is the sum of
|log(ours/paper)|.

Seeds are those of tuning. Capacities of few trials are rough: see their intervals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from linspike.paper.common.capacity_cells import EncodingCell, train_chains
from linspike.paper.common.capacity_rows import capacity_row, group_trials, search_cells
from linspike.paper.common.methods import STEADY, tuning_seeds
from linspike.study.analysis.capacity import Search
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Estimate, Forest, Panel
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import Task, decoding

SHORT, LONG, COUNTS = "short", "long", "counts"
# What all settings share; a cell names every setting, so that it does not follow the preset.
SHARED = {
    "min_multiplier": 1e-6,
    "margin": 1e-6,
    "match_tolerance": 0.0,
    "schedule": STEADY,
    "skip_below": 1.0,
}
PER_LOAD = {SHORT: 400.0, LONG: 100.0, COUNTS: 1.0}
UNITS = {SHORT: "ms", LONG: "ms", COUNTS: "patterns"}
PRINTED = {
    (SHORT, "psp"): 18100.0,
    (SHORT, "stdp"): 9000.0,
    (SHORT, "filt"): 6000.0,
    (COUNTS, "psp"): 355.0,
    (LONG, "psp"): 17300.0,
    (LONG, "stdp"): 15000.0,
    (LONG, "filt"): 6200.0,
}
FIRST = tuple(target for target in PRINTED if target[0] != LONG)  # tried with every setting
MAIN = tuple(target for target in PRINTED if target[1] == "psp")
SECOND = (*FIRST, (LONG, "psp"))
LAST = tuple(target for target in PRINTED if target not in SECOND)
NEAREST = 3  # by the targets of the first round, and as many by those of them with psp
FINALISTS = 4  # by the targets of the first two rounds

BOUNDS = (0.01, 0.03, 0.05, 0.07, 0.1, 0.2)
FALLBACKS = ((0.01, "step"), (0.01, "row"), (0.001, "row"))
ALWAYS = {"skip_below": 0.0}
NO_GAP = {"min_gap": 0.0, "min_onset": 0.0}
# What is added to the name, settings of the rule, and fields of the cell.
KINDS: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("", {}, {}),
    (", no gap", {}, NO_GAP),
    (", always a step", ALWAYS, {}),
)


class Setting(NamedTuple):
    """One combination: its name, settings of the rule, and fields of the cell."""

    name: str
    settings: dict[str, Any]
    changes: dict[str, Any]


def _design() -> dict[str, Setting]:
    """Return all combinations, then one change of the first at a time."""
    found = []
    for bound, (step, per), (kind, always, gap) in product(BOUNDS, FALLBACKS, KINDS):
        name = f"bound {bound:g}, fallback {step:g} per {per}{kind}"
        settings = {"bound": bound, "fallback_step": step, "fallback_per": per, **always}
        found.append(Setting(name, settings, gap))
    start = found[0]
    changed: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("always a step, no gap", ALWAYS, NO_GAP),
        ("margin 0.01", {"margin": 0.01}, {}),
        ("margin 0.01, always a step", {"margin": 0.01, **ALWAYS}, {}),
        ("margin 0.1", {"margin": 0.1}, {}),
        ("spikes within 1 ms are no constraints", {"match_tolerance": 1.0}, {}),
        ("strict criterion", {}, {"criterion": "strict"}),
        ("strict criterion, no gap", {}, {"criterion": "strict", **NO_GAP}),
    )
    found += [
        Setting(f"{start.name}, {name}", {**start.settings, **settings}, changes)
        for name, settings, changes in changed
    ]
    return {one.name: one for one in found}


DESIGN = _design()
START = "bound 0.01, fallback 0.01 per step"
PRESET = f"{START}, always a step"  # what DTA.paper() has


class Size(NamedTuple):
    """Trials a load for short patterns and counts, and for a long pattern; channels, epochs."""

    trials: int
    long_trials: int
    n_channels: int
    epochs: dict[str, int]
    starts: dict[str, int]


EPOCHS = {SHORT: 500, LONG: 500, COUNTS: 100}
STARTS = {SHORT: 45, LONG: 175, COUNTS: 340}
SIZES = {
    "smoke": Size(1, 1, 60, dict.fromkeys(EPOCHS, 5), {SHORT: 3, LONG: 12, COUNTS: 15}),
    "laptop": Size(3, 2, 500, EPOCHS, STARTS),
    "paper": Size(10, 6, 500, EPOCHS, STARTS),
}


@dataclass(frozen=True, kw_only=True)
class ProgramCell(EncodingCell):
    """The program on one task; its task is "short", "long" or "counts"."""

    def make_task(self, seed: int) -> Task:
        """Return the data of one trial."""
        if self.task == COUNTS:
            return decoding(seed, self.load, n_channels=self.n_channels)
        return super().make_task(seed)


def _counts_alike(setting: Setting) -> bool:
    """Return whether a setting differs from an earlier one for desired times alone."""
    return bool(setting.changes) or "skip_below" in setting.settings


def counts_name(name: str) -> str:
    """Return the setting whose trials with counts are those of this one."""
    for setting in DESIGN.values():
        same = setting.settings | ALWAYS == DESIGN[name].settings | ALWAYS
        if same and not _counts_alike(setting):
            return setting.name
    return name


def _key(target: tuple[str, str], name: str) -> RowKey:
    task, window = target
    return RowKey(task, window, variant=counts_name(name) if task == COUNTS else name)


def _searches(
    scale: str, name: str, targets: Iterable[tuple[str, str]], trials: Mapping[RowKey, list[Trial]]
) -> list[ProgramCell]:
    """Return the loads that the searches of a setting ask for."""
    size, setting = SIZES[scale], DESIGN[name]
    found = []
    for target in targets:
        (task, window), key = target, _key(target, name)
        if task == COUNTS and _counts_alike(setting):
            continue
        base = ProgramCell(
            scale=scale,
            row=key,
            rule="dta_lp",
            settings={**SHARED, **setting.settings, "window": window},
            n_channels=size.n_channels,
            max_epochs=size.epochs[task],
            task=task,
            **setting.changes,
        )
        start, step = size.starts[task], 5 if task == COUNTS else 1
        search = Search(start, step, step, 4 * start)
        found += search_cells(base, search, trials[key], _trials(size, task))
    return found


def _trials(size: Size, task: str) -> int:
    return size.long_trials if task == LONG else size.trials


def cells(scale: str, trials: Sequence[Trial]) -> list[ProgramCell]:
    """Return every setting on the first targets; then the nearest ones on all others."""
    own = group_trials(trials)
    found = [cell for name in DESIGN for cell in _searches(scale, name, FIRST, own)]
    if not _is_complete(scale, found, trials):
        return found
    own_psp = [target for target in FIRST if target in MAIN]
    second = [START, *_nearest(own, FIRST, NEAREST), *_nearest(own, own_psp, NEAREST)]
    for name in dict.fromkeys(second):
        found += _searches(scale, name, [(LONG, "psp")], own)
    if not _is_complete(scale, found, trials):
        return found
    for name in dict.fromkeys([START, *_nearest(own, SECOND, FINALISTS)]):
        found += _searches(scale, name, LAST, own)
    return found


def _is_complete(scale: str, found: Sequence[ProgramCell], trials: Sequence[Trial]) -> bool:
    """Return whether all cells have all their seeds.

    A run may have been cut off, and trials may be of another block of seeds.
    """
    done = Counter((trial.cell.row, trial.cell.load) for trial in trials)
    return all(done[cell.row, cell.load] >= len(seeds(scale, cell)) for cell in found)


def _nearest(
    trials: Mapping[RowKey, list[Trial]], targets: Sequence[tuple[str, str]], count: int
) -> list[str]:
    """Return the settings with the smallest distances; none with an infinite one."""
    distances = {name: distance(name, trials, targets) for name in DESIGN}
    finite = [name for name in DESIGN if math.isfinite(distances[name])]
    return sorted(finite, key=lambda name: distances[name])[:count]


def seeds(scale: str, cell: ProgramCell) -> Sequence[int]:
    """Return the seeds of a cell."""
    return tuning_seeds(_trials(SIZES[scale], cell.task))


def _capacity(target: tuple[str, str], name: str, trials: Mapping[RowKey, list[Trial]]) -> Row:
    task, key = target[0], _key(target, name)
    return capacity_row(key, trials.get(key, []), UNITS[task], PER_LOAD[task])


def distance(
    name: str, trials: Mapping[RowKey, list[Trial]], targets: Iterable[tuple[str, str]]
) -> float:
    """Return the sum of |log(ours/paper)| over targets; infinite if one has no capacity."""
    total = 0.0
    for target in targets:
        value = _capacity(target, name, trials).value
        total += math.inf if value is None else abs(math.log(value / PRINTED[target]))
    return total


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return the capacities of every setting, and their distance to the printed ones."""
    own = group_trials(trials)
    rows: dict[RowKey, Row] = {}
    for name in DESIGN:
        for target in PRINTED:
            row = _capacity(target, name, own)
            if row.n:
                rows[row.key] = row
    if not rows:
        raise NotEnoughTrials("No setting of the paper's program has trials.")
    found = list(rows.values())
    for quantity, targets in (
        ("distance, short and counts", FIRST),
        ("distance, psp", MAIN),
        ("distance, without other windows on one long pattern", SECOND),
        ("distance, all", tuple(PRINTED)),
    ):
        distances = {name: distance(name, own, targets) for name in DESIGN}
        found += [
            Row(RowKey(variant=name, quantity=quantity), distances[name])
            for name in sorted(distances, key=lambda name: distances[name])
            if math.isfinite(distances[name])
        ]
    return Summary(tuple(found), (), NOTES, tuple(_panels(own)))


def _panels(trials: Mapping[RowKey, list[Trial]]) -> list[Panel]:
    """Return the capacities of the nearest settings beside the printed ones."""
    names = list(dict.fromkeys([START, *_nearest(trials, SECOND, FINALISTS)]))
    panels = []
    for target, printed in PRINTED.items():
        rows = [(name, _capacity(target, name, trials)) for name in names]
        estimates = [
            Estimate(name, row.value, row.lo, row.hi, reference=printed)
            for name, row in rows
            if row.value is not None
        ]
        if estimates:
            task, window = target
            title = f"{task}, {window}"
            panels.append(Panel(title, f"capacity ({UNITS[task]})", "", forest=Forest(estimates)))
    return panels


NOTES = (
    "Distance: sum of |log(ours/paper)|; 0.1 is about 10 %.",
    "Always a step: also for patterns that meet their criterion. No gap: desired times are a plain "
    "Poisson train.",
    "Of settings that differ for desired times alone, one was tried on counts.",
)


EXPERIMENT = Experiment(
    Heading("program", "Readings", "The paper's program: settings that give its capacities"),
    Protocol(ProgramCell, cells, seeds, train_chains, summarise),
    batch=5,
    cost=lambda cell: 3.0 if cell.task == LONG else 0.3,
)
