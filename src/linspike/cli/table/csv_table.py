"""Tables in CSV files: columns by name, errors that name file, line and column."""

from __future__ import annotations

import shlex
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from linspike._typing import Floats, Ints
from linspike.cli.table.cells import (
    INTEGER,
    MISSING,
    as_number,
    count_noun,
    explain_cell,
    hint_header,
    hint_name,
    join_names,
    parse_numbers,
)
from linspike.cli.table.lines import Dialect, LineReader, Row, open_table
from linspike.errors import TableError, printable

BLOCK = 2048  # rows that are held as texts
UNNAMED = ("", "Unnamed: 0")  # the index of a data frame in a file, and what pandas makes of it


@dataclass
class TextColumn:
    """Cells of a column as texts: a number for each row, and the text of each number."""

    codes: array[int] = field(default_factory=lambda: array("i"))
    places: dict[str, int] = field(default_factory=dict)

    def extend(self, cells: Sequence[str]) -> None:
        """Append cells."""
        places = self.places
        self.codes.extend([places.setdefault(cell, len(places)) for cell in cells])

    def numbered(self) -> tuple[Ints, list[str]]:
        """Return the number of each cell's text, and the texts in order of appearance."""
        return np.frombuffer(self.codes, np.int32).astype(np.int64), list(self.places)


@dataclass
class OddCells:
    """Cells of a column that are no finite numbers: the first of them, and rows without a value."""

    row: int
    cell: str
    gaps: array[int] = field(default_factory=lambda: array("q"))


@dataclass(frozen=True)
class Table:
    """Numbers of all columns, and texts of those that were asked for.

    Attributes
    ----------
    source : str
        Name of the file.
    dialect : Dialect
        How the table is written.
    names : tuple of str
        Names of the columns, all different.
    lines : array of int
        Line at which each row begins in the file.
    cells : array of float, (rows, columns)
        Cells as numbers, NaN where a cell is none.
    text_columns : dict of TextColumn
        Columns of texts, by name.
    odd : dict of OddCells
        Columns that are not all finite numbers, by name.
    n_comments : int
        Number of comment lines.
    index : str, optional
        Name of the first column, if it is the unnamed index of a data frame.
    """

    source: str
    dialect: Dialect
    names: tuple[str, ...]
    lines: Ints
    cells: Floats
    text_columns: dict[str, TextColumn]
    odd: dict[str, OddCells]
    n_comments: int
    index: str | None

    def __len__(self) -> int:
        return len(self.lines)

    def index_of(self, name: str) -> int:
        """Return the number of the column of this name."""
        if name not in self.names:
            raise TableError(
                f"{self.source} has no column {name!r}.{hint_name(name, self.names)} "
                f"It has: {join_names(self.names)}.{hint_header(self.names)}{self._hint_comments()}"
            )
        return self.names.index(name)

    def numbers(self, names: Sequence[str], *, drop_option: str = "") -> Floats:
        """Return the columns of these names as numbers, (rows, names).

        drop_option is the option that leaves out a column of texts, if the command has one.
        """
        columns = [self.index_of(name) for name in names]
        for name in names:
            if name in self.odd:
                row, cell = self.odd[name].row, self.odd[name].cell
                drop = f"{drop_option} {printable(shlex.quote(name))}" if drop_option else ""
                why = explain_cell(cell, self.dialect.decimal, self._count_gaps(names), drop)
                raise TableError(f"{self.where(row, name)}: {why}")
        return self.cells[:, columns]

    def numbered(self, name: str) -> tuple[Ints, list[str]]:
        """Return a column of texts without gaps, as `TextColumn.numbered` does."""
        self.index_of(name)
        numbers, texts = self.text_columns[name].numbered()
        for number, text in enumerate(texts):
            # Of what stands for a missing number, "none" or "na" may be a class.
            if text.casefold() in ("", "nan"):
                row = int(np.argmax(numbers == number))
                raise TableError(f"{self.where(row, name)}: the cell has no value.")
        return numbers, texts

    def texts(self, name: str, *, gaps: bool = False) -> list[str]:
        """Return the texts of a column; gaps says whether cells may be empty."""
        if gaps:
            self.index_of(name)
        numbers, texts = self.text_columns[name].numbered() if gaps else self.numbered(name)
        return [texts[number] for number in numbers]

    def where(self, row: int, name: str) -> str:
        """Return the place of a cell, as messages name it."""
        return f"{self.source}, line {self.lines[row]}, column {name!r}"

    def _hint_comments(self) -> str:
        mark = self.dialect.comment
        return f" Lines that begin with {mark} were skipped; see --comment." * bool(self.n_comments)

    def _count_gaps(self, names: Sequence[str]) -> str:
        """Return how many rows have no value in one of these columns, or in several."""
        rows = {row for name in names if name in self.odd for row in self.odd[name].gaps}
        return f"{len(rows)} of {len(self)}"


def read_table(path: Path, dialect: Dialect | None = None, texts: Collection[str] = ()) -> Table:
    """Read a CSV file whose first line names the columns, a few rows at a time.

    Parameters
    ----------
    path : Path
        The file; "-" is standard input.
    dialect : Dialect, optional
        How it is written.
    texts : collection of str
        Columns to be kept as texts, too.
    """
    with open_table(path, dialect or Dialect()) as reader:
        rows = reader.rows()
        first = next(rows, None)
        if first is None:
            reader.refuse_empty()
        names = _check_names(reader, first)
        parts = _Parts(reader, names, {*texts} & {*names} | {*UNNAMED} & {names[0]})
        while block := list(islice(rows, BLOCK)):
            parts.extend(block)
    return parts.finish()


class _Parts:
    """Columns of a table that grow block by block."""

    def __init__(self, reader: LineReader, names: tuple[str, ...], texts: set[str]) -> None:
        self.reader, self.names = reader, names
        self.texts = {name: TextColumn() for name in texts}
        self.odd: dict[str, OddCells] = {}
        self.lines, self.cells = array("q"), array("d")

    def extend(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if len(row.cells) != len(self.names):
                raise TableError(
                    f"{self.reader.source}, line {row.line}: the row has "
                    f"{count_noun(len(row.cells), 'cell')}, "
                    f"but the first line names {count_noun(len(self.names), 'column')}."
                )
        numbers = np.empty((len(rows), len(self.names)))
        columns = zip(*(row.cells for row in rows), strict=True)
        for place, (name, cells) in enumerate(zip(self.names, columns, strict=True)):
            numbers[:, place] = parse_numbers(cells, self.reader.dialect.decimal)
            if name in self.texts:
                self.texts[name].extend(cells)
            for at in np.flatnonzero(~np.isfinite(numbers[:, place])).tolist():
                self._mark_odd(name, len(self.lines) + at, cells[at])
        self.lines.extend([row.line for row in rows])
        self.cells.frombytes(numbers.tobytes())

    def _mark_odd(self, name: str, row: int, cell: str) -> None:
        odd = self.odd.setdefault(name, OddCells(row, cell))
        if cell.casefold() in MISSING:
            odd.gaps.append(row)

    def finish(self) -> Table:
        reader, source = self.reader, self.reader.source
        if not self.lines:
            raise TableError(f"{source} has no rows below its first line.")
        table = Table(
            source,
            reader.dialect,
            self.names,
            np.frombuffer(self.lines, np.int64),
            np.frombuffer(self.cells).reshape(-1, len(self.names)),
            self.texts,
            self.odd,
            reader.n_comments,
            self._find_index(),
        )
        if table.index is None and not self.names[0]:
            raise TableError(
                f"{source}: column 1 has no name in the first line, and is no index: "
                "of an index all cells are different, and integers or texts."
            )
        return table

    def _find_index(self) -> str | None:
        """Return the name of the first column if it is the unnamed index of a data frame."""
        name = self.names[0]
        if name not in UNNAMED:
            return None
        texts = self.texts[name].places
        decimal = self.reader.dialect.decimal
        are_names = all(
            text and (INTEGER.fullmatch(text) or as_number(text, decimal) is None) for text in texts
        )
        return name if are_names and len(texts) == len(self.lines) else None


def _check_names(reader: LineReader, first: Row) -> tuple[str, ...]:
    source, cells = reader.source, first.cells
    if all(as_number(cell, reader.dialect.decimal) is not None for cell in cells):
        hint = ""
        if reader.n_comments:
            mark, line = reader.dialect.comment, reader.first_comment
            hint = f" Line {line} begins with {mark} and is a comment; see --comment."
        raise TableError(
            f"{source} has no header: its first line must name the columns, but holds "
            f"numbers.{hint}"
        )
    for place, name in enumerate(cells):
        if not name and place:
            raise TableError(f"{source}: column {place + 1} has no name in the first line.")
        if name in cells[:place]:
            raise TableError(
                f"{source}: columns {cells.index(name) + 1} and {place + 1} have the same "
                f"name, {name!r}.{hint_header(cells)}"
            )
    return tuple(cells)
