"""What came of a fit or of an evaluation: plain findings, and the same as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike.cli.csv_table import listed
from linspike.errors import printable

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier

Labels = np.ndarray[Any, Any]


def fit_findings(classifier: SpikeClassifier, values: Floats, labels: Labels) -> dict[str, Any]:
    """What came of a fit; the accuracy is that of the weights that were kept."""
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


def fit_text(found: dict[str, Any], columns: Sequence[str], most_epochs: int) -> str:
    """Findings of a fit, a line each."""
    counts = [f"{part['label']} {part['samples']}" for part in found["classes"]]
    accuracy = f"{found['accuracy']:.3f} on the training samples"
    ending = f" of {most_epochs}"
    if "validation_accuracy" in found:
        aside = f"{found['validation_accuracy']:.3f} on those set aside"
        accuracy = f"{found['accuracy']:.3f} on all samples, {aside}"
    if found["converged"]:
        ending = ", until every answer was right"
    lines = {
        "samples": found["samples"],
        "features": f"{found['features']} ({listed(columns)})",
        "classes": f"{len(counts)} ({listed(counts)})",
        "channels": found["channels"],
        "epochs": f"{found['epochs']}{ending}",
        "accuracy": accuracy,
    }
    return "\n".join(f"{name:<10}{text}" for name, text in lines.items())


def evaluation(truth: Labels, predicted: Labels, classes: Labels) -> dict[str, Any]:
    """Accuracy, counts of each class, and how often each was taken for which."""
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


def evaluation_text(found: dict[str, Any]) -> str:
    """Accuracy, then rows of true and columns of predicted classes."""
    parts = found["classes"]
    labels = [printable(part["label"]) for part in parts]
    rows = [["true \\ predicted", *labels, "samples", "right"]]
    for label, part, counts in zip(labels, parts, found["confusion"], strict=True):
        share = f"{part['right'] / part['samples']:.3f}" if part["samples"] else "-"
        rows.append([label, *map(str, counts), str(part["samples"]), share])
    total = [str(part["predicted"]) for part in parts]
    rows.append(["predicted", *total, str(found["samples"]), f"{found['accuracy']:.3f}"])
    return "\n".join([f"accuracy {_share(found)}", "", *_aligned(rows)])


def _share(found: dict[str, Any]) -> str:
    return f"{found['accuracy']:.3f} ({found['right']} of {found['samples']})"


def _aligned(rows: list[list[str]]) -> list[str]:
    """Columns side by side, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]))
    return lines
