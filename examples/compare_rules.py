"""
Compare two rules
=================

Two learning rules on the same splits, in the same order, from the same initial weights.

``python examples/compare_rules.py dta psd`` compares others.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import RepeatedStratifiedKFold

import linspike as ls
from linspike.study.analysis.statistics import paired_difference

first, second = sys.argv[1:3] if len(sys.argv) > 2 else ("dta", "mst")


def accuracies(rule: str, repeats: int = 5) -> np.ndarray:
    """Return the accuracy of each trial; its number decides its split, order and weights."""
    X, y = load_wine(return_X_y=True)
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=repeats, random_state=0)
    scores = []
    for trial, (train, test) in enumerate(halves.split(X, y)):
        clf = ls.SpikeClassifier(rule=rule, random_state=trial).fit(X[train], y[train])
        scores.append(clf.score(X[test], y[test]))
    return np.array(scores)


scores = {rule: accuracies(rule) for rule in (first, second)}
for rule, found in scores.items():
    print(f"{rule:6} {found.mean():.1%} right, from {found.min():.1%} to {found.max():.1%}")

# %%
# The differences are paired, so that splits which are hard for both do not count against one.
difference = paired_difference(scores[first], scores[second])
print(f"{first} minus {second}. {difference.sentence()}")

# %%
# A line per trial.
figure, ax = plt.subplots(figsize=(4.0, 3.2), layout="constrained")
ax.plot([0, 1], 100 * np.array([scores[first], scores[second]]), "o-", color="0.5", lw=0.8, ms=4)
ax.set(xticks=[0, 1], xticklabels=[first, second], xlim=(-0.3, 1.3), ylabel="right in test (%)")
plt.show()
