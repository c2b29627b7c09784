"""
Choose settings
===============

Change one setting of a classifier at a time, on the same splits, and see what it does.

``python examples/choose_settings.py wine 10`` takes another table (iris, wine, breast_cancer or
digits) and more repetitions.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn import datasets
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

import linspike as ls
from linspike.study.analysis.statistics import paired_difference

table = sys.argv[1] if len(sys.argv) > 1 else "iris"
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1

CHANGES = {
    "spikes=3": {"spikes": 3},
    "spikes=20": {"spikes": 20},
    "rule='mst'": {"rule": "mst"},
    "rule='emlc'": {"rule": "emlc"},
    "count_target='gradient'": {"rule": ls.DTA(count_target="gradient")},
    "target='exact'": {"target": "exact"},
    "ties='paper'": {"ties": "paper"},
    "code='times', spikes=3": {"code": "times", "spikes": 3},
    "max_iter=5": {"max_iter": 5},
    "max_iter=60": {"max_iter": 60},
    "n_fields=5": {"encoder__n_fields": 5},
    "n_fields=20": {"encoder__n_fields": 20},
    "beta=0.8": {"encoder__beta": 0.8},
    "beta=3": {"encoder__beta": 3.0},
    "duration=5": {"encoder__duration": 5.0},
    "duration=50": {"encoder__duration": 50.0},
}


def accuracies(change: dict) -> np.ndarray:
    """Return the accuracy on each half, learned from the other; halves depend on the seed alone."""
    X, y = getattr(datasets, f"load_{table}")(return_X_y=True)
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=repeats, random_state=0)
    classifier = ls.SpikeClassifier(ls.PopulationEncoder(), random_state=0)
    return 100 * cross_val_score(classifier.set_params(**change), X, y, cv=halves)


usual = accuracies({})
print(f"{table}, {len(usual)} halves: {usual.mean():.2f} % with the defaults")

# %%
# The difference that each change makes, with its 95 % interval. Two halves say little; ten
# repetitions say more.
found = {name: paired_difference(accuracies(change), usual) for name, change in CHANGES.items()}
for name, change in found.items():
    print(f"{name:24} {change.mean:+6.2f} points ({change.lo:+.2f} to {change.hi:+.2f})")

# %%
# Dots to the right of the line are changes for the better.
figure, ax = plt.subplots(figsize=(6.0, 4.4), layout="constrained")
for place, change in enumerate(found.values()):
    ax.plot([change.lo, change.hi], [place, place], color="0.6", lw=1.2)
    ax.plot(change.mean, place, "o", color="C0", ms=5)
ax.axvline(0.0, color="0.3", lw=0.8)
ax.set(xlabel="difference in test (points)", yticks=range(len(found)), yticklabels=found)
ax.set(xlim=(-15.0, 15.0), ylim=(len(found) - 0.5, -0.5))
plt.show()
