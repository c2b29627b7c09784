"""Compare gradients in the delays with differences in 50 digits, and print the result.

Run by hand (a few minutes): python -m tools.record_delay_gradients --cases 1000 --seed 0
Its printed result is kept in tests/golden/delay_gradients.txt; the suite runs a few cases.
"""

from __future__ import annotations

import argparse
import platform
from dataclasses import dataclass, field

import mpmath
import numpy as np
from tests.support.naive import DIGITS, ExactArrivals, arrived

import linspike as ls
from linspike.kernels.rows.delays import add_cusp, fill_both_rows, fill_delay_mixture
from linspike.kernels.rows.windows import Window
from linspike.kernels.threshold.gradient import critical_mixture
from linspike.neuron.decay_tables import events_of

NEURON = ls.SRM()
PSP = Window(NEURON.v_norm, -NEURON.v_norm, 0.0, 0.0)
N_CHANNELS, DURATION = 20, 80.0
KINDS = ("smooth", "cusp", "horizon")
NUDGE = 20  # digits of the differences
LEAST = 1e-3  # of the threshold: potentials below are nothing to learn from
FLAT = 1e-6  # thresholds per ms: a gradient that is nothing but rounding
GRAZING = 0.1  # thresholds per tau_m: slope of a spike that only grazes the threshold


@dataclass
class Tally:
    """What was seen so far; errors are relative to the gradient's length, or FLAT if it is less."""

    cases: int = 0
    potential: float = 0.0
    critical: float = 0.0
    kinds: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("smooth", "cusp", "horizon"), 0)
    )
    grazing: int = 0


def random_case(rng):
    """Weights of both signs, a pattern with bursts, delays that change the order of arrival."""
    pattern = ls.poisson_patterns(1, n_channels=N_CHANNELS, duration=DURATION, rate=0.02, rng=rng)[
        0
    ]
    begins, size = rng.uniform(0.0, 70.0, 3), 4
    bursts = (begins[:, np.newaxis] + np.arange(size)).ravel()
    channels = np.repeat(rng.integers(0, N_CHANNELS, 3), size)
    times = np.append(pattern.times, bursts)
    pattern = ls.Pattern.sorted(times, np.append(pattern.channels, channels), N_CHANNELS, DURATION)
    weights = rng.normal(0.1, 0.4, N_CHANNELS)  # a good part inhibitory
    return weights, pattern, rng.uniform(0.0, 20.0, N_CHANNELS), int(rng.integers(1, 8))


def exact_difference(function, delays, direction):
    """The derivative of a function of the delays along a direction, in 50 digits."""
    with mpmath.workdps(DIGITS):
        nudge = mpmath.mpf(10) ** -NUDGE
        exact = [mpmath.mpf(float(d)) for d in delays]
        up, down = (
            function(
                [
                    d + sign * nudge * mpmath.mpf(float(u))
                    for d, u in zip(exact, direction, strict=True)
                ]
            )
            for sign in (1, -1)
        )
        return float((up - down) / (2 * nudge))


def compare(case, rng, tally):
    """Add one case to the tally, unless V hardly rises."""
    weights, pattern, delays, k = case
    if NEURON.critical_threshold(weights, pattern, k, delays=delays).value >= LEAST:
        compare_potential(case, rng, tally)
        compare_critical(case, rng, tally)


def compare_potential(case, rng, tally):
    """Compare the gradient of V0 at a random time."""
    weights, pattern, delays, _ = case
    twin, direction = ExactArrivals(NEURON, weights, pattern), rng.normal(size=N_CHANNELS)
    at, row = float(rng.uniform(20.0, DURATION)), np.empty(2 * N_CHANNELS)
    events = events_of(arrived(pattern, delays)._ragged, NEURON._membrane)
    fill_both_rows(events, 0, at, PSP, NEURON._membrane, weights, row)
    late = row[N_CHANNELS:]
    expected = exact_difference(lambda d: twin.free(mpmath.mpf(at), d)[0], delays, direction)
    error = abs(late @ direction - expected) / max(np.linalg.norm(late), FLAT)
    tally.potential = max(tally.potential, error)


def compare_critical(case, rng, tally):
    """Compare the gradient of the critical threshold, and count what it depends on."""
    weights, pattern, delays, k = case
    critical = NEURON.critical_threshold(weights, pattern, k, delays=delays)
    times, found = critical_gradient(weights, pattern, delays, k)
    twin, direction = ExactArrivals(NEURON, weights, pattern), rng.normal(size=N_CHANNELS)
    i = int(np.argmin(np.abs(pattern.times + delays[pattern.channels] - critical.time)))
    cusp = (pattern.times[i], int(pattern.channels[i]))

    def value(d):
        return twin.critical(d, critical.value, times, critical.kind, cusp)

    error = abs(found @ direction - exact_difference(value, delays, direction))
    tally.critical = max(tally.critical, error / max(np.linalg.norm(found), FLAT))
    tally.cases += 1
    tally.kinds[critical.kind] += 1
    slopes = [
        twin.slope(float(t), delays, times[:j], critical.value) for j, t in enumerate(times[:-1])
    ]
    tally.grazing += min(slopes, default=np.inf) < GRAZING * critical.value / NEURON.tau_m


def critical_gradient(weights, pattern, delays, k):
    """The times that a critical threshold depends on, and its gradient in the delays."""
    m = NEURON._membrane
    events = events_of(arrived(pattern, delays)._ragged, m)
    buffer, found = np.empty((4, k)), np.empty(N_CHANNELS)
    scaled = NEURON.threshold / NEURON.v_norm
    n = critical_mixture(events, 0, DURATION, weights, scaled, m, False, k, buffer)
    times = buffer[0, :n].copy()
    where = (events, 0, times, buffer[1, :n].copy(), PSP, m, weights)
    fill_delay_mixture(*where, found)
    if times[-1] < DURATION:
        add_cusp(*where, buffer[2:4, :1], found)
    return times, found


def run(cases, seed):
    """Tally of so many random cases."""
    rng = np.random.default_rng(seed)
    tally = Tally()
    while tally.cases < cases:
        compare(random_case(rng), rng, tally)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tally = run(options.cases, options.seed)
    command = "python -m tools.record_delay_gradients"
    print(f"{command} --cases {options.cases} --seed {options.seed}")
    print(f"linspike {ls.__version__}, numpy {np.__version__}, {platform.machine()}")
    print(f"cases                                    {tally.cases}")
    for kind, number in tally.kinds.items():
        print(f"{kind:<40} {number}")
    print(f"with a grazing spike                     {tally.grazing}")
    print(f"largest relative error, potential        {tally.potential:.3g}")
    print(f"largest relative error, critical         {tally.critical:.3g}")


if __name__ == "__main__":
    main()
