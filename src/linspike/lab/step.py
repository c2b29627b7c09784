"""A step that a rule would take: what it was given, what it did, and where that leads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rows.delays import fill_both_rows
from linspike.kernels.training.outcomes import UNCHANGED
from linspike.kernels.training.protocol import StepWorkspace
from linspike.lab.document import Document
from linspike.lab.state import State
from linspike.neuron.srm import SRM
from linspike.rules.base import Rule
from linspike.spikes.pattern import Pattern
from linspike.training.trajectory import StepTaken


class Step(NamedTuple):
    """A step to be taken apart.

    Attributes
    ----------
    neuron, rule, parameters
        The neuron, the rule as it was chosen for the patterns, and what its step was given of it.
    pattern : Pattern
        The input, as it is sent.
    weights : array of float
        Weights before the step.
    delays : array of float, optional
        Delays before the step, given or learned.
    taken : StepTaken
        What the rule made of it.
    weights_after : array of float
        Weights after the step, momentum included.
    delays_after : array of float, optional
        Delays after the step, held within their range.
    work : StepWorkspace
        Work arrays as the step left them.
    """

    neuron: SRM
    rule: Rule
    parameters: Floats
    pattern: Pattern
    weights: Floats
    delays: Floats | None
    taken: StepTaken
    weights_after: Floats
    delays_after: Floats | None
    work: StepWorkspace

    @property
    def learns_delays(self) -> bool:
        """Whether the step changes delays too."""
        return self.taken.step_input.delays.size > 0

    def design(self, times: Floats, window: str = "psp") -> Floats:
        """Return the window sums of the channels at some times, before the step."""
        return self.neuron.design(self.pattern, times, delays=self.delays, window=window)

    def rows(self, times: Floats) -> Floats:
        """Return how V0 at some times depends on the weights, and then on learned delays."""
        if not self.learns_delays:
            return self.design(times)
        s, rows = self.taken.step_input, np.empty((times.size, 2 * self.weights.size))
        for time, row in zip(times.tolist(), rows, strict=True):
            constants = s.constants
            fill_both_rows(s.events, s.p, time, constants.psp, constants.m, self.weights, row)
        return rows

    def free_potentials(self, times: Floats) -> tuple[Floats, Floats]:
        """Return V0 at some times before the step and after it."""
        after = self.neuron.design(self.pattern, times, delays=self.delays_after)
        return self.design(times) @ self.weights, after @ self.weights_after


def take_step(document: Document, rule: int, p: int, state: State) -> Step:
    """Return the step that one of the rules would take at a pattern."""
    walk = state.walk(document, rule)
    taken, delays = walk.try_step(p, skip_right=document.skip_right), state.at(walk).delays
    after, delays_after = walk.weights.copy(), delays
    if taken.outcome != UNCHANGED:
        after += taken.change[: after.size] + walk.rule.momentum * walk.velocity
        delays_after = walk.delays_after(taken.change) if walk.delays.size else delays
    return Step(
        neuron=document.neuron,
        rule=walk.rule,
        parameters=walk.parameters,
        pattern=document.patterns[p],
        weights=walk.weights,
        delays=delays,
        taken=taken,
        weights_after=after,
        delays_after=delays_after,
        work=walk.workspace.work,
    )
