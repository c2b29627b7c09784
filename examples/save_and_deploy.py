"""
Save and load a classifier
==========================

Save a classifier, load it elsewhere, and get the same labels to the last bit.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

import linspike as ls

X, y = load_wine(return_X_y=True)
clf = ls.SpikeClassifier(random_state=0).fit(X[::2], y[::2])

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "model.npz"
accuracy = clf.score(X[1::2], y[1::2])
clf.save(path, notes={"data": "wine, every second sample", "test_accuracy": accuracy})

# %%
# The file holds plain arrays and no code.
with np.load(path, allow_pickle=False) as file:
    print({name: file[name].shape for name in file.files})

# %%
# Loaded, it gives the same values to the last bit.
loaded = ls.load_model(path)
folder.cleanup()
print(f"{type(loaded.encoder_).__name__}, rule {loaded.rule_.key!r}, {loaded.n_iter_} epochs")
print(f"notes: {loaded.notes_}")
same = np.array_equal(loaded.decision_function(X[1::2]), clf.decision_function(X[1::2]))
print(f"the same to the last bit: {same}")

# %%
# What was saved: one row of weights per class.
figure, ax = plt.subplots(figsize=(7.0, 1.8), layout="constrained")
limit = np.abs(loaded.weights_).max()
shown = ax.imshow(loaded.weights_, aspect="auto", cmap="RdBu_r", vmin=-limit, vmax=limit)
ax.set(xlabel="channel", ylabel="class", yticks=range(len(loaded.classes_)))
figure.colorbar(shown, label="weight")
plt.show()
