"""A classifier with the columns of its table: choose, read, save and load them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._files import write_whole
from linspike._typing import Floats
from linspike.cli.table.csv_table import (
    INTEGER,
    Table,
    as_labels,
    as_number,
    hint_name,
    join_names,
    parse_integer,
)
from linspike.errors import FileFormatError, TableError

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier


REMEDY = (
    "Write it with `linspike fit`, or in Python with save(..., notes={'columns': [names in the "
    "order of X], 'target': 'name of the column of classes'})."
)


@dataclass(frozen=True)
class TableModel:
    """A classifier with the names of the columns it learned from.

    Attributes
    ----------
    classifier : SpikeClassifier
        The fitted classifier.
    columns : tuple of str
        Names of the features, in the order of the classifier.
    target : str
        Name of the column with the labels; empty if the file does not say it.
    """

    classifier: SpikeClassifier
    columns: tuple[str, ...]
    target: str

    def save(self, path: Path) -> None:
        """Write all of it to one file; n_jobs belongs to the run, not to the model."""
        named = copy(self.classifier).set_params(n_jobs=None)
        named.feature_names_in_ = np.array(self.columns, dtype=object)  # checked in data frames
        notes = {"columns": list(self.columns), "target": self.target}
        try:
            named.save(path, notes=notes)
        except OSError as error:
            raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None

    def read_features(self, table: Table) -> Floats:
        """Return the numbers of the model's columns, in whatever order the table has them."""
        missing = [name for name in self.columns if name not in table.names]
        if missing:
            hint = hint_name(missing[0], self.list_ignored(table))
            raise TableError(
                f"{table.source} lacks {_columns(missing)}, which the model learned from.{hint} "
                f"It has: {join_names(table.names)}."
            )
        return table.numbers(self.columns)

    def list_ignored(self, table: Table) -> list[str]:
        """Return the columns that the model does not know."""
        return [name for name in table.names if name not in (*self.columns, self.target)]

    def read_truth(self, table: Table) -> np.ndarray[Any, Any]:
        """Return the true labels; the model must know each of them."""
        if not self.target:
            raise FileFormatError(f"The model does not name the column of the classes. {REMEDY}")
        classes = self.classifier.classes_
        as_numbers = classes.dtype.kind in "iuf"
        known = {_key(str(label), as_numbers): label for label in classes}
        keys = [_key(text, as_numbers) for text in table.texts(self.target)]
        unknown: dict[str, int] = {}
        for row, key in enumerate(keys):
            if key not in known:
                unknown.setdefault(key, row)
        if unknown:
            cells = [f"{key!r} (line {table.lines[row]})" for key, row in unknown.items()]
            raise TableError(
                f"{table.source}, column {self.target!r}: the model does not know "
                f"{join_names(cells)}. It knows: {join_names(classes.tolist())}."
            )
        return np.array([known[key] for key in keys], dtype=classes.dtype)


def load_table_model(path: Path) -> TableModel:
    """Return the classifier of tables in a file, or raise what else the file is."""
    from linspike.encoders import RasterEncoder
    from linspike.estimators import SpikeClassifier, load_model

    try:
        model = load_model(path)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror}.") from None
    if not isinstance(model, SpikeClassifier):
        kind = type(model).__name__
        raise FileFormatError(f"{path} holds a {kind}, which names no classes.")
    if model.encoder_ is None or isinstance(model.encoder_, RasterEncoder):
        raise FileFormatError(f"{path} holds a classifier of spikes, not of tables of numbers.")
    notes = vars(model).get("notes_", {})
    columns = notes.get("columns", list(vars(model).get("feature_names_in_", ())))
    named = isinstance(columns, list) and all(isinstance(name, str) for name in columns)
    if not named or len(columns) != model.n_features_in_:
        raise FileFormatError(f"{path} does not name the columns it learned from. {REMEDY}")
    model.__dict__.pop("feature_names_in_", None)  # columns are found by name here, X is an array
    return TableModel(model, tuple(columns), str(notes.get("target", "")))


def choose_columns(table: Table, target: str, dropped: Sequence[str]) -> tuple[str, ...]:
    """Return the columns to learn from: all but the target and those to be left out."""
    for name in (target, *dropped):
        table.index_of(name)
    if target in dropped:
        raise TableError(f"The column {target!r} is the target and cannot be left out.")
    columns = tuple(name for name in table.names if name != target and name not in dropped)
    if not columns:
        raise TableError(f"{table.source} has no column left to learn from.")
    return columns


def read_labels(table: Table, target: str) -> np.ndarray[Any, Any]:
    """Return the labels to learn; fractions are refused, most likely they are no classes."""
    texts = table.texts(target)
    numbers = [number for number in map(as_number, texts) if number is not None]
    fractions = [row for row, number in enumerate(numbers) if not number.is_integer()]
    if fractions and len(numbers) == len(texts):
        row = fractions[0]
        raise TableError(
            f"{table.where(row, target)}: {texts[row]} cannot be a class. "
            "Classes are texts or integers."
        )
    labels = as_labels(texts)
    if len(np.unique(labels)) < 2:
        raise TableError(
            f"{table.source}, column {target!r}: there is only one class, {texts[0]!r}. "
            "At least two are needed."
        )
    return labels


def check_divisible(
    table: Table, target: str, labels: np.ndarray[Any, Any], fraction: float
) -> None:
    """Refuse to hold out rows where not every class would be in both parts."""
    names, counts = np.unique(labels, return_counts=True)
    held_out = math.ceil(fraction * len(labels))
    if counts.min() < 2:
        reason = f"the class {str(names[counts.argmin()])!r} has a single row"
    elif min(held_out, len(labels) - held_out) < len(names):
        reason = f"{len(labels)} rows are too few for {len(names)} classes"
    else:
        return
    raise TableError(
        f"{table.source}, column {target!r}: {reason}, so no part can be held out. "
        "Leave out --early-stopping."
    )


def write_text(path: Path, text: str) -> None:
    """Write a whole file or none."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None


def _key(text: str, as_numbers: bool) -> str:
    """Return a label for comparison: 1, +1 and 1.0 are one number, but different texts."""
    return str(parse_integer(text)) if as_numbers and INTEGER.fullmatch(text) else text


def _columns(names: Sequence[str]) -> str:
    noun = "column" if len(names) == 1 else "columns"
    return f"the {noun} {join_names([repr(name) for name in names])}"
