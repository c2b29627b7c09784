"""Sparse tables of scipy: their spikes without a dense copy, or their rows in dense blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from linspike._typing import Floats, Ints
from linspike.spikes import convert

CELLS = 1_000_000  # of a dense block


def canonical(table: Any) -> Any:
    """Return a table as it is if dense; if sparse, with ascending columns and no duplicates."""
    if issparse(table) and not table.has_canonical_format:
        table = table.copy()  # the caller's stays as it is
        table.sum_duplicates()
    return table


def iter_blocks(table: Any, columns: int) -> Iterator[Floats]:
    """Yield the rows of a table in dense blocks.

    A block is small enough for about `CELLS` numbers if `columns` are made of a row.
    """
    rows = max(1, min(convert.ROWS, CELLS // columns))
    for at in range(0, table.shape[0], rows):
        block = table[at : at + rows]
        yield block.toarray() if issparse(block) else block


def find_range(table: Any) -> tuple[Floats, Floats]:
    """Return the smallest and the largest value of each column; what is not stored is 0."""
    low, high = table.min(axis=0), table.max(axis=0)
    if issparse(table):
        low, high = (np.asarray(each.todense()).ravel() for each in (low, high))
    return low, high


def find_cell(table: Any, bad: Any) -> tuple[Any, int, int]:
    """Return value, row and column of the first cell that is bad.

    bad has the shape of a dense table, or of the stored values of a canonical sparse one.
    """
    if not issparse(table):
        row, column = np.argwhere(bad)[0]
        return table[row, column], int(row), int(column)
    at = int(np.flatnonzero(bad)[0])
    row = int(np.searchsorted(table.indptr, at, side="right")) - 1
    return table.data[at], row, int(table.indices[at])


def select_spikes(table: Any, times: Floats, columns: Ints) -> convert.Flat:
    """Return the spikes of stored values in order of time, given the time and channel of each.

    NaN is silence; simultaneous spikes keep the order of the columns.
    """
    fires = ~np.isnan(times)
    offsets = np.concatenate([[0], np.cumsum(fires)])[table.indptr]
    return convert.by_time(times[fires], columns[fires].astype(np.int32), offsets)
