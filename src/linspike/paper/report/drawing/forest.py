"""Forest plots: numbers of several methods below each other, with their intervals."""

from __future__ import annotations

from typing import Any

from linspike.paper.report.drawing.looks import colour_of
from linspike.paper.report.names import show_name
from linspike.plotting import style
from linspike.study.panels import Estimate, Forest, Panel

ROW = 0.155  # inches
AROUND = 0.47  # inches above and below the rows: title and key, axis
TITLE_SIZE = 10.5


def forest_height(forest: Forest) -> float:
    """Return the height of a forest plot in inches."""
    return AROUND + ROW * max(3, len(forest.rows))


def draw_forest(ax: Any, panel: Panel, forest: Forest, size: float) -> None:
    """Draw a row per method, the first on top, and above them a key of the marks there are."""
    ax.set_xscale("log" if panel.log_x else "linear")
    if not panel.log_x:
        ax.set_xlim(0.0, 1.04 * max(_numbers(forest), default=1.0))
    if forest.limit is not None:
        ax.axvline(forest.limit, color=style.INK, lw=1.0, ls=(0, (4, 2)), zorder=1)
    for place, row in enumerate(forest.rows):
        ax.axhline(place, color=style.SHADE, lw=0.8, zorder=0)
        _draw_row(ax, row, place)
        ax.annotate(
            _describe(row),
            (1.0, place),
            (4.0, 0.0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center_baseline",
            size=size,
            color=style.INK,
        )
    names = [show_name(row.name) for row in forest.rows]
    ax.set_yticks(range(len(names)), names)
    ax.set(ylim=(len(names) - 0.4, -0.6))
    style.tidy(ax)
    ax.tick_params(axis="y", length=0, labelsize=size)
    ax.spines["left"].set_visible(False)
    _draw_key(ax, forest, size)
    # The unit stands with the title, so that the rows have the height.
    _draw_title(ax, f"{panel.title} ({panel.x_label})" if panel.x_label else panel.title)


def _numbers(forest: Forest) -> list[float]:
    ends = [
        x for row in forest.rows for x in (row.value, row.lo, row.hi, row.common, row.reference)
    ]
    return [x for x in (*ends, forest.limit) if x is not None]


def _draw_row(ax: Any, row: Estimate, place: int) -> None:
    colour = colour_of(row.method or row.name)
    if row.reference is not None:
        ax.plot(row.reference, place, "|", color=style.INK, ms=9, mew=2.0, zorder=3)
    if row.common is not None:
        ax.plot(row.common, place, "o", mfc=style.GROUND, mec=colour, ms=4.5, mew=1.1, zorder=4)
    if row.value is None:  # an arrow says on which side of its end the number is
        for end, marker in ((row.lo, ">"), (row.hi, "<")):
            if end is not None:
                ax.plot(end, place, marker, color=colour, ms=5.5, zorder=5)
        return
    lo, hi = (row.value if end is None else end for end in (row.lo, row.hi))
    ax.plot([lo, hi], [place, place], color=colour, lw=1.8, solid_capstyle="butt", zorder=4)
    ax.plot(row.value, place, "o", color=colour, ms=6.0, mew=0, zorder=5)


def _describe(row: Estimate) -> str:
    if row.value is not None:
        return _round(row.value)
    if row.lo is not None:
        return f"> {_round(row.lo)}"
    return "no value" if row.hi is None else f"< {_round(row.hi)}"


def _round(value: float) -> str:
    """Return a number with three significant digits, without an exponent."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:.0f}" if abs(rounded) >= 100.0 else f"{rounded:g}"


def _draw_title(ax: Any, title: str) -> None:
    """Write the title above the names of the rows: the key has the place above the axis."""
    place = {"xycoords": _above(ax), "textcoords": "offset points"}
    text = ax.annotate(title, (0.01, 1.0), (0.0, 3.0), **place)
    text.set(size=TITLE_SIZE, in_layout=False)


def _above(ax: Any) -> Any:
    """Return coordinates with x of the whole picture and y of the axes."""
    from matplotlib.transforms import blended_transform_factory

    return blended_transform_factory(ax.get_figure(root=False).transSubfigure, ax.transAxes)


def _draw_key(ax: Any, forest: Forest, size: float) -> None:
    from matplotlib.lines import Line2D

    first = colour_of(forest.rows[0].method or forest.rows[0].name)
    dot: Any = {"color": first, "marker": "o", "ms": 6.0, "lw": 1.8, "mew": 0}
    ring: Any = {"marker": "o", "ls": "", "mfc": style.GROUND, "mec": first, "ms": 4.5, "mew": 1.1}
    tick: Any = {"marker": "|", "ls": "", "color": style.INK, "ms": 9, "mew": 2.0}
    dashes: Any = {"color": style.INK, "lw": 1.0, "ls": (0, (4, 2))}
    tuned = any(row.common is not None for row in forest.rows)
    entries = [("tuned" if tuned else "here", dot, True), ("common setting", ring, tuned)]
    entries.append(("paper", tick, any(row.reference is not None for row in forest.rows)))
    entries.append(("limit", dashes, forest.limit is not None))
    shown = [(Line2D([], [], **look), name) for name, look, there in entries if there]
    handles, names = zip(*shown, strict=True)
    made = ax.legend(
        handles,
        names,
        loc="lower right",
        bbox_to_anchor=(0.995, 1.0),
        bbox_transform=_above(ax),
        ncols=len(names),
        frameon=False,
        fontsize=size,
        handlelength=1.3,
        handletextpad=0.4,
        columnspacing=1.0,
        borderpad=0.0,
        borderaxespad=0.15,
    )
    for text in made.get_texts():
        text.set_color(style.QUIET)
