"""The look of series and references: colour, line, marker and hatch.

Series differ in colour, line and marker alike, so that print in grey and colour-blind readers lose
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from linspike.study.panels import Panel

# Okabe and Ito's colours; grey for black, which marks have, and no yellow, lost on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6E6E6E")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---")
MARK_DASHES = ((0, (4, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (2, 2)))


class Look(NamedTuple):
    """Colour, marker and line of one series."""

    colour: str
    dashes: Any
    marker: str
    hatch: str


class Looks(NamedTuple):
    """Looks of all series, and dashes of all references, by name."""

    series: dict[str, Look]
    marks: dict[str, Any]


def assign_looks(panels: Sequence[Panel]) -> Looks:
    """Return a look for each name, the same in all panels of a figure."""
    names = dict.fromkeys(line.name for panel in panels for line in panel.lines)
    marks = dict.fromkeys(mark.name for panel in panels for mark in panel.marks)
    series = {
        name: Look(
            COLOURS[index % len(COLOURS)],
            DASHES[index % len(DASHES)],
            MARKERS[index % len(MARKERS)],
            HATCHES[index % len(HATCHES)],
        )
        for index, name in enumerate(names)
    }
    dashes = {name: MARK_DASHES[index % len(MARK_DASHES)] for index, name in enumerate(marks)}
    return Looks(series, dashes)
