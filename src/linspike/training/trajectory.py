"""Steps one by one, with the weights after each: for looking at learning, not for speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike.kernels.chain import Lesson, Plan, answer, shuffle, situation_of
from linspike.kernels.protocol import UNCHANGED, Cell
from linspike.rules.base import Rule
from linspike.spikes.ragged import Floats
from linspike.training.lesson import make_desk


def walk(
    rule: Rule, lesson: Lesson, cell: Cell, plan: Plan, weights: Floats, seed: int, steps: int
) -> Floats:
    """Weights before the first step and after each: (steps + 1, channels).

    Patterns come in the order of a chain, and every one of them gets its step, met or not. The
    steps are those of the chain's own kernels.
    """
    desk = make_desk(lesson, rule, weights.size)
    parameters = rule.parameters(counts=bool(lesson.counts[0] >= 0))
    step: Any = rule.compiled() or rule.step
    path: Floats = np.empty((steps + 1, weights.size))
    path[0] = weights
    velocity = np.zeros_like(weights)
    n_patterns = lesson.counts.size
    for i in range(steps):
        if i % n_patterns == 0:
            with np.errstate(over="ignore"):
                shuffle(desk.order, seed, i // n_patterns)
        now = path[i + 1]
        now[:] = path[i]
        p = int(desk.order[i % n_patterns])
        n = answer(lesson, p, cell, now, desk.actual)
        if lesson.counts[p] == n:
            continue  # a right count leaves no rule anything to do
        situation, _ = situation_of(lesson, p, plan, cell, now, n, desk)
        if step(situation, parameters, now, desk.change, desk.work) != UNCHANGED:
            velocity = desk.change + plan.momentum * velocity
            now += velocity
    return path
