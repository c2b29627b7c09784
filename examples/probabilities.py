"""From spikes to probabilities: calibrate a classifier on data it did not learn from.

Run: python examples/probabilities.py
"""

from itertools import pairwise

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import train_test_split

import linspike as ls

EDGES = (0.0, 0.1, 0.5, 0.9, 1.0)


def show(name: str, y: np.ndarray, probability: np.ndarray) -> None:
    """Two scores, of which lower is better."""
    brier, log = brier_score_loss(y, probability), log_loss(y, probability)
    print(f"{name:28} Brier score {brier:.4f}, log loss {log:.3f}")


def main() -> None:
    """Compare calibrated probabilities with taking every decision as certain."""
    X, y = load_breast_cancer(return_X_y=True)
    seen, unseen = train_test_split(np.arange(len(y)), test_size=0.5, stratify=y, random_state=0)
    clf = ls.SpikeClassifier(random_state=0).fit(X[seen], y[seen])
    calibrated = CalibratedClassifierCV(clf, method="sigmoid", cv=5).fit(X[seen], y[seen])
    probability, truth = calibrated.predict_proba(X[unseen])[:, 1], y[unseen]

    show("the same guess for all", truth, np.full(len(truth), y[seen].mean()))
    show("decisions taken as certain", truth, clf.predict(X[unseen]).astype(float))
    show("calibrated", truth, probability)
    for low, high in pairwise(EDGES):
        said = (probability >= low) & (probability < high)
        if said.any():
            print(
                f"said {low:.0%} to {high:.0%}: {said.sum():3} samples, "
                f"{probability[said].mean():.1%} on average, {truth[said].mean():.1%} in truth"
            )


if __name__ == "__main__":
    main()
