"""One neuron responds to one pattern on a grid of bins, as clocked simulators and chips do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import borrowing


class Grid(NamedTuple):
    """Constants of one step of forward Euler.

    keep_s = 1 - dt/tau_s and keep_m = 1 - dt/tau_m are what a bin leaves of current and
    potential. gain = Vn (tau_m - tau_s) dt/(tau_m tau_s) is the current of a unit weight.
    """

    keep_m: float
    keep_s: float
    gain: float
    threshold: float


@borrowing
def simulate_bins(
    bins: np.ndarray[tuple[int], np.dtype[np.int64]],
    channels: np.ndarray[tuple[int], np.dtype[np.int32]],
    weights: Floats,
    grid: Grid,
    last: int,
    out: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> int:
    """Write the bins of the spikes of one neuron before bin `last` to out until it is full.

    bins are ascending, one per input spike. In every bin, in this order: the current decays and
    takes in the spikes of the bin; the potential decays and takes in the current; at or above
    threshold the neuron spikes, and the potential is 0. Returns the number of spikes. Cost: two
    multiply-adds and one comparison a bin, whatever the number of inputs.
    """
    current = 0.0
    potential = 0.0
    n = 0
    event = 0
    for now in range(last):
        current *= grid.keep_s
        while event < bins.size and bins[event] == now:
            current += grid.gain * weights[channels[event]]
            event += 1
        potential = potential * grid.keep_m + current
        if potential >= grid.threshold:
            if n == out.size:
                return n
            out[n] = now
            n += 1
            potential = 0.0
    return n
