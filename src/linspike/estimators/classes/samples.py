"""Samples with their labels and weights, and how much each of them teaches."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_class_weight

from linspike._typing import Floats, Ints
from linspike.errors import ParameterError, SpikeDataError, Words


class Samples(NamedTuple):
    """Samples to learn from, or to measure an accuracy on.

    Attributes
    ----------
    values : PatternSet or array
        Inputs: patterns, or checked numbers that are yet to be encoded.
    indices : array of int
        Places of their labels in `classes_`.
    weights : array of float or None
        Their weights, positive; None if all weigh the same.
    numbers : array of int or None
        Their numbers among all samples that were passed, where these are not 0, 1, ...
    """

    values: Any
    indices: Ints
    weights: Floats | None
    numbers: Ints | None = None

    def take(self, rows: Ints) -> Self:
        """Return some of the samples."""
        weights = None if self.weights is None else self.weights[rows]
        numbers = rows if self.numbers is None else self.numbers[rows]
        return self._replace(
            values=self.values[rows], indices=self.indices[rows], weights=weights, numbers=numbers
        )

    def drop_weightless(self) -> Self:
        """Return the samples with a weight above 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.take(np.flatnonzero(self.weights))

    def split(self, share: float, seed: int) -> tuple[Self, Self]:
        """Return samples to learn from and samples held out, with the same mix of classes."""
        how = {"test_size": share, "stratify": self.indices, "random_state": seed}
        try:
            kept, aside = train_test_split(np.arange(len(self.indices)), **how)
        except ValueError as error:
            domain = "a share that leaves samples of every class on both sides"
            owner = "SpikeClassifier"
            raise ParameterError.of("validation_fraction", owner, domain, share) from error
        return self.take(np.sort(kept)), self.take(np.sort(aside))


def check_sample_weight(weights: Any, n_samples: int, owner: str) -> Floats | None:
    """Return one weight per sample, or None; one at least must be above 0."""
    if weights is None:
        return None
    domain = "one finite number of at least 0 for each sample"
    try:
        found = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        got = Words(f"a {type(weights).__name__} of something else")
        raise ParameterError.of("sample_weight", owner, domain, got) from None
    if found.ndim != 1:
        got = Words(f"shape {found.shape}")
        raise ParameterError.of("sample_weight", owner, domain, got)
    if len(found) != n_samples:
        raise SpikeDataError(
            f"{owner} needs a sample_weight for each of the {n_samples} samples. "
            f"Got {len(found)} instead."
        )
    for at in np.flatnonzero(~(np.isfinite(found) & (found >= 0.0)))[:1]:
        got = Words(f"{found[at]} at {at}")
        raise ParameterError.of("sample_weight", owner, domain, got)
    if not found.any():
        got = Words("zero weights only")
        raise ParameterError.of("sample_weight", owner, "above 0 for one sample at least", got)
    return found


def check_unit_weight(weights: Floats | None) -> None:
    """Refuse weights above 1 where only a part of the samples is at hand."""
    if weights is not None and weights.max() > 1.0:
        remedy = "Divide by the largest weight that any part has: a weight is a factor of the step."
        got = Words(f"{weights.max()}")
        raise ParameterError.of("sample_weight", "partial_fit", "at most 1", got, remedy)


def class_factors(class_weight: Any, indices: Ints, classes: Any) -> Floats | None:
    """Return the factor of the steps on each sample that the weight of its class makes."""
    if class_weight is None:
        return None
    if class_weight == "balanced":
        counts = np.bincount(indices)[indices]
        return np.asarray(counts.min() / counts)
    # Of all classes, not of those at hand: parts of the data must weigh as the whole does.
    weights = compute_class_weight(class_weight, classes=classes, y=classes)
    if weights.max() == 0.0:
        domain = "above 0 for one class at least"
        raise ParameterError.of("class_weight", "SpikeClassifier", domain, class_weight)
    return np.asarray((weights / weights.max())[indices])


def step_factors(by_class: Floats | None, weights: Floats | None) -> Floats | None:
    """Return the product of two factors of the steps, where there are any."""
    if by_class is None or weights is None:
        return weights if by_class is None else by_class
    return by_class * weights
