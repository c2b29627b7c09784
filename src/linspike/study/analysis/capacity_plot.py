"""The share of trials learned against the load, with the load that half of them learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from linspike._validation import check_integer, describe_value
from linspike.errors import ParameterError, Words
from linspike.plotting import style
from linspike.study.analysis.capacity import HalfPoint, find_half_point

OWNER = "plot_capacity"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
Outcomes = Mapping[int, "Mapping[int, bool] | Sequence[bool]"]


def plot_capacity(
    outcomes: Mapping[str, Outcomes], *, unit: str = "patterns", ax: Any = None
) -> Any:
    """Draw the share of trials learned against the load, and the 50 % point of every method.

    The 50 % point is that of a logistic curve, with its 95 % interval, as in
    `linspike.study.analysis.capacity.find_half_point`. The legend has the number.

    Parameters
    ----------
    outcomes : dict
        outcomes[method][load] says of each trial whether it was learned: a list in the order of
        seeds, or a dict by seed.
    unit : str
        What the load counts.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with a curve and a 50 % point for each method
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> learned = {10: [True] * 8, 20: [True] * 5 + [False] * 3, 30: [False] * 8}
    >>> ax = ls.plot_capacity({"DTA": learned})
    >>> ax.get_xlabel()
    'load (patterns)'
    """
    if not isinstance(outcomes, Mapping) or not outcomes:
        domain = "a dict from methods to outcomes by load, not empty"
        raise ParameterError.of("outcomes", OWNER, domain, Words(type(outcomes).__name__))
    checked = {str(name): _check(of_load) for name, of_load in outcomes.items()}
    ax = style.matplotlib_axes(ax, width=5.6, height=3.4)
    ax.axhline(0.5, color=style.QUIET, lw=0.8, ls=(0, (1, 2)))
    for index, (name, of_load) in enumerate(checked.items()):
        colour = style.SERIES[index % len(style.SERIES)]
        shares = [sum(seeds.values()) / len(seeds) for seeds in of_load.values()]
        point = find_half_point(of_load)
        look: Any = {"color": colour, "marker": MARKERS[index % len(MARKERS)], "lw": 1.2, "ms": 4}
        ax.plot(list(of_load), shares, **look, label=f"{name}: {_describe(point)}")
        _draw_point(ax, point, colour)
    ax.set(xlabel=f"load ({unit})", ylabel="share of trials learned", ylim=(-0.04, 1.04))
    style.add_legend(ax, columns=1)
    style.tidy(ax)
    return ax


def _check(of_load: Any) -> dict[int, dict[int, bool]]:
    """Return outcomes by ascending load and seed, or raise."""
    domain = "a dict from loads to what each trial learned, True or False"
    if not isinstance(of_load, Mapping) or not of_load:
        raise ParameterError.of("outcomes", OWNER, domain, Words(type(of_load).__name__))
    found = {}
    for load, seeds in of_load.items():
        place = check_integer(load, "load", OWNER, least=1)
        by_seed = seeds
        if isinstance(seeds, Iterable) and not isinstance(seeds, Mapping):
            by_seed = dict(enumerate(seeds))
        known = isinstance(by_seed, Mapping) and len(by_seed) > 0
        if not known or not all(map(_is_outcome, by_seed.values())):
            raise ParameterError.of("outcomes", OWNER, domain, describe_value(seeds))
        found[place] = {seed: bool(value) for seed, value in by_seed.items()}
    return dict(sorted(found.items()))


def _is_outcome(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.generic)) and value in (False, True)


def _draw_point(ax: Any, point: HalfPoint, colour: str) -> None:
    if point.value is None:
        return
    ends = [point.value if end is None else end for end in (point.lo, point.hi)]
    ax.plot(ends, [0.5, 0.5], color=colour, lw=5.0, alpha=0.35, solid_capstyle="butt")
    ax.plot(point.value, 0.5, "D", color=colour, mec=style.GROUND, ms=7, zorder=4)


def _describe(point: HalfPoint) -> str:
    if point.value is not None:
        return f"{point.value:.3g} ({point.lo:.3g} to {point.hi:.3g})"
    return point.note
