"""What is known of a whole task: weights that solve it, or the constraints that forbid it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from linspike._typing import Floats
from linspike.spikes.spike_train import SpikeTrain


class Constraint(NamedTuple):
    """One linear constraint of a task and its multiplier.

    Attributes
    ----------
    pattern : int
        Number of the pattern; -1 for a bound of a weight.
    time : float
        Time in milliseconds; the channel for a bound of a weight.
    multiplier : float
        Its dual variable: any sign at a desired time, positive where V stays below the threshold.
    """

    pattern: int
    time: float
    multiplier: float


@dataclass(frozen=True, eq=False)
class TaskSolution:
    """Result of `solve_task`.

    Attributes
    ----------
    solvable : bool or None
        True if the simulated responses of `weights` meet the targets, False if `conflict` proves
        that no weights do, None if neither was found.
    weights : array of float
        Weights that solve the task; if there are none, those that miss it by the least margin.
    margin : float
        How far V stays below the threshold, in thresholds; within 1 ms before a desired time in
        proportion to the time left. Negative if the task is not solved: then it is the most that
        any weights reach on the constraints in use, and minus infinity if the desired times alone
        contradict each other.
    reason : str
        The outcome in words.
    spikes : tuple of SpikeTrain
        Spike times that the weights give each pattern, if the task is solved.
    conflict : tuple of Constraint
        Constraints that cannot be met together, with the multipliers that prove it: their sum,
        each `row . w <= right-hand side` times its multiplier, reads 0 <= a negative number. For
        equal patterns with different targets it reads 0 < 0.
    active : tuple of Constraint
        Constraints that determine the margin, if the task is solved.
    rounds : int
        Linear programs that were solved.
    """

    solvable: bool | None
    weights: Floats
    margin: float
    reason: str
    spikes: tuple[SpikeTrain, ...] = ()
    conflict: tuple[Constraint, ...] = ()
    active: tuple[Constraint, ...] = ()
    rounds: int = field(default=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain numbers, without the weights."""
        return {
            "solvable": self.solvable,
            "margin": self.margin,
            "reason": self.reason,
            "rounds": self.rounds,
            "conflict": [constraint._asdict() for constraint in self.conflict],
            "active": [constraint._asdict() for constraint in self.active],
        }
