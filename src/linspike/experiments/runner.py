"""Runs what is missing in the store, batch by batch, and is its only writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from linspike.experiments.base import Cell, Experiment
from linspike.experiments.provenance import provenance
from linspike.experiments.store import Store, canonical
from linspike.experiments.workers import Batch, Here, Workers
from linspike.kernels.jit import STAMP
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.targets import SpikeCounts, SpikeTimes
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
    batches = []
    for plain in experiment.cells(scale, store.trials(experiment.id, scale, base)):
        cell = {**plain, "base": base} if base else plain
        there = store.seeds(experiment.id, cell)
        wanted = [seed + base * STRETCH for seed in experiment.seeds(scale, plain)]
        seeds = [seed for seed in wanted if seed not in there]
        for first in range(0, len(seeds), experiment.batch):
            part = tuple(seeds[first : first + experiment.batch])
            batches.append(Batch(experiment.id, cell, part))
    return batches


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
    done = 0
    for _ in range(MOST_ROUNDS):
        batches = missing(experiment, scale, store, base)
        if not batches:
            return done
        warm(batches, workers)
        total = done + sum(len(batch.seeds) for batch in batches)
        for batch, found in workers.finished(batches):
            store.add(experiment.id, batch.cell, found, source)
            done += len(found)
            if watch is not None:
                watch(Step(experiment.id, batch.cell, done, total))
    raise RuntimeError(f"The search of {experiment.id} does not end.")


_warmed: set[str] = set()


def warm(batches: Sequence[Batch], workers: Workers) -> None:
    """Compile the rules that are needed once, here, before many processes would each do it."""
    if isinstance(workers, Here):
        return
    pattern = Pattern([5.0, 6.0], [0, 1], n_channels=2, duration=50.0)
    for batch in batches:
        key = batch.cell.get("rule")
        if key is None or key + STAMP in _warmed:
            continue
        _warmed.add(key + STAMP)
        rule = rule_of(key, "warm")
        trainer = Trainer(SRM(), rule, max_epochs=2)
        trainer.fit([0.3, 0.3], pattern, SpikeCounts([2]))
        if rule.learns_times:
            trainer.fit([0.3, 0.3], pattern, SpikeTimes([[7.8]]))


def estimate(batches: Sequence[Batch], experiment: Experiment, jobs: int) -> float:
    """Seconds that these batches may take: a rough figure from the experiment's own costs."""
    return sum(len(batch.seeds) * experiment.cost(batch.cell) for batch in batches) / max(1, jobs)
