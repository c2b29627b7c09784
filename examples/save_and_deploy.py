"""Save a classifier, load it elsewhere, and get the same labels to the last bit.

Run: python examples/save_and_deploy.py [model.npz]
"""

import sys

import numpy as np
from sklearn.datasets import load_wine

import linspike as ls


def learn_and_save(path: str) -> np.ndarray:
    """Where the data are: learn, save, and return what speaks for each class."""
    X, y = load_wine(return_X_y=True)
    clf = ls.SpikeClassifier(random_state=0).fit(X[::2], y[::2])
    accuracy = clf.score(X[1::2], y[1::2])
    clf.save(path, notes={"data": "wine, every second sample", "test_accuracy": accuracy})
    return clf.decision_function(X[1::2])


def main(path: str = "model.npz") -> None:
    """Save, look into the file, load, compare."""
    expected = learn_and_save(path)
    with np.load(path, allow_pickle=False) as file:
        inside = {name: file[name].shape for name in file.files}
    print(f"{path} holds plain arrays: {inside}")

    clf = ls.load_model(path)
    X, _ = load_wine(return_X_y=True)
    print(f"{type(clf.encoder_).__name__}, rule {clf.rule_.key!r}, {clf.n_iter_} epochs")
    print(f"notes: {clf.notes_}")
    same = np.array_equal(clf.decision_function(X[1::2]), expected)
    print(f"the same labels to the last bit: {same}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
