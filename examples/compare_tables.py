"""
Compare with scikit-learn
=========================

Spiking neurons beside a linear model and a kernel method, with their default settings, on tables
that scikit-learn brings.

``python examples/compare_tables.py iris wine breast_cancer digits`` takes more tables.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import linspike as ls

others = {
    "SpikeClassifier": ls.SpikeClassifier(random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "SVM, RBF kernel": make_pipeline(StandardScaler(), SVC()),
}
tables = sys.argv[1:] or ["iris", "wine"]

# %%
# All see the same five splits.
splits = StratifiedKFold(5, shuffle=True, random_state=0)
scores = {}
for table in tables:
    X, y = getattr(datasets, f"load_{table}")(return_X_y=True)
    for name, other in others.items():
        found = cross_validate(other, X, y, cv=splits)
        right, seconds = found["test_score"], np.median(found["fit_time"])
        scores[table, name] = right
        spread = f"splits {right.min():.1%} to {right.max():.1%}"
        print(f"{table:14} {name:20} {right.mean():.1%} right, {spread}, fit {seconds:.3f} s")

# %%
# Small dots are splits, large ones their mean. On tables like these an SVM is as good or better.
figure, axes = plt.subplots(
    1, len(tables), sharey=True, squeeze=False, figsize=(8.0, 2.4), layout="constrained"
)
for ax, table in zip(axes[0], tables, strict=True):
    for place, name in enumerate(others):
        right = 100 * scores[table, name]
        ax.plot(right, np.full(len(right), place), "o", color="0.6", ms=4)
        ax.plot(right.mean(), place, "o", color="C0", ms=8)
    ax.set(title=table, xlabel="right in test (%)", yticks=range(len(others)), yticklabels=others)
    ax.set_ylim(len(others) - 0.5, -0.5)
plt.show()
