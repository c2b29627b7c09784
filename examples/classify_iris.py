"""
Classify a table
================

Three spiking neurons tell irises apart, one neuron per class.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import train_test_split

import linspike as ls

X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

clf = ls.SpikeClassifier(random_state=0).fit(X_train, y_train)
print(f"training: {clf.score(X_train, y_train):.1%} right, test: {clf.score(X_test, y_test):.1%}")
print(f"what speaks for each class, first sample: {clf.decision_function(X_test[:1]).round(2)[0]}")

# %%
# Numbers become spike times by overlapping fields: left, those of the first feature; right, which
# classes are taken for which.
figure, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.2), layout="constrained")
clf.encoder_.plot(0, ax=left).set(xlabel="sepal length (cm)", ylabel="activation")
ConfusionMatrixDisplay.from_estimator(
    clf, X_test, y_test, display_labels=load_iris().target_names, cmap="Blues", ax=right
)
plt.show()
