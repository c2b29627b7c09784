"""The trainer: neurons learn to respond to patterns with desired times or counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats
from linspike._validation import check_flag, check_integer
from linspike.errors import ParameterError
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.training.state import TrainOptions
from linspike.network.network import Network
from linspike.neuron.arguments import (
    check_horizon,
    check_patterns,
    check_weights,
    freeze_weight_bounds,
    refuse_outside,
)
from linspike.neuron.arrivals import check_all_delays, check_delays
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance
from linspike.rules.base import Rule, check_rule
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.training.chains import make_chains, refuse_network, rule_for
from linspike.training.criterion import CRITERIA, check_criterion, tolerance_of
from linspike.training.execute import OnEpoch, Progress, choose_rule, run_chains
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
from linspike.training.trajectory import Walk, trace_steps

MOST_EPOCHS = 10**7  # the schedule has one number for each
DELAY_STEP = 2.0  # ms; how far one step moves a delay, for a usual tau_s


@dataclass(frozen=True)
class Trainer:
    """Train neurons to respond to patterns with desired times or counts.

    A chain is one neuron learning one sequence of patterns from one weight vector; `fit` runs
    one, `fit_many` many, on threads. The order of patterns in an epoch depends on the seed and
    the epoch alone, so results are the same for any number of threads and for every rule.

    Parameters
    ----------
    neuron : SRM or Network
        The neuron; or a network, whose `fit` takes `NetworkWeights` and, for several output
        neurons, a list of targets.
    rule : Rule or str
        The learning rule, or its name. `DTA` as it comes stands for `JointDTA` if a network learns.
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
    weight_bounds : pair (low, high), optional
        Lowest and highest weight, each a number or one number per channel; no bounds unless given.
        They hold exactly after every step. `DTA` takes them into account in its projection; the
        steps of other rules are cut off at them. ``(0.0, inf)`` for some channels and
        ``(-inf, 0.0)`` for the others is Dale's law.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=50)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    neuron: Any  # SRM or Network
    rule: Rule | str = "dta"
    max_epochs: int = 500
    criterion: str = "paper"
    at_least: bool = False
    until: float | None = None
    schedule: Schedule | tuple[float, float] | None = None
    tolerance: float | None = None
    weight_bounds: Any = None
    _strict_tolerance: float | None = field(init=False, repr=False, compare=False)
    _constants: NeuronConstants = field(init=False, repr=False, compare=False)
    _adapted: Rule = field(init=False, repr=False, compare=False)
    _parameters: tuple[Floats, Floats] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.neuron, (SRM, Network)):
            raise ParameterError.of("neuron", "Trainer", "an SRM or a Network", self.neuron)
        neuron = self.neuron if isinstance(self.neuron, SRM) else self.neuron.out.neuron
        object.__setattr__(self, "rule", rule_for(self.neuron, self.rule))
        check_integer(self.max_epochs, "max_epochs", "Trainer", least=1, most=MOST_EPOCHS)
        check_criterion(self.criterion, self.tolerance, "Trainer")
        check_flag(self.at_least, "at_least", "Trainer")
        check_rule(self._rule)
        check_horizon(self.until, 0.0, "Trainer")
        if self.schedule is not None:
            object.__setattr__(self, "schedule", make_schedule(self.schedule, "Trainer"))
        if self.weight_bounds is not None:
            bounds = freeze_weight_bounds(self.weight_bounds, "Trainer")
            object.__setattr__(self, "weight_bounds", bounds)
        object.__setattr__(self, "_constants", make_constants(neuron, self._rule))
        tolerance = tolerance_of(self.criterion, self.tolerance, neuron)
        object.__setattr__(self, "_strict_tolerance", tolerance)
        rule = self._rule.adapt(neuron, tolerance)
        parameters = tuple(parameters_of(rule, counts=counts) for counts in (False, True))
        object.__setattr__(self, "_adapted", rule)
        object.__setattr__(self, "_parameters", parameters)

    def fit(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        *,
        delays: Any = None,
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
        delays : array of float, optional
            One delay per channel in milliseconds, for any rule. A rule that learns delays starts
            from them, or from 0.
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
        if isinstance(self.neuron, Network):
            from linspike.training import networks  # compiled when first asked for

            parts = (weights, patterns, targets, delays, check_seed(seed, "fit"))
            network_chain = networks.check_network_chain(run, self.neuron, *parts)
            return networks.fit_network(run, network_chain, progress, on_epoch)
        w = check_weights(weights, check_patterns(patterns, "fit")._ragged.n_channels, 1, "fit")
        late = delays if delays is None else check_delays(delays, w.size, "fit", most=self._longest)
        chain = Chain(w, patterns, targets, check_seed(seed, "fit"), late)
        check_chain(run, chain)
        refuse_outside(w, self.weight_bounds, "fit")
        return run_chains(run, [chain], threads=1, progress=progress, on_epoch=on_epoch)[0]

    def fit_many(
        self,
        weights: Any,
        patterns: PatternSet | Sequence[PatternSet],
        targets: Targets | Sequence[Targets],
        *,
        seeds: Sequence[int],
        delays: Any = None,
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
        delays : array of float, (channels,) or (chains, channels), optional
            As for `fit`: shared, or one row per chain.
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
        refuse_network(self.neuron, owner, "Call fit for each network.")
        run = self._make_run(owner, first_epoch, step_factor, history=history)
        if pattern_numbers is not None:
            run = replace(run, pattern_numbers=np.array(pattern_numbers, dtype=np.int64))
        chains = make_chains(weights, patterns, targets, seeds)
        late = check_all_delays(
            delays, (len(chains), chains[0].weights.size), owner, most=self._longest
        )
        if late is not None:
            rows = np.ascontiguousarray(np.broadcast_to(late, (len(chains), late.shape[-1])))
            chains = [each._replace(delays=row) for each, row in zip(chains, rows, strict=True)]
        for chain in {(id(each.patterns), id(each.targets)): each for each in chains}.values():
            check_chain(run, chain)
        refuse_outside(np.array([chain.weights for chain in chains]), self.weight_bounds, owner)
        count = thread_count(threads, owner)
        return run_chains(run, chains, threads=count, progress=progress, on_epoch=on_epoch)

    def check(
        self, patterns: PatternSet | Pattern, targets: Targets, *, delays: Any = None
    ) -> list[str]:
        """Return a sentence for each target that no weights can meet, before any training.

        Found are desired spikes without or before any input, at the same time or too close, and
        equal patterns with different targets. An empty list does not mean that all can be learned.

        Parameters
        ----------
        patterns, targets, delays
            As for `fit`. Delays that a rule learns only make inputs arrive later.

        Examples
        --------
        >>> import linspike as ls
        >>> pattern = ls.Pattern([10.0], [0], n_channels=1, duration=40.0)
        >>> for sentence in ls.Trainer(ls.SRM()).check(pattern, ls.SpikeTimes([[5.0]])):
        ...     print(sentence)
        impossible: pattern 0 has a desired spike at 5.0 ms, before its first input comes at 10.0 ms
        """
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        run = self._make_run("check", 0, None, history=False)
        if isinstance(self.neuron, Network):
            from linspike.training import networks

            return networks.find_early(
                networks.check_network_targets(run, self.neuron, patterns, targets, delays)
            )
        n_channels = check_patterns(patterns, "check").n_channels
        late = check_delays(delays, n_channels, "check", most=self._longest)
        chain = Chain(np.zeros(n_channels), patterns, targets, 0, late)
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
        delays: Any = None,
        seed: int = 0,
        skip_right: bool = False,
    ) -> Floats:
        """Return the weights step by step, (steps + 1, channels): a close look at learning.

        Nothing ends early; otherwise the steps are those of `fit` with a constant schedule.

        Parameters
        ----------
        weights, patterns, targets, delays, seed
            As for `fit`. Delays that the rule learns change along, unseen.
        steps : int
            Number of presentations.
        skip_right : bool
            Whether a right response is left alone, as by `fit`. If not, every presentation is a
            step, except that a right count alone needs none.
        """
        owner = "trajectory"
        refuse_network(self.neuron, owner, "Pass on_epoch to fit.")
        most = check_integer(steps, "steps", owner, least=0)
        parts = (weights, patterns, targets, delays, seed, owner)
        return trace_steps(self._start_walk(*parts, skip_right=skip_right), most)

    def _start_walk(
        self,
        weights: Any,
        patterns: PatternSet | Pattern,
        targets: Targets,
        delays: Any,
        seed: int,
        owner: str,
        *,
        skip_right: bool,
        first: int = 0,
    ) -> Walk:
        """Return a chain that goes step by step."""
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        run = self._make_run(owner, 0, None, history=False)
        w = check_weights(weights, check_patterns(patterns, owner)._ragged.n_channels, 1, owner)
        late = check_delays(delays, w.size, owner, most=self._longest)
        chain = Chain(w, patterns, targets, check_seed(seed, owner), late)
        check_chain(run, chain)
        refuse_outside(w, self.weight_bounds, owner)
        run = choose_rule(run, chain)
        task, skips = prepare(run, [chain], {}), check_flag(skip_right, "skip_right", owner)
        return Walk(run.rule, task, chain, skip_right=skips, first=first)

    def _make_run(self, owner: str, first_epoch: int, step_factor: Any, *, history: bool) -> Run:
        """Return what all chains of a call have in common."""
        rule = self._adapted
        done_before = check_integer(first_epoch, "first_epoch", owner, least=0)
        options = TrainOptions(
            criterion=CRITERIA[self.criterion],
            skip_below=float(rule.skip_below),
            at_least=bool(self.at_least),
            counts_as_times=bool(rule.counts_as_times),
            momentum=float(rule.momentum),
            track=check_flag(history, "history", owner),
            max_delay=float(rule.max_delay) if rule.learns_delays else 0.0,
            delay_step=self._delay_step if rule.learns_delays else 0.0,
        )
        schedule = self._schedule()
        return Run(
            owner=owner,
            rule=rule,
            parameters=self._parameters,
            constants=self._constants,
            options=options,
            tolerance=self._strict_tolerance,
            until=self.until,
            step_factor=step_factor,
            factors=schedule.factors(self.max_epochs, done_before),
            progress=schedule.progress(self.max_epochs, done_before),
            weight_bounds=self.weight_bounds,
            done_before=done_before,
        )

    def _schedule(self) -> Schedule:
        """Return the schedule in use; a rule's own is for runs of several epochs."""
        given = self.schedule
        if given is None and self.max_epochs > 1:
            given = self._rule.own_schedule()
        return CONSTANT if given is None else make_schedule(given, "Trainer")

    @property
    def _longest(self) -> float:
        """Longest delay at which a chain may start."""
        return self._rule.max_delay if self._rule.learns_delays else math.inf

    @property
    def _delay_step(self) -> float:
        """How far one step moves a delay at most."""
        return scale_tolerance(DELAY_STEP, 1.0 / self._constants.m.rate_s)

    @property
    def _rule(self) -> Rule:
        assert isinstance(self.rule, Rule)
        return self.rule
