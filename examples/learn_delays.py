"""
Learn delays
============

A neuron learns delays of its inputs together with their weights, and so more patterns than with
weights alone.
"""

import matplotlib.pyplot as plt
import numpy as np

import linspike as ls

rng = np.random.default_rng(1)
n_patterns, n_channels, duration = 13, 50, 100.0
times = rng.uniform(0.0, duration, (n_patterns, n_channels))
patterns = ls.PatternSet.from_latencies(times, duration)  # one spike per channel
trains = ls.poisson_trains(
    n_patterns, duration=duration, rate=0.02, min_gap=5.0, min_onset=20.0, rng=rng
)
desired = ls.SpikeTimes(trains)
weights = rng.normal(0.01, 0.01, n_channels)
neuron = ls.SRM()

results = {}
for name, rule in {"weights alone": ls.DTA(), "with delays": ls.DTA(delays=True)}.items():
    trainer = ls.Trainer(neuron, rule, criterion="strict", max_epochs=300)
    results[name] = trainer.fit(weights, patterns, desired, history=True)
    best = results[name].history.accuracy.max()
    print(f"{name}: {best:.0%} of the patterns at best, in {results[name].epochs} epochs")

# %%
# Where the spikes of one pattern are sent and where they arrive, and the potential that they make.
learned = results["with delays"]
busiest = int(desired.counts.argmax())
figure, (top, bottom) = plt.subplots(
    2, sharex=True, figsize=(7.0, 6.0), height_ratios=(2, 1), layout="constrained"
)
ls.plot_raster(patterns[busiest], delays=learned.delays, ax=top).set_xlabel("")
ls.plot_potential(
    neuron,
    learned.weights,
    patterns[busiest],
    target=desired[busiest],
    delays=learned.delays,
    ax=bottom,
)
plt.show()
