"""Where a curve over a positive setting, such as a step size, takes a level."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats

DRAWS = 1000


class Crossing(NamedTuple):
    """A setting at which a curve takes a level, and whether it rises there."""

    at: float
    rises: bool


def crossings(etas: Floats, means: Floats, level: float) -> list[Crossing]:
    """Return where a curve takes a level, in order.

    Between neighbours the curve is straight over the logarithm of the setting. A curve that is at
    the level over several of them takes it in their middle; one that only touches it there, and
    turns back, rises and falls at the same setting. One that is at the level everywhere has no
    crossing.
    """
    logs, gaps = np.log(etas), means - level
    side = np.sign(gaps)
    changes = np.flatnonzero(np.diff(side)) + 1
    found = []
    for begin, end in pairwise([0, *changes.tolist(), side.size]):
        before = float(side[begin - 1]) if begin else 0.0
        after = float(side[end]) if end < side.size else 0.0
        if side[begin] == 0.0:
            # At an end of the curve it is taken to go on through the level.
            before, after = before or -after, after or -before
            at = float(np.exp(logs[begin:end].mean()))
            if before:
                found.append(Crossing(at, before < 0.0))
            if before and before == after:
                found.append(Crossing(at, after > 0.0))
        elif after == -side[begin]:
            share = gaps[end - 1] / (gaps[end - 1] - gaps[end])
            at = float(np.exp(logs[end - 1] + share * (logs[end] - logs[end - 1])))
            found.append(Crossing(at, after > 0.0))
    return found


def implied_steps(results: dict[float, Floats], level: float, stated: float) -> list[Floats]:
    """Return (step size, lo, hi) of each crossing, that nearest to the stated one first.

    Intervals are those of 1000 draws of trials; a draw without such a crossing counts at the end
    of the grid that lies on its side.

    Parameters
    ----------
    results : dict of float to array
        Results of the same trials at each step size.
    level : float
        What they are to be in the mean.
    stated : float
        The step size that comes first is the nearest to this one, in logarithms.
    """
    etas = np.array(sorted(results))
    table = np.array([results[eta] for eta in etas])
    n = table.shape[1]
    found = sorted(
        crossings(etas, table.mean(axis=1), level), key=lambda one: abs(np.log(one.at / stated))
    )
    rng = np.random.default_rng(0)
    drawn = [
        crossings(etas, table[:, rng.integers(n, size=n)].mean(axis=1), level) for _ in range(DRAWS)
    ]
    return [np.array([one.at, *_interval(one, etas, drawn)]) for one in found]


def _interval(crossing: Crossing, etas: Floats, drawn: list[list[Crossing]]) -> Floats:
    """Return the 95 % interval of the nearest crossing in the same direction, in every draw."""
    near = [
        min(
            (one.at for one in draw if one.rises == crossing.rises),
            key=lambda at: abs(np.log(at / crossing.at)),
            default=etas[0] if crossing.rises else etas[-1],
        )
        for draw in drawn
    ]
    ends: Floats = np.quantile(near, (0.025, 0.975))
    return ends
