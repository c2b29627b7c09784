"""
Learn spike times
=================

A neuron with 500 inputs learns to respond to ten random patterns with desired spike times.
"""

import matplotlib.pyplot as plt
import numpy as np

import linspike as ls

rng = np.random.default_rng(0)
patterns = ls.poisson_patterns(10, n_channels=500, duration=400.0, rate=0.005, rng=rng)
desired = ls.SpikeTimes(
    ls.poisson_trains(10, duration=400.0, rate=0.005, min_gap=5.0, min_onset=10.0, rng=rng)
)
weights = rng.normal(0.01, 0.01, 500)
neuron = ls.SRM()

trainer = ls.Trainer(neuron, ls.DTA(), max_epochs=500, criterion="strict")
result = trainer.fit(weights, patterns, desired, seed=0)
print(f"{result.reason} after {result.epochs} epochs")

# %%
# With the strict criterion every desired spike has its partner within 1 ms, and none is left over.
responses = neuron.respond_many(result.weights[np.newaxis], patterns)[0]
for number, (response, goal) in enumerate(zip(responses, desired, strict=True)):
    match = ls.match_spikes(response, goal)
    print(f"pattern {number}: desired {len(goal)}, missed {match.missed}, extra {match.extra}")

# %%
# The potential before and after, for the pattern with the most desired spikes.
busiest = int(desired.counts.argmax())
figure, axes = plt.subplots(2, sharex=True, figsize=(7.0, 4.6), layout="constrained")
for ax, title, shown in zip(axes, ("before", "after"), (weights, result.weights), strict=True):
    ls.plot_potential(neuron, shown, patterns[busiest], target=desired[busiest], ax=ax)
    ax.set_title(title, loc="left", fontsize="medium")
axes[0].set_xlabel("")
axes[1].get_legend().remove()  # one is enough
plt.show()
