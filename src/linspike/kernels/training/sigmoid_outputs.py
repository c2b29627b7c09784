"""Sigmoid outputs on fixed features, taught one sample at a time: the network without spikes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.jit import kernel
from linspike.kernels.rng import GOLDEN, mix, uniform


@kernel
def drive(weights: Floats, sample: Any) -> float:
    """Weighted sum of the features; the last weight is the bias."""
    total: float = 0.0
    for c in range(sample.size):
        total += weights[c] * sample[c]
    return float(total + weights[sample.size])


@kernel
def learn_rates(
    weights: Floats,
    features: Any,
    labels: Ints,
    order: Ints,
    eta: float,
    noise: float,
    seed: int,
) -> None:
    """Present all samples once, in this order; weights (classes, features + 1) change in place.

    The cross-entropy of a sigmoid output has the gradient (rate - desired) x. noise is the largest
    of the uniform disturbances of either sign that are added to rate - desired at every output.
    """
    state = mix(np.uint64(seed) + GOLDEN)
    for i in range(order.size):
        sample = features[order[i]]
        for k in range(weights.shape[0]):
            rate = 1.0 / (1.0 + math.exp(-drive(weights[k], sample)))
            wrong = rate - 1.0 if labels[order[i]] == k else rate
            if noise > 0.0:
                state += GOLDEN
                wrong += noise * (2.0 * uniform(state) - 1.0)
            step = eta * wrong
            for c in range(sample.size):
                weights[k, c] -= step * sample[c]
            weights[k, sample.size] -= step
