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

import linspike as ls

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


def arrived(pattern, delays, until=np.inf):
    """The pattern as it arrives before a horizon, simultaneous inputs in the order they had."""
    late = [
        (float(t) + float(delays[c]), int(c))
        for t, c in zip(pattern.times, pattern.channels, strict=True)
    ]
    late = sorted((each for each in late if each[0] <= until), key=lambda each: each[0])
    end = max([pattern.duration, *(t for t, _ in late)])
    return ls.Pattern([t for t, _ in late], [c for _, c in late], pattern.n_channels, end)


def delay_slopes(weights, pattern, at, tau_m, tau_s):
    """Gradient of V0 at one time with respect to the delay of each channel."""
    xi = tau_m / tau_s
    v_norm = xi ** (xi / (xi - 1.0)) / (xi - 1.0)
    slopes = np.zeros(pattern.n_channels)
    for time, channel in zip(pattern.times, pattern.channels, strict=True):
        if time < at:
            age = at - time
            rise = np.exp(-age / tau_s) / tau_s - np.exp(-age / tau_m) / tau_m
            slopes[channel] -= weights[channel] * v_norm * rise
    return slopes


def potential(weights, pattern, at, spikes, tau_m, tau_s, threshold):
    """V from its definition: inputs minus the resets of strictly earlier spikes."""
    value = window_sums(pattern, at, "psp", tau_m, tau_s) @ np.asarray(weights)
    for spike in spikes:
        later = np.asarray(at) > spike
        age = np.where(later, np.asarray(at) - spike, 0.0)
        value -= threshold * np.where(later, np.exp(-age / tau_m), 0.0)
    return value


def metric_of(patterns, tau_m, tau_s, width=None):
    """Metric M of whitened counts from its definition, 0 between blocks of so many channels."""
    n_samples, golden = 8 * len(patterns), (np.sqrt(5.0) - 1.0) / 2.0
    rows, peaks = [], []
    for i in range(n_samples):
        pattern = patterns[i * len(patterns) // n_samples]
        end = min(pattern.duration, pattern.times.max() + tau_m)
        time = (0.5 + i * golden) % 1.0 * end
        rows.append(window_sums(pattern, [time], "psp", tau_m, tau_s)[0])
    for pattern in patterns:
        times = np.linspace(0.0, pattern.duration, 20001)
        drives = window_sums(pattern, times, "psp", tau_m, tau_s)
        peaks.append(drives[(drives**2).sum(axis=1).argmax()])
    rows, peaks = np.array(rows), np.array(peaks)
    second = rows.T @ rows
    ridge = 0.03 * np.trace(second) / len(second)
    blocks = np.arange(len(second)) // (width or len(second))
    second[blocks[:, np.newaxis] != blocks] = 0.0
    found = np.linalg.inv(second + ridge * np.eye(len(second)))
    return found * (peaks**2).sum() / np.einsum("pi,ij,pj", peaks, found, peaks)


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


def pairs_in_order(x, y, tolerance):
    """Partner of each time of x, None for none: each takes the earliest in y that is still free."""
    free, partners = list(y), []
    for time in x:
        near = [other for other in free if abs(time - other) <= tolerance]
        partners.append(near[0] if near else None)
        if near:
            free = [other for other in free if other > near[0]]
    return partners


def held_constraints(desired, actual, tolerance, match):
    """Times of equalities and of inequalities, and resets, where right spikes may stay.

    None where nothing is missing and nothing is wrong.
    """
    partners = pairs_in_order(desired, actual, tolerance)
    resets = [d if o is None else o for d, o in zip(desired, partners, strict=True)]
    wrong = [
        o
        for o in actual
        if o not in partners and min([abs(o - r) for r in resets], default=9e9) > match
    ]
    if None not in partners and not wrong:
        return None
    equal = [
        r
        for d, o, r in zip(desired, partners, resets, strict=True)
        if o is None or abs(o - d) > 0.5 * tolerance
    ]
    return equal, wrong, resets


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

    def respond(self, weights, pattern, until, delays=None):
        """All spikes up to the horizon, touching and horizon crossings included.

        Arrivals are sums in 50 digits; together they keep the order of the pattern.
        """
        delays = np.zeros(pattern.n_channels) if delays is None else delays
        with mpmath.workdps(DIGITS):
            end = mpmath.mpf(until)
            self.spikes, self.margin = [], mpmath.inf
            a = b = mpmath.mpf(0)
            events = [
                (mpmath.mpf(float(t)) + mpmath.mpf(float(delays[c])), mpmath.mpf(weights[c]))
                for t, c in zip(pattern.times, pattern.channels, strict=True)
            ]
            events = sorted((each for each in events if each[0] < until), key=lambda each: each[0])
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


class ExactArrivals:
    """V0 and critical thresholds of delayed inputs in 50 digits, where what happens is known.

    Delays may differ by so little that no event changes places: for finite differences.
    """

    def __init__(self, neuron, weights, pattern):
        with mpmath.workdps(DIGITS):
            self.tau_m, self.tau_s = mpmath.mpf(neuron.tau_m), mpmath.mpf(neuron.tau_s)
            xi = self.tau_m / self.tau_s
            self.v_norm = xi ** (xi / (xi - 1)) / (xi - 1)
            self.inputs = [
                (mpmath.mpf(float(t)), int(c), mpmath.mpf(float(weights[c])))
                for t, c in zip(pattern.times, pattern.channels, strict=True)
            ]

    def free(self, at, delays):
        """V0 and its slope at a time: contributions of what arrives strictly before it."""
        value = slope = mpmath.mpf(0)
        for time, channel, weight in self.inputs:
            age = at - time - delays[channel]
            if age > 0:
                x, y = mpmath.exp(-age / self.tau_m), mpmath.exp(-age / self.tau_s)
                value += weight * self.v_norm * (x - y)
                slope += weight * self.v_norm * (y / self.tau_s - x / self.tau_m)
        return value, slope

    def critical(self, delays, guess, times, kind, cusp):
        """The critical threshold near a guess; times are guesses of its spikes and then t*.

        kind is that of the maximum; cusp is the input, its time and channel, that makes one.
        """
        with mpmath.workdps(DIGITS):
            low, high = mpmath.mpf(guess), mpmath.mpf(guess) * (1 + mpmath.mpf(10) ** -12)
            excess = [self._excess(th, delays, times, kind, cusp) for th in (low, high)]
            for _ in range(NEWTON_STEPS):
                if excess[0] == excess[1]:
                    break
                low, high = high, high - excess[1] * (high - low) / (excess[1] - excess[0])
                excess = [excess[1], self._excess(high, delays, times, kind, cusp)]
                if abs(high - low) < high * mpmath.mpf(10) ** (8 - DIGITS):
                    break
            return high

    def _excess(self, threshold, delays, times, kind, cusp):
        """V(t*) less the threshold, with the spikes that this threshold gives near the guesses."""
        spikes = []
        for guess in times[:-1]:
            at = mpmath.mpf(float(guess))
            for _ in range(NEWTON_STEPS):
                value, slope = self._potential(at, delays, spikes, threshold)
                step = (threshold - value) / slope
                at += step
                if abs(step) < mpmath.mpf(10) ** (8 - DIGITS):
                    break
            spikes.append(at)
        at = mpmath.mpf(float(times[-1]))
        if kind == "cusp":
            at = mpmath.mpf(float(cusp[0])) + delays[cusp[1]]
        if kind == "smooth":
            at = self._top(at, delays, spikes, threshold)
        return self._potential(at, delays, spikes, threshold)[0] - threshold

    def slope(self, at, delays, spikes, threshold):
        """Slope of V at a time, after spikes that reset it by the threshold."""
        spikes = [mpmath.mpf(float(spike)) for spike in spikes]
        return float(self._potential(mpmath.mpf(at), delays, spikes, threshold)[1])

    def _potential(self, at, delays, spikes, threshold):
        value, slope = self.free(at, delays)
        for spike in spikes:
            reset = threshold * mpmath.exp(-(at - spike) / self.tau_m)
            value, slope = value - reset, slope + reset / self.tau_m
        return value, slope

    def _top(self, at, delays, spikes, threshold):
        """Where V has slope 0, by its two exponentials, from a state just before."""
        begin = at - mpmath.mpf(10) ** -6
        value, slope = self._potential(begin, delays, spikes, threshold)
        # V = a - b and V' = b/tau_s - a/tau_m at the beginning.
        b = (slope + value / self.tau_m) / (1 / self.tau_s - 1 / self.tau_m)
        a = value + b
        rate = 1 / self.tau_s - 1 / self.tau_m
        return begin + mpmath.log(b * self.tau_m / (a * self.tau_s)) / rate


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


def project_within(rows, rhs, lower, upper, weights, low, high, sweeps=400):
    """The smallest change of bounded weights, by exact steps on one multiplier after the other.

    The more of a row is added, the more its product with the change grows: bisection finds where
    it is right.
    """

    def change_of(eta):
        return np.clip(weights + eta @ rows, low, high) - weights

    eta = np.zeros(len(rhs))
    for _ in range(sweeps):
        for i in range(len(rhs)):
            begin, end = lower[i], upper[i]
            for _ in range(60):
                eta[i] = 0.5 * (begin + end)
                if rows[i] @ change_of(eta) < rhs[i]:
                    begin = eta[i]
                else:
                    end = eta[i]
    return change_of(eta)
