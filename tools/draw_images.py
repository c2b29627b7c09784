"""Draw the pictures of the documentation into docs/images, from seeds.

python -m tools.draw_images           draws all of them
python -m tools.draw_images weights   draws those named
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import linspike as ls

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
DPI = 110
COUNTED = ls.Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)


def learn_times() -> tuple[ls.SRM, Any, Any, ls.Pattern, list[float]]:
    """Return a neuron, its weights before and after it learned five times, input and times."""
    rng = np.random.default_rng(1)
    patterns = ls.poisson_patterns(1, n_channels=200, duration=300.0, rate=0.005, rng=rng)
    weights = rng.normal(0.03, 0.01, 200)
    desired = [50.0, 110.0, 160.0, 215.0, 270.0]
    neuron = ls.SRM()
    result = ls.Trainer(neuron, "dta").fit(weights, patterns, ls.SpikeTimes([desired]), seed=0)
    assert result.converged
    return neuron, weights, result.weights, patterns[0], desired


def draw_learning_of_times() -> Any:
    """Draw the README's picture: potential and spikes before and after learning."""
    axes = ls.plot_before_after(*learn_times())
    return axes[0].figure


def draw_potential() -> Any:
    """Draw the potential of a neuron that has learned."""
    neuron, _, after, pattern, desired = learn_times()
    return ls.plot_potential(neuron, after, pattern, target=desired).figure


def draw_moving_threshold() -> Any:
    """Draw the dynamic threshold for one spike more."""
    return ls.plot_potential(ls.SRM(), [1.5, 0.75, 0.95], COUNTED, count=3).figure


def draw_raster() -> Any:
    """Draw one pattern."""
    rng = np.random.default_rng(1)
    patterns = ls.poisson_patterns(1, n_channels=30, duration=300.0, rate=0.01, rng=rng)
    return ls.plot_raster(patterns[0]).figure


def draw_curves() -> Any:
    """Draw the accuracy of three chains over the epochs."""
    rng = np.random.default_rng(3)
    patterns = ls.poisson_patterns(40, n_channels=100, duration=50.0, rate=0.005, rng=rng)
    targets = ls.SpikeCounts(np.arange(40) % 3 + 1)
    trainer = ls.Trainer(ls.SRM(), "mst", max_epochs=40)
    results = [
        trainer.fit(rng.normal(0.02, 0.01, 100), patterns, targets, seed=seed, history=True)
        for seed in range(3)
    ]
    return ls.plot_learning(results).figure


def draw_weights() -> Any:
    """Draw the weights of one neuron, sorted."""
    _, before, after, _, _ = learn_times()
    return ls.plot_weights(after, before=before, sort=True).figure


def draw_confusion() -> Any:
    """Draw what a classifier takes digits for."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    parts = train_test_split(*load_digits(return_X_y=True), random_state=0)
    classifier = ls.SpikeClassifier(random_state=0, max_iter=10).fit(parts[0], parts[2])
    return ls.plot_confusion(parts[3], classifier.predict(parts[1])).figure


def draw_capacity() -> Any:
    """Draw how many patterns two rules learn."""
    rules = {"DTA": "dta", "EMLC": "emlc"}
    outcomes: dict[str, dict[int, list[bool]]] = {name: {} for name in rules}
    for load in (5, 10, 15, 20, 30, 40, 50, 60):
        for name, rule in rules.items():
            trainer = ls.Trainer(ls.SRM(), rule, max_epochs=60)
            tasks = [ls.study.decoding(seed, load, n_channels=60) for seed in range(10)]
            outcomes[name][load] = [trainer.fit(*task, seed=0).converged for task in tasks]
    return ls.plot_capacity(outcomes).figure


DRAWERS: dict[str, Callable[[], Any]] = {
    "learn_times": draw_learning_of_times,
    "potential": draw_potential,
    "moving_threshold": draw_moving_threshold,
    "raster": draw_raster,
    "learning": draw_curves,
    "weights": draw_weights,
    "confusion": draw_confusion,
    "capacity": draw_capacity,
}


def main(names: list[str]) -> None:
    """Draw the pictures named, or all."""
    for name in names or DRAWERS:
        figure = DRAWERS[name]()
        figure.savefig(FOLDER / f"{name}.png", dpi=DPI, metadata={"Software": None})


if __name__ == "__main__":
    main(sys.argv[1:])
