"""Results of a section as a table in the shape of its layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

from linspike.paper.report.layout import LAYOUTS
from linspike.paper.report.layout.shapes import (
    MOST_ROWS,
    MOST_ROWS_OF_A_FIGURE,
    PLAIN,
    Group,
    Layout,
)
from linspike.paper.report.names import show_name
from linspike.paper.report.sections import Section
from linspike.paper.report.tables import interval, share_decimals
from linspike.paper.report.verdicts import Result, Verdict, is_measured
from linspike.study.rows import RowKey


class Cell(NamedTuple):
    """One cell: our number, or the paper's if `claim` is not empty."""

    heading: str  # of its column, in full
    result: Result | None
    claim: str = ""
    unit: str = ""  # shown with the number
    exact: bool = False  # no number of the column has an interval
    decimals: int | None = None  # of its group, where all are one quantity


class Head(NamedTuple):
    """Heading of a group of columns."""

    title: str
    columns: tuple[str, ...]


class Table(NamedTuple):
    """Headings, for each row its name and cells, and what words of them mean."""

    heading: str
    heads: Sequence[Head]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    caption: str = ""

    @property
    def n_columns(self) -> int:
        """Number of columns besides the names of rows."""
        return sum(len(head.columns) for head in self.heads)

    @property
    def verdicts(self) -> list[Verdict]:
        """Verdicts that occur, in their order."""
        found = {cell.result.verdict for _, cells in self.rows for cell in cells if cell.result}
        return [verdict for verdict in Verdict if verdict in found]


def join(row: RowKey, more: RowKey) -> RowKey:
    """Return the key with the fields of both; where both have one, one after the other."""
    names = [field.name for field in fields(RowKey)]
    pairs = {name: (getattr(row, name), getattr(more, name)) for name in names}
    return RowKey(**{name: ", ".join(filter(None, pair)) for name, pair in pairs.items()})


def arrange(section: Section) -> Table | None:
    """Return the table that a section shows; None if nothing was measured."""
    layout = LAYOUTS.get(section.id)
    if layout is None or not _list_rows(section, layout):
        layout = Layout(_choose_rows(section), PLAIN, "row")
    rows = _list_rows(section, layout)
    heads: list[Head] = []
    columns: list[list[Cell]] = []
    for group in layout.groups:
        shown = show_name(group.title)
        prefix = f"{shown}, " if len(layout.groups) > 1 else ""
        added = _fill_group(section, rows, group, prefix)
        if added:
            named = not group.unit or group.unit in shown
            title = shown if named else f"{shown} ({group.unit})"
            heads.append(Head(title, tuple(name for name, _ in added)))
            columns += [cells for _, cells in added]
    if not columns:
        return None
    cells = zip(*columns, strict=True)
    lines = [(show_name(row.label), list(own)) for row, own in zip(rows, cells, strict=True)]
    return Table(layout.heading, heads, lines, layout.caption)


def _list_rows(section: Section, layout: Layout) -> list[RowKey]:
    """Return the rows of a layout for which there is a result."""
    fields_of = [column.fields for group in layout.groups for column in group.columns]
    found = section.by_key
    return [row for row in layout.rows if any(join(row, more) in found for more in fields_of)]


def _choose_rows(section: Section) -> tuple[RowKey, ...]:
    """Return as many rows as are shown: those with a number in the paper first."""
    most = MOST_ROWS_OF_A_FIGURE if section.id.startswith("fig") else MOST_ROWS
    order = sorted(section.keys, key=lambda key: not section.by_key[key].claim)[:most]
    return tuple(key for key in section.keys if key in order)


def _fill_group(
    section: Section, rows: Sequence[RowKey], group: Group, prefix: str
) -> list[tuple[str, list[Cell]]]:
    """Return name and cells of each column that has a result, the paper's numbers first."""
    found: list[tuple[str, list[Cell]]] = []
    claims = [""] * len(rows)
    by_column = [
        [section.by_key.get(join(row, column.fields)) for row in rows] for column in group.columns
    ]
    all_results = [each for results in by_column for each in results if each]
    decimals = share_decimals(all_results) if group.title else None
    for column, results in zip(group.columns, by_column, strict=True):
        if any(each is not None and is_measured(each) for each in results):
            title = f"{prefix}{column.title}"
            units = ["" if group.unit or not each else each.unit for each in results]
            exact = not any(interval(each) for each in results if each)
            cells = [
                Cell(title, each, unit=unit, exact=exact, decimals=decimals)
                for each, unit in zip(results, units, strict=True)
            ]
            found.append((column.title, cells))
            own = [each.claim if each else "" for each in results]
            claims = [old or new for old, new in zip(claims, own, strict=True)]
    if any(claims):
        found.insert(0, ("paper", [Cell(f"{prefix}paper", None, claim or "-") for claim in claims]))
    return found
