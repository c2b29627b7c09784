"""Claims of the text."""

from tools.conversion.capacity import fields_of, join, rename_parts
from tools.conversion.common import Fields, key


def row_of(label: str) -> dict[str, str]:
    """Return the new row of an old label."""
    parts = rename_parts(label)
    if parts[0].startswith("within"):
        return key(scenario=", ".join(parts[:2]), method=parts[2])
    if parts[0].startswith("epochs at"):
        return key(scenario=parts[0], method=parts[1], variant=", ".join(parts[2:]))
    return key(scenario=parts[0], variant=", ".join(parts[1:]))


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    times = {"task": old["task"], "min_gap": 5.0, "min_onset": 10.0}
    return {**fields_of(old), **times, "row": row_of(old["row"])}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return join(row_of(old))
