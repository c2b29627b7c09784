"""The trainer: neurons learn to respond to patterns with desired times or counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats
from linspike._validation import check_flag, check_integer
from linspike.errors import ParameterError, SpikeDataError
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.training.state import TrainOptions
from linspike.neuron.arguments import check_horizon, check_patterns, check_weights
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import Rule, check_rule
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.criterion import CRITERIA, check_criterion, tolerance_of
from linspike.training.execute import OnEpoch, Progress, run_chains
from linspike.training.obstacles import find_equal_patterns, find_obstacles
from linspike.training.prepare import (
    Chain,
    Run,
    Targets,
    check_chain,
    check_seed,
    make_constants,
    parameters_of,
    prepare,
)
from linspike.training.result import FitResult
from linspike.training.schedule import CONSTANT, Schedule, make_schedule
from linspike.training.trajectory import trace_steps

MOST_EPOCHS = 10**7  # the schedule has one number for each


@dataclass(frozen=True)
class Trainer:
    """Train neurons to respond to patterns with desired times or counts.

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
        Training stops here at the latest.
    criterion : {"paper", "strict"}
        When desired times count as learned: van Rossum distance below the paper's bound, or every
        spike paired within the tolerance and none left over.
    at_least : bool
        Counts: whether more spikes than desired are right too, where any are desired.
    until : float, optional
        Horizon of every response; the pattern's duration unless given. The paper's criterion
        goes by the duration all the same.
    schedule : Linear, Inverse or pair of float, optional
        Factor of the steps in each epoch, see `linspike.training`; a pair (first, last) is
        `Linear(first, last)`. Defaults to the rule's own, and to constant steps for a single
        epoch.
    tolerance : float, optional
        Tolerance of the strict criterion in milliseconds. Unless given, 1 ms if the neuron's
        tau_s is from 1 to 20 ms; in proportion to tau_s outside, so tau_s below 1 ms and a
        twentieth of it above 20 ms.

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
    schedule: Schedule | tuple[float, float] | None = None
    tolerance: float | None = None
    _strict_tolerance: float | None = field(init=False, repr=False, compare=False)
    _constants: NeuronConstants = field(init=False, repr=False, compare=False)
    _parameters: tuple[Floats, Floats] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", "Trainer", "an SRM", self.neuron)
        object.__setattr__(self, "rule", rule_of(self.rule, "Trainer"))
        check_integer(self.max_epochs, "max_epochs", "Trainer", least=1, most=MOST_EPOCHS)
        check_criterion(self.criterion, self.tolerance, "Trainer")
        check_flag(self.at_least, "at_least", "Trainer")
        check_rule(self._rule)
        check_horizon(self.until, 0.0, "Trainer")
        if self.schedule is not None:
            object.__setattr__(self, "schedule", make_schedule(self.schedule, "Trainer"))
        object.__setattr__(self, "_constants", make_constants(self.neuron, self._rule))
        tolerance = tolerance_of(self.criterion, self.tolerance, self.neuron)
        object.__setattr__(self, "_strict_tolerance", tolerance)
        rule = self._rule.adapt(self.neuron)
        parameters = tuple(parameters_of(rule, counts=counts) for counts in (False, True))
        object.__setattr__(self, "_parameters", parameters)

    def fit(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        seed: int = 0,
        step_factor: Any = None,
        first_epoch: int = 0,
        history: bool = False,
        progress: Progress | None = None,
        on_epoch: OnEpoch | None = None,
    ) -> FitResult:
        """Train one neuron; `weights` are where it starts and stay as they are.

        Ctrl-C ends training after the current epoch and returns what was learned.

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
        step_factor : array of float, optional
            Factor of the steps on each pattern, for classes that are to weigh more; 1 unless given.
        first_epoch : int
            Number of the first epoch; epochs already done, to go on in the same order.
        history : bool
            Whether to keep accuracy, distance and more for every epoch.
        progress : callable, optional
            Called now and then with the epochs done and the most there can be.
        on_epoch : callable, optional
            Called after every epoch with an `EpochEnd`; returning True stops training.
        """
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        run = self._make_run("fit", first_epoch, step_factor, history=history)
        w = check_weights(weights, check_patterns(patterns, "fit")._ragged.n_channels, 1, "fit")
        chain = Chain(w, patterns, targets, check_seed(seed, "fit"))
        check_chain(run, chain)
        return run_chains(run, [chain], threads=1, progress=progress, on_epoch=on_epoch)[0]

    def fit_many(
        self,
        weights: Any,
        patterns: PatternSet | Sequence[PatternSet],
        targets: Targets | Sequence[Targets],
        *,
        seeds: Sequence[int],
        step_factor: Any = None,
        first_epoch: int = 0,
        history: bool = False,
        pattern_numbers: Any = None,
        threads: int | None = None,
        progress: Progress | None = None,
        on_epoch: OnEpoch | None = None,
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
        step_factor, first_epoch, history
            As for `fit`, and the same for all chains.
        pattern_numbers : array of int, optional
            Numbers of the patterns in `FitResult.reason`; 0, 1, ... unless given.
        threads : int, optional
            Number of threads; one per core unless given.
        progress : callable, optional
            As for `fit`; it counts the epochs of all chains.
        on_epoch : callable, optional
            Called after every epoch of all chains. Chains that have ended wait for the others.
        """
        owner = "fit_many"
        run = self._make_run(owner, first_epoch, step_factor, history=history)
        if pattern_numbers is not None:
            run = replace(run, pattern_numbers=np.array(pattern_numbers, dtype=np.int64))
        chains = _make_chains(weights, patterns, targets, seeds)
        for chain in {(id(each.patterns), id(each.targets)): each for each in chains}.values():
            check_chain(run, chain)
        count = thread_count(threads, owner)
        return run_chains(run, chains, threads=count, progress=progress, on_epoch=on_epoch)

    def check(self, patterns: PatternSet | Pattern, targets: Targets) -> list[str]:
        """Return a sentence for each target that no weights can meet, before any training.

        Found are desired spikes without or before any input, at the same time or too close, and
        equal patterns with different targets. An empty list does not mean that all can be learned.

        Parameters
        ----------
        patterns, targets
            As for `fit`.

        Examples
        --------
        >>> import linspike as ls
        >>> pattern = ls.Pattern([10.0], [0], n_channels=1, duration=40.0)
        >>> for sentence in ls.Trainer(ls.SRM()).check(pattern, ls.SpikeTimes([[5.0]])):
        ...     print(sentence)
        impossible: pattern 0 has a desired spike at 5.0 ms, before its first input at 10.0 ms
        """
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        run = self._make_run("check", 0, None, history=False)
        chain = Chain(np.zeros(check_patterns(patterns, "check").n_channels), patterns, targets, 0)
        check_chain(run, chain)
        task = prepare(run, [chain], {})
        return list(find_obstacles(task, 0, find_equal_patterns(task.data)))

    def trajectory(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        steps: int,
        seed: int = 0,
    ) -> Floats:
        """Return the weights step by step, (steps + 1, channels): a close look at learning.

        Every presentation is a step, whether the criterion is met or not, and nothing ends
        early; otherwise the steps are those of `fit` with a constant schedule. A right count
        alone needs no step.

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
        run = self._make_run(owner, 0, None, history=False)
        w = check_weights(weights, check_patterns(patterns, owner)._ragged.n_channels, 1, owner)
        most = check_integer(steps, "steps", owner, least=0)
        chain = Chain(w, patterns, targets, check_seed(seed, owner))
        check_chain(run, chain)
        return trace_steps(self._rule, prepare(run, [chain], {}), w, chain.seed, most)

    def _make_run(self, owner: str, first_epoch: int, step_factor: Any, *, history: bool) -> Run:
        """Return what all chains of a call have in common."""
        rule = self._rule
        done_before = check_integer(first_epoch, "first_epoch", owner, least=0)
        options = TrainOptions(
            criterion=CRITERIA[self.criterion],
            skip_below=float(rule.skip_below),
            at_least=bool(self.at_least),
            counts_as_times=bool(rule.counts_as_times),
            momentum=float(rule.momentum),
            track=check_flag(history, "history", owner),
        )
        factors = self._schedule().factors(self.max_epochs, done_before)
        return Run(
            owner=owner,
            rule=rule,
            parameters=self._parameters,
            constants=self._constants,
            options=options,
            tolerance=self._strict_tolerance,
            until=self.until,
            step_factor=step_factor,
            factors=factors,
            done_before=done_before,
        )

    def _schedule(self) -> Schedule:
        """Return the schedule in use; a rule's own is for runs of several epochs."""
        given = self.schedule
        if given is None and self.max_epochs > 1:
            given = self._rule.own_schedule()
        return CONSTANT if given is None else make_schedule(given, "Trainer")

    @property
    def _rule(self) -> Rule:
        assert isinstance(self.rule, Rule)
        return self.rule


def _make_chains(weights: Any, patterns: Any, targets: Any, seeds: Any) -> list[Chain]:
    """Return one chain per row of weights; a single set or target is shared by all."""
    owner = "fit_many"
    shared = isinstance(patterns, PatternSet)
    if not shared and not (isinstance(patterns, (list, tuple)) and patterns):
        raise ParameterError.of("patterns", owner, "a PatternSet or a list of them", patterns)
    first = patterns if shared else patterns[0]
    rows = check_weights(weights, check_patterns(first, owner)._ragged.n_channels, 2, owner)
    one = isinstance(targets, (SpikeTimes, SpikeCounts))
    if not one and not isinstance(targets, (list, tuple)):
        domain = "SpikeTimes, SpikeCounts or a list of them"
        raise ParameterError.of("targets", owner, domain, targets)
    if not isinstance(seeds, (Sequence, np.ndarray)) or isinstance(seeds, str):
        raise ParameterError.of("seeds", owner, "a list with one number per chain", seeds)
    n = len(rows)
    parts = {
        "patterns": [patterns] * n if shared else list(patterns),
        "targets": [targets] * n if one else list(targets),
        "seeds": [check_seed(seed, owner) for seed in seeds],
    }
    for name, listed in parts.items():
        if len(listed) != n:
            raise SpikeDataError(
                f"The '{name}' parameter of {owner} must hold one entry per row of weights "
                f"({n}). Got {len(listed)} instead."
            )
    return [Chain(*chain) for chain in zip(rows, *parts.values(), strict=True)]
