"""Watch a classifier learn, and let it stop by itself.

Run: python examples/read_history.py [picture.png]
"""

import sys

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import linspike as ls


def draw(history: dict, best: int, picture: str) -> None:
    """Both accuracies against the epoch; the line marks the weights that were kept."""
    from matplotlib.figure import Figure

    axes = Figure(figsize=(6.0, 3.2), layout="constrained").subplots()
    for name, values in history.items():
        axes.plot(range(1, len(values) + 1), values, label=name.replace("_", " "))
    axes.axvline(best, color="0.6", lw=0.8)
    axes.set(xlabel="epoch", ylabel="share of right labels")
    axes.legend(frameon=False)
    axes.figure.savefig(picture, dpi=150)
    print(f"picture: {picture}")


def main(picture: str = "") -> None:
    """Learn with a part set aside, print both curves, draw them if asked to."""
    X, y = load_breast_cancer(return_X_y=True)
    seen, unseen = train_test_split(np.arange(len(y)), stratify=y, random_state=0)
    clf = ls.SpikeClassifier(
        early_stopping=True, validation_fraction=0.2, max_iter=100, random_state=0
    ).fit(X[seen], y[seen])

    learned, held_out = clf.history_["accuracy"], clf.history_["validation_accuracy"]
    print("epoch  learned from  set aside")
    for epoch, pair in enumerate(zip(learned, held_out, strict=True), start=1):
        print("{:5}  {:12.1%}  {:9.1%}".format(epoch, *pair))
    best = int(held_out.argmax()) + 1
    print(f"stopped after epoch {clf.n_iter_}, kept the weights of epoch {best}")
    print(f"{clf.score(X[unseen], y[unseen]):.1%} right in test")
    if picture:
        draw(clf.history_, best, picture)


if __name__ == "__main__":
    main(*sys.argv[1:2])
