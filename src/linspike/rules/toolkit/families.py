"""What families of rules share: their settings, and steps that differ in one part only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.training.outcomes import SOLVED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import correlate
from linspike.rules.base import Rule


class StepSize(NamedTuple):
    """The option of a step that has one number."""

    eta: float


class StepSizeAndTolerance(NamedTuple):
    """Options of a step that looks for errors, in the order of the parameter array."""

    eta: float
    tolerance: float


@borrowing
def unpack_step_size(parameters: Floats) -> StepSize:
    """Return the option that the parameter array holds."""
    return StepSize(eta=parameters[0])


@borrowing
def unpack_tolerance(parameters: Floats) -> StepSizeAndTolerance:
    """Return the options that the parameter array holds."""
    return StepSizeAndTolerance(eta=parameters[0], tolerance=parameters[1])


@borrowing_step
def correlation_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Towards the desired times, away from the actual ones, all at once."""
    correlate(s, unpack_step_size(parameters).eta, change)
    return SOLVED


@dataclass(frozen=True)
class StepSizeRule(Rule):
    """A rule with a step size and one compiled step.

    Attributes
    ----------
    compiled_step : callable
        The step, as a static method; without one the rule defines `step`.
    """

    compiled_step: ClassVar[Any] = None

    eta: float = 0.01
    momentum: float = 0.0

    def compiled(self) -> Any:
        """Return the compiled step."""
        return self.compiled_step

    def options(self, *, counts: bool) -> tuple[float, ...]:
        """Return the options of a step."""
        return StepSize(eta=self.eta)


@dataclass(frozen=True)
class CorrelationRule(StepSizeRule):
    """Desired times pull, actual spikes push, by the learning window at that time.

        Delta w = eta (sum_d Z(d) - sum_o Z(o))

    with Z_i(t) the sum of the window over the inputs of channel i.
    """

    compiled_step = staticmethod(correlation_step)

    skip_below: float = 1.0


@dataclass(frozen=True)
class ToleranceRule(StepSizeRule):
    """A rule that takes spikes within a tolerance of a desired time for right."""

    tolerance: float = 1.0
    skip_below: float = 1.0

    def options(self, *, counts: bool) -> tuple[float, ...]:
        """Return the options of a step."""
        return StepSizeAndTolerance(eta=self.eta, tolerance=self.tolerance)


@dataclass(frozen=True)
class CountRule(StepSizeRule):
    """A rule that learns counts by themselves, without desired times."""

    targets = frozenset({"counts"})
    counts_as_times = False
