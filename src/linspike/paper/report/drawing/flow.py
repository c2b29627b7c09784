"""Flows: the layers of a network, from the first to the last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linspike.errors import ParameterError
from linspike.plotting import style
from linspike.study.panels import Flow, Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# All lengths in inches; heights count from the lower end of the drawing, below which text stands.
WIDTH, HEIGHT = 4.5, 1.75
MIDDLE, NAME, LINE = 0.92, 0.1, 0.155  # height of the middle of stages; of names; of a line
LARGEST, SHIFT = 0.58, 0.035  # edge of the largest sheet; from one sheet to the next behind it
COLUMN, SHOWN = 1.1, 9  # height of a column of units; places in it
PAD = 0.05  # between the ends of an arrow and what it joins
LETTERS = 66  # of a line of text
TITLE = 0.35
COLOURS = (style.POTENTIAL, style.THRESHOLD)  # parts take turns


class Drawn(NamedTuple):
    """Place of a stage in the drawing: its ends, and the places of its units if it is a column."""

    stage: Stage
    left: float
    right: float
    places: list[float]

    @property
    def front(self) -> tuple[float, float, float]:
        """Left and lower end of the foremost sheet, and the width of a unit."""
        behind = SHIFT * (self.stage.sheets - 1)
        unit = (self.right - self.left - behind) / self.stage.columns
        return self.left, MIDDLE - 0.5 * (unit * self.stage.rows + behind), unit


def flow_height(flow: Flow) -> float:
    """Return the height that a flow needs with its title."""
    return TITLE + HEIGHT + LINE * (len(_lines(flow)) + 1)


def draw_flow(flow: Flow, ax: Axes | None = None) -> Axes:
    """Stages from left to right, to scale, with what each unit looks at in the stage before.

    What the stages say of themselves stands below. Without `ax` a new figure is made.
    """
    if len(flow.stages) < 2:
        raise ParameterError.of("stages", "Flow", "two stages at least", flow.stages)
    lines = _lines(flow)
    ax = style.matplotlib_axes(ax, width=WIDTH + 0.2, height=flow_height(flow))
    ax.set(xlim=(0.0, WIDTH), ylim=(-LINE * (len(lines) + 0.6), HEIGHT), aspect="equal")
    ax.set_axis_off()
    parts = list(dict.fromkeys(stage.part for stage in flow.stages))
    _backgrounds(ax, flow.stages, parts)
    drawn = _placed(flow.stages)
    for one in drawn:
        colour = COLOURS[parts.index(one.stage.part) % len(COLOURS)]
        (_sheets if one.stage.columns > 1 else _column)(ax, one, colour)
        middle = 0.5 * (one.left + one.right)
        ax.text(middle, NAME, one.stage.name, ha="center", va="baseline", size=8.5, color=style.INK)
    for number, line in enumerate(lines, 1):
        ax.text(0.0, -LINE * number, line, va="baseline", size=8.5, color=style.INK)
    for before, after in pairwise(drawn):
        _link(ax, before, after)
    return ax


def _placed(stages: Sequence[Stage]) -> list[Drawn]:
    """Every stage in the middle of an equal share of the width."""
    slot, gap = WIDTH / len(stages), COLUMN / SHOWN
    sides = [max(stage.rows, stage.columns) for stage in stages if stage.columns > 1]
    found = []
    for number, stage in enumerate(stages):
        middle = (number + 0.5) * slot
        places: list[float] = []
        if stage.columns > 1:
            width = LARGEST * stage.columns / max(sides) + SHIFT * (stage.sheets - 1)
        else:
            count = min(stage.rows, SHOWN)
            width = 0.72 * gap
            places = [MIDDLE + gap * (0.5 * (count - 1) - place) for place in range(count)]
        found.append(Drawn(stage, middle - 0.5 * width, middle + 0.5 * width, places))
    return found


def _backgrounds(ax: Any, stages: Sequence[Stage], parts: list[str]) -> None:
    """A pale field behind all stages of a part, with its name."""
    from matplotlib.patches import FancyBboxPatch

    slot, start, round_by = WIDTH / len(stages), 0, 0.04
    for part, members in groupby(stages, key=lambda stage: stage.part):
        colour = COLOURS[parts.index(part) % len(COLOURS)]
        end = start + len(list(members))
        left, right = start * slot + 0.06, end * slot - 0.06
        size = right - left, HEIGHT - 2 * round_by
        field = FancyBboxPatch((left, round_by), *size, f"round,pad={round_by}")
        field.set(fc=style.pale(colour), ec="none", zorder=0)
        ax.add_patch(field)
        ink = style.darken(colour)
        ax.text(left + 0.03, HEIGHT - 0.07, part, color=ink, va="top", size=8.5, weight="bold")
        start = end


def _sheets(ax: Any, one: Drawn, colour: str) -> None:
    from matplotlib.patches import Rectangle

    left, low, unit = one.front
    size = one.stage.columns * unit, one.stage.rows * unit
    for behind in reversed(range(one.stage.sheets)):
        corner = left + SHIFT * behind, low + SHIFT * behind
        ax.add_patch(Rectangle(corner, *size, fc=style.GROUND, ec=colour, lw=0.9, zorder=2))


def _column(ax: Any, one: Drawn, colour: str) -> None:
    """Units one above the other; three dots stand for those that are too many."""
    from matplotlib.patches import Circle

    x, radius = 0.5 * (one.left + one.right), 0.5 * (one.right - one.left)
    hidden = _hidden(one)
    for number, y in enumerate(one.places):
        if number not in hidden:
            ax.add_patch(Circle((x, y), radius, fc=style.GROUND, ec=colour, lw=0.9, zorder=3))
    if hidden:
        dots = MIDDLE + 0.06 * np.array([-1, 0, 1])
        ax.plot([x] * 3, dots, "o", color=colour, ms=1.5, mew=0, zorder=3)


def _hidden(one: Drawn) -> range:
    """Places of a column that has more units than places."""
    middle = len(one.places) // 2
    return range(middle - 1, middle + 2) if one.stage.rows > SHOWN else range(0)


def _lines(flow: Flow) -> list[str]:
    """Return what each stage says of itself, in lines."""
    found = []
    for stage in flow.stages:
        parts = ", ".join(part for part in stage.text if part)
        found += (
            wrap(f"{stage.name}: {parts}", LETTERS, subsequent_indent=4 * "\N{NO-BREAK SPACE}")
            if parts
            else []
        )
    return found


def _link(ax: Any, before: Drawn, after: Drawn) -> None:
    if after.stage.sees == 0 and before.places and after.places:
        _all_to_all(ax, before, after)
    elif after.stage.sees > 1 and before.stage.columns > 1 and after.stage.columns > 1:
        _patch(ax, before, after)
    else:
        ends = {"xy": (after.left - PAD, MIDDLE), "xytext": (before.right + PAD, MIDDLE)}
        arrow = {"arrowstyle": "-|>,head_width=0.16,head_length=0.32", "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", **ends, arrowprops={**arrow, "color": style.INK, "lw": 0.9})


def _all_to_all(ax: Any, before: Drawn, after: Drawn) -> None:
    from matplotlib.collections import LineCollection

    hidden = _hidden(before), _hidden(after)
    lines = [
        [(before.right, y), (after.left, z)]
        for i, y in enumerate(before.places)
        for j, z in enumerate(after.places)
        if i not in hidden[0] and j not in hidden[1]
    ]
    ax.add_collection(LineCollection(lines, colors=style.QUIET, lw=0.35, alpha=0.7, zorder=1))


def _patch(ax: Any, before: Drawn, after: Drawn) -> None:
    """A patch of the stage before, and the unit that looks at it."""
    from matplotlib.patches import Rectangle

    left, low, unit = before.front
    side = after.stage.sees * unit
    x = left + unit * (before.stage.columns - after.stage.sees) * 0.62
    y = low + unit * (before.stage.rows - after.stage.sees) * 0.62
    to_left, to_low, own = after.front
    u = to_left + own * (after.stage.columns // 3)
    v = to_low + own * (2 * after.stage.rows // 3)
    ax.add_patch(Rectangle((x, y), side, side, fc="none", ec=style.INK, lw=0.9, zorder=5))
    ax.add_patch(Rectangle((u, v), own, own, fc=style.INK, ec=style.INK, lw=0.9, zorder=5))
    for height, end in ((y, v), (y + side, v + own)):
        ax.plot([x + side, u], [height, end], color=style.INK, lw=0.6, zorder=5)
