"""Runs what is missing in the store, batch by batch, and is its only writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from linspike.errors import SearchError
from linspike.kernels.cache import STAMP
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, rule_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.study.experiment import Cell, Experiment, Trial
from linspike.study.provenance import provenance
from linspike.study.store import Store, canonical, cell_hash
from linspike.study.workers import Batch, Here, Processes, Workers
from linspike.training.trainer import Trainer

STRETCH = 10_000_000  # seeds of one --seed lie so far from those of the next
MOST_ROUNDS = 200  # of a search; one that has not ended by then goes in circles


class Step(NamedTuple):
    """How far an experiment is: for those who watch."""

    experiment: str
    cell: Cell
    done: int
    total: int  # of the trials known so far; a search may add to them


Watch = Callable[[Step], None]


def missing(experiment: Experiment, scale: str, store: Store, base: int = 0) -> list[Batch]:
    """Batches of the trials that the store lacks; empty when the experiment is complete.

    base moves all seeds to another stretch: another sample of the same experiment.
    """
    _, lacking = current(experiment, scale, store.trials(experiment.shelf, scale, base), base)
    return [
        Batch(experiment.shelf, cell, tuple(seeds[first : first + experiment.batch]))
        for cell, seeds in lacking
        for first in range(0, len(seeds), experiment.batch)
    ]


def current(
    experiment: Experiment, scale: str, trials: Sequence[Trial], base: int = 0
) -> tuple[list[Trial], list[tuple[Cell, list[int]]]]:
    """Trials that the experiment asks for as it is now, and (cell, seeds) that are missing.

    A store may hold more: cells of an earlier version of the experiment, or seeds of a larger one.
    They must not mix with what is asked for. A search is followed from its beginning.
    """
    held: dict[str, dict[int, Trial]] = {}
    for trial in trials:
        held.setdefault(cell_hash(trial.cell), {})[trial.seed] = trial
    taken: list[Trial] = []
    for _ in range(MOST_ROUNDS):
        found: list[Trial] = []
        lacking: list[tuple[Cell, list[int]]] = []
        for plain in experiment.cells(scale, taken):
            cell = {**plain, "base": base} if base else plain
            there = held.get(cell_hash(cell), {})
            desired = [seed + base * STRETCH for seed in experiment.seeds(scale, plain)]
            found += [there[seed] for seed in desired if seed in there]
            missed = [seed for seed in desired if seed not in there]
            if missed and not experiment.unable(cell):
                lacking.append((cell, missed))
        if len(found) == len(taken):
            return found, lacking
        taken = found
    raise SearchError(f"The search of {experiment.id} does not end.")


def run(
    experiment: Experiment,
    scale: str,
    store: Store,
    workers: Workers,
    watch: Watch | None = None,
    base: int = 0,
) -> int:
    """Bring an experiment to its end; returns the number of trials that were missing."""
    source = canonical(provenance())
    if experiment.threaded and isinstance(workers, Processes):
        workers = Here()
    done = 0
    for _ in range(MOST_ROUNDS):
        batches = missing(experiment, scale, store, base)
        if not batches:
            return done
        warm(batches, workers)
        total = done + sum(len(batch.seeds) for batch in batches)
        for batch, found in workers.finished(batches):
            store.add(experiment.shelf, batch.cell, found, source)
            done += len(found)
            if watch is not None:
                watch(Step(experiment.id, batch.cell, done, total))
    raise SearchError(f"The search of {experiment.id} does not end.")


_warmed: set[str] = set()


def warm(batches: Sequence[Batch], workers: Workers) -> None:
    """Compile the rules that are needed once, here, before many processes would each do it."""
    if isinstance(workers, Here):
        return
    pattern = Pattern([5.0, 6.0], [0, 1], n_channels=2, duration=50.0)
    for batch in batches:
        key = batch.cell.get("rule")
        if key not in REGISTRY or key + STAMP in _warmed:
            continue
        _warmed.add(key + STAMP)
        rule = rule_of(key, "warm")
        trainer = Trainer(SRM(), rule, max_epochs=2)
        trainer.fit([0.3, 0.3], pattern, SpikeCounts([2]))
        if "times" in rule.targets:
            trainer.fit([0.3, 0.3], pattern, SpikeTimes([[7.8]]))


def estimate(batches: Sequence[Batch], experiment: Experiment, jobs: int) -> float:
    """Seconds that these batches may take: a rough figure from the experiment's own costs."""
    return sum(len(batch.seeds) * experiment.cost(batch.cell) for batch in batches) / max(1, jobs)
