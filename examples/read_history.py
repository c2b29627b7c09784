"""
Read the history of a classifier
================================

Watch a classifier learn, and let it stop by itself.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import linspike as ls

X, y = load_breast_cancer(return_X_y=True)
seen, unseen = train_test_split(np.arange(len(y)), stratify=y, random_state=0)
clf = ls.SpikeClassifier(
    early_stopping=True, validation_fraction=0.2, max_iter=100, random_state=0
).fit(X[seen], y[seen])

learned, held_out = clf.history_["accuracy"], clf.history_["validation_accuracy"]
print("epoch  learned from  set aside")
for epoch, pair in enumerate(zip(learned, held_out, strict=True), start=1):
    print("{:5}  {:12.1%}  {:9.1%}".format(epoch, *pair))

# %%
# The weights of the best epoch are kept, by the accuracy on the part set aside.
best = int(held_out.argmax()) + 1
print(f"stopped after epoch {clf.n_iter_}, kept the weights of epoch {best}")
print(f"{clf.score(X[unseen], y[unseen]):.1%} right in test")

# %%
# Both accuracies over the epochs; the line marks the weights that were kept.
figure, ax = plt.subplots(figsize=(6.0, 3.2), layout="constrained")
for name, values in (("learned from", learned), ("set aside", held_out)):
    ax.plot(range(1, len(values) + 1), 100 * values, label=name)
ax.axvline(best, color="0.6", lw=0.8)
ax.set(xlabel="epoch", ylabel="right (%)")
ax.legend(frameon=False)
plt.show()
