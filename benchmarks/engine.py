"""The simulator against its floor: the same events with the two decays and the gather alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

import linspike as ls
from benchmarks.timing import Report, best_seconds
from linspike.neuron.decay_tables import events_of

N_CHANNELS = 500
RATE = 0.005
ENGINE_ROUNDS = 40  # a neighbour on the same core slows us down for seconds at a time
LEVELS = (0.2, 3.0, 10.0, 20.0)  # output spikes per 1000 input events
# What is promised at 3 spikes, as a share of as many floors, for 1 and 2 threads.
LIMITS = {1: (1.6, None), 10: (0.75, 0.375), 64: (0.5, 0.25)}


@njit(nogil=True)
def floor(channels, decay_m, decay_s, weights):  # pragma: no cover
    """No threshold, no spikes: what any event-driven simulation of this neuron must do."""
    a = 0.0
    b = 0.0
    for e in range(channels.size):
        g = weights[channels[e]]
        a = (a + g) * decay_m[e]
        b = (b + g) * decay_s[e]
    return a - b


@njit(nogil=True)
def waiting(rounds):  # pragma: no cover
    """One chain of arithmetic: each step waits for the last, the core is mostly idle."""
    a = 1.0
    for _ in range(rounds):
        a = a * 0.999 + 0.1
    return a


@njit(nogil=True)
def working(rounds):  # pragma: no cover
    """Vectors of independent sums: the core's arithmetic is busy all the time."""
    a = np.ones(64)
    for _ in range(rounds // 16):
        for j in range(64):
            a[j] = a[j] * 0.999 + 0.1
    return a[0]


def floor_call(patterns: ls.PatternSet, neuron: ls.SRM, weights: np.ndarray):
    """The floor on the tables that the simulator itself reads, so both find the same cache."""
    events = events_of(patterns._ragged, neuron._membrane)
    table = (events.channels, events.decay_m, events.decay_s, weights.copy())
    return lambda: floor(*table)


def weights_for(
    level: float, n_neurons: int, patterns: ls.PatternSet, neuron: ls.SRM, rng: np.random.Generator
) -> np.ndarray:
    """Random weights whose mean is set, by halving, to give this many spikes per 1000 events."""
    noise = rng.normal(0.0, 0.03, (n_neurons, N_CHANNELS))
    low, high = -0.05, 0.1
    some = patterns[:100]
    for _ in range(30):
        mean = 0.5 * (low + high)
        spikes = neuron.respond_many(mean + noise, some).counts.mean(axis=0).sum()
        low, high = (mean, high) if 1000.0 * spikes < level * some.times.size else (low, mean)
    return 0.5 * (low + high) + noise


def measure(report: Report) -> None:
    """Ratios to the floor for 1, 10 and 64 neurons at four levels of activity."""
    neuron = ls.SRM()
    rng = np.random.default_rng(0)
    long = ls.poisson_patterns(1, n_channels=N_CHANNELS, duration=4e4, rate=RATE, rng=rng)
    short = ls.poisson_patterns(200, n_channels=N_CHANNELS, duration=400.0, rate=RATE, rng=rng)
    for level in LEVELS:
        _one_neuron(report, level, neuron, long, rng)
        for n_neurons in (10, 64):
            _many_neurons(report, level, n_neurons, neuron, short, rng)
    _call_overhead(report, neuron, short, rng)
    _second_core(report)


def _second_core(report: Report) -> None:
    """What a second thread can bring on this machine.

    Two virtual cores may be the two halves of one real core. Code that waits then gains twofold
    from a second thread, and code that works, as the loop over many neurons does, hardly at all.
    """
    rounds = 4_000_000
    with ThreadPoolExecutor(2) as pool:
        for control, share in ((waiting, "waits"), (working, "works")):
            best = best_seconds(
                {
                    "one": lambda f=control: [f(rounds), f(rounds)],
                    "two": lambda f=control: list(pool.map(f, [rounds, rounds])),
                },
                ENGINE_ROUNDS,
            )
            name = f"gain of a second thread, code that {share}"
            report.add("engine", name, best["one"] / best["two"], "x", note="nothing shared")


def _one_neuron(report, level, neuron, patterns, rng) -> None:
    weights = weights_for(level, 1, patterns, neuron, rng)[0]
    pattern = patterns[0]
    best = best_seconds(
        {
            "floor": floor_call(patterns, neuron, weights),
            "respond": lambda: neuron.respond(weights, pattern),
        },
        ENGINE_ROUNDS,
    )
    limit = LIMITS[1][0] if level == 3.0 else None
    note = f"{1e9 * best['respond'] / len(pattern):.2f} ns an event"
    ratio = best["respond"] / best["floor"]
    report.add("engine", f"respond, {level:g} spikes/1000", ratio, "floors", limit, note)


def _many_neurons(report, level, n_neurons, neuron, patterns, rng) -> None:
    weights = weights_for(level, n_neurons, patterns, neuron, rng)
    best = best_seconds(
        {
            "floor": floor_call(patterns, neuron, weights[0]),
            1: lambda: neuron.respond_many(weights, patterns, threads=1),
            2: lambda: neuron.respond_many(weights, patterns, threads=2),
        },
        ENGINE_ROUNDS,
    )
    for threads in (1, 2):
        ratio = best[threads] / (n_neurons * best["floor"])
        limit = LIMITS[n_neurons][threads - 1] if level == 3.0 else None
        name = f"respond_many, {n_neurons} neurons, {threads} thread(s), {level:g} spikes/1000"
        note = f"{1e9 * best[threads] / (n_neurons * patterns.times.size):.2f} ns an event, neuron"
        report.add("engine", name, ratio, "floors", limit, note)


def _call_overhead(report, neuron, patterns, rng) -> None:
    weights = weights_for(3.0, 1, patterns, neuron, rng)[0]
    listed = list(patterns)

    def all_patterns():
        for pattern in listed:
            neuron.respond(weights, pattern)

    best = best_seconds({"respond": all_patterns})
    microseconds = 1e6 * best["respond"] / len(listed)
    report.add("engine", "one respond call, T=400, N=500", microseconds, "us")
    critical = best_seconds({"k": lambda: neuron.critical_threshold(weights, listed[0], 3)})
    report.add("engine", "one critical_threshold call, k=3", 1e6 * critical["k"], "us")
