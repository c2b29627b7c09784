"""Parts of a layout: rows, and columns in groups."""

from __future__ import annotations

from typing import NamedTuple

from linspike.study.rows import RowKey

MOST_ROWS, MOST_ROWS_OF_A_FIGURE = 13, 6


class Column(NamedTuple):
    """One column: the fields that, joined with those of a row, are the key of its number."""

    title: str
    fields: RowKey = RowKey()


class Group(NamedTuple):
    """Columns under one heading, after the paper's numbers if it has any."""

    title: str
    columns: tuple[Column, ...]
    unit: str = ""  # of all of its numbers; else every number has its unit beside it


class Layout(NamedTuple):
    """Rows and groups of columns of one table, and what words in them mean."""

    rows: tuple[RowKey, ...]
    groups: tuple[Group, ...]
    heading: str = "rule"  # of the rows
    caption: str = ""


HERE = Column("here")
PLAIN = (Group("", (HERE,)),)


def list_methods(*names: str) -> tuple[RowKey, ...]:
    """Return a row for each method."""
    return tuple(RowKey(method=name) for name in names)


LIMIT = list_methods("exact limit")  # of all rules, where an experiment measures it
