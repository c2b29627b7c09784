"""Rows of a CSV file or of standard input, one at a time, with the lines at which they begin."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

import click

from linspike.errors import TableError

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
STDIN = "-"
LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True)
class Dialect:
    """How a table is written.

    Attributes
    ----------
    delimiter : str, optional
        Mark between cells; detected unless given.
    decimal : {".", ","}
        Mark before decimals.
    comment : str
        Start of lines that are skipped; empty if none are.
    """

    delimiter: str | None = None
    decimal: str = "."
    comment: str = "#"


def make_dialect(delimiter: str | None, decimal: str, comment: str) -> Dialect:
    """Return the dialect that the options of a command name."""
    mark = DELIMITERS.get(delimiter or "")
    if mark == decimal:
        raise click.UsageError(
            "Decimals and cells cannot both have a comma: with --decimal , the delimiter is "
            "semicolon or tab."
        )
    if any(sign.isalnum() or sign.isspace() or sign in "\"'+-.,;" for sign in comment):
        raise click.UsageError(
            f"--comment {comment!r} could begin a cell. Use a mark such as # or %."
        )
    return Dialect(mark, decimal, comment)


class Row(NamedTuple):
    """Cells of a row, without the space around them, and the line at which it begins."""

    line: int
    cells: list[str]


def name_source(path: Path) -> str:
    """Return the name of a file as messages show it."""
    return "standard input" if str(path) == STDIN else str(path)


@contextmanager
def open_table(path: Path, dialect: Dialect) -> Iterator[LineReader]:
    """Open a file, or standard input for "-", to read its rows."""
    source = name_source(path)
    try:
        if str(path) != STDIN:
            # Spreadsheet programs put a byte order mark in front.
            with open(path, encoding="utf-8-sig", newline="") as text:
                yield LineReader(text, source, dialect)
            return
        if sys.stdin is None or sys.stdin.closed:
            raise TableError(f"{source} cannot be read: it is closed.")
        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
        try:
            yield LineReader(text, source, dialect)
        finally:
            text.detach()  # which would close standard input otherwise
    except OSError as error:
        raise TableError(f"{source} cannot be read: {error.strerror}.") from None


class LineReader:
    """Lines of a table for `csv.reader`, without comments.

    A comment starts a line; inside a row that goes on over several lines there is none.

    Parameters
    ----------
    text : text stream
        Opened with newline="".
    source : str
        Name of the file, for messages.
    dialect : Dialect
        How the table is written.
    """

    def __init__(self, text: TextIO, source: str, dialect: Dialect) -> None:
        self.source, self.dialect = source, dialect
        self.n_comments, self.first_comment = 0, 0
        self._text = text
        self._line, self._start = 0, 0  # the last line, and where the row begins
        self._inside = False  # whether the row has begun
        self._waiting: list[str] = []  # a line that was looked at before its turn

    def __iter__(self) -> LineReader:
        return self

    def __next__(self) -> str:
        comment = self.dialect.comment
        while True:
            line = self._waiting.pop() if self._waiting else self._read()
            if self._inside or not comment or not line.lstrip().startswith(comment):
                break
            self.n_comments += 1
            self.first_comment = self.first_comment or self._line
        if not self._inside:
            self._start, self._inside = self._line, True
        return line

    def rows(self) -> Iterator[Row]:
        """Yield rows that are not blank; the first one, which names the columns, must be there."""
        mark = self.dialect.delimiter or self._detect_delimiter()
        # Strict, as a quote that is never closed would swallow the rest of the file in silence.
        options: dict[str, Any] = {"delimiter": mark, "strict": True, "skipinitialspace": True}
        reader = csv.reader(self, **options)
        try:
            while True:
                self._inside = False
                row = next(reader, None)
                if row is None:
                    return
                cells = [cell.strip() for cell in row]
                if cells not in ([], [""]):
                    yield Row(self._start, cells)
        except csv.Error as error:
            place = f"{self.source}, line {self._start}"
            raise TableError(f"{place}: the row cannot be read ({error}).") from None

    def _read(self) -> str:
        try:
            line = self._text.readline()
        except UnicodeDecodeError as error:
            wrong, before = error.object[error.start], error.object[: error.start]
            number = self._line + 1 + len(LINE_END.findall(before))
            raise TableError(
                f"{self.source}, line {number}: the text is not in UTF-8 (byte {wrong:#04x}). "
                "Save the file as CSV in UTF-8."
            ) from None
        if not line:
            raise StopIteration
        self._line += 1
        return line

    def _detect_delimiter(self) -> str:
        """Return the delimiter that cuts the first line into most names; quotes count."""
        for line in self:
            if line.strip():
                break
            self._inside = False
        else:
            self.refuse_empty()
        self._waiting.append(line)
        first, decimal = line.strip("\r\n"), self.dialect.decimal
        counts = {mark: _count_cells(first, mark) for mark in DELIMITERS.values()}
        possible = {mark: count for mark, count in counts.items() if mark != decimal}
        found = max(possible, key=possible.__getitem__)
        if possible[found] == 1 and counts.get(decimal, 1) > 1:
            raise TableError(
                f"{self.source}: with --decimal {decimal} cells must be separated by semicolons or "
                "tabs, but the first line has commas. Leave out --decimal."
            )
        return found

    def refuse_empty(self) -> NoReturn:
        """Raise the error for a file without a row."""
        if self.n_comments:
            raise TableError(
                f"{self.source} holds nothing but comments: every line begins with "
                f"{self.dialect.comment}. Give --comment '' if these are not comments."
            )
        raise TableError(f"{self.source} is empty.")


def _count_cells(line: str, mark: str) -> int:
    return len(next(csv.reader([line], delimiter=mark), [""]))
