"""Labels of samples: read from texts, compared with those of a model, divided into parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike.cli.table.cells import INTEGER, as_number, join_names, make_key, parse_integer
from linspike.errors import TableError

Labels = np.ndarray[Any, Any]


class LabelColumn(NamedTuple):
    """Texts of the labels of all samples, and the lines at which they stand."""

    source: str
    name: str
    texts: list[str]
    lines: Sequence[int]
    decimal: str = "."

    def read(self) -> Labels:
        """Return the labels to learn; fractions are refused, most likely they are no classes."""
        numbers = [as_number(text, self.decimal) for text in self.texts]
        if all(number is not None for number in numbers):
            for line, text, number in zip(self.lines, self.texts, numbers, strict=True):
                if not float(number or 0).is_integer():
                    raise TableError(
                        f"{self.source}, line {line}, column {self.name!r}: {text} cannot be a "
                        "class. Classes are texts or integers."
                    )
        labels = as_labels([self._with_point(text) for text in self.texts])
        if len(np.unique(labels)) < 2:
            raise TableError(
                f"{self.source}, column {self.name!r}: there is only one class, "
                f"{self.texts[0]!r}. At least two are needed."
            )
        return labels

    def match(self, classes: Labels) -> Labels:
        """Return the labels as those of a model, which must know each of them."""
        as_numbers = classes.dtype.kind in "iuf"
        known = {make_key(str(label), as_numbers=as_numbers): label for label in classes}
        keys = [make_key(self._with_point(text), as_numbers=as_numbers) for text in self.texts]
        unknown: dict[str, int] = {}
        for line, key in zip(self.lines, keys, strict=True):
            if key not in known:
                unknown.setdefault(key, line)
        if unknown:
            cells = [f"{key!r} (line {line})" for key, line in unknown.items()]
            raise TableError(
                f"{self.source}, column {self.name!r}: the model does not know "
                f"{join_names(cells)}. It knows: {join_names(classes.tolist())}."
            )
        return np.array([known[key] for key in keys], dtype=classes.dtype)

    def _with_point(self, text: str) -> str:
        """Return a number with a point before its decimals, and other texts as they are."""
        if self.decimal == "." or as_number(text, self.decimal) is None:
            return text
        return text.replace(self.decimal, ".")


def as_labels(texts: Sequence[str]) -> Labels:
    """Return labels as integers if all of them are, else as texts."""
    if all(INTEGER.fullmatch(text) for text in texts):
        return np.array([parse_integer(text) for text in texts], dtype=np.int64)
    return np.array(texts, dtype=str)


def check_divisible(column: LabelColumn, labels: Labels, share: float, remedy: str) -> None:
    """Refuse to hold out samples where not every class would be in both parts.

    share is that of the samples to hold out.
    """
    names, counts = np.unique(labels, return_counts=True)
    held_out = math.ceil(share * len(labels))
    if counts.min() < 2:
        reason = f"the class {str(names[counts.argmin()])!r} has a single sample"
    elif min(held_out, len(labels) - held_out) < len(names):
        reason = f"{len(labels)} samples are too few for {len(names)} classes"
    else:
        return
    raise TableError(
        f"{column.source}, column {column.name!r}: {reason}, so no part can be held out. {remedy}"
    )


def check_folds(column: LabelColumn, labels: Labels, folds: int) -> None:
    """Refuse folds where one of them would lack a class."""
    names, counts = np.unique(labels, return_counts=True)
    least = int(counts.min())
    if least >= folds:
        return
    name = str(names[counts.argmin()])
    remedy = f"Give --cv {least} or less." if least > 1 else "Leave out --cv."
    raise TableError(
        f"{column.source}, column {column.name!r}: the class {name!r} has "
        f"{least} of {len(labels)} samples, too few for {folds} folds. {remedy}"
    )
