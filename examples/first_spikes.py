"""
Simulate a neuron
=================

A neuron responds to a random pattern: exact spike times, the potential, the critical threshold.
"""

import matplotlib.pyplot as plt
import numpy as np

import linspike as ls

rng = np.random.default_rng(3)
pattern = ls.poisson_patterns(1, n_channels=500, duration=400.0, rate=0.005, rng=rng)[0]
weights = rng.normal(0.01, 0.03, 500)
neuron = ls.SRM(tau_m=20.0, tau_s=5.0, threshold=1.0)

spikes = neuron.respond(weights, pattern)
print(f"{len(pattern)} input spikes, {len(spikes)} output spikes:")
print("  " + "  ".join(f"{time:.12f} ms" for time in spikes))

# %%
# There is no time step: the potential at a spike is the threshold, to rounding.
error = np.abs(neuron.potential(weights, pattern, spikes.times) - neuron.threshold).max()
print(f"potential at the spikes is the threshold to {error:.1e}")

# %%
# The critical threshold says how far the neuron is from one spike more.
more = neuron.critical_threshold(weights, pattern, len(spikes) + 1)
print(f"largest threshold with {len(spikes) + 1} spikes: {more.value:.6f}")
print(f"the last one only just touches it, at {more.time:.3f} ms ({more.kind} maximum)")

# %%
# Input spikes above, the potential with and without resets below.
figure, (above, below) = plt.subplots(
    2, sharex=True, figsize=(8.0, 4.6), height_ratios=[1.3, 1.0], layout="constrained"
)
ls.plot_raster(pattern, ax=above).set_xlabel("")
ls.plot_potential(neuron, weights, pattern, free=True, ax=below)
plt.show()
