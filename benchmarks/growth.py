"""How time grows with inputs, neurons and threads; 1 is linear."""

from __future__ import annotations

import numpy as np

import linspike as ls
from benchmarks.timing import Report, best_seconds

INPUTS = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
NEURONS = (1, 3, 10, 30, 64, 128, 300, 1000)
SMALLEST_FITTED = 10_000  # below, the fixed cost of a call shows


def exponent(sizes, seconds) -> float:
    """Slope of log time against log size."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def measure(report: Report) -> None:
    """Fitted exponents, and the gain of a second thread."""
    _inputs(report)
    _neurons(report)


def _inputs(report: Report) -> None:
    neuron = ls.SRM()
    rng = np.random.default_rng(1)
    weights = rng.normal(0.0105, 0.03, 500)
    sizes, seconds = [], []
    for n_inputs in INPUTS:
        duration = n_inputs / (500 * 0.005)
        pattern = ls.Pattern.sorted(
            rng.uniform(0.0, duration, n_inputs), rng.integers(0, 500, n_inputs), 500, duration
        )
        rounds = 15 if n_inputs < 1_000_000 else 3
        timed = best_seconds({"": lambda p=pattern: neuron.respond(weights, p)}, rounds=rounds)[""]
        note = f"{1e9 * timed / n_inputs:.2f} ns an input"
        report.add("growth", f"respond, {n_inputs:.0e} inputs", 1e3 * timed, "ms", note=note)
        sizes.append(n_inputs)
        seconds.append(timed)
    fitted = [i for i, size in enumerate(sizes) if size >= SMALLEST_FITTED]
    value = exponent([sizes[i] for i in fitted], [seconds[i] for i in fitted])
    name = f"exponent in the inputs, from {SMALLEST_FITTED:.0e} on"
    report.add("growth", name, value, "", limit=1.1)


def _neurons(report: Report) -> None:
    neuron = ls.SRM()
    rng = np.random.default_rng(2)
    patterns = ls.poisson_patterns(40, n_channels=500, duration=400.0, rate=0.005, rng=rng)
    weights = rng.normal(0.0105, 0.03, (max(NEURONS), 500))
    seconds = {1: [], 2: []}
    for n_neurons in NEURONS:
        timed = best_seconds(
            {
                1: lambda n=n_neurons: neuron.respond_many(weights[:n], patterns, threads=1),
                2: lambda n=n_neurons: neuron.respond_many(weights[:n], patterns, threads=2),
            },
            rounds=7,
        )
        for threads in (1, 2):
            seconds[threads].append(timed[threads])
        note = f"{1e3 * timed[2]:.3g} ms with two threads, {timed[1] / timed[2]:.2f}x"
        name = f"respond_many, {n_neurons} neurons, 40 patterns"
        report.add("growth", name, 1e3 * timed[1], "ms", note=note)
    for threads in (1, 2):
        value = exponent(NEURONS, seconds[threads])
        name = f"exponent in the neurons, {threads} thread(s)"
        report.add("growth", name, value, "", limit=1.1)
