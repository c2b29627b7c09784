"""Steps one by one, with the weights after each: for looking at learning, not for speed."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rng import shuffle
from linspike.kernels.training.chain import (
    ChainData,
    TrainOptions,
    is_met,
    make_step_input,
    respond,
)
from linspike.kernels.training.protocol import OUTCOMES, UNCHANGED, NeuronConstants
from linspike.rules.base import Rule
from linspike.training.prepare import make_workspace
from linspike.training.steps import bad_outcome, parameters_of, step_of


def walk(
    rule: Rule,
    data: ChainData,
    constants: NeuronConstants,
    options: TrainOptions,
    weights: Floats,
    seed: int,
    steps: int,
) -> Floats:
    """Weights before the first step and after each: (steps + 1, channels).

    Patterns come in the order of a chain, and every one of them gets its step, met or not. The
    steps are those of the chain's own kernels. Once weights are no longer finite, the rest is nan.
    """
    workspace = make_workspace(data, rule, weights.size)
    parameters = parameters_of(rule, bool(data.counts[0] >= 0))
    _, step = step_of(rule)
    path: Floats = np.empty((steps + 1, weights.size))
    path[0] = weights
    velocity = np.zeros_like(weights)
    n_patterns = data.counts.size
    for i in range(steps):
        if i % n_patterns == 0:
            with np.errstate(over="ignore"):
                shuffle(workspace.order, seed, i // n_patterns)
        now = path[i + 1]
        now[:] = path[i]
        p = int(workspace.order[i % n_patterns])
        n = respond(data, p, constants, now, workspace.actual)
        actual = workspace.actual[:n]
        if data.counts[p] >= 0 and is_met(data, p, options, actual, 1.0, workspace.actual.size):
            continue  # a right count leaves no rule anything to do
        step_input, _ = make_step_input(data, p, options, constants, now, n, workspace)
        outcome = step(step_input, parameters, now, workspace.change, workspace.work)
        if outcome not in OUTCOMES:
            raise bad_outcome(rule)
        if outcome != UNCHANGED:
            velocity = data.scales[p] * workspace.change + options.momentum * velocity
            now += velocity
        if not np.isfinite(now).all():
            path[i + 2 :] = np.nan
            break
    return path
