"""A classifier with the columns of its table: choose, read, save and load them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike.cli.output import making_folders
from linspike.cli.table.cells import hint_name, join_names
from linspike.cli.table.csv_table import Table
from linspike.cli.table.labels import LabelColumn, Labels
from linspike.errors import FileFormatError, TableError

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier

REMEDY = (
    "Write it with `linspike fit`, or in Python with save(..., notes={'columns': [names in the "
    "order of X], 'target': 'name of the column of classes'})."
)
ROWS = 10_000  # whose responses are computed at once: their spikes take most of the memory


@dataclass(frozen=True)
class SavedModel(ABC):
    """A classifier with what a command must know to read its inputs from a file.

    Attributes
    ----------
    classifier : SpikeClassifier
        The classifier.
    target : str
        Name of the column with the labels; empty if the file does not say it.
    """

    classifier: SpikeClassifier
    target: str

    @property
    @abstractmethod
    def text_columns(self) -> tuple[str, ...]:
        """Columns that must be read as texts."""

    @abstractmethod
    def notes(self) -> dict[str, Any]:
        """Return what a file holds besides the classifier."""

    @abstractmethod
    def read_inputs(self, table: Table, *, drop_option: str = "") -> Any:
        """Return one input of the classifier per sample."""

    @abstractmethod
    def read_ids(self, table: Table) -> dict[str, list[str]]:
        """Return columns that name the samples, by their own names."""

    @abstractmethod
    def label_column(self, table: Table) -> LabelColumn:
        """Return the labels of the samples."""

    @abstractmethod
    def list_ignored(self, table: Table) -> list[str]:
        """Return the columns that the model does not know."""

    def read_truth(self, table: Table) -> Labels:
        """Return the true labels; the model must know each of them."""
        if not self.target:
            raise FileFormatError(f"The model does not name the column of the classes. {REMEDY}")
        return self.label_column(table).match(self.classifier.classes_)

    def predict(self, inputs: Any) -> Labels:
        """Return the class of each sample."""
        found: Labels = np.concatenate([self.classifier.predict(part) for part in _cut(inputs)])
        return found

    def scores(self, inputs: Any) -> Labels:
        """Return the scores of each sample, (samples, classes); of two classes, of the second."""
        decide = self.classifier.decision_function
        parts = [decide(part).reshape(len(part), -1) for part in _cut(inputs)]
        found: Labels = np.concatenate(parts)
        return found

    def save(self, path: Path) -> None:
        """Write all of it to one file; n_jobs belongs to the run, not to the model."""
        with making_folders(path):
            self.prepare_saved().save(path, notes=self.notes())

    def prepare_saved(self) -> SpikeClassifier:
        """Return the classifier as the file shall hold it."""
        return copy(self.classifier).set_params(n_jobs=None)


def _cut(inputs: Any) -> list[Any]:
    return [inputs[at : at + ROWS] for at in range(0, len(inputs), ROWS)]


@dataclass(frozen=True)
class TableModel(SavedModel):
    """A classifier of the rows of a table of numbers.

    Attributes
    ----------
    columns : tuple of str
        Names of the features, in the order of the classifier.
    ids : tuple of str
        Columns that name the rows; absent ones are not needed.
    """

    columns: tuple[str, ...]
    ids: tuple[str, ...] = ()

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Target and columns that name the rows."""
        return (self.target, *self.ids)

    def notes(self) -> dict[str, Any]:
        """Return names of columns, target and ids."""
        found: dict[str, Any] = {"columns": list(self.columns), "target": self.target}
        return {**found, "id": list(self.ids)} if self.ids else found

    def prepare_saved(self) -> SpikeClassifier:
        """Return the classifier with names of features, which are checked in data frames."""
        named = super().prepare_saved()
        named.feature_names_in_ = np.array(self.columns, dtype=object)
        return named

    def read_inputs(self, table: Table, *, drop_option: str = "") -> Any:
        """Return the numbers of the model's columns, in whatever order the table has them."""
        missing = [name for name in self.columns if name not in table.names]
        if missing:
            hint = hint_name(missing[0], self.list_ignored(table))
            raise TableError(
                f"{table.source} lacks {_columns(missing)}, which the model learned from.{hint} "
                f"It has: {join_names(table.names)}."
            )
        return table.numbers(self.columns, drop_option=drop_option)

    def read_ids(self, table: Table) -> dict[str, list[str]]:
        """Return the id columns that the table has, or its unnamed index."""
        names = [name for name in self.ids if name in table.names]
        if not names and table.index is not None and table.index not in self.columns:
            names = [table.index]
        return {name: table.texts(name, gaps=True) for name in names}

    def label_column(self, table: Table) -> LabelColumn:
        """Return the labels of the rows."""
        texts, lines = table.texts(self.target), table.lines.tolist()
        return LabelColumn(table.source, self.target, texts, lines, table.dialect.decimal)

    def list_ignored(self, table: Table) -> list[str]:
        """Return the columns that are neither features, target, ids nor an unnamed index."""
        known = {*self.columns, *self.ids, self.target, table.index}
        return [name for name in table.names if name not in known]


def choose_columns(
    table: Table, target: str, dropped: Sequence[str], ids: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns to learn from: all but the target, ids and those to be left out."""
    for name in (target, *dropped, *ids):
        table.index_of(name)
    if target in dropped:
        raise TableError(f"The column {target!r} is the target and cannot be left out.")
    refuse_target(target, ids)
    left_out = {target, *dropped, *ids, table.index}
    columns = tuple(name for name in table.names if name not in left_out)
    if not columns:
        raise TableError(f"{table.source} has no column left to learn from.")
    return columns


def refuse_target(target: str, ids: Sequence[str]) -> None:
    """Refuse to name rows by their classes, which `predict` prints in a column of this name."""
    if target in ids:
        raise TableError(f"The column {target!r} is the target and cannot name the rows.")


def _columns(names: Sequence[str]) -> str:
    noun = "column" if len(names) == 1 else "columns"
    return f"the {noun} {join_names([repr(name) for name in names])}"
