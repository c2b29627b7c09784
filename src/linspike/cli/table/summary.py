"""Results of a fit or of an evaluation, as plain values and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linspike.cli.output import align
from linspike.cli.table.cells import join_names
from linspike.cli.table.labels import Labels
from linspike.cli.table.table_model import SavedModel, TableModel
from linspike.errors import printable


def summarise_fit(model: SavedModel, inputs: Any, labels: Labels) -> dict[str, Any]:
    """Return the results of a fit; the accuracy is that of the weights that were kept."""
    classifier = model.classifier
    names, counts = np.unique(labels, return_counts=True)
    found = {
        "samples": len(inputs),
        "features": int(classifier.n_features_in_),
        "classes": [
            {"label": label, "samples": count}
            for label, count in zip(names.tolist(), counts.tolist(), strict=True)
        ],
        "channels": classifier.weights_.shape[1],
        "epochs": int(classifier.n_iter_),
        "converged": bool(classifier.converged_),
        "accuracy": float(np.mean(model.predict(inputs) == labels)),
    }
    if classifier.early_stopping:
        found["validation_accuracy"] = float(classifier.history_["validation_accuracy"].max())
    return found


def format_fit(
    found: dict[str, Any], model: SavedModel, max_epochs: int, more: Mapping[str, str]
) -> str:
    """Return the results of a fit, a line each, and more such lines."""
    counts = [f"{part['label']} {part['samples']}" for part in found["classes"]]
    ending = ", until every response was right" if found["converged"] else f" of {max_epochs}"
    lines = {
        "samples": str(found["samples"]),
        "features": "",
        "classes": f"{len(counts)} ({join_names(counts)})",
        "channels": str(found["channels"]),
        "epochs": f"{found['epochs']}{ending}",
        "accuracy": _format_accuracy(found),
        **_format_assessments(found),
        **more,
    }
    if isinstance(model, TableModel):
        lines["features"] = f"{found['features']} ({join_names(model.columns)})"
    else:  # the features are channels, before those of delay lines
        del lines["features"]
        if found["features"] != found["channels"]:
            lines["channels"] = f"{found['features']} ({lines['channels']} with delay lines)"
    return align(list(lines.items()))


def _format_accuracy(found: dict[str, Any]) -> str:
    if "validation_accuracy" in found:
        held_out = f"{found['validation_accuracy']:.3f} on those held out"
        return f"{found['accuracy']:.3f} on all samples, {held_out}"
    return f"{found['accuracy']:.3f} on the training samples"


def _format_assessments(found: dict[str, Any]) -> dict[str, str]:
    """Return lines for --cv and --test, if these were given."""
    lines = {}
    if "cross_validation" in found:
        folds = found["cross_validation"]
        low, high = min(folds["scores"]), max(folds["scores"])
        lines["cross-validation"] = (
            f"{folds['accuracy']:.3f} +- {folds['deviation']:.3f} in {folds['folds']} folds "
            f"({low:.3f} to {high:.3f})"
        )
    if "test" in found:
        test = found["test"]
        low, high = test["interval"]
        which = "samples that were held out" if test["held_out"] else "other samples"
        lines["test"] = (
            f"{test['accuracy']:.3f} on {test['samples']} {which} "
            f"(95 % interval {low:.3f} to {high:.3f})"
        )
    return lines


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
