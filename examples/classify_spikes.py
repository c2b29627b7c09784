"""
Classify recordings of spikes
=============================

Three stimuli, each heard many times, with jitter and missing spikes.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

import linspike as ls

STIMULI = ("tone", "click", "noise")
CHANNELS, DURATION = 40, 200.0  # milliseconds
JITTER, KEPT = 5.0, 0.5  # milliseconds, share of spikes


def recordings(per_stimulus: int, rng: np.random.Generator) -> tuple[ls.PatternSet, np.ndarray]:
    """Make data in the form that many have: spike times per trial and channel, and labels."""
    templates = rng.uniform(0.0, DURATION, (len(STIMULI), CHANNELS, 2))
    labels = np.repeat(STIMULI, per_stimulus)
    trials = []
    for template in np.repeat(templates, per_stimulus, axis=0):
        moved = template + rng.normal(0.0, JITTER, template.shape)
        heard = (rng.random(template.shape) < KEPT) & (moved >= 0.0) & (moved <= DURATION)
        trials.append([np.sort(times[kept]) for times, kept in zip(moved, heard, strict=True)])
    return ls.PatternSet.from_lists(trials, duration=DURATION), labels


patterns, labels = recordings(30, np.random.default_rng(0))
print(patterns)

# %%
# A `SpikeClassifier` takes patterns as scikit-learn's classifiers take rows of numbers.
clf = ls.SpikeClassifier(spikes=3, random_state=0)
splits = StratifiedKFold(5, shuffle=True, random_state=0)
scores = cross_val_score(clf, patterns, labels, cv=splits)
print(f"five splits: {scores.mean():.1%} right, the worst {scores.min():.1%}")

# %%
# One recording of each stimulus that was not learned, and the responses of the three neurons.
clf.fit(patterns[::2], labels[::2])
figure, axes = plt.subplots(
    2, 3, sharex=True, sharey="row", figsize=(8.0, 4.0), height_ratios=[3, 1], layout="constrained"
)
for (above, below), trial in zip(axes.T, (1, 31, 61), strict=True):
    responses = clf.neuron_.respond_many(clf.weights_, patterns[trial : trial + 1])
    spikes = [responses[neuron, 0] for neuron in range(len(STIMULI))]
    counts = dict(zip(clf.classes_.tolist(), map(len, spikes), strict=True))
    print(f"{labels[trial]} was played, spikes of each neuron: {counts}")
    ls.plot_raster(patterns[trial], ax=above).set(xlabel="", ylabel="channel", title=labels[trial])
    ls.plot_raster(spikes, ax=below).set(ylabel="")
axes[1, 0].set_yticks(range(len(STIMULI)), clf.classes_)
for ax in axes.flat:
    ax.label_outer()
plt.show()
