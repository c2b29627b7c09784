"""Where a chain stands: its weights and delays, and how many steps were taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linspike._typing import Floats
from linspike.lab.document import Document, read_delays, read_weights
from linspike.lab.plain import read_entries, read_whole
from linspike.training.trajectory import Walk

MOST_STEPS = 10**6
OWNER = "the lab"


@dataclass(frozen=True, eq=False)
class State:
    """A point in the course of a chain.

    Attributes
    ----------
    weights : array of float
        Weights.
    velocity : array of float, optional
        Their last change, which counts for rules with momentum; zeros unless given.
    step : int
        Number of steps taken.
    delays : array of float, optional
        Delays of the inputs in milliseconds; none unless given.
    """

    weights: Floats
    velocity: Floats | None = None
    step: int = 0
    delays: Floats | None = None

    def walk(self, document: Document, rule: int) -> Walk:
        """Return a chain that goes on from here with one of the document's rules."""
        walk = document.trainer(rule)._start_walk(
            self.weights,
            document.patterns,
            document.targets,
            self.delays,
            document.seed,
            OWNER,
            skip_right=document.skip_right,
            first=self.step,
        )
        if self.velocity is not None:
            walk.velocity = self.velocity.copy()
        return walk

    def at(self, walk: Walk) -> State:
        """Return where a chain that went on from here stands now."""
        learned = walk.delays if walk.delays.size else self.delays
        return State(walk.weights, walk.velocity, walk.taken, learned)


def read_state(plain: Any, document: Document) -> State:
    """Return the state that plain data describe; the start of the document unless given."""
    if plain is None:
        return State(document.weights, delays=document.delays)
    entries, n = read_entries(plain, "state"), document.weights.size
    velocity, delays = entries.get("velocity"), entries.get("delays")
    return State(
        read_weights(entries.get("weights"), "state.weights", n),
        None if velocity is None else read_weights(velocity, "state.velocity", n),
        read_whole(entries.get("step", 0), "state.step", 0, MOST_STEPS),
        document.delays if delays is None else read_delays(delays, "state.delays", n),
    )
