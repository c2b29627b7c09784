"""Two learning rules on the same splits, in the same order, from the same initial weights.

Run: python examples/compare_rules.py [rule] [other rule]
"""

import sys

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import RepeatedStratifiedKFold

import linspike as ls
from linspike.study.analysis.statistics import paired_difference

REPEATS = 5


def accuracies(rule: str) -> np.ndarray:
    """Accuracy in each trial; a trial's number decides its split, its order and its weights."""
    X, y = load_wine(return_X_y=True)
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=REPEATS, random_state=0)
    scores = []
    for trial, (train, test) in enumerate(halves.split(X, y)):
        clf = ls.SpikeClassifier(rule=rule, random_state=trial).fit(X[train], y[train])
        scores.append(clf.score(X[test], y[test]))
    return np.array(scores)


def main(first: str = "dta", second: str = "mst") -> None:
    """Print both accuracies and what is to be made of their difference."""
    scores = {rule: accuracies(rule) for rule in (first, second)}
    for rule, found in scores.items():
        print(f"{rule:6} {found.mean():.1%} right, from {found.min():.1%} to {found.max():.1%}")
    difference = paired_difference(scores[first], scores[second])
    print(f"{first} minus {second}. {difference.sentence()}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
