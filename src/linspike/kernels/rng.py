"""Random numbers of compiled code: pure functions of a seed, the same on every machine.

The generator is splitmix64 (Steele, Lea and Flood 2014): a counter that grows by GOLDEN, scrambled.
"""

from __future__ import annotations

import numpy as np

from linspike._typing import Ints
from linspike.kernels.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits (splitmix64's finaliser)."""
    x = (x ^ (x >> S30)) * MIX_A
    x = (x ^ (x >> S27)) * MIX_B
    return x ^ (x >> S31)


@kernel
def uniform(state: np.uint64) -> float:
    """Return the number in [0, 1) of a state; the next state is this one plus GOLDEN."""
    # The upper 53 bits: as many as a float has.
    return np.float64(mix(state) >> S11) * 2.0**-53


@kernel
def shuffle(order: Ints, seed: int, epoch: int) -> None:
    """Fill order with the presentation order of an epoch: a pure function of (seed, epoch)."""
    for i in range(order.size):
        order[i] = i
    state = mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(epoch))
    # Fisher and Yates: each place gets one of those not yet placed.
    for i in range(order.size - 1, 0, -1):
        state += GOLDEN
        j = int(uniform(state) * (i + 1))
        order[i], order[j] = order[j], order[i]
