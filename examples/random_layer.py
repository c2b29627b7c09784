"""
Learn more with a random layer
==============================

One neuron and the same patterns, with 50 inputs and behind 400 neurons with random weights.
"""

import matplotlib.pyplot as plt
import numpy as np

import linspike as ls

rng = np.random.default_rng(0)
inputs = ls.PatternSet.from_latencies(rng.uniform(0.0, 100.0, (30, 50)), 100.0)
desired = ls.poisson_trains(30, duration=100.0, rate=0.02, min_gap=5.0, min_onset=15.0, rng=rng)

# %%
# The layer is fitted to the patterns: every neuron fires three times per pattern, in the mean.
layer = ls.RandomLayer(400, random_state=0)
hidden = layer.fit_transform(inputs)
print(f"{inputs.n_channels} channels in, {hidden.n_channels} out")

# %%
# Behind it a neuron learns all 30 patterns; without it, it never does.
trainer = ls.Trainer(ls.SRM(), max_epochs=150, criterion="strict")
results = {}
for name, patterns in (("50 inputs", inputs), ("behind 400 neurons", hidden)):
    start = rng.normal(0.01, 0.01, patterns.n_channels)
    results[name] = trainer.fit(start, patterns, ls.SpikeTimes(desired), history=True)
    print(f"{name}: {results[name].reason}")

# %%
# A pattern before and after the layer, and how learning went.
figure, (above, middle, below) = plt.subplots(3, 1, figsize=(8.0, 7.0), layout="constrained")
ls.plot_raster(inputs[0], ax=above).set(title="one pattern", xlabel="", ylabel="input")
ls.plot_raster(hidden[0], ax=middle).set(ylabel="hidden neuron")
for name, result in results.items():
    below.plot(100.0 * result.history.accuracy, label=name)
below.set(xlabel="epoch", ylabel="right responses in %")
below.legend()
plt.show()
