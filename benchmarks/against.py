"""linspike against Brian2 and NEST: time per pattern and error of the spike times."""

from __future__ import annotations

import numpy as np

import linspike as ls
from benchmarks import peers
from benchmarks.timing import Report, best_seconds

N_CHANNELS = 500
DURATION = 400.0
BATCHES = (20, 200)  # Brian2 shares the cost of a step among all patterns it runs at once
# Peer, function, grid step in milliseconds.
RUNS = (
    ("Brian2 Cython", peers.run_brian2, 0.1),
    ("Brian2 C++", peers.run_brian2_standalone, 0.1),
    ("Brian2 Cython", peers.run_brian2, 0.01),
    ("Brian2 C++", peers.run_brian2_standalone, 0.01),
    ("NEST", peers.run_nest, 0.1),
    ("NEST", peers.run_nest, 0.01),
)


def measure(report: Report) -> None:
    """Every peer that is installed; the others are named as absent."""
    for n_patterns in BATCHES:
        _batch(report, n_patterns)


def _batch(report: Report, n_patterns: int) -> None:
    rng = np.random.default_rng(5)
    neuron = ls.SRM()
    patterns = ls.poisson_patterns(
        n_patterns, n_channels=N_CHANNELS, duration=DURATION, rate=0.005, rng=rng
    )
    weights = rng.normal(0.0105, 0.02, N_CHANNELS)
    seconds = best_seconds(
        {"": lambda: neuron.respond_many(weights[np.newaxis], patterns, threads=1)}
    )[""]
    ours = neuron.respond_many(weights[np.newaxis], patterns)
    exact = [ours[0, p].times for p in range(n_patterns)]
    name = f"linspike, {n_patterns} patterns"
    spikes = f"{ours.counts.sum()} spikes"
    report.add("peers", name, 1e6 * seconds / n_patterns, "us a pattern", note=spikes)
    pairs = [(pattern.times, pattern.channels) for pattern in patterns]
    constants = neuron.tau_m, neuron.tau_s, neuron.threshold
    workload = peers.Workload(pairs, weights, DURATION, *constants)
    for title, run, step in RUNS:
        name = f"{title} {step:g} ms, {n_patterns} patterns"
        try:
            result = run(workload, step)
        except ImportError as absent:
            report.add("peers", name, float("nan"), "us a pattern", note=f"absent: {absent}")
            continue
        add_peer(report, name, result, seconds / n_patterns, exact)


def add_peer(
    report: Report, name: str, result: peers.PeerResult, ours: float, exact: list[np.ndarray]
) -> None:
    """Add time, ratio to ours, and errors over the patterns with the right count."""
    right = [(e, f) for e, f in zip(exact, result.spikes, strict=True) if e.size == f.size]
    note = f"version {result.version}, {len(exact) - len(right)} of {len(exact)} counts wrong"
    seconds = result.seconds_per_pattern
    report.add("peers", name, 1e6 * seconds, "us a pattern", note=note)
    report.add("peers", f"{name}, over linspike", seconds / ours, "x")
    errors = np.concatenate([np.abs(e - f) for e, f in right] or [np.empty(0)])
    if errors.size:
        report.add("peers", f"{name}, median error", np.median(errors), "ms")
        report.add("peers", f"{name}, largest error", errors.max(), "ms")
