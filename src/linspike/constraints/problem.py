"""The constraints of one learning step as plain matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.neuron.arguments import check_weights
from linspike.neuron.arrivals import check_delays
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern
from linspike.spikes.spike_train import SpikeTrain


@dataclass(frozen=True, eq=False)
class Problem:
    """Find eta with K Z' eta = r at the desired times and K Z' eta <= r at the others.

    Attributes
    ----------
    times : array of float
        Desired times, then wrong actual ones.
    n_desired : int
        How many of them are desired.
    k : array of float, (times, channels)
        PSP rows at the times.
    z : array of float, (times, channels)
        Window rows; the weight change is z.T @ eta.
    theta : array of float
        Moving threshold at the times, with resets at the desired ones.
    r : array of float
        theta - k @ weights, less the margin at wrong spikes.
    """

    times: Floats
    n_desired: int
    k: Floats
    z: Floats
    theta: Floats
    r: Floats

    @property
    def gram(self) -> Floats:
        """K Z', symmetric for the psp window."""
        return self.k @ self.z.T

    def __len__(self) -> int:
        return self.times.size


def assemble(
    neuron: SRM,
    weights: Any,
    pattern: Pattern,
    desired: Any,
    actual: Any = None,
    *,
    delays: Any = None,
    window: str = "psp",
    margin: float = 0.0,
    match_tolerance: float = 0.0,
) -> Problem:
    """Return the constraints that one step has to meet.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float
        Current weights.
    pattern : Pattern
        The input.
    desired : SpikeTrain or ascending times
        Where spikes are desired.
    actual : SpikeTrain or ascending times, optional
        Where spikes are; the neuron's response unless given.
    delays : array of float, optional
        One delay per channel, as for `SRM.respond`. They are given: rows are those of the weights.
    window : str
        Learning window of Z.
    margin : float
        How far below the moving threshold wrong spikes are pushed, as a potential.
    match_tolerance : float
        Actual spikes so many milliseconds from a desired time are left out; 0 leaves out none.
    """
    w = check_weights(weights, pattern.n_channels, 1, "assemble")
    delays = check_delays(delays, w.size, "assemble")
    target = desired if isinstance(desired, SpikeTrain) else SpikeTrain(desired)
    if actual is None:
        actual = neuron.respond(w, pattern, delays=delays)
    spikes = actual if isinstance(actual, SpikeTrain) else SpikeTrain(actual)
    push = check_real(margin, "margin", "assemble", least=0.0)
    near = check_real(match_tolerance, "match_tolerance", "assemble", least=0.0)
    gaps = np.abs(spikes.times[:, np.newaxis] - target.times[np.newaxis])
    wrong = spikes.times[~((gaps <= near).any(axis=1) & (near > 0.0))]
    times = np.concatenate([target.times, wrong])
    k = neuron.design(pattern, times, delays=delays)
    z = k if window == "psp" else neuron.design(pattern, times, delays=delays, window=window)
    theta = neuron.moving_threshold(target, times)
    r = theta - k @ w
    r[len(target) :] -= push
    return Problem(times, len(target), k, z, theta, r)
