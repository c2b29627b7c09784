"""Conversion of table 3."""

from __future__ import annotations

from tools.conversion.accuracies import PROJECTION, convert_fields, statistic_label
from tools.conversion.common import Fields

KEPT = ("epochs", "spikes", "fields", "beta", "duration", "target", "ties")
SEARCHED = ("spikes ", "beta ", "duration ")
STATISTICS = {  # without the version of DTA
    "gain over EMLC and MST, train": "gain over EMLC and MST, train",
    "gain over EMLC and MST, test": "gain over EMLC and MST, test",
    "Friedman Q": "Friedman Q",
    "Friedman p": "Friedman p",
    "Nemenyi p, DTA to EMLC and MST": "Nemenyi p to EMLC and MST",
    "Nemenyi p, EMLC to MST": "Nemenyi p, EMLC to MST",
}


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    found = {**convert_fields(old, KEPT), "stratified": old["halves"] == "even"}
    if old["row"].startswith(SEARCHED):
        return {**found, "row": {"method": PROJECTION, "variant": old["row"]}}
    return found


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return statistic_label(old, STATISTICS)
