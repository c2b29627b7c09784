"""Run what is missing in the store, batch by batch; the runner is the store's only writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

from linspike.errors import SearchError
from linspike.kernels.cache import STAMP
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, rule_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.study.cells import Cell, RuleCell, Trial, canonical
from linspike.study.experiment import Experiment
from linspike.study.provenance import read_provenance
from linspike.study.store import Store
from linspike.study.workers import Batch, Processes, Serial, Workers
from linspike.training.trainer import Trainer

SEEDS_PER_BLOCK = 10_000_000  # a seed block is another sample of the same experiment
MAX_ROUNDS = 200  # of a search; one that has not ended by then repeats itself

Held = dict[str, dict[int, Trial]]  # by digest of the cell, then by seed


class Progress(NamedTuple):
    """Progress of an experiment, after each batch."""

    experiment: str
    cell: Cell
    done: int
    total: int  # of the trials known so far; a search may add to them


Watch = Callable[[Progress], None]


class Coverage(NamedTuple):
    """Stored trials that an experiment asks for, and the seeds that its cells lack."""

    trials: list[Trial]
    missing: list[tuple[Cell, list[int]]]


def select_current(
    experiment: Experiment, scale: str, trials: Iterable[Trial], seed_block: int = 0
) -> Coverage:
    """Return the trials that the experiment asks for as it is now, and what is missing.

    A store may hold more: cells of an earlier version of the experiment, or seeds of a larger one.
    They must not mix with what is asked for. A search is followed from its beginning.
    """
    return _follow(experiment, scale, _index(trials), [], seed_block)


def find_missing(
    experiment: Experiment, scale: str, store: Store, seed_block: int = 0
) -> list[Batch]:
    """Return batches of the trials that the store lacks; none when the experiment is complete."""
    trials = store.trials(experiment, scale, seed_block)
    return _split(experiment, select_current(experiment, scale, trials, seed_block).missing)


def _index(trials: Iterable[Trial]) -> Held:
    held: Held = {}
    for trial in trials:
        held.setdefault(trial.cell.digest, {})[trial.seed] = trial
    return held


def _follow(
    experiment: Experiment, scale: str, held: Held, taken: list[Trial], seed_block: int
) -> Coverage:
    """Follow a search through the trials held, from those already taken, as far as they go."""
    first = seed_block * SEEDS_PER_BLOCK
    for _ in range(MAX_ROUNDS):
        found: list[Trial] = []
        missing: list[tuple[Cell, list[int]]] = []
        for plain in experiment.cells(scale, taken):
            cell = plain.but(seed_block=seed_block) if seed_block else plain
            there = held.get(cell.digest, {})
            seeds = [first + seed for seed in experiment.seeds(scale, plain)]
            found += [there[seed] for seed in seeds if seed in there]
            absent = [seed for seed in seeds if seed not in there]
            if absent and not experiment.unable(cell):
                missing.append((cell, absent))
        if len(found) == len(taken):
            return Coverage(found, missing)
        taken = found
    raise SearchError(f"The search of {experiment.id} does not end.")


def _split(experiment: Experiment, missing: Iterable[tuple[Cell, list[int]]]) -> list[Batch]:
    size = experiment.batch
    return [
        Batch(experiment.trials, cell, tuple(seeds[first : first + size]))
        for cell, seeds in missing
        for first in range(0, len(seeds), size)
    ]


def run(
    experiment: Experiment,
    scale: str,
    store: Store,
    workers: Workers,
    watch: Watch | None = None,
    seed_block: int = 0,
) -> int:
    """Run an experiment to its end; return the number of trials that were missing."""
    source = canonical(read_provenance())
    if experiment.threaded and isinstance(workers, Processes):
        workers = Serial()
    held = _index(store.trials(experiment, scale, seed_block))
    taken: list[Trial] = []
    done = 0
    for _ in range(MAX_ROUNDS):
        taken, missing = _follow(experiment, scale, held, taken, seed_block)
        batches = _split(experiment, missing)
        if not batches:
            return done
        compile_rules(batches, workers)
        total = done + sum(len(batch.seeds) for batch in batches)
        with closing(workers.run(batches)) as finished:
            for (_, cell, _), results in finished:
                store.add(experiment.store_id, cell, results, source)
                trials = held.setdefault(cell.digest, {})
                trials.update({seed: Trial(cell, seed, record) for seed, record, _ in results})
                done += len(results)
                if watch is not None:
                    watch(Progress(experiment.id, cell, done, total))
    raise SearchError(f"The search of {experiment.id} does not end.")


_compiled: set[str] = set()


def compile_rules(batches: Sequence[Batch], workers: Workers) -> None:
    """Compile the rules of batches once, here, before many processes would each do it."""
    if isinstance(workers, Serial):
        return
    pattern = Pattern([5.0, 6.0], [0, 1], n_channels=2, duration=50.0)
    keys = {batch.cell.rule for batch in batches if isinstance(batch.cell, RuleCell)}
    for key in sorted(keys & set(REGISTRY)):  # a reference model is no rule
        if key + STAMP in _compiled:
            continue
        _compiled.add(key + STAMP)
        rule = rule_of(key, "experiment")
        trainer = Trainer(SRM(), rule, max_epochs=2)
        trainer.fit([0.3, 0.3], pattern, SpikeCounts([2]))
        if "times" in rule.targets:
            trainer.fit([0.3, 0.3], pattern, SpikeTimes([[7.8]]))


def estimate_seconds(batches: Sequence[Batch], experiment: Experiment, jobs: int) -> float:
    """Return roughly how long these batches take, from the experiment's own costs."""
    return sum(len(batch.seeds) * experiment.cost(batch.cell) for batch in batches) / max(1, jobs)
