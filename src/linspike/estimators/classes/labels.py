"""Labels of samples and weights of classes, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from linspike._typing import Ints
from linspike._validation import check_real
from linspike.errors import ParameterError, SpikeDataError, Words


def check_class_weight(weights: Any, owner: str) -> None:
    """Refuse weights of classes that are neither a dict nor "balanced"."""
    domain = "None, 'balanced', or a dict of finite numbers of at least 0"
    if isinstance(weights, dict):
        for weight in weights.values():
            check_real(weight, "class_weight", owner, least=0.0, domain=domain)
    elif not (weights is None or (isinstance(weights, str) and weights == "balanced")):
        raise ParameterError.of("class_weight", owner, domain, weights)


def check_labels(values: Any, y: Any) -> Any:
    """Return a label for each sample."""
    if y is None:
        raise ParameterError("SpikeClassifier requires y to be passed, but the target y is None.")
    labels = check_discrete(y, "y", "SpikeClassifier")
    check_consistent_length(values, labels)
    return labels


def check_discrete(y: Any, name: str, owner: str) -> Any:
    """Return labels as an array of numbers or of texts."""
    labels = column_or_1d(y, warn=True)
    for place, label in enumerate(labels if labels.dtype == object else ()):
        if not isinstance(label, str):
            domain, got = "all texts or all numbers, without gaps", Words(f"{label!r} at {place}")
            # scikit-learn looks for the first three words.
            remedy = (
                f"Unknown label type {type(label).__name__} in an array of objects; "
                "numbers need an array of numbers, as from astype(int)."
            )
            raise ParameterError.of(name, owner, domain, got, remedy)
    check_classification_targets(labels)
    return labels


def distinct_labels(labels: Any) -> Any:
    """Return the classes, in order; there must be two at least."""
    classes = np.unique(labels)
    if len(classes) < 2:
        raise SpikeDataError(
            "SpikeClassifier cannot learn from one class alone, it needs samples of at least 2 "
            f"classes. Got {classes.tolist()} instead."
        )
    return classes


def class_indices(labels: Any, classes: Any) -> Ints:
    """Return labels as places in the classes."""
    places = {label: place for place, label in enumerate(classes.tolist())}
    listed = labels.tolist()
    unknown = [label for label in listed if label not in places]
    if unknown:
        domain = f"labels among {list(places)}"
        raise ParameterError.of("y", "SpikeClassifier", domain, unknown[0])
    return np.array([places[label] for label in listed], dtype=np.int64)


def first_classes(classes: Any) -> Any:
    """Return all labels there will be, as the first call of `partial_fit` must name them."""
    if classes is None:
        domain = "all labels there will be, at the first call"
        raise ParameterError.of("classes", "partial_fit", domain, classes)
    return distinct_labels(check_discrete(classes, "classes", "partial_fit"))


def check_same_classes(classes: Any, known: Any) -> None:
    """Refuse other labels than those of the first call of `partial_fit`."""
    if classes is None:
        return
    named = check_discrete(classes, "classes", "partial_fit")
    if set(named.tolist()) != set(known.tolist()):
        domain = f"those of the first call, {known.tolist()}"
        raise ParameterError.of("classes", "partial_fit", domain, classes)
