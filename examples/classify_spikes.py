"""Classify recordings of spikes: three stimuli, each with jitter and missing spikes.

Run: python examples/classify_spikes.py
"""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

import linspike as ls

STIMULI = ("tone", "click", "noise")
CHANNELS, DURATION = 40, 200.0  # milliseconds
JITTER, KEPT = 5.0, 0.5  # milliseconds, share of spikes


def recordings(per_stimulus: int, rng: np.random.Generator) -> tuple[ls.PatternSet, np.ndarray]:
    """Made-up data in the form that many have: spike times per trial and channel, and labels."""
    templates = rng.uniform(0.0, DURATION, (len(STIMULI), CHANNELS, 2))
    labels = np.repeat(STIMULI, per_stimulus)
    trials = []
    for template in np.repeat(templates, per_stimulus, axis=0):
        moved = template + rng.normal(0.0, JITTER, template.shape)
        heard = (rng.random(template.shape) < KEPT) & (moved >= 0.0) & (moved <= DURATION)
        trials.append([np.sort(times[kept]) for times, kept in zip(moved, heard, strict=True)])
    return ls.PatternSet.from_lists(trials, duration=DURATION), labels


def main() -> None:
    """Cross-validate, then look at the responses to one recording."""
    patterns, labels = recordings(30, np.random.default_rng(0))
    print(patterns)
    clf = ls.SpikeClassifier(spikes=3, random_state=0)
    splits = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_score(clf, patterns, labels, cv=splits)
    print(f"five splits: {scores.mean():.1%} right, the worst {scores.min():.1%}")

    clf.fit(patterns[::2], labels[::2])
    responses = clf.neuron_.respond_many(clf.weights_, patterns[1:2])
    for neuron, stimulus in enumerate(clf.classes_):
        times = responses[neuron, 0].times.round(1).tolist()
        print(f"{labels[1]} was played, the neuron of {stimulus} responds: {times}")


if __name__ == "__main__":
    main()
