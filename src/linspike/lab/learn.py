"""Learning in the lab: the states that a chain goes through, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linspike.lab.document import LARGEST, Document
from linspike.lab.look import MOST_SPIKES, OUTCOMES, look
from linspike.lab.plain import DIGITS, as_plain
from linspike.lab.state import State
from linspike.spikes.distances import match_spikes, van_rossum, vrd_bound
from linspike.spikes.spike_train import SpikeTrain
from linspike.training.criterion import tolerance_of

MOST_AT_ONCE = 5000  # steps of one call
Check = Callable[[], None]


def run(
    document: Document, rule: int, state: State, steps: int, *, looks: bool, check: Check
) -> Iterator[dict[str, Any]]:
    """Yield the state before the first step and after each, with how near the target is.

    looks says whether each comes with a close look at its pattern. check is called before every
    step, and may raise.
    """
    walk = state.walk(document, rule)
    yield _frame(document, rule, state.at(walk), None, "", looks=looks)
    for _ in range(steps):
        check()
        p = walk.next_pattern()
        taken = walk.advance()
        if not (np.isfinite(walk.weights).all() and np.abs(walk.weights).max() <= LARGEST):
            yield {"step": walk.taken, "pattern": p, "outcome": "runaway"}
            return
        yield _frame(document, rule, state.at(walk), p, OUTCOMES[taken.outcome], looks=looks)


def _frame(
    document: Document, rule: int, state: State, p: int | None, outcome: str, *, looks: bool
) -> dict[str, Any]:
    right, distances = evaluate(document, state)
    frame = {
        "step": state.step,
        "pattern": p,
        "outcome": outcome,
        "weights": as_plain(state.weights),
        "right": right,
        "distance": as_plain(np.mean(distances), DIGITS),
    }
    if document.rules[rule].momentum > 0.0:
        frame["velocity"] = as_plain(state.velocity)
    if state.delays is not None:
        frame["delays"] = as_plain(state.delays)
    if looks:
        frame["look"] = look(document, rule, 0 if p is None else p, state)
    return frame


def evaluate(document: Document, state: State) -> tuple[list[bool], list[float]]:
    """Return which responses are right, and the distance of each to its target.

    The distance is van Rossum's, or the error of the count.
    """
    patterns, targets = document.patterns, document.targets
    responses = document.neuron.respond_many(
        state.weights[np.newaxis], patterns, delays=state.delays, max_spikes=MOST_SPIKES, threads=1
    )
    right, distances = [], []
    for p in range(len(patterns)):
        spikes, target = responses[0, p], targets[p]
        if isinstance(target, SpikeTrain):
            right.append(_is_right(document, spikes, target, float(patterns.durations[p])))
            distances.append(van_rossum(spikes, target))
        else:
            right.append(len(spikes) == target)
            distances.append(float(abs(len(spikes) - target)))
    return right, distances


def _is_right(document: Document, spikes: SpikeTrain, target: SpikeTrain, duration: float) -> bool:
    if document.criterion == "paper":
        return van_rossum(spikes, target) < vrd_bound(duration)
    tolerance = tolerance_of("strict", None, document.neuron)
    assert tolerance is not None
    return match_spikes(spikes, target, tolerance).exact
