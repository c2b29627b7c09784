"""Weights step by step: for a close look at learning, not for speed."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rng import shuffle
from linspike.kernels.training.chain import is_met, make_step_input, respond
from linspike.kernels.training.outcomes import OUTCOMES, UNCHANGED
from linspike.kernels.training.state import ChainTask
from linspike.rules.base import Rule
from linspike.training.prepare import bad_outcome, make_workspace, step_of, time_finder_of


def trace_steps(rule: Rule, task: ChainTask, weights: Floats, seed: int, steps: int) -> Floats:
    """Return the weights before the first step and after each: (steps + 1, channels).

    Patterns come in the order of a chain, and every one of them gets its step, met or not. The
    steps are those of the chain's own kernels. Once weights are no longer finite, the rest is nan.
    """
    data, options = task.data, task.options
    workspace = make_workspace(data, weights.size)
    step, _ = step_of(rule)
    find_times = time_finder_of(rule, counts=bool(data.counts[0, 0] >= 0))
    path: Floats = np.empty((steps + 1, weights.size))
    path[0] = weights
    velocity = np.zeros_like(weights)
    n_patterns, capacity = data.horizons.size, workspace.actual.size
    for i in range(steps):
        if i % n_patterns == 0:
            with np.errstate(over="ignore"):
                shuffle(workspace.order, seed, i // n_patterns)
        now = path[i + 1]
        now[:] = path[i]
        p = int(workspace.order[i % n_patterns])
        n = respond(data, p, task.constants, now, workspace.actual)
        actual = workspace.actual[:n]
        if data.counts[0, p] >= 0 and is_met(data, 0, p, options, actual, 1.0, capacity):
            continue  # a right count leaves no rule anything to do
        step_input, _ = make_step_input(find_times, task, 0, p, now, n, workspace)
        outcome = step(step_input, task.parameters, now, workspace.change, workspace.work)
        if outcome not in OUTCOMES:
            raise bad_outcome(rule)
        if outcome != UNCHANGED:
            velocity = data.step_factors[p] * workspace.change + options.momentum * velocity
            now += velocity
        if not np.isfinite(now).all():
            path[i + 2 :] = np.nan
            break
    return path
