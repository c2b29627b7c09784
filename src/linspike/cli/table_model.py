"""A classifier and the table it belongs to: columns by name, labels, files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._files import write_whole
from linspike._typing import Floats
from linspike.cli.csv_table import WHOLE, Table, as_labels, as_number, listed, whole_number
from linspike.errors import FileFormatError, TableError

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier


@dataclass(frozen=True)
class TableModel:
    """A classifier with the names of the columns it learned from.

    Attributes
    ----------
    classifier : fitted
    columns : names of the features, in the order the classifier knows them
    target : name of the column with the labels
    """

    classifier: SpikeClassifier
    columns: tuple[str, ...]
    target: str

    def save(self, path: Path) -> None:
        """Write all of it to one file; what ran it, threads and talk, is no part of a model."""
        self.classifier.set_params(n_jobs=None, verbose=0)
        notes = {"columns": list(self.columns), "target": self.target}
        try:
            self.classifier.save(path, notes=notes)
        except OSError as error:
            raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None

    def features(self, table: Table) -> Floats:
        """The columns of the model, wherever they stand in the table."""
        missing = [name for name in self.columns if name not in table.names]
        if missing:
            raise TableError(
                f"{table.source} lacks {_columns(missing)}, which the model learned from. "
                f"It has: {listed(table.names)}."
            )
        return table.numbers(self.columns)

    def ignored(self, table: Table) -> list[str]:
        """Columns that the model does not know."""
        return [name for name in table.names if name not in (*self.columns, self.target)]

    def truth(self, table: Table) -> np.ndarray[Any, Any]:
        """The right labels, each of which the model must know."""
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
                f"{listed(cells)}. It knows: {listed(classes.tolist())}."
            )
        return np.array([known[key] for key in keys], dtype=classes.dtype)


def load(path: Path) -> TableModel:
    """Read a classifier of tables, or say what else the file is."""
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
        raise FileFormatError(
            f"{path} does not name the columns it learned from. "
            "Write it with `linspike fit`, or with save(..., notes={'columns': [...]})."
        )
    return TableModel(model, tuple(columns), str(notes.get("target", "label")))


def chosen_columns(table: Table, target: str, dropped: Sequence[str]) -> tuple[str, ...]:
    """Columns to learn from: all but the target and those to be left out."""
    for name in (target, *dropped):
        table.place(name)
    if target in dropped:
        raise TableError(f"The column {target!r} is the target and cannot be left out.")
    columns = tuple(name for name in table.names if name != target and name not in dropped)
    if not columns:
        raise TableError(f"{table.source} has no column left to learn from.")
    return columns


def labels_of(table: Table, target: str) -> np.ndarray[Any, Any]:
    """Labels to learn; fractions are most likely not meant as such."""
    texts = table.texts(target)
    numbers = [number for number in map(as_number, texts) if number is not None]
    fractions = [row for row, number in enumerate(numbers) if not number.is_integer()]
    if fractions and len(numbers) == len(texts):
        row = fractions[0]
        raise TableError(
            f"{table.where(row, target)}: {texts[row]} cannot be a class. "
            "Classes are texts or whole numbers."
        )
    labels = as_labels(texts)
    if len(np.unique(labels)) < 2:
        raise TableError(
            f"{table.source}, column {target!r}: there is only one class, {texts[0]!r}. "
            "Two at least are needed."
        )
    return labels


def check_divisible(
    table: Table, target: str, labels: np.ndarray[Any, Any], fraction: float
) -> None:
    """Refuse to set rows aside where not every class would be in both parts."""
    names, counts = np.unique(labels, return_counts=True)
    aside = math.ceil(fraction * len(labels))
    if counts.min() < 2:
        reason = f"the class {str(names[counts.argmin()])!r} has a single row"
    elif min(aside, len(labels) - aside) < len(names):
        reason = f"{len(labels)} rows are too few for {len(names)} classes"
    else:
        return
    raise TableError(
        f"{table.source}, column {target!r}: {reason}, so that no part can be set aside. "
        "Leave out --early-stopping."
    )


def write_text(path: Path, text: str) -> None:
    """Write a whole file or none."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None


def _key(text: str, as_numbers: bool) -> str:
    """A label as it is looked up: 1, +1 and 1.0 are the same number, but not the same text."""
    return str(whole_number(text)) if as_numbers and WHOLE.fullmatch(text) else text


def _columns(names: Sequence[str]) -> str:
    noun = "column" if len(names) == 1 else "columns"
    return f"the {noun} {listed([repr(name) for name in names])}"
