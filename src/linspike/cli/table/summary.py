"""Results of a fit or of an evaluation, as plain values and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike.cli.output import align
from linspike.cli.table.csv_table import join_names
from linspike.errors import printable

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier

Labels = np.ndarray[Any, Any]


def summarise_fit(classifier: SpikeClassifier, values: Floats, labels: Labels) -> dict[str, Any]:
    """Return the results of a fit; the accuracy is that of the weights that were kept."""
    names, counts = np.unique(labels, return_counts=True)
    found = {
        "samples": len(values),
        "features": values.shape[1],
        "classes": [
            {"label": label, "samples": count}
            for label, count in zip(names.tolist(), counts.tolist(), strict=True)
        ],
        "channels": classifier.weights_.shape[1],
        "epochs": int(classifier.n_iter_),
        "converged": bool(classifier.converged_),
        "accuracy": float(np.mean(classifier.predict(values) == labels)),
    }
    if classifier.early_stopping:
        found["validation_accuracy"] = float(classifier.history_["validation_accuracy"].max())
    return found


def format_fit(
    found: dict[str, Any], columns: Sequence[str], max_epochs: int, more: Mapping[str, str]
) -> str:
    """Return the results of a fit, a line each, and more such lines."""
    counts = [f"{part['label']} {part['samples']}" for part in found["classes"]]
    accuracy = f"{found['accuracy']:.3f} on the training samples"
    ending = f" of {max_epochs}"
    if "validation_accuracy" in found:
        held_out = f"{found['validation_accuracy']:.3f} on those held out"
        accuracy = f"{found['accuracy']:.3f} on all samples, {held_out}"
    if found["converged"]:
        ending = ", until every response was right"
    lines = {
        "samples": str(found["samples"]),
        "features": f"{found['features']} ({join_names(columns)})",
        "classes": f"{len(counts)} ({join_names(counts)})",
        "channels": str(found["channels"]),
        "epochs": f"{found['epochs']}{ending}",
        "accuracy": accuracy,
        **more,
    }
    return align(list(lines.items()))


def summarise_evaluation(truth: Labels, predicted: Labels, classes: Labels) -> dict[str, Any]:
    """Return the accuracy, the counts of each class, and the confusion matrix."""
    from sklearn.metrics import confusion_matrix

    confusion = confusion_matrix(truth, predicted, labels=classes)
    right = int(np.trace(confusion))
    samples, responses = confusion.sum(axis=1).tolist(), confusion.sum(axis=0).tolist()
    parts = zip(classes.tolist(), samples, responses, confusion.diagonal().tolist(), strict=True)
    return {
        "samples": len(truth),
        "right": right,
        "accuracy": right / len(truth),
        "classes": [
            dict(zip(("label", "samples", "predicted", "right"), part, strict=True))
            for part in parts
        ],
        "confusion": confusion.tolist(),  # rows: true, columns: predicted
    }


def format_evaluation(found: dict[str, Any]) -> str:
    """Return the accuracy, then rows of true and columns of predicted classes."""
    parts = found["classes"]
    labels = [printable(part["label"]) for part in parts]
    rows = []
    for label, part, counts in zip(labels, parts, found["confusion"], strict=True):
        share = f"{part['right'] / part['samples']:.3f}" if part["samples"] else "-"
        rows.append([label, *map(str, counts), str(part["samples"]), share])
    accuracy = f"{found['accuracy']:.3f}"
    total = [str(part["predicted"]) for part in parts]
    rows.append(["predicted", *total, str(found["samples"]), accuracy])
    headings = ["true \\ predicted", *labels, "samples", "right"]
    table = align(rows, headings, right=range(1, len(headings)))
    return f"accuracy {accuracy} ({found['right']} of {found['samples']})\n\n{table}"
