"""Accuracy on samples that a classifier has not learned: by folds, or on a part or file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from linspike._typing import Ints
from linspike.cli.table.labels import Labels
from linspike.cli.table.lines import STDIN
from linspike.cli.table.table_model import SavedModel
from linspike.errors import printable

NORMAL_95 = 1.959963984540054  # quantile of the normal distribution for an interval of 95 %

Learn = Callable[..., None]


class TestSource(click.ParamType):  # type: ignore[type-arg]
    """A share of the samples, between 0 and 1, or a file."""

    name = "share or file"

    def convert(self, value: Any, param: Any, ctx: Any) -> float | Path:
        """Return a number as a share, anything else as a path."""
        if isinstance(value, (float, Path)):
            return value
        try:
            share = float(value)
        except ValueError:
            return Path(value)
        if not 0.0 < share < 1.0:
            self.fail(f"{value} is not between 0 and 1. Give a share such as 0.2, or a file.")
        return share


def refuse_same_input(data: Path, test: float | Path | None) -> None:
    """Refuse to read standard input twice, and to test with the table that is learned."""
    if not isinstance(test, Path):
        return
    if str(data) == str(test) == STDIN:
        raise click.UsageError(
            "Standard input can be read only once, but both DATA and --test are '-'."
        )
    if STDIN not in (str(data), str(test)) and data.resolve() == test.resolve():
        raise click.UsageError(
            f"--test {printable(test)} is the table that is learned. Give another one, or a share "
            "such as --test 0.2."
        )


def split_samples(labels: Labels, share: float, seed: int) -> tuple[Ints, Ints]:
    """Return samples to learn from and samples to test, in order, with the same mix of classes."""
    from sklearn.model_selection import train_test_split

    how: dict[str, Any] = {"test_size": share, "stratify": labels, "random_state": seed}
    learned, tested = train_test_split(np.arange(len(labels)), **how)
    return np.sort(learned), np.sort(tested)


def make_folds(labels: Labels, count: int, seed: int) -> list[tuple[Ints, Ints]]:
    """Return samples to learn from and samples to test for each fold."""
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(count, shuffle=True, random_state=seed)
    return list(folds.split(np.zeros((len(labels), 1)), labels))


def cross_validate(
    model: SavedModel,
    inputs: Any,
    labels: Labels,
    folds: list[tuple[Ints, Ints]],
    learn: Learn,
) -> dict[str, Any]:
    """Return the accuracy in each fold, its mean and its standard deviation.

    learn(classifier, inputs, labels, title) fits a classifier.
    """
    from sklearn.base import clone

    scores = []
    for number, (learned, tested) in enumerate(folds, 1):
        fresh = replace(model, classifier=clone(model.classifier))
        learn(fresh.classifier, inputs[learned], labels[learned], f"fold {number} of {len(folds)}")
        scores.append(float(np.mean(fresh.predict(inputs[tested]) == labels[tested])))
    return {
        "folds": len(folds),
        "accuracy": float(np.mean(scores)),
        "deviation": float(np.std(scores, ddof=1)),
        "scores": scores,
    }


def assess(truth: Labels, predicted: Labels) -> dict[str, Any]:
    """Return the accuracy and its interval of 95 %, by Wilson's score."""
    n, right = len(truth), int(np.sum(truth == predicted))
    share, z2 = right / n, NORMAL_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n**2))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return {"samples": n, "right": right, "accuracy": share, "interval": [low, high]}
