"""Steps one by one, with the weights after each: for looking at learning, not for speed."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training.chain import Lesson, Plan, answer, is_met, shuffle, situation_of
from linspike.kernels.training.protocol import OUTCOMES, UNCHANGED, Cell
from linspike.rules.base import Rule
from linspike.training.prepare import make_desk
from linspike.training.steps import bad_outcome, parameters_of, step_of


def walk(
    rule: Rule, lesson: Lesson, cell: Cell, plan: Plan, weights: Floats, seed: int, steps: int
) -> Floats:
    """Weights before the first step and after each: (steps + 1, channels).

    Patterns come in the order of a chain, and every one of them gets its step, met or not. The
    steps are those of the chain's own kernels. Once weights are no longer finite, the rest is nan.
    """
    desk = make_desk(lesson, rule, weights.size)
    parameters = parameters_of(rule, bool(lesson.counts[0] >= 0))
    _, step = step_of(rule)
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
        actual = desk.actual[:n]
        if lesson.counts[p] >= 0 and is_met(lesson, p, plan, actual, 1.0, desk.actual.size):
            continue  # a right count leaves no rule anything to do
        situation, _ = situation_of(lesson, p, plan, cell, now, n, desk)
        outcome = step(situation, parameters, now, desk.change, desk.work)
        if outcome not in OUTCOMES:
            raise bad_outcome(rule)
        if outcome != UNCHANGED:
            velocity = lesson.scales[p] * desk.change + plan.momentum * velocity
            now += velocity
        if not np.isfinite(now).all():
            path[i + 2 :] = np.nan
            break
    return path
