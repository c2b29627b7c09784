"""Table 1."""

from tools.conversion.capacity import fields_of, join, method_row, rename_parts
from tools.conversion.common import Fields, key


def row_of(label: str) -> dict[str, str]:
    """Return the new row of an old label."""
    if label in ("bound", "lower capacity of other rules"):
        return key(quantity=label)
    scenario, *parts = rename_parts(label)
    return method_row(parts, scenario)


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    times = {"task": old["scenario"], "min_gap": old["min_gap"], "min_onset": old["min_onset"]}
    return {**fields_of(old), **times, "row": row_of(old["row"])}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return join(row_of(old))
