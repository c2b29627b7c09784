"""The look of series and references: colour, line and marker.

A method has one colour in all figures of a report. Variants of a method differ in their dashes,
methods also in their markers, so that print in grey and colour-blind readers lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.plotting import style
from linspike.study.panels import Line, Panel

DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---")
MARK_DASHES = ((0, (4, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (2, 2)))
BLUE, RED, GREEN, PURPLE, OCHRE, SKY, GREY, BROWN = style.SERIES
# Rules for times, rules for counts, models without spikes, windows (as the rules that use them).
COLOURS = {
    PROJECTION: BLUE,
    LINEAR_PROGRAM: RED,
    "ReSuMe": GREEN,
    "PSD": PURPLE,
    "FILT": OCHRE,
    "FP": SKY,
    "HTP": BROWN,
    "E-learning": GREY,
    "first error": GREEN,
    "exact limit": PURPLE,
    "found within 1 ms (lower bound)": OCHRE,
    "MST": GREEN,
    "EMLC": PURPLE,
    "EML": OCHRE,
    "EMLC by peak": BROWN,
    "CNN": GREY,
    "logistic regression": SKY,
    "RBF SVM": GREY,
    "random forest": BROWN,
    "stdp": GREEN,
    "psp": PURPLE,
    "filt": OCHRE,
    "filt-gardner": BROWN,
}


def colour_of(method: str) -> str:
    """Return the colour of a method, the same for all windows of the linear program."""
    program = method.startswith("DTA ") and LINEAR_PROGRAM.removeprefix("DTA ") in method
    return COLOURS.get(LINEAR_PROGRAM if program else method, BLUE)


class Look(NamedTuple):
    """Colour, line, marker and hatch of one series."""

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
    lines = {line.name: line for panel in panels for line in panel.lines}
    methods = list(dict.fromkeys(_method_of(line) for line in lines.values()))
    colours = _assign_colours(methods)
    series: dict[str, Look] = {}
    for name, line in lines.items():
        colour = colours[_method_of(line)]
        alike = _first_free(name, colour, series, panels)
        place = methods.index(_method_of(line))
        series[name] = Look(
            colour,
            DASHES[alike % len(DASHES)],
            MARKERS[(place + alike) % len(MARKERS)],
            HATCHES[place % len(HATCHES)],
        )
    marks = dict.fromkeys(mark.name for panel in panels for mark in panel.marks)
    dashes = {name: MARK_DASHES[index % len(MARK_DASHES)] for index, name in enumerate(marks)}
    return Looks(series, dashes)


def _first_free(name: str, colour: str, series: dict[str, Look], panels: Sequence[Panel]) -> int:
    """Return the first dashes that no series of the same colour has in a panel with this one."""
    shown = [[line.name for line in panel.lines] for panel in panels]
    beside = {other for names in shown if name in names for other in names if other in series}
    taken = {series[other].dashes for other in beside if series[other].colour == colour}
    return next((i for i, dashes in enumerate(DASHES) if dashes not in taken), len(taken))


def _method_of(line: Line) -> str:
    return line.method or line.name


def _assign_colours(methods: Sequence[str]) -> dict[str, str]:
    """Return each method's colour; those without one take the colours that are left, in order."""
    found = {name: COLOURS[name] for name in methods if name in COLOURS}
    left = [colour for colour in style.SERIES if colour not in found.values()] or style.SERIES
    unknown = [name for name in methods if name not in COLOURS]
    return found | {name: left[index % len(left)] for index, name in enumerate(unknown)}
