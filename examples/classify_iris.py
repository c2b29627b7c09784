"""Tell irises apart with three spiking neurons.

Run: python examples/classify_iris.py
"""

from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

import linspike as ls

X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

clf = ls.SpikeClassifier(random_state=0).fit(X_train, y_train)
print(
    f"{clf.score(X_train, y_train):.1%} right in training, {clf.score(X_test, y_test):.1%} in test"
)
print(f"what speaks for each class, first sample: {clf.decision_function(X_test[:1]).round(2)[0]}")
