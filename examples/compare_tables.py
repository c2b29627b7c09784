"""Spiking neurons beside a linear model and a kernel method, on tables that scikit-learn brings.

Run: python examples/compare_tables.py [table ...], tables: iris wine breast_cancer digits
"""

import sys
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import linspike as ls

RIVALS: dict[str, Any] = {
    "SpikeClassifier": ls.SpikeClassifier(random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "SVM, RBF kernel": make_pipeline(StandardScaler(), SVC()),
}


def main(*tables: str) -> None:
    """Cross-validate all of them, with their default settings, on the same five splits."""
    splits = StratifiedKFold(5, shuffle=True, random_state=0)
    for table in tables or ("iris",):
        X, y = getattr(datasets, f"load_{table}")(return_X_y=True)
        for name, rival in RIVALS.items():
            found = cross_validate(rival, X, y, cv=splits)
            scores, seconds = found["test_score"], np.median(found["fit_time"])
            spread = f"splits {scores.min():.1%} to {scores.max():.1%}"
            print(f"{table:14} {name:20} {scores.mean():.1%} right, {spread}, fit {seconds:.3f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
