"""Figure 6: a rule and a row in each cell, and a quantity behind the method."""

from __future__ import annotations

from tools.conversion.common import Fields, base_of, key
from tools.conversion.fig5 import PROJECTION, rule_of

ROWS = {
    "DTA relative": key(method=PROJECTION),
    "DTA absolute": key(method=PROJECTION, variant="absolute bounds"),
    "DTA unbounded": key(method=PROJECTION, variant="no bounds"),
    "DTA paper": key(method="DTA (paper's linear program)"),
    "EMLC": key(method="EMLC"),
    "MST": key(method="MST"),
}


def cell_of(old: Fields) -> Fields:
    """Return the new cell: the label became the row."""
    kept = {"threshold": old["threshold"], "count": old["count"], "row": ROWS[old["label"]]}
    return {**base_of(old), **rule_of(old), **kept}


def label_of(old: str) -> str:
    """Return the label with the quantity last."""
    quantity, name = old.split(", ")
    return ", ".join([*ROWS[name].values(), quantity])
