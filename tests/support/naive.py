"""The slow, obvious twin of everything compiled: the judge in tests, never used elsewhere.

Two levels. The *definition* level writes the formulas of the model down as they stand in the
docs, with NumPy, on a grid where it must search. The *exact* level does the event-driven
simulation in 50-digit arithmetic with mpmath, so that its own rounding cannot matter.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import mpmath
import numpy as np

DIGITS = 50
NEWTON_STEPS = 200


def psp(s, tau_m, tau_s):
    """Post-synaptic potential with peak 1; 0 before the input."""
    xi = tau_m / tau_s
    v_norm = xi ** (xi / (xi - 1.0)) / (xi - 1.0)
    late = np.maximum(s, 0.0)
    return np.where(s >= 0.0, v_norm * (np.exp(-late / tau_m) - np.exp(-late / tau_s)), 0.0)


def kappa(s, name, tau_m, tau_s, tau_q=10.0):
    """Learning window by name, from its definition."""
    xi = tau_m / tau_s
    v_norm = xi ** (xi / (xi - 1.0)) / (xi - 1.0)
    if name == "psp":
        return psp(s, tau_m, tau_s)
    if name == "stdp":
        return np.where(s >= 0.0, np.exp(-np.maximum(s, 0.0) / tau_m), 0.0)
    after = tau_m if name == "filt" else tau_q
    c_m = tau_m / (tau_m + (tau_s if name == "filt" else tau_q))
    c_s = tau_s / ((tau_m + tau_s) if name == "filt" else (tau_s + tau_q))
    late, early = np.maximum(s, 0.0), np.minimum(s, 0.0)
    causal = v_norm * (c_m * np.exp(-late / tau_m) - c_s * np.exp(-late / tau_s))
    return np.where(s > 0.0, causal, v_norm * (c_m - c_s) * np.exp(early / after))


def window_sums(pattern, at, name, tau_m, tau_s):
    """(times, channels) matrix of window sums, one input at a time."""
    matrix = np.zeros((len(at), pattern.n_channels))
    for time, channel in zip(pattern.times, pattern.channels, strict=True):
        matrix[:, channel] += kappa(np.asarray(at) - time, name, tau_m, tau_s)
    return matrix


def potential(weights, pattern, at, spikes, tau_m, tau_s, threshold):
    """V from its definition: inputs minus the resets of strictly earlier spikes."""
    value = window_sums(pattern, at, "psp", tau_m, tau_s) @ np.asarray(weights)
    for spike in spikes:
        later = np.asarray(at) > spike
        age = np.where(later, np.asarray(at) - spike, 0.0)
        value -= threshold * np.where(later, np.exp(-age / tau_m), 0.0)
    return value


def grid_spikes(weights, pattern, until, tau_m, tau_s, threshold, dt):
    """Spikes to the accuracy of a grid: the first grid time at which V has reached threshold."""
    at = np.arange(0.0, until + 0.5 * dt, dt)
    value = window_sums(pattern, at, "psp", tau_m, tau_s) @ np.asarray(weights)
    spikes = []
    for i, time in enumerate(at):
        if value[i] >= threshold:
            spikes.append(time)
            value[i:] -= threshold * np.exp(-(at[i:] - time) / tau_m)
    return np.array(spikes)


def van_rossum(x, y, tau):
    """The distance as three double sums."""

    def similarity(p, q):
        return sum(np.exp(-abs(s - t) / tau) for s in p for t in q)

    squared = 0.5 * similarity(x, x) + 0.5 * similarity(y, y) - similarity(x, y)
    return np.sqrt(max(squared, 0.0))


def victor_purpura_cost(x, y, cost):
    """Least cost over every order-keeping pairing, by trying them all."""
    best = np.inf
    for size in range(min(len(x), len(y)) + 1):
        for chosen in itertools.combinations(range(len(x)), size):
            for partners in itertools.combinations(range(len(y)), size):
                moves = sum(cost(x[i] - y[j]) for i, j in zip(chosen, partners, strict=True))
                best = min(best, moves + len(x) + len(y) - 2 * size)
    return best


def most_pairs(x, y, tolerance):
    """Largest one-to-one pairing within a tolerance, by trying every choice."""
    if not x or not y:
        return 0
    without = most_pairs(x[1:], y, tolerance)
    partners = [j for j in range(len(y)) if abs(x[0] - y[j]) <= tolerance]
    return max([without, *(1 + most_pairs(x[1:], y[:j] + y[j + 1 :], tolerance) for j in partners)])


@dataclass
class ExactResponse:
    """Spike times in 50 digits, and how near V came to a different answer.

    margin is the least distance between the threshold and a maximum of V within an interval
    between events: if it is not tiny, rounding cannot change the count.
    """

    spikes: list
    margin: float


class ExactNeuron:
    """The SRM in 50-digit arithmetic, one event at a time."""

    def __init__(self, tau_m, tau_s, threshold):
        with mpmath.workdps(DIGITS):
            self.tau_m = mpmath.mpf(tau_m)
            self.tau_s = mpmath.mpf(tau_s)
            self.threshold = mpmath.mpf(threshold)
            xi = self.tau_m / self.tau_s
            self.v_norm = xi ** (xi / (xi - 1)) / (xi - 1)

    def respond(self, weights, pattern, until):
        """All spikes up to the horizon, touching and horizon crossings included."""
        with mpmath.workdps(DIGITS):
            end = mpmath.mpf(until)
            self.spikes, self.margin = [], mpmath.inf
            a = b = mpmath.mpf(0)
            events = [
                (mpmath.mpf(float(t)), mpmath.mpf(float(weights[c])))
                for t, c in zip(pattern.times, pattern.channels, strict=True)
                if t < until
            ]
            for (time, weight), following in itertools.zip_longest(events, events[1:]):
                a += self.v_norm * weight
                b += self.v_norm * weight
                a, b = self._interval(a, b, time, (following[0] if following else end) - time)
            return ExactResponse(self.spikes, float(self.margin))

    def _interval(self, a, b, time, length):
        """Spikes between two events; returns the state at the end."""
        while True:
            x = self._crossing(a, b, length)
            if x is None:
                return a * mpmath.exp(-length / self.tau_m), b * mpmath.exp(-length / self.tau_s)
            time += x
            length -= x
            self.spikes.append(time)
            b *= mpmath.exp(-x / self.tau_s)
            a = a * mpmath.exp(-x / self.tau_m) - self.threshold

    def _crossing(self, a, b, length):
        if a <= 0 or b / self.tau_s <= a / self.tau_m:
            return None  # V does not rise here, and will not before the next input
        rate = 1 / self.tau_s - 1 / self.tau_m
        top = mpmath.log(b * self.tau_m / (a * self.tau_s)) / rate
        highest = self._value(a, b, min(top, length)) - self.threshold
        self.margin = min(self.margin, abs(highest))
        if highest < 0:
            return None
        x = mpmath.mpf(0)  # V is concave up to its top: Newton from the left cannot overshoot
        for _ in range(NEWTON_STEPS):
            slope = b / self.tau_s * mpmath.exp(-x / self.tau_s)
            slope -= a / self.tau_m * mpmath.exp(-x / self.tau_m)
            step = (self.threshold - self._value(a, b, x)) / slope
            if abs(step) < mpmath.mpf(10) ** (5 - DIGITS):
                break
            x += step
        return x

    def _value(self, a, b, x):
        if mpmath.isinf(x):
            return mpmath.mpf(0)
        return a * mpmath.exp(-x / self.tau_m) - b * mpmath.exp(-x / self.tau_s)


def grid_response(neuron, weights, pattern, dt, n_bins):
    """Spike times on a grid from a dense raster, by the equations and parameters of NIR's CubaLIF.

    Also the least distance of the potential from the threshold, in thresholds: where it is
    tiny, rounding decides.
    """
    xi = neuron.tau_m / neuron.tau_s
    v_norm = xi ** (xi / (xi - 1.0)) / (xi - 1.0)
    r, w_in = neuron.tau_m / dt, neuron.tau_s / dt
    scale = v_norm * (neuron.tau_m - neuron.tau_s) * dt / (neuron.tau_m * neuron.tau_s)
    raster = np.zeros((n_bins + 1, len(weights)))
    for time, channel in zip(pattern.times, pattern.channels, strict=True):
        raster[min(int(time / dt + 1e-9), n_bins), channel] += 1.0
    current, potential, spikes, nearest = 0.0, 0.0, [], np.inf
    for step, row in enumerate(raster[:n_bins]):
        current += dt / neuron.tau_s * (w_in * scale * (row @ weights) - current)
        potential += dt / neuron.tau_m * (r * current - potential)
        nearest = min(nearest, abs(potential / neuron.threshold - 1.0))
        if potential >= neuron.threshold:
            spikes.append((step + 1) * dt)
            potential = 0.0
    return np.array(spikes), nearest
