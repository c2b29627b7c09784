"""Figure 2: spikes are corrected."""

from __future__ import annotations

from tools.conversion.figures import cell_of

__all__ = ["cell_of", "label_of"]


def label_of(old: str) -> str:
    """Return the label with the word of today."""
    return old.replace("own mending", "own correction").replace("mending", "correcting")
