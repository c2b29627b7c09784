"""Training: whole chains in compiled code, threads over chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats
from linspike._validation import check_choice, check_flag, check_integer
from linspike.errors import ParameterError, SpikeDataError
from linspike.kernels.threshold.dynamic import CRITICAL, HALVING
from linspike.kernels.training import chain as chains
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.trains.criterion import PAPER, STRICT
from linspike.neuron.arguments import check_horizon, check_weights
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import STEADY, Rule, check_rule, check_schedule
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.execute import Chain, Kind, Preparation, Progress, run_chains
from linspike.training.execute_batch import grouped
from linspike.training.prepare import (
    Targets,
    check_scales,
    check_targets,
    make_chain_data,
    make_constants,
)
from linspike.training.result import FitResult
from linspike.training.trajectory import walk

CRITERIA = {"paper": PAPER, "strict": STRICT}
MOST_SEED = 2**62 - 1
TIME_FINDERS = {"halving": HALVING, "critical": CRITICAL}


@dataclass(frozen=True)
class Trainer:
    """Teaches neurons to answer patterns with desired times or counts.

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
        When desired times count as learned: van Rossum distance below the paper's bound, or every
        spike paired within a millisecond and none left over.
    at_least : bool
        Counts: whether more spikes than desired are right too, where any are desired.
    until : float, optional
        Horizon of every response; the pattern's duration unless given. The paper's criterion
        goes by the duration all the same.
    anneal : pair of float, optional
        Factors of the steps: in epoch 0 the first, from four fifths of max_epochs on the last, in
        between on a straight line. Unless given, those of the rule, and (1, 1) for a single epoch.

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
    anneal: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", "Trainer", "an SRM", self.neuron)
        object.__setattr__(self, "rule", rule_of(self.rule, "Trainer"))
        check_integer(self.max_epochs, "max_epochs", "Trainer", least=1)
        check_choice(self.criterion, "criterion", "Trainer", CRITERIA)
        check_flag(self.at_least, "at_least", "Trainer")
        check_rule(self._rule)
        check_horizon(self.until, 0.0, "Trainer")
        if self.anneal is not None:
            object.__setattr__(self, "anneal", check_schedule(self.anneal, "Trainer", "anneal"))

    def fit(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        seed: int = 0,
        step_scale: Any = None,
        first_epoch: int = 0,
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
        step_scale : array of float, optional
            Factor of the steps on each pattern, for classes that are to weigh more; 1 unless given.
        first_epoch : int
            Number of the first epoch; epochs already done, to go on in the same order.
        history : bool
            Whether to keep accuracy, distance and more for every epoch.
        progress : callable, optional
            Called now and then with the epochs done and the most there can be.
        """
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        w = check_weights(weights, _channels(patterns, "fit"), 1, "fit")
        chain = (w[np.newaxis], [patterns], [targets], [seed])
        return self._run(*chain, step_scale, 1, first_epoch, history, progress, "fit")[0]

    def fit_many(
        self,
        weights: Any,
        patterns: PatternSet | Sequence[PatternSet],
        targets: Targets | Sequence[Targets],
        *,
        seeds: Sequence[int],
        step_scale: Any = None,
        first_epoch: int = 0,
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
        step_scale, first_epoch, history, progress
            As for `fit`, and the same for all chains; progress counts the epochs of all chains.
        threads : int, optional
            Number of threads; one per core unless given.
        """
        owner = "fit_many"
        shared = patterns if isinstance(patterns, PatternSet) else None
        if shared is None and not (isinstance(patterns, (list, tuple)) and patterns):
            raise ParameterError.of("patterns", owner, "a PatternSet or a list of them", patterns)
        first = shared if shared is not None else patterns[0]
        w = check_weights(weights, _channels(first, owner), 2, owner)
        n = w.shape[0]
        sets = [shared] * n if shared is not None else list(patterns)
        one = isinstance(targets, (SpikeTimes, SpikeCounts))
        if not one and not isinstance(targets, (list, tuple)):
            domain = "SpikeTimes, SpikeCounts or a list of them"
            raise ParameterError.of("targets", owner, domain, targets)
        if not isinstance(seeds, (Sequence, np.ndarray)) or isinstance(seeds, str):
            raise ParameterError.of("seeds", owner, "a list with one number per chain", seeds)
        numbers = list(seeds)
        desired = [targets] * n if one else list(targets)  # type: ignore[arg-type]
        for name, listed in (("patterns", sets), ("targets", desired), ("seeds", numbers)):
            if len(listed) != n:
                raise SpikeDataError(
                    f"The '{name}' parameter of {owner} must hold one entry per row of weights "
                    f"({n}). Got {len(listed)} instead."
                )
        count = thread_count(threads, owner)
        chains_of = (w, sets, desired, numbers, step_scale)
        return self._run(*chains_of, count, first_epoch, history, progress, owner)

    def trajectory(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        steps: int,
        seed: int = 0,
    ) -> Floats:
        """Weights step by step, (steps + 1, channels): a look at learning from close by.

        Every presentation is a step, whether the pattern is settled or not, and nothing ends
        early; otherwise the steps are those of `fit` without annealing. A right count alone needs
        no step.

        Parameters
        ----------
        weights, patterns, targets, seed
            As for `fit`.
        steps : int
            Number of presentations.
        """
        owner = "trajectory"
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        w = check_weights(weights, _channels(patterns, owner), 1, owner)
        most = check_integer(steps, "steps", owner, least=0)
        number = check_integer(seed, "seed", owner, least=0, most=MOST_SEED)
        data, constants = self._preparation(w.size, patterns, targets, None, owner)()
        return walk(self._rule, data, constants, self._options(0, False), w, number, most)

    def _run(
        self,
        weights: Floats,
        sets: list[Any],
        targets: list[Any],
        seeds: list[int],
        step_scale: Any,
        threads: int,
        first_epoch: int,
        history: bool,
        progress: Progress | None,
        owner: str,
    ) -> list[FitResult]:
        """Prepare all chains, run them on worker threads, collect what they learned."""
        stop = np.zeros(1, np.uint8)
        begin = check_integer(first_epoch, "first_epoch", owner, least=0)
        options = self._options(begin, check_flag(history, "history", owner))
        shared: dict[tuple[int, int], Preparation] = {}
        prepared = []
        for w, patterns, desired, seed in zip(weights, sets, targets, seeds, strict=True):
            number = check_integer(seed, "seed", owner, least=0, most=MOST_SEED)
            key = (id(patterns), id(desired))
            if key not in shared:
                shared[key] = self._preparation(w.size, patterns, desired, step_scale, owner)
            prepared.append(Chain(self._rule, shared[key], options, w.copy(), number, stop))
        shared.clear()
        return run_chains(prepared, grouped(prepared, threads), threads, stop, progress)

    def _options(self, first_epoch: int, history: bool) -> chains.TrainOptions:
        rule = self._rule
        return chains.TrainOptions(
            first_epoch,
            self.max_epochs,
            CRITERIA[self.criterion],
            float(rule.skip_below),
            bool(self.at_least),
            TIME_FINDERS[rule.count_target] if rule.counts_as_times else HALVING,
            not rule.counts_as_times,
            float(rule.momentum),
            *self._paces(),
            history,
        )

    def _paces(self) -> tuple[float, float]:
        """First and last factor of the steps; a rule's own are for runs of several epochs."""
        if self.anneal is not None:
            return self.anneal
        return self._rule.own_schedule() if self.max_epochs > 1 else STEADY

    def _preparation(
        self, n_channels: int, patterns: Any, targets: Any, step_scale: Any, owner: str
    ) -> Preparation:
        if _channels(patterns, owner) != n_channels:
            raise SpikeDataError(
                f"The 'patterns' parameter of {owner} must have {n_channels} channels, as the "
                f"weights. Got {patterns.n_channels} instead."
            )
        if isinstance(targets, SpikeTimes) and "times" not in self._rule.targets:
            domain = f"SpikeCounts for {type(self._rule).__name__}, which cannot learn times"
            raise ParameterError.of("targets", owner, domain, targets)
        horizons = np.array(patterns.durations)
        if self.until is not None:
            horizons[:] = self.until
        desired = check_targets(targets, patterns, horizons, owner)
        scales = check_scales(step_scale, len(patterns), owner)

        def make() -> tuple[chains.ChainData, NeuronConstants]:
            constants = make_constants(patterns, self.neuron, self._rule, horizons)
            return make_chain_data(
                patterns, desired, self.neuron, constants, horizons, scales
            ), constants

        most = int(desired.counts.max()) if isinstance(desired, SpikeCounts) else 0
        return Preparation(make, Kind(id(patterns), most))

    @property
    def _rule(self) -> Rule:
        assert isinstance(self.rule, Rule)
        return self.rule


def _channels(patterns: Any, owner: str) -> int:
    if not isinstance(patterns, PatternSet):
        raise ParameterError.of("patterns", owner, "a PatternSet", patterns)
    return patterns.n_channels
