"""Table 2."""

from tools.conversion.capacity import fields_of, join, method_row, rename_parts
from tools.conversion.common import Fields


def row_of(label: str) -> dict[str, str]:
    """Return the new row of an old label."""
    return method_row(rename_parts(label))


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    return {**fields_of(old), "row": row_of(old["row"])}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return join(row_of(old))
