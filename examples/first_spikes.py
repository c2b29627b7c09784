"""A neuron responds to a random pattern: exact spike times, the potential, a picture.

Run: python examples/first_spikes.py [picture.png]
"""

import sys

import numpy as np
from matplotlib.figure import Figure

import linspike as ls


def main(picture: str = "first_spikes.png") -> None:
    """Simulate, print the spikes, check them, and draw."""
    rng = np.random.default_rng(3)
    pattern = ls.poisson_patterns(1, n_channels=500, duration=400.0, rate=0.005, rng=rng)[0]
    weights = rng.normal(0.01, 0.03, 500)
    neuron = ls.SRM(tau_m=20.0, tau_s=5.0, threshold=1.0)

    spikes = neuron.respond(weights, pattern)
    print(f"{len(pattern)} input spikes, {len(spikes)} output spikes:")
    print("  " + "  ".join(f"{time:.12f} ms" for time in spikes))
    error = np.abs(neuron.potential(weights, pattern, spikes.times) - neuron.threshold).max()
    print(f"potential at the spikes is the threshold to {error:.1e}")

    more = neuron.critical_threshold(weights, pattern, len(spikes) + 1)
    print(
        f"largest threshold with {len(spikes) + 1} spikes: {more.value:.6f}, where the last one "
        f"only just touches it, at {more.time:.3f} ms ({more.kind} maximum)"
    )

    figure = Figure(figsize=(8.0, 4.6), layout="constrained")
    above, below = figure.subplots(2, sharex=True, height_ratios=[1.3, 1.0])
    ls.plot_raster(pattern, ax=above).set_xlabel("")
    ls.plot_potential(neuron, weights, pattern, free=True, ax=below)
    figure.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
