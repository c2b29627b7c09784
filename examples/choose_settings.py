"""Change one setting of a classifier at a time, on the same splits, and see what it does.

Run: python examples/choose_settings.py [iris|wine|breast_cancer|digits] [repeats]
"""

import sys

import numpy as np
from sklearn import datasets
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

import linspike as ls
from linspike.study.analysis.statistics import paired_difference

CHANGES = {
    "spikes=3": {"spikes": 3},
    "spikes=20": {"spikes": 20},
    "rule='mst'": {"rule": "mst"},
    "rule='emlc'": {"rule": "emlc"},
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


def accuracies(table: str, repeats: int, change: dict) -> np.ndarray:
    """Accuracy on each half, when learned from the other; the halves depend on the seed alone."""
    X, y = getattr(datasets, f"load_{table}")(return_X_y=True)
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=repeats, random_state=0)
    classifier = ls.SpikeClassifier(ls.PopulationEncoder(), random_state=0)
    return cross_val_score(classifier.set_params(**change), X, y, cv=halves)


def main(table: str = "iris", repeats: str = "1") -> None:
    """Print the accuracy as it is, and the difference that each change makes."""
    usual = accuracies(table, int(repeats), {})
    print(f"{table}, {len(usual)} halves: {usual.mean():.2%} with the defaults")
    for name, change in CHANGES.items():
        found = paired_difference(100 * accuracies(table, int(repeats), change), 100 * usual)
        print(f"{name:24} {found.mean:+6.2f} points ({found.lo:+.2f} to {found.hi:+.2f})")


if __name__ == "__main__":
    main(*sys.argv[1:3])
