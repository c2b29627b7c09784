"""The slow, obvious twin of the kernels of networks: all from definitions, in 50 digits."""

from __future__ import annotations

import mpmath
import numpy as np
from tests.support.naive import DIGITS, ExactNeuron

import linspike as ls


def delayed(pattern, delays, until):
    """The pattern as a neuron with these delays of its channels sees it."""
    times = np.asarray(pattern.times) + np.asarray(delays)[pattern.channels]
    order = np.argsort(times, kind="stable")
    return ls.Pattern(
        times[order], pattern.channels[order], pattern.n_channels, times.max(initial=until)
    )


def exact_psp(neuron, s):
    """lam(s) in 50 digits."""
    if s < 0:
        return mpmath.mpf(0)
    return neuron.v_norm * (mpmath.exp(-s / neuron.tau_m) - mpmath.exp(-s / neuron.tau_s))


def hidden_trains(weights, pattern, until, neuron, delays=None):
    """Spikes of every hidden neuron in 50 digits; weights are lists of mpf."""
    trains = []
    for h, row in enumerate(weights):
        seen = pattern if delays is None else delayed(pattern, delays[h], until)
        trains.append(ExactNeuron(*neuron).respond(row, seen, until).spikes)
    return trains


def free_potential(out, trains, at, neuron, delays=None):
    """V0 of an output neuron at a time, from hidden spikes."""
    exact = ExactNeuron(*neuron)
    total = mpmath.mpf(0)
    for h, train in enumerate(trains):
        for t in train:
            lag = mpmath.mpf(float(at)) - t - (0 if delays is None else mpmath.mpf(delays[h]))
            total += mpmath.mpf(float(out[h])) * exact_psp(exact, lag)
    return total


def difference(weights, direction, step, value):
    """Central difference quotient of value(weights) along a direction, in 50 digits.

    None if a number of spikes changes within the step.
    """
    with mpmath.workdps(DIGITS):
        results = []
        for sign in (-1, 1):
            moved = [
                [
                    mpmath.mpf(float(w)) + sign * mpmath.mpf(step) * mpmath.mpf(float(d))
                    for w, d in zip(*rows, strict=True)
                ]
                for rows in zip(weights, direction, strict=True)
            ]
            results.append(value(moved))
        (low, few), (high, many) = results
        return None if few != many else float((high - low) / (2 * mpmath.mpf(step)))
