"""The rules at work, each at its best: what the tables will be made of, at one small load.

Run by hand (about a minute): python -m tools.record_baselines. Its printed result is kept in
tests/golden/baselines.txt. Steps are tuned on seeds that are not measured on.
"""

from __future__ import annotations

import platform

import numpy as np

import linspike as ls
from linspike.paper.figures import fig3
from linspike.rules import REGISTRY, rule_class
from linspike.study import decoding, encoding, tune

TRIALS = 20
NEURON = ls.SRM()


def measure(rule, make_task, max_epochs, criterion="paper"):
    """Trials learned and the median of their epochs, in words."""
    data = [make_task(seed) for seed in range(TRIALS)]
    weights, patterns, targets = zip(*data, strict=True)
    trainer = ls.Trainer(NEURON, rule, max_epochs=max_epochs, criterion=criterion)
    results = trainer.fit_many(np.array(weights), patterns, targets, seeds=range(TRIALS))
    epochs = [result.epochs for result in results if result.converged]
    median = f", median {np.median(epochs):.0f} epochs" if epochs else ""
    return f"{len(epochs):2d} of {TRIALS}{median}"


def times():
    print("Desired times, P = 5 patterns of 400 ms (T = 2000), N = 500, 500 epochs, seeds 0 to 19")
    for key in REGISTRY:
        if "times" not in rule_class(key).targets:
            continue
        for criterion in ("paper", "strict"):
            trainer = ls.Trainer(NEURON, key, criterion=criterion)
            best = tune(trainer, lambda seed: encoding(seed, 5))
            found = measure(best.best, lambda seed: encoding(seed, 5), 500, criterion)
            setting = f"{best.parameter} {best.winner.value:g}"
            print(f"  {key:12s} {criterion:7s} {setting:12s} {found}")


def counts():
    print("Desired counts 1 to 5, T = 50, N = 500, 100 epochs, seeds 0 to 19")
    for key in ("mst", "eml", "emlc"):
        for eta in (0.01, 0.001):
            for n_patterns in (110, 220):
                rule = rule_class(key)(eta=eta)
                found = measure(rule, lambda seed, n=n_patterns: decoding(seed, n), 100)
                print(f"  {key:5s} threshold/eta {1 / eta:<5g} P = {n_patterns}: {found}")


def interference():
    print("Two desired spikes delta apart, w = 0, 1000 epochs: error of the first weight")
    print("  c: within 0.05 of its optimum to the end, from which epoch; f: now and then; a: away")
    print("  *: the optimum fires elsewhere too, there is no solution")
    for lag in fig3.LAGS:
        for name, rule in (("PSD, eta 0.01", ls.rules.PSD()), ("DTA()", ls.DTA())):
            cells = []
            for delta in np.arange(9.0, 60.5, 3.0):
                errors = np.abs(fig3.weight_offsets(NEURON, rule, delta, lag, 1000))
                word = fig3.fate(errors)
                after = fig3.epochs_to_converge(errors) if word == "converged" else ""
                star = "" if fig3.has_solution(NEURON, delta, lag) else "*"
                cells.append(f"{delta:g}:{word[0]}{after}{star}")
            print(f"  lag {lag} ms, {name}: {' '.join(cells)}")


if __name__ == "__main__":
    print("python -m tools.record_baselines")
    print(f"linspike {ls.__version__}, Python {platform.python_version()}, {platform.machine()}")
    times()
    counts()
    interference()
