"""Conversion of figure 8, whose trials are those of table 3."""

from __future__ import annotations

from tools.conversion.accuracies import label, method_of, split_version
from tools.conversion.table3 import cell_of

FIRST, GOOD = "first epoch, ", "epochs to 94 %"
CLAIMS = {
    "epochs of EMLC and MST to DTA's first": "epochs of EMLC and MST to its first accuracy",
    "epochs of DTA to their last": "epochs to the last accuracy of EMLC and MST",
    f"{GOOD}, DTA": GOOD,
}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    method, claim = split_version(old)
    if claim in CLAIMS:
        return label(method, CLAIMS[claim])
    if old.startswith(FIRST):
        return label(method_of(old.removeprefix(FIRST)), "first epoch")
    return label(old.removeprefix(f"{GOOD}, "), GOOD)


__all__ = ["cell_of", "label_of"]
