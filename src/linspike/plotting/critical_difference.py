"""The diagram of mean ranks and the critical difference between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from linspike._validation import check_names, check_real, check_row
from linspike.errors import ParameterError
from linspike.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_critical_difference(
    ranks: Sequence[float], critical_difference: float, names: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Draw mean ranks on a line, best on the left; thick bars join methods that do not differ.

    Parameters
    ----------
    ranks : array of float
        Mean rank of each method.
    critical_difference : float
        How far apart ranks of methods that differ are, as
        `linspike.study.analysis.statistics.nemenyi` finds it.
    names : list of str
        Names of the methods.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.
    """
    owner = "draw_critical_difference"
    at = check_row(ranks, "ranks", owner)
    order, k = np.argsort(at, kind="stable").tolist(), at.size
    if at.min() < 1 or at.max() > k:
        raise ParameterError.of("ranks", owner, f"from 1 to {k}, the number of methods", ranks)
    names, cd = check_names(names, k, owner), critical_difference
    cd = check_real(cd, "critical_difference", owner, above=0, domain="finite and above 0")
    joined, rows = _joined(at[order].tolist(), cd), (k + 1) // 2
    below = 0.35 * len(joined) + 0.8  # the axis, where names begin
    ax = style.matplotlib_axes(ax, width=6.0, height=0.7 + 0.28 * (below + rows))
    edge = 0.04 * max(k - 1, cd)
    start, end = 1 - edge, max(k, 1 + cd) + edge
    ax.plot(range(1, k + 1), [0] * k, "|-", color=style.INK, lw=0.8, ms=7)
    for tick in range(1, k + 1):
        ax.text(tick, 0.3, str(tick), ha="center", va="bottom", size=9)
    ax.plot([1, 1 + cd], [1.5, 1.5], "|-", color=style.THRESHOLD, lw=1.4, ms=7)
    ax.text(1 + cd + edge, 1.5, f"critical difference {cd:.3g}", va="center", size=9)
    for place, (rank, name) in enumerate((at[i], names[i]) for i in order):
        left = place < rows  # outer names stand higher, so that no lines cross
        x, y = (start, -below - place) if left else (end, -below - (k - 1 - place))
        ax.plot([rank, rank, x], [0, y, y], color=style.QUIET, lw=0.9)
        text, side = (f"{name}  {rank:.2f} ", "right") if left else (f" {rank:.2f}  {name}", "left")
        ax.text(x, y, text, ha=side, va="center", size=9)
    ax.plot(at, 0 * at, "o", color=style.INK, ms=4)
    for level, ends in enumerate(joined):
        y, reach = -0.5 - 0.35 * level, (ends[0] - edge / 4, ends[1] + edge / 4)
        ax.plot(reach, [y, y], color=style.POTENTIAL, lw=4, solid_capstyle="butt")
    ax.set(xlim=(start, end), ylim=(-below - rows + 0.4, 2.0))
    ax.set_title("Mean rank (1 is best)", loc="left", size=9)
    ax.set_axis_off()
    return ax


def _joined(ascending: list[float], cd: float) -> list[tuple[float, float]]:
    """Return the longest stretches of ranks, of two methods or more, that span less than `cd`."""
    last = [max(j for j, rank in enumerate(ascending) if rank - first < cd) for first in ascending]
    new = [i for i, j in enumerate(last) if j > i and j not in last[:i]]
    return [(ascending[i], ascending[last[i]]) for i in new]
