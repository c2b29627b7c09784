"""Conversion of the data sets beyond the paper."""

from __future__ import annotations

from tools.conversion.accuracies import label, method_of
from tools.conversion.common import Fields, base_of

MODELS = {
    "DTA (ours)": "dta",
    "EMLC": "emlc",
    "logistic regression": "logistic",
    "RBF SVM": "svm",
    "random forest": "forest",
}


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    return {
        **base_of(old),
        "row": {"scenario": old["data"], "method": method_of(old["method"])},
        "tuning": False,
        "data": old["data"],
        "model": MODELS[old["method"]],
        "small": old["smoke"],
    }


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    data, _, rest = old.partition(", ")
    method, _, reference = rest.partition(" minus ")
    return label(data, method_of(method), f"gain over {reference}" if reference else "")
