"""A neuron learns to respond to ten random patterns with desired spike times.

Run: python examples/learn_times.py [picture.png]
"""

import sys

import numpy as np

import linspike as ls


def main(picture: str = "learn_times.png") -> None:
    """Train, check the responses, draw one of them before and after."""
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(10, n_channels=500, duration=400.0, rate=0.005, rng=rng)
    desired = ls.SpikeTimes(
        ls.poisson_trains(10, duration=400.0, rate=0.005, min_gap=5.0, min_onset=10.0, rng=rng)
    )
    weights = rng.normal(0.01, 0.01, 500)
    neuron = ls.SRM()

    trainer = ls.Trainer(neuron, ls.DTA(), max_epochs=500, criterion="strict")
    result = trainer.fit(weights, patterns, desired, seed=0, history=True)
    print(f"{result.reason} after {result.epochs} epochs")
    responses = neuron.respond_many(result.weights[np.newaxis], patterns)[0]
    for number, (response, goal) in enumerate(zip(responses, desired, strict=True)):
        match = ls.match_spikes(response, goal)
        print(f"pattern {number}: desired {len(goal)}, missed {match.missed}, extra {match.extra}")

    busiest = int(desired.counts.argmax())
    axes = ls.plot_before_after(
        neuron, weights, result.weights, patterns[busiest], desired[busiest]
    )
    axes[0].figure.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
