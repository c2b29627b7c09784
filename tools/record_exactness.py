"""Compare spike times with the 50-digit twin on many random patterns, and print the result.

Run by hand (about ten minutes): python -m tools.record_exactness --cases 10000 --seed 0
Its printed result is kept in tests/golden/exactness.txt; the suite runs a few hundred cases. With
--delays, inputs have delays; 1000 cases of that are kept in tests/golden/exactness_delays.txt.
"""

from __future__ import annotations

import argparse
import platform
from dataclasses import dataclass

import numpy as np
from tests.support.naive import ExactNeuron

import linspike as ls

UNSURE = 1e-12


@dataclass
class Tally:
    """What was seen so far."""

    cases: int = 0
    spikes: int = 0
    silent: int = 0
    unsure: int = 0
    wrong_counts: int = 0
    largest: float = 0.0


def random_case(rng):
    """A neuron, weights of both signs, a pattern and a horizon; sizes and scales vary."""
    tau_m = float(rng.choice([10.0, 20.0, 40.0, rng.uniform(5.0, 50.0)]))
    tau_s = float(tau_m * rng.choice([0.25, 0.25, 0.05, 0.9, rng.uniform(0.02, 0.98)]))
    neuron = ls.SRM(tau_m, tau_s, threshold=float(rng.choice([1.0, rng.uniform(0.1, 20.0)])))
    n_channels = int(rng.integers(1, 60))
    duration = float(rng.choice([50.0, 100.0, 400.0]))
    n_inputs = int(rng.integers(1, 80))
    pattern = ls.Pattern.sorted(
        rng.uniform(0.0, duration, n_inputs),
        rng.integers(0, n_channels, n_inputs),
        n_channels,
        duration,
    )
    scale = neuron.threshold * rng.choice([0.1, 0.3, 1.0, 3.0])
    weights = rng.normal(rng.uniform(0.0, 0.8), 1.0, n_channels) * scale
    until = float(rng.choice([duration, 0.5 * duration, 2.0 * duration, np.inf]))
    return neuron, weights, pattern, until


def random_delays(rng, n_channels):
    """Delays, of which some are 0; short ones change the order of arrival, long ones all of it."""
    delays = rng.uniform(0.0, rng.choice([1.0, 20.0, 200.0]), n_channels)
    return np.where(rng.random(n_channels) < 0.2, 0.0, delays)


def compare(case, tally, delays=None):
    """Add one case to the tally."""
    neuron, weights, pattern, until = case
    found = neuron.respond(weights, pattern, until=until, delays=delays)
    twin = ExactNeuron(neuron.tau_m, neuron.tau_s, neuron.threshold)
    exact = twin.respond(weights, pattern, until, delays)
    tally.cases += 1
    tally.spikes += len(exact.spikes)
    tally.silent += not exact.spikes
    if exact.margin < UNSURE * neuron.threshold:
        tally.unsure += 1
    elif len(found) != len(exact.spikes):
        tally.wrong_counts += 1
    elif exact.spikes:
        errors = [abs(float(s - e)) for s, e in zip(found.times, exact.spikes, strict=True)]
        tally.largest = max(tally.largest, max(errors))
    return tally


def run(cases, seed, *, delayed=False):
    """Tally of so many random cases."""
    rng = np.random.default_rng(seed)
    tally = Tally()
    for _ in range(cases):
        case = random_case(rng)
        compare(case, tally, random_delays(rng, case[1].size) if delayed else None)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--delays", action="store_true")
    options = parser.parse_args()
    tally = run(options.cases, options.seed, delayed=options.delays)
    flag = " --delays" if options.delays else ""
    print(f"python -m tools.record_exactness --cases {options.cases} --seed {options.seed}{flag}")
    print(f"linspike {ls.__version__}, numpy {np.__version__}, {platform.machine()}")
    print(f"patterns                             {tally.cases}")
    print(f"spikes                               {tally.spikes}")
    print(f"silent answers                       {tally.silent}")
    print(f"margin to threshold under 1e-12      {tally.unsure}")
    print(f"wrong counts                         {tally.wrong_counts}")
    print(f"largest error of a spike time, ms    {tally.largest:.3g}")


if __name__ == "__main__":
    main()
