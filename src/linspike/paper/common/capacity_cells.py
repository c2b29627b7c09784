"""Cells of the capacity studies, and their trials: one trained chain per seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.spikes.distances import match_spikes
from linspike.spikes.targets import SpikeTimes
from linspike.study.cells import Record, RuleCell
from linspike.study.tasks import Task, decoding, encoding
from linspike.training.result import FitResult, raise_if_interrupted
from linspike.training.trainer import Trainer

SHORT_MS = 400.0  # length of a short pattern
LONG_MS = 100.0  # length of the long pattern for each unit of load

WeightBounds = tuple[Floats, Floats]  # low and high, one number per channel


@dataclass(frozen=True, kw_only=True)
class CapacityCell(RuleCell):
    """One rule at one load.

    Parameters
    ----------
    load : int
        How much is to be learned; 0 in a cell whose load is still searched.
    n_channels : int
        Number of inputs.
    max_epochs : int
        Epochs after which a trial counts as failed.
    criterion : str
        When a trial counts as learned, as for `Trainer`.
    schedule : pair of float, optional
        First and last factor of the steps; None leaves them to the rule's own settings.
    """

    load: int = 0
    n_channels: int
    max_epochs: int
    criterion: str = "paper"
    schedule: tuple[float, float] | None = None

    def describe(self) -> str:
        """Return the row's label and the load."""
        return f"{super().describe()}, load {self.load}"

    def make_neuron(self) -> SRM:
        """Return the neuron to be trained."""
        return SRM(tau_m=20.0, tau_s=5.0)

    def make_task(self, seed: int) -> Task:
        """Return the data of one trial."""
        raise NotImplementedError

    def weight_bounds(self) -> WeightBounds | None:
        """Return the bounds of the weights, None if there are none."""
        return None

    def make_delays(self, seed: int) -> Floats | None:
        """Return the delays of the inputs that a trial starts from, None if there are none."""
        return None


@dataclass(frozen=True, kw_only=True)
class EncodingCell(CapacityCell):
    """Desired times.

    Parameters
    ----------
    task : str
        "short" for patterns of 400 ms, as many as the load; "long" for one pattern of 100 ms for
        each unit of load.
    min_gap, min_onset : float
        Least distance of desired spikes from each other and from the beginning (ms).
    """

    task: str
    min_gap: float = 5.0
    min_onset: float = 10.0

    def make_task(self, seed: int) -> Task:
        """Return patterns with desired times."""
        n_patterns, duration = self.load, SHORT_MS
        if self.task == "long":
            n_patterns, duration = 1, LONG_MS * self.load
        return encoding(
            seed,
            n_patterns,
            duration=duration,
            n_channels=self.n_channels,
            min_gap=self.min_gap,
            min_onset=self.min_onset,
        )


@dataclass(frozen=True, kw_only=True)
class DecodingCell(CapacityCell):
    """Desired counts of five classes, as many patterns as the load."""

    def make_task(self, seed: int) -> Task:
        """Return patterns with desired counts."""
        return decoding(seed, self.load, n_channels=self.n_channels)


def train_chains(cell: CapacityCell, seeds: Sequence[int]) -> list[Record]:
    """Train one chain per seed; return whether and when each met the criterion.

    With desired times a record also counts desired, missed and extra spikes at the end.
    """
    neuron = cell.make_neuron()
    trainer = Trainer(
        neuron,
        cell.make_rule(),
        max_epochs=cell.max_epochs,
        criterion=cell.criterion,
        schedule=cell.schedule,
        weight_bounds=cell.weight_bounds(),
    )
    tasks = [cell.make_task(seed) for seed in seeds]
    weights, patterns, targets = zip(*tasks, strict=True)
    late = [start for seed in seeds if (start := cell.make_delays(seed)) is not None]
    results = raise_if_interrupted(
        trainer.fit_many(
            np.array(weights),
            patterns,
            targets,
            seeds=list(seeds),
            delays=np.array(late) if late else None,
            threads=1,
        )
    )
    records = []
    for task, result in zip(tasks, results, strict=True):
        record: Record = {"learned": bool(result.converged), "epochs": int(result.epochs)}
        if isinstance(task.targets, SpikeTimes):
            record.update(_count_errors(neuron, result, task.patterns, task.targets))
        records.append(record)
    return records


def _count_errors(neuron: SRM, result: FitResult, patterns: Any, targets: SpikeTimes) -> Record:
    weights, delays = result.weights[np.newaxis], result.delays
    responses = neuron.respond_many(weights, patterns, delays=delays, threads=1)[0]
    pairs = [match_spikes(*pair) for pair in zip(responses, targets, strict=True)]
    return {
        "desired": int(sum(pair.paired + pair.missed for pair in pairs)),
        "missed": int(sum(pair.missed for pair in pairs)),
        "extra": int(sum(pair.extra for pair in pairs)),
    }
