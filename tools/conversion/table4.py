"""Conversion of table 4."""

from __future__ import annotations

from tools.conversion.accuracies import PROJECTION, convert_fields, label, statistic_label
from tools.conversion.common import Fields

KEPT = (
    "epochs",
    "images",
    "tests",
    "held",
    "patience",
    "spikes",
    "duration",
    "horizon",
    "activation",
    "tau_m",
    "tau_s",
    "target",
    "ties",
    "average",
)
CHANGE = "change: "
CHANGES = {
    "as it is": "none",
    "10 ms more to answer": "10 ms more to respond",
    "wanted times by halving": "desired times by halving",
}
STATISTICS = {  # without the version of DTA
    "gain over EMLC, test": "gain over EMLC, test",
    "gain over MST, test": "gain over MST, test",
    "Friedman F": "Friedman F",
    "Friedman critical value": "Friedman critical value",
    "Nemenyi p, DTA to EMLC": "Nemenyi p to EMLC",
    "Nemenyi p, DTA to MST": "Nemenyi p to MST",
    "p, DTA to CNN": "Wilcoxon p to CNN",
}


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    found = {**convert_fields(old, KEPT), "validation": old["tuning"]}
    if old["row"].startswith(CHANGE):
        change = old["row"].removeprefix(CHANGE)
        variant = CHANGES.get(change, change)
        return {
            **found,
            "row": {"scenario": "one change", "method": PROJECTION, "variant": variant},
        }
    return found


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    if old.startswith(CHANGE):
        change, _, part = old.removeprefix(CHANGE).rpartition(", ")
        return label("one change", PROJECTION, CHANGES.get(change, change), part)
    return statistic_label(old, STATISTICS)
