"""Learning step by step: for a close look at it, not for speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.events import forget, present
from linspike.kernels.training.chain import is_met, make_step_input, respond
from linspike.kernels.training.held_delays import move_delays
from linspike.kernels.training.held_weights import hold_weights
from linspike.kernels.training.outcomes import DEAD, OUTCOMES, UNCHANGED
from linspike.kernels.training.protocol import StepInput
from linspike.kernels.training.state import ChainTask, Workspace
from linspike.rules.base import Rule
from linspike.training.prepare import (
    Chain,
    bad_outcome,
    make_workspace,
    start_of,
    step_of,
    time_finder_of,
)


class StepTaken(NamedTuple):
    """What a rule made of the response to one pattern.

    Attributes
    ----------
    step_input : StepInput
        What the rule was given; a view of work arrays, which the next step changes.
    outcome : int
        One of `linspike.kernels.training.outcomes`.
    change : array of float
        The rule's change of the weights, zeros if there is none; then that of learned delays.
    is_right : bool
        Whether the response was right as it was.
    """

    step_input: StepInput
    outcome: int
    change: Floats
    is_right: bool


class Walk:
    """A chain that goes through its steps one by one.

    Patterns come in the order of a chain, and the steps are those of the chain's own kernels.

    Parameters
    ----------
    rule : Rule
        The rule.
    task : ChainTask
        What is learned.
    chain : Chain
        Where it starts, which stays as it is, and the seed that decides the order of the patterns.
    skip_right : bool
        Whether a right response is left alone. If not, every presentation is a step; a right count
        alone leaves no rule anything to do.
    first : int
        Number of steps taken before.

    Attributes
    ----------
    weights, velocity : array of float
        Weights now, and their last change, which counts with momentum.
    delays : array of float
        Learned delays now; empty if the rule learns none.
    rule : Rule
        The rule, as it was chosen for the patterns.
    taken : int
        Number of steps taken, earlier ones included.
    workspace : Workspace
        Work arrays of the last step.
    """

    workspace: Workspace

    def __init__(
        self,
        rule: Rule,
        task: ChainTask,
        chain: Chain,
        *,
        skip_right: bool = False,
        first: int = 0,
    ) -> None:
        self.rule, self._task, self._seed, self._skips = rule, task, chain.seed, skip_right
        self.weights, self.velocity = chain.weights.copy(), np.zeros_like(chain.weights)
        self.delays = start_of(chain).copy() if rule.learns_delays else np.empty(0)
        self.taken = first
        n_channels, learns = chain.weights.size, rule.learns_delays
        self.workspace = make_workspace(task.data, n_channels, learns_delays=learns)
        self._step, _ = step_of(rule)
        self._find_times = time_finder_of(rule, counts=bool(task.data.counts[0, 0] >= 0))
        self._shuffled = -1  # the epoch of the order in the workspace

    @property
    def n_patterns(self) -> int:
        """Number of patterns, which is that of the steps of an epoch."""
        return int(self._task.data.horizons.size)

    @property
    def parameters(self) -> Floats:
        """What the rule's step is given of its settings."""
        return self._task.parameters

    def next_pattern(self) -> int:
        """Return the pattern that comes next."""
        epoch, place = divmod(self.taken, self.n_patterns)
        if epoch != self._shuffled:
            with np.errstate(over="ignore"):
                shuffle(self.workspace.order, self._seed, epoch)
            self._shuffled = epoch
        return int(self.workspace.order[place])

    def try_step(self, p: int, *, skip_right: bool = False) -> StepTaken:
        """Return what the rule would change now at pattern p; the weights stay."""
        data, constants, options = self._task.data, self._task.constants, self._task.options
        workspace, now, late = self.workspace, self.weights, self.delays
        present(data.events, p, late, constants.m, workspace.presented)
        n = respond(data, workspace.presented.events, p, constants, now, workspace.actual)
        actual, capacity = workspace.actual[:n], workspace.actual.size
        share = options.skip_below if skip_right else 1.0
        is_right = bool(is_met(data, 0, p, options, actual, share, capacity))
        parts = (self._find_times, self._task, 0, p, now, late, n, workspace)
        step_input, dead = make_step_input(*parts)
        parameters, change = self._task.parameters, workspace.change
        if is_right and (skip_right or data.counts[0, p] >= 0):
            return StepTaken(step_input, UNCHANGED, np.zeros_like(change), is_right)
        outcome = self._step(step_input, parameters, now, change, workspace.work)
        if outcome not in OUTCOMES:
            raise bad_outcome(self.rule)
        if outcome == UNCHANGED:
            return StepTaken(step_input, UNCHANGED, np.zeros_like(change), is_right)
        return StepTaken(step_input, DEAD if dead else outcome, change.copy(), is_right)

    def advance(self) -> StepTaken:
        """Take the next step."""
        p = self.next_pattern()
        taken = self.try_step(p, skip_right=self._skips)
        self.taken += 1
        if taken.outcome != UNCHANGED:
            self._move(taken.change, self._task.data.step_factors[p])
        return taken

    def _move(self, change: Floats, factor: float) -> None:
        """Change the weights, and delays that are learned."""
        data, options, now = self._task.data, self._task.options, self.weights
        self.velocity = factor * change[: now.size] + options.momentum * self.velocity
        now += self.velocity
        hold_weights(now, self.velocity, data.weight_low, data.weight_high)
        if self.delays.size:
            self.delays = self.delays_after(change, factor)
            forget(self.workspace.presented)

    def delays_after(self, change: Floats, factor: float = 1.0) -> Floats:
        """Return the learned delays after a change, held within their range."""
        options, moved = self._task.options, self.delays.copy()
        move_delays(moved, change, factor, options.delay_step, options.max_delay)
        return moved


def trace_steps(walk: Walk, steps: int) -> Floats:
    """Return the weights before the first step and after each: (steps + 1, channels).

    Once weights are no longer finite, the rest is nan.
    """
    path: Floats = np.full((steps + 1, walk.weights.size), np.nan)
    path[0] = walk.weights
    for i in range(steps):
        walk.advance()
        path[i + 1] = walk.weights
        if not np.isfinite(walk.weights).all():
            break
    return path
