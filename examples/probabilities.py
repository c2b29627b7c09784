"""
Get probabilities
=================

From spikes to probabilities: those of the classifier itself, and those of a calibration on data
it did not learn from.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import train_test_split

import linspike as ls

X, y = load_breast_cancer(return_X_y=True)
seen, unseen = train_test_split(np.arange(len(y)), test_size=0.5, stratify=y, random_state=0)
clf = ls.SpikeClassifier(random_state=0).fit(X[seen], y[seen])
calibrated = CalibratedClassifierCV(clf, method="sigmoid", cv=5).fit(X[seen], y[seen])
probability = calibrated.predict_proba(X[unseen])[:, 1]

# %%
# Two scores, of which lower is better. Taking every decision as certain is punished.
ways = {
    "the same guess for all": np.full(len(unseen), y[seen].mean()),
    "decisions taken as certain": clf.predict(X[unseen]).astype(float),
    "predict_proba": clf.predict_proba(X[unseen])[:, 1],
    "calibrated": probability,
}
for name, said in ways.items():
    brier, log = brier_score_loss(y[unseen], said), log_loss(y[unseen], said)
    print(f"{name:28} Brier score {brier:.4f}, log loss {log:.3f}")
sure = probability >= 0.9
print(
    f"said 90 % or more: {sure.sum()} samples, {probability[sure].mean():.1%} on average, "
    f"{y[unseen][sure].mean():.1%} in truth"
)

# %%
# On the diagonal, what is said is what happens.
figure, ax = plt.subplots(figsize=(4.0, 3.6), layout="constrained")
CalibrationDisplay.from_predictions(y[unseen], probability, n_bins=5, name="calibrated", ax=ax)
CalibrationDisplay.from_predictions(
    y[unseen], ways["predict_proba"], n_bins=5, name="predict_proba", ax=ax
)
ax.set(xlabel="probability said", ylabel="share in truth")
plt.show()
