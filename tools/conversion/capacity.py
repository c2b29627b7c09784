"""Cells and labels of the capacity studies: table 1, table 2, figure 7, claims and ablation."""

from __future__ import annotations

from typing import Any

from tools.conversion.common import Fields, base_of, convert_rule, key

METHODS = {
    "DTA (ours)": "DTA (projection)",
    "DTA (paper's LP)": "DTA (paper's linear program)",
    "DTA stdp (paper's LP)": "DTA stdp (paper's linear program)",
    "DTA psp (paper's LP)": "DTA psp (paper's linear program)",
    "DTA filt (paper's LP)": "DTA filt (paper's linear program)",
    "ours": "DTA (projection)",
    "paper's LP": "DTA (paper's linear program)",
}
VARIANTS = {
    "best": "tuned",
    "plain step per row": "fallback step per row",
    "settle 0.2": "skip_below 0.2",
}
TUNING = "tuning "


def fields_of(old: Fields) -> Fields:
    """Return the fields of a `CapacityCell` but its row."""
    rule, settings = convert_rule(old["rule"], old["settings"])
    return {
        **base_of(old),
        "tuning": old.get("tuning", False),
        "rule": rule,
        "settings": settings,
        "load": old.get("load", 0),
        "n_channels": old["n"],
        "max_epochs": old["epochs"],
        "criterion": old.get("criterion", "paper"),
        "schedule": old.get("anneal"),
    }


def rename_parts(label: str) -> list[str]:
    """Return the parts of an old label under their new names; tuning has the row it is for."""
    parts = label.removeprefix(TUNING).split(", ")
    tuned = ["best"] if label.startswith(TUNING) else []
    return [METHODS.get(part, VARIANTS.get(part, part)) for part in (*parts, *tuned)]


def method_row(parts: list[str], scenario: str = "") -> dict[str, str]:
    """Return the row of a method: its name, then a criterion, then variants."""
    method, *rest = parts
    criterion = "strict" if "strict" in rest else ""
    variant = ", ".join(part for part in rest if part != "strict")
    return key(scenario=scenario, method=method, criterion=criterion, variant=variant)


def join(row: dict[str, Any]) -> str:
    """Return the label of a stored row."""
    return ", ".join(row.values())
