"""Noisy recordings in, clean spike trains out: two neurons learn a train for each of four sources.

Run: python examples/map_trains.py
"""

import numpy as np

import linspike as ls

SOURCES, JITTER = 4, 0.5  # milliseconds


def recordings(templates: ls.PatternSet, times: int, seed: int) -> ls.PatternSet:
    """Each source heard so many times, every spike a little early or late."""
    rng = np.random.default_rng(seed)
    return ls.PatternSet.concatenate([ls.jitter(templates, JITTER, rng=rng) for _ in range(times)])


def main() -> None:
    """Learn from ten recordings of each source, listen to ten others."""
    rng = np.random.default_rng(0)
    templates = ls.poisson_patterns(SOURCES, n_channels=300, duration=200.0, rate=0.01, rng=rng)
    trains = [
        ls.poisson_trains(SOURCES, duration=200.0, rate=0.02, min_gap=15.0, min_onset=20.0, rng=rng)
        for _ in range(2)
    ]
    desired = [ls.SpikeTimes(neuron * 10) for neuron in trains]
    seen, unseen = recordings(templates, 10, seed=1), recordings(templates, 10, seed=2)

    mapper = ls.SpikeMapper(criterion="strict", max_iter=100, random_state=0).fit(seen, desired)
    print(f"{mapper.score(seen, desired):.0%} of the trains learned in {mapper.n_iter_} epochs")
    print(f"{mapper.score(unseen, desired):.0%} of the unseen ones right, every spike within 1 ms")
    for neuron, (responses, goals) in enumerate(zip(mapper.predict(unseen), desired, strict=True)):
        found = [ls.match_spikes(a, goal) for a, goal in zip(responses, goals, strict=True)]
        paired, missed, extra = (
            sum(getattr(match, name) for match in found) for name in ("paired", "missed", "extra")
        )
        print(f"neuron {neuron}: {paired} spikes right, {missed} missed, {extra} too many")


if __name__ == "__main__":
    main()
