"""Ablation."""

from tools.conversion.capacity import fields_of, join, rename_parts
from tools.conversion.common import Fields, key


def row_of(label: str) -> dict[str, str]:
    """Return the new row of an old label."""
    scenario, *variant = rename_parts(label)
    return key(scenario=scenario, variant=", ".join(variant))


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    cell = {
        **fields_of(old),
        "row": row_of(old["row"]),
        "task": "short" if old["task"] == "times" else old["task"],
        "min_gap": old.get("min_gap", 5.0),
        "min_onset": old.get("min_onset", 10.0),
        "warm": old.get("ramp") == "warm",
    }
    objective = old["settings"].get("objective")
    if objective == "feasible":
        cell["settings"]["min_multiplier"] = 0.0  # what it was by default
    if objective == "min_norm":
        kept = {name: old["settings"][name] for name in ("bound", "margin", "objective")}
        cell["rule"] = "hard_constraints"
        cell["settings"] = {
            **kept,
            "fallback_step": old["settings"]["plain_step"],
            "min_multiplier": 0.0,
        }
    return cell


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return join(row_of(old))
