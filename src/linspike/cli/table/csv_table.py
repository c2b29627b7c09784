"""Tables in CSV files: columns by name, errors that name file, line and column."""

from __future__ import annotations

import csv
import difflib
import io
import math
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import TableError, printable

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
MISSING = {"", "?", "na", "n/a", "nan", "none", "null"}
# 007 is a name, not the number 7; longer numbers would not fit into 64 bits.
INTEGER = re.compile(r"[+-]?(0|[1-9]\d{0,17})(\.0*)?")
SHOWN = 12  # names in a message


@dataclass(frozen=True)
class Table:
    """Cells as texts, as in the file, without the space around them.

    Attributes
    ----------
    source : str
        Name of the file.
    names : tuple of str
        Names of the columns, all different.
    rows : list of list of str
        Cells, as many in each row as there are names.
    lines : list of int
        Line at which each row begins in the file.
    """

    source: str
    names: tuple[str, ...]
    rows: list[list[str]]
    lines: list[int]

    def index_of(self, name: str) -> int:
        """Return the number of the column of this name."""
        if name not in self.names:
            raise TableError(
                f"{self.source} has no column {name!r}.{hint_name(name, self.names)} "
                f"It has: {join_names(self.names)}.{_hint_header(self.names)}"
            )
        return self.names.index(name)

    def numbers(self, names: Sequence[str], *, drop_option: str = "") -> Floats:
        """Return the columns of these names as numbers, (rows, names).

        drop_option is the option that leaves out a column of texts, if the command has one.
        """
        columns = [self._numbers(name, names, drop_option) for name in names]
        return np.array(columns, dtype=np.float64).T.reshape(len(self.rows), len(names))

    def texts(self, name: str) -> list[str]:
        """Return a column of texts without gaps."""
        column = self.index_of(name)
        texts = [row[column] for row in self.rows]
        for row, text in enumerate(texts):
            # Of what stands for a missing number, "none" or "na" may be a class.
            if text.casefold() in ("", "nan"):
                raise TableError(f"{self.where(row, name)}: the cell has no value.")
        return texts

    def where(self, row: int, name: str) -> str:
        """Return the place of a cell, as messages name it."""
        return f"{self.source}, line {self.lines[row]}, column {name!r}"

    def _numbers(self, name: str, names: Sequence[str], drop_option: str) -> list[float]:
        column = self.index_of(name)
        found = []
        for row, cells in enumerate(self.rows):
            number = as_number(cells[column])
            if number is None or not math.isfinite(number):
                drop = f"{drop_option} {printable(shlex.quote(name))}" if drop_option else ""
                why = _explain(cells[column], self._count_gaps(names), drop)
                raise TableError(f"{self.where(row, name)}: {why}")
            found.append(number)
        return found

    def _count_gaps(self, names: Sequence[str]) -> str:
        """Return how many rows have no value in one of these columns, or in several."""
        columns = [self.index_of(name) for name in names]
        gaps = sum(any(row[c].casefold() in MISSING for c in columns) for row in self.rows)
        return f"{gaps} of {len(self.rows)}"


def read_table(path: Path, delimiter: str | None = None) -> Table:
    """Read a CSV file whose first line names the columns; detect the delimiter unless given."""
    source, text = str(path), _text(path)
    if not text.strip():
        raise TableError(f"{source} is empty.")
    mark = delimiter or _delimiter(text)
    (_, first), *rest = _rows(source, text, mark)
    names = _names(source, first)
    for line, cells in rest:
        if len(cells) != len(names):
            raise TableError(
                f"{source}, line {line}: the row has {_cells(len(cells))}, "
                f"but the first line names {len(names)} columns."
            )
    if not rest:
        raise TableError(f"{source} has no rows below its first line.")
    return Table(source, names, [cells for _, cells in rest], [line for line, _ in rest])


def as_number(cell: str) -> float | None:
    """Return a cell as a number, or None if it is none."""
    if "_" in cell:  # Python would take 1_000 for a number
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def as_labels(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return labels as integers if all of them are, else as texts."""
    if all(INTEGER.fullmatch(text) for text in texts):
        return np.array([parse_integer(text) for text in texts], dtype=np.int64)
    return np.array(texts, dtype=str)


def parse_integer(text: str) -> int:
    """Return a text that `INTEGER` matches, 3.0 too, as a number; floats would lose digits."""
    return int(text.partition(".")[0])


def hint_name(name: str, names: Iterable[str]) -> str:
    """Return a question with the one of the names that is most like a wrong one, if any is."""
    folded = {known.casefold(): known for known in names}
    nearest = difflib.get_close_matches(name.casefold(), folded, 1)
    return f" Did you mean {folded[nearest[0]]!r}?" if nearest else ""


def join_names(names: Iterable[object]) -> str:
    """Return names for a sentence: not too many, and without control characters."""
    texts = [printable(name) for name in names]
    more = f", and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def _text(path: Path) -> str:
    try:
        # Spreadsheet programs put a byte order mark in front.
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise TableError(
            f"{path} is not text in UTF-8 (byte {error.object[error.start]:#04x} at "
            f"{error.start}). Save it as CSV in UTF-8."
        ) from None


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts the first line into most names; quotes count."""
    first = text.lstrip().splitlines()[0]
    return max(DELIMITERS.values(), key=lambda mark: len(next(csv.reader([first], delimiter=mark))))


def _rows(source: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows that are not blank, with the lines at which they begin."""
    # Strict, as a quote that is never closed would swallow the rest of the file in silence.
    options: dict[str, Any] = {"delimiter": delimiter, "strict": True, "skipinitialspace": True}
    reader = csv.reader(io.StringIO(text, newline=""), **options)
    line = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if cells not in ([], [""]):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError(f"{source}, line {line}: the row cannot be read ({error}).") from None


def _names(source: str, cells: list[str]) -> tuple[str, ...]:
    if all(as_number(cell) is not None for cell in cells):
        raise TableError(
            f"{source} has no header: its first line must name the columns, but holds numbers."
        )
    for place, name in enumerate(cells):
        if not name:
            raise TableError(f"{source}: column {place + 1} has no name in the first line.")
        if name in cells[:place]:
            raise TableError(
                f"{source}: columns {cells.index(name) + 1} and {place + 1} have the same "
                f"name, {name!r}.{_hint_header(cells)}"
            )
    return tuple(cells)


def _hint_header(names: Sequence[str]) -> str:
    """Return a hint if names look like a row of data; one number may be a name."""
    if sum(as_number(name) is not None for name in names) < 2:
        return ""
    return " A header line seems to be missing: the first line must name the columns."


def _explain(cell: str, gaps: str, drop: str) -> str:
    """Return why a cell is no finite number, and what can be done about it.

    gaps says how many rows lack a value; drop leaves out the column, if the command can do so.
    """
    if cell.casefold() in MISSING:
        shown = f" ({cell})" if cell else ""
        other = f", or leave the column out with {drop}" if drop else ""
        remedy = f"Fill them in or delete these rows{other}."
        return f"the cell has no value{shown}. Rows with missing values: {gaps}. {remedy}"
    if as_number(cell) is not None:
        return f"{cell} is not finite."
    remedy = f" Leave the column out with {drop}." if drop else ""
    if as_number(cell.replace(",", ".")) is not None:
        remedy = " Decimals need a point, not a comma."
    return f"{cell!r} is not a number.{remedy}"


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
