"""Built-in examples: small tasks made by a function from a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError
from linspike.lab.document import Document
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.spikes.generators import poisson_patterns
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.initial import driven_weights

FIRST_INPUT, AFTER = 5.0, 60.0  # ms, of the two-input task
DECIMALS = 2  # of times: a document fits into an address


class Example(NamedTuple):
    """A task with the story it tells."""

    title: str
    text: str
    make: Callable[[], Document]


def two_inputs(delta: float, lag: float) -> tuple[Pattern, Floats]:
    """Return two inputs `delta` ms apart, and desired times, each `lag` ms after its input."""
    second = FIRST_INPUT + delta
    pattern = Pattern([FIRST_INPUT, second], [0, 1], n_channels=2, duration=second + AFTER)
    return pattern, np.array([FIRST_INPUT + lag, second + lag])


def _document(pattern: Pattern | PatternSet, targets: Any, weights: Any, **more: Any) -> Document:
    patterns = PatternSet.from_patterns([pattern]) if isinstance(pattern, Pattern) else pattern
    found: Floats = np.array(weights, dtype=np.float64).round(6)
    return Document(SRM(), patterns, targets, found, **more)


def make_interference() -> Document:
    """Return four inputs and two desired spikes: the first in its place, the second missing."""
    times = [10.0, 12.0, 14.0, 20.0, 32.0, 34.0, 46.0, 48.0]
    pattern = Pattern(times, [0, 1, 2, 3, 2, 3, 0, 1], n_channels=4, duration=80.0)
    # PSD brings the second spike in one step, and the first 2 ms too early; DTA leaves the first.
    rules = (rule_of("psd", "lab", eta=0.02), rule_of("dta", "lab"))
    weights = [0.18, 0.42, 0.4, 0.07]
    return _document(pattern, SpikeTimes([[21.0, 51.0]]), weights, rules=rules)


def make_figure_2() -> Document:
    """Return the two spikes of figure 2: the first in its place, the second too early."""
    neuron, (pattern, desired) = SRM(), two_inputs(15.0, 5.0)
    # Weights with both spikes in their places; then the second is made larger.
    design = neuron.design(pattern, desired)
    weights = np.linalg.solve(design, neuron.moving_threshold(desired, desired))
    # As in the paper, spikes are to be at their desired times, and not only near them.
    first = rule_of("first_error", "lab", eta=0.13, tolerance=0.1)
    rules = (first, rule_of("dta", "lab", hold_tolerance=0.0))
    start = weights + np.array([0.0, 0.25])
    return _document(pattern, SpikeTimes([desired]), start, rules=rules, skip_right=False)


def make_figure_3(delta: float) -> Document:
    """Return the two spikes of figure 3, so far apart, learned from nothing."""
    pattern, desired = two_inputs(delta, 7.0)
    rules = (rule_of("psd", "lab", eta=0.01), rule_of("dta", "lab"))
    return _document(pattern, SpikeTimes([desired]), [0.0, 0.0], rules=rules)


def make_figure_4() -> Document:
    """Return the three bumps of figure 4, and a count that is one spike too high for them."""
    pattern = Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)
    rules = (rule_of("dta", "lab"), rule_of("mst", "lab", eta=0.05))
    return _document(pattern, SpikeCounts([3]), [1.5, 0.85, 0.95], rules=rules)


def make_large() -> Document:
    """Return five patterns of 500 inputs, with three desired spikes each."""
    rng = np.random.default_rng(7)
    drawn = poisson_patterns(5, n_channels=500, duration=400.0, rate=0.005, rng=rng)
    times, duration = drawn.times.round(DECIMALS), drawn.durations
    patterns = PatternSet.sorted(times, drawn.channels, drawn.offsets, 500, duration)
    desired = SpikeTimes([[60.0 + 12.0 * p, 190.0, 340.0 - 8.0 * p] for p in range(5)])
    rules = (rule_of("dta", "lab"), rule_of("resume", "lab", eta=0.005))
    return _document(patterns, desired, rng.normal(0.01, 0.01, 500), rules=rules)


def make_digit() -> Document:
    """Return 8 x 8 images of digits; the neuron is to fire three spikes for a three alone."""
    from sklearn.datasets import load_digits

    from linspike.encoders.latency import LatencyEncoder

    images, labels = load_digits(return_X_y=True)
    first = [int(np.flatnonzero(labels == digit)[k]) for k in range(2) for digit in range(10)]
    patterns = LatencyEncoder(duration=50.0, scale=16.0).fit_transform(images[first])
    longer = (patterns.times, patterns.channels, patterns.offsets, patterns.n_channels, 80.0)
    patterns = PatternSet(*longer)
    targets = SpikeCounts([3 if labels[i] == 3 else 0 for i in first])
    weights = driven_weights(SRM(), patterns, [targets], 0)[0]
    rules = (rule_of("dta", "lab", count_target="gradient"), rule_of("mst", "lab", eta=0.02))
    return _document(patterns, targets, weights, rules=rules)


EXAMPLES = {
    "interference": Example(
        "Interference",
        "This neuron is to fire at the two triangles. Its first spike is right, its second is "
        "missing. But both depend on the same four weights: press Step, and the correction that "
        "brings the second spike drives the first out of its place. That is interference; the "
        "matrix has it in numbers. Then press Reset, choose DTA above, and step again: it "
        "corrects the second and holds the first.",
        make_interference,
    ),
    "figure-2": Example(
        "Figure 2: correcting one spike moves the other",
        "The first spike is right, the second comes too early. The first-error rule corrects one "
        "at a time, and each correction moves the other spike: press Step a few times. DTA "
        "corrects both at once: press Reset, choose it above, and step.",
        make_figure_2,
    ),
    "figure-3": Example(
        "Figure 3: spikes 25 ms apart",
        "PSD starts with weights 0. At this distance the corrections of the two spikes work "
        "against each other: press Play, then compare with 55 ms.",
        lambda: make_figure_3(25.0),
    ),
    "figure-3-far": Example(
        "Figure 3: spikes 55 ms apart",
        "The same task with the spikes farther apart: the PSP of one has faded when the other is "
        "due, and PSD gets both right. DTA needs a few steps at either distance.",
        lambda: make_figure_3(55.0),
    ),
    "figure-4": Example(
        "Figure 4: one spike more",
        "Two spikes, three are desired. The middle bump nearly reaches the threshold: there DTA "
        "finds the time of the third spike by lowering the threshold.",
        make_figure_4,
    ),
    "large": Example(
        "500 inputs, five patterns",
        "One neuron learns three desired spikes for each of five patterns. Play, and compare the "
        "error curves of DTA and ReSuMe.",
        make_large,
    ),
    "digit": Example(
        "A digit",
        "Twenty images of digits, the brighter a pixel the earlier its spike. Three spikes are "
        "desired for a three, none for other digits.",
        make_digit,
    ),
}


def list_examples() -> list[dict[str, str]]:
    """Return name and title of every example."""
    return [{"name": name, "title": each.title} for name, each in EXAMPLES.items()]


def make_example(name: str) -> dict[str, Any]:
    """Return the document of an example."""
    if name not in EXAMPLES:
        raise ParameterError.of("name", "the lab", f"one of {', '.join(EXAMPLES)}", name)
    example = EXAMPLES[name]
    return example.make().to_plain(example.title, example.text)
