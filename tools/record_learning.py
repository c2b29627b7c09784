"""Learn the tasks of the first promises, fifty trials each, and print how many succeed.

Run by hand (half a minute):
python -m tools.record_learning --trials 50. Its output is kept in tests/golden/learning.txt.
Data: N = 500, rates 0.005, desired trains with gap >= 5 and onset >= 10, w ~ N(0.01, 0.01).
"""

from __future__ import annotations

import argparse
import platform
import time

import numpy as np

import linspike as ls
from linspike.study import decoding, encoding

GRADIENT = ls.DTA(count_target="gradient")
CASES = (
    ("short, P=45, T=400, paper's criterion", "times", 45, 400.0, "paper", 500, ls.DTA()),
    ("short, P=45, T=400, strict", "times", 45, 400.0, "strict", 500, ls.DTA()),
    ("long, T=17300, strict", "times", 1, 17300.0, "strict", 500, ls.DTA()),
    ("counts, P=355, T=50, five classes", "counts", 355, 50.0, "paper", 100, ls.DTA()),
    ("the same along the gradient", "counts", 355, 50.0, "paper", 100, GRADIENT),
    ("short, P=45, DTA.paper()", "times", 45, 400.0, "paper", 500, ls.DTA.paper()),
)


def data(task, n_patterns, duration, seed):
    """Weights, patterns and targets of one trial."""
    if task == "counts":
        return decoding(seed, n_patterns, duration=duration)
    return encoding(seed, n_patterns, duration=duration)


def study(trials, task, n_patterns, duration, criterion, max_epochs, rule):
    """Outcomes of so many trials; trial i has seed i."""
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=max_epochs, criterion=criterion)
    weights, patterns, targets = zip(
        *(data(task, n_patterns, duration, seed) for seed in range(trials)), strict=True
    )
    return trainer.fit_many(np.array(weights), patterns, targets, seeds=range(trials))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=50)
    trials = parser.parse_args().trials
    print(f"python -m tools.record_learning --trials {trials}")
    print(f"linspike {ls.__version__}, numpy {np.__version__}, {platform.machine()}")
    for name, *settings in CASES:
        started = time.perf_counter()
        results = study(trials, *settings)
        epochs = [result.epochs for result in results if result.converged]
        median = f"{np.median(epochs):.0f}" if epochs else "-"
        seconds = time.perf_counter() - started
        right = f"{len(epochs)} of {trials}"
        print(f"{name:40} {right:9} median epochs {median:>4}   {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
