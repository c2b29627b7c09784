"""Figures 1, 3, 4 and A1: cells without rows, and labels that stayed."""

from __future__ import annotations

from tools.conversion.common import Fields, base_of


def cell_of(old: Fields) -> Fields:
    """Return the new cell: the same fields, and the seed block."""
    return {**{name: value for name, value in old.items() if name != "base"}, **base_of(old)}


def label_of(old: str) -> str:
    """Return the label as it was."""
    return old
