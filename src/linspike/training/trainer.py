"""Training: whole chains in compiled code, threads over chains."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike import checks
from linspike.errors import ParameterError, SpikeDataError
from linspike.kernels import chain as chains
from linspike.kernels.compiled import run_chain
from linspike.kernels.criterion import PAPER, STRICT
from linspike.kernels.dynamic import CRITICAL, HALVING
from linspike.kernels.protocol import Cell
from linspike.neuron.arguments import checked_horizon, checked_weights
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.spikes.pattern import Pattern
from linspike.spikes.patternset import PatternSet
from linspike.spikes.ragged import Floats
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.threads import thread_count
from linspike.training.lesson import (
    Targets,
    check_targets,
    make_cell,
    make_desk,
    make_lesson,
)
from linspike.training.result import FitResult, History

CRITERIA = {"paper": PAPER, "strict": STRICT}
COUNT_TARGETS = {"halving": HALVING, "critical": CRITICAL}
POLL_SECONDS = 0.1

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Trainer:
    """Teaches neurons to answer patterns with wanted times or counts.

    A chain is one neuron learning one sequence of patterns from one weight vector; `fit` runs
    one, `fit_many` many, on threads. The order of patterns in an epoch depends on the seed and
    the epoch alone, so results are the same for any number of threads and for every rule.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    rule : Rule or str
        The learning rule, or its name.
    max_epochs : int
        Learning stops here at the latest.
    criterion : {"paper", "strict"}
        When wanted times count as learned: van Rossum distance below the paper's bound, or every
        spike paired within a millisecond and none left over.
    at_least : bool
        Counts: whether more spikes than wanted are right too, where any are wanted.
    until : float, optional
        Horizon of every response; the pattern's duration unless given.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=50)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    neuron: SRM
    rule: Rule | str = "dta"
    max_epochs: int = 500
    criterion: str = "paper"
    at_least: bool = False
    until: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", "Trainer", "an SRM", self.neuron)
        object.__setattr__(self, "rule", rule_of(self.rule, "Trainer"))
        checks.whole(self.max_epochs, "max_epochs", "Trainer", least=1)
        if self.criterion not in CRITERIA:
            raise ParameterError.of(
                "criterion", "Trainer", f"one of {tuple(CRITERIA)}", self.criterion
            )
        checked_horizon(self.until, 0.0, "Trainer")

    def fit(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        seed: int = 0,
        history: bool = False,
        progress: Progress | None = None,
    ) -> FitResult:
        """Train one neuron; `weights` are where it starts and stay as they are.

        Parameters
        ----------
        weights : array of float
            One weight per channel: initial ones, or learned ones to go on from.
        patterns : PatternSet or Pattern
            The inputs.
        targets : SpikeTimes or SpikeCounts
            One target per pattern.
        seed : int
            Decides the order of presentation.
        history : bool
            Whether to keep accuracy, distance and more for every epoch.
        progress : callable, optional
            Called now and then with the epochs done and the most there can be.
        """
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        w = checked_weights(weights, _channels(patterns, "fit"), 1, "fit")
        return self._run(w[np.newaxis], [patterns], [targets], [seed], 1, history, progress, "fit")[
            0
        ]

    def fit_many(
        self,
        weights: Any,
        patterns: PatternSet | Sequence[PatternSet],
        targets: Targets | Sequence[Targets],
        *,
        seeds: Sequence[int],
        history: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> list[FitResult]:
        """Train many neurons, each from its own weights; identical to as many calls of `fit`.

        Parameters
        ----------
        weights : array of float, (chains, channels)
            One row per chain.
        patterns : PatternSet or list of PatternSet
            Shared by all chains, or one set per chain.
        targets : SpikeTimes, SpikeCounts or a list of them
            Shared, or one per chain.
        seeds : list of int
            One per chain.
        history, progress
            As for `fit`; progress counts the epochs of all chains.
        threads : int, optional
            Number of threads; one per core unless given.
        """
        owner = "fit_many"
        shared = patterns if isinstance(patterns, PatternSet) else None
        if shared is None and not (isinstance(patterns, (list, tuple)) and patterns):
            raise ParameterError.of("patterns", owner, "a PatternSet or a list of them", patterns)
        first = shared if shared is not None else patterns[0]
        w = checked_weights(weights, _channels(first, owner), 2, owner)
        n = w.shape[0]
        sets = [shared] * n if shared is not None else list(patterns)
        one = isinstance(targets, (SpikeTimes, SpikeCounts))
        wanted = [targets] * n if one else list(targets)  # type: ignore[arg-type]
        for name, listed in (("patterns", sets), ("targets", wanted), ("seeds", list(seeds))):
            if len(listed) != n:
                raise SpikeDataError(
                    f"The '{name}' parameter of {owner} must hold one entry per row of weights "
                    f"({n}). Got {len(listed)} instead."
                )
        count = thread_count(threads, owner)
        return self._run(w, sets, wanted, list(seeds), count, history, progress, owner)

    def _run(
        self,
        weights: Floats,
        sets: list[Any],
        targets: list[Any],
        seeds: list[int],
        threads: int,
        history: bool,
        progress: Progress | None,
        owner: str,
    ) -> list[FitResult]:
        """Prepare all chains, run them on worker threads, collect what they learned."""
        stop = np.zeros(1, np.uint8)
        prepared = [
            self._chain(w, patterns, wanted, seed, history, stop, owner)
            for w, patterns, wanted, seed in zip(weights, sets, targets, seeds, strict=True)
        ]
        with ThreadPoolExecutor(min(threads, len(prepared))) as pool:
            futures: list[Future[None]] = []
            try:
                futures += [pool.submit(chain) for chain in prepared]
                _watch(futures, prepared, self.max_epochs, progress)
            except BaseException as error:  # whatever it is, no chain must run on for hours
                stop[0] = 1
                for future in futures:
                    future.cancel()
                if not isinstance(error, KeyboardInterrupt):
                    raise
        return [chain.result(bool(stop[0])) for chain in prepared]

    def _chain(
        self,
        weights: Floats,
        patterns: Any,
        targets: Any,
        seed: Any,
        history: bool,
        stop: Any,
        owner: str,
    ) -> _Chain:
        if _channels(patterns, owner) != weights.size:
            raise SpikeDataError(
                f"The 'patterns' parameter of {owner} must have {weights.size} channels, as the "
                f"weights. Got {patterns.n_channels} instead."
            )
        horizons = np.array(patterns.durations)
        if self.until is not None:
            horizons[:] = self.until
        wanted = check_targets(targets, patterns, horizons, owner)
        rule = self._rule

        def prepare() -> tuple[chains.Lesson, Cell]:
            cell = make_cell(patterns, self.neuron, rule, horizons)
            return make_lesson(patterns, wanted, self.neuron, cell, horizons), cell

        plan = chains.Plan(
            self.max_epochs,
            CRITERIA[self.criterion],
            float(rule.settle),
            bool(self.at_least),
            COUNT_TARGETS[rule.count_target],
            bool(rule.own_counts),
            float(rule.momentum),
            bool(history),
        )
        number = checks.whole(seed, "seed", owner, least=0, most=2**62 - 1)
        return _Chain(rule, prepare, plan, weights.copy(), number, stop)

    @property
    def _rule(self) -> Rule:
        assert isinstance(self.rule, Rule)
        return self.rule


class _Chain:
    """One chain: its arrays, and a call that runs it."""

    def __init__(
        self,
        rule: Rule,
        prepare: Callable[[], tuple[chains.Lesson, Cell]],
        plan: chains.Plan,
        weights: Floats,
        seed: int,
        stop: Any,
    ) -> None:
        self.rule, self.prepare, self.plan = rule, prepare, plan
        self.weights, self.seed, self.stop = weights, seed, stop
        self.progress = np.zeros(1, np.int64)
        rows = plan.max_epochs if plan.track else 1
        self.history = np.zeros((rows, chains.N_COLUMNS))
        self.epochs, self.ending, self.obstacle = 0, chains.NOT_CONVERGED, ""

    def __call__(self) -> None:
        """Prepare, learn, and let go of everything but what was learned."""
        lesson, cell = self.prepare()
        desk = make_desk(lesson, self.rule, self.weights.size)
        compiled = self.rule.compiled()
        run: Any = chains.chain if compiled is None else run_chain
        step = self.rule.step if compiled is None else compiled
        # Uncompiled, the shuffling's wrap-around of 64-bit numbers would warn.
        with np.errstate(over="ignore") if compiled is None else contextlib.nullcontext():
            self.epochs, self.ending = run(
                step,
                lesson,
                self.plan,
                cell,
                self.rule.parameters(counts=bool(lesson.counts[0] >= 0)),
                self.weights,
                self.seed,
                self.stop,
                self.progress,
                self.history,
                desk,
            )
        if self.ending == chains.NOT_CONVERGED:
            self.obstacle = _impossible(lesson)
        if self.ending == chains.BAD_OUTCOME:
            domain = "a rule whose step returns an outcome from 0 to 3"
            raise ParameterError.of("rule", "Trainer", domain, self.rule)

    def result(self, stopped: bool) -> FitResult:
        """What was learned; a chain that was stopped says so."""
        done = self.ending == chains.CONVERGED
        interrupted = stopped and not done and self.epochs < self.plan.max_epochs
        history = History.of(self.history[: self.epochs]) if self.plan.track else None
        return FitResult(
            self.weights, done, int(self.epochs), self._reason(interrupted), interrupted, history
        )

    def _reason(self, interrupted: bool) -> str:
        if self.ending == chains.CONVERGED:
            return "all answers right"
        if self.ending == chains.NOT_FINITE:
            return f"weights no longer finite after {self.epochs} epochs"
        if interrupted:
            return f"interrupted after {self.epochs} epochs"
        return self.obstacle or f"not converged within {self.plan.max_epochs} epochs"


def _impossible(lesson: chains.Lesson) -> str:
    """What no weights can do, in words; empty if nothing of the kind is seen."""
    events = lesson.events
    for p in range(lesson.counts.size):
        wanted = lesson.times[lesson.offsets[p] : lesson.offsets[p + 1]]
        inputs = events.times[events.offsets[p] : events.offsets[p + 1]]
        asks = wanted.size > 0 or lesson.counts[p] > 0
        if asks and (inputs.size == 0 or inputs[0] >= lesson.untils[p]):
            return f"impossible: pattern {p} has no input and is to be answered with spikes"
        if wanted.size and wanted[0] <= inputs[0]:
            return (
                f"impossible: pattern {p} wants a spike at {wanted[0]} ms, "
                f"before its first input at {inputs[0]} ms"
            )
        if (np.diff(wanted) == 0.0).any():
            return f"impossible: pattern {p} wants two spikes at the same time"
    return ""


def _channels(patterns: Any, owner: str) -> int:
    if not isinstance(patterns, PatternSet):
        raise ParameterError.of("patterns", owner, "a PatternSet", patterns)
    return patterns.n_channels


def _watch(
    futures: list[Future[None]], prepared: list[_Chain], most: int, progress: Progress | None
) -> None:
    """Wait for all chains, in slices short enough for Ctrl-C and for progress."""
    left = set(futures)
    while left:
        done, left = wait(left, timeout=POLL_SECONDS)
        for future in done:
            future.result()
        if progress is not None:
            progress(sum(int(chain.progress[0]) for chain in prepared), most * len(prepared))
