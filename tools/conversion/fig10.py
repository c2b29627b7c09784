"""Conversion of figure 10, whose trials are those of table 4."""

from __future__ import annotations

from tools.conversion.accuracies import label, method_of, split_variant, split_version
from tools.conversion.table4 import cell_of

FIRST, OVER = "first epoch, ", "CNN over "


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    if old.startswith(FIRST):
        variant, method = split_variant(old.removeprefix(FIRST))
        return label(method_of(method), variant, "first epoch")
    variant, rest = split_variant(old)
    version, claim = split_version(rest)
    if claim.startswith(OVER):
        method, _, epoch = claim.removeprefix(OVER).partition(", ")
        quantity = f"below CNN, {epoch}"
    else:
        quantity, _, method = claim.rpartition(", ")
    return label(version if method == "DTA" else method, variant, quantity)


__all__ = ["cell_of", "label_of"]
