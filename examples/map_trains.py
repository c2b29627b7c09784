"""
Map recordings to spike trains
==============================

Noisy recordings in, clean spike trains out: two neurons learn a train for each of four sources.
"""

import matplotlib.pyplot as plt
import numpy as np

import linspike as ls

SOURCES, JITTER = 4, 0.5  # milliseconds


def recordings(templates: ls.PatternSet, times: int, seed: int) -> ls.PatternSet:
    """Return each source heard so many times, every spike a little early or late."""
    rng = np.random.default_rng(seed)
    return ls.PatternSet.concatenate([ls.jitter(templates, JITTER, rng=rng) for _ in range(times)])


rng = np.random.default_rng(0)
templates = ls.poisson_patterns(SOURCES, n_channels=300, duration=200.0, rate=0.01, rng=rng)
trains = [
    ls.poisson_trains(SOURCES, duration=200.0, rate=0.02, min_gap=15.0, min_onset=20.0, rng=rng)
    for _ in range(2)
]

# %%
# Learn from ten recordings of each source, listen to ten others.
desired = [ls.SpikeTimes(neuron * 10) for neuron in trains]
seen, unseen = recordings(templates, 10, seed=1), recordings(templates, 10, seed=2)
mapper = ls.SpikeMapper(criterion="strict", max_iter=100, random_state=0).fit(seen, desired)
print(f"{mapper.score(seen, desired):.0%} of the trains learned in {mapper.n_iter_} epochs")
print(f"{mapper.score(unseen, desired):.0%} of the unseen ones right, every spike within 1 ms")

# %%
# Responses to the unseen recordings of the first source, above the desired train (triangles).
heard = mapper.predict(unseen)
figure, axes = plt.subplots(1, 2, sharey=True, figsize=(8.0, 3.0), layout="constrained")
for number, (ax, responses) in enumerate(zip(axes, heard, strict=True)):
    ls.plot_raster(list(responses[::SOURCES]), ax=ax)
    goal = trains[number][0].times
    ax.plot(goal, np.full(len(goal), -1.0), "^", color="C2", ms=6)
    ax.set(title=f"neuron {number}", ylabel="recording", xlim=(0.0, 200.0), ylim=(-1.6, 9.6))
plt.show()
