"""Capacity: the load at which half of the trials fail.

Loads are searched by bisection, with the same random numbers at every load, and a logistic curve
through all loads tried gives the 50 % point. Its interval comes from drawing trials anew, where a
trial is one seed at all loads (tasks of several patterns contain one another), and is at least that
of the profile likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats

GROWTH = 1.3  # factor between loads until half fail on one side and learn on the other
NARROW = 0.04  # the bracket is narrow enough at this share of its lower end
SIDE = 0.08  # one more load so far outside the bracket on each side, for the slope
DRAWS = 1000
BEYOND = 0.3  # centres are sought so far beyond the loads tried
HALF_CHI2 = 1.92  # half of the 95 % point of chi2 with one degree of freedom
WIDTHS = np.geomspace(0.005, 0.3, 16)  # widths of the logistic, as shares of its centre


class Search(NamedTuple):
    """Loads to be searched: the first one, the distance between two, the lowest and highest."""

    start: int
    step: int
    lowest: int
    highest: int

    def round(self, load: float) -> int:
        """Return the nearest load that can be tried."""
        return int(min(max(self.step * round(load / self.step), self.lowest), self.highest))


class HalfPoint(NamedTuple):
    """The 50 % point and its 95 % interval; where there is no point, the note says why."""

    value: float | None
    lo: float | None
    hi: float | None
    note: str = ""


def next_loads(search: Search, share: Mapping[int, float]) -> list[int]:
    """Return loads to try next from the share learned at each so far; none when all is known."""
    if not share:
        return [search.round(search.start)]
    good = [load for load, learned in share.items() if learned >= 0.5]
    bad = [load for load, learned in share.items() if learned < 0.5]
    if not bad:
        return _new(search, share, [max(max(good) * GROWTH, max(good) + search.step)])
    low = max([load for load in good if load < max(bad)], default=None)
    if low is None:
        return _new(search, share, [min(min(bad) / GROWTH, min(bad) - search.step)])
    high = min(load for load in bad if load > low)
    if high - low > max(search.step, NARROW * low):
        middle = _new(search, share, [0.5 * (low + high)])
        if middle:
            return middle
    return _new(search, share, [low * (1.0 - SIDE), high * (1.0 + SIDE)])


def _new(search: Search, share: Mapping[int, float], loads: list[float]) -> list[int]:
    return [load for load in dict.fromkeys(map(search.round, loads)) if load not in share]


def find_half_point(outcomes: Mapping[int, Mapping[int, bool]]) -> HalfPoint:
    """Return the 50 % point of a logistic curve through outcomes[load][seed].

    If every load was learned by more than half, or none by half, there is no such point, only a
    bound on it.
    """
    stored = tuple((at, tuple(sorted(outcomes[at].items()))) for at in sorted(outcomes))
    return _find_half_point(stored, DRAWS)


@lru_cache(maxsize=1024)  # a search and its summary ask for the same points again and again
def _find_half_point(
    stored: tuple[tuple[int, tuple[tuple[int, bool], ...]], ...], n_draws: int
) -> HalfPoint:
    outcomes = {load: dict(seeds) for load, seeds in stored}
    loads = list(outcomes)
    if not loads:
        return HalfPoint(None, None, None, "no trials")
    share = [sum(outcomes[load].values()) / len(outcomes[load]) for load in loads]
    if min(share) >= 0.5:
        return HalfPoint(None, loads[-1], None, f"more than half still learned {loads[-1]}")
    if max(share) < 0.5:
        return HalfPoint(None, None, loads[0], f"less than half learned {loads[0]}")
    seeds = sorted({seed for load in loads for seed in outcomes[load]})
    learned = np.array(
        [[float(outcomes[load].get(seed, False)) for load in loads] for seed in seeds]
    )
    tried = np.array([[float(seed in outcomes[load]) for load in loads] for seed in seeds])
    rng = np.random.default_rng(0)
    draws = rng.integers(0, len(seeds), (n_draws, len(seeds)))
    counts = np.zeros((n_draws + 1, len(seeds)))
    counts[0] = 1.0
    np.add.at(counts, (np.arange(1, n_draws + 1)[:, np.newaxis], draws), 1.0)
    centres, lo, hi = _fit(np.array(loads, dtype=np.float64), counts @ learned, counts @ tried)
    low, high = np.quantile(centres[1:], (0.025, 0.975))
    return HalfPoint(float(centres[0]), float(min(lo, low)), float(max(hi, high)))


def _fit(loads: Floats, learned: Floats, tried: Floats) -> tuple[Floats, float, float]:
    """Fit a logistic to each row of counts; return its centres, and the first row's interval.

    On a grid of centres and widths: no start value, no divergence where the data separate, and all
    rows at once. The interval is that of the profile likelihood: few trials draw too narrow a
    bootstrap, and where the data separate none at all.
    """
    centres = np.linspace((1.0 - BEYOND) * loads[0], (1.0 + BEYOND) * loads[-1], 1501)
    slope = 1.0 / (WIDTHS[:, np.newaxis, np.newaxis] * centres[np.newaxis, :, np.newaxis])
    x = (loads - centres[np.newaxis, :, np.newaxis]) * slope  # widths, centres, loads
    log_yes = -np.logaddexp(0.0, x)
    log_no = -np.logaddexp(0.0, -x)
    flat_yes, flat_no = log_yes.reshape(-1, loads.size), log_no.reshape(-1, loads.size)
    likelihood = learned @ flat_yes.T + (tried - learned) @ flat_no.T
    likelihood = likelihood.reshape(learned.shape[0], WIDTHS.size, centres.size).max(axis=1)
    best: Floats = likelihood.max(axis=1, keepdims=True)
    # Where several centres are equally likely (the data separate there), the middle of them.
    level = likelihood >= best - 1e-9 * (1.0 + np.abs(best))
    first = level.argmax(axis=1)
    last = level.shape[1] - 1 - level[:, ::-1].argmax(axis=1)
    middle: Floats = 0.5 * (centres[first] + centres[last])
    likely = centres[likelihood[0] >= best[0] - HALF_CHI2]
    return middle, float(likely[0]), float(likely[-1])


def linear_ramp(
    loads: Sequence[int], learn: Callable[[int, Floats | None], tuple[bool, Floats]], *, warm: bool
) -> int:
    """Try one load after the other, as the paper does; return the first that is not learned.

    learn(load, weights) returns whether the load was learned and with which weights; weights are
    None for a fresh start. With `warm` each load starts from the weights of the last. If all loads
    are learned, the load after the last is returned.
    """
    weights: Floats | None = None
    for load in loads:
        learned, found = learn(load, weights)
        if not learned:
            return load
        weights = found if warm else None
    step = loads[-1] - loads[-2] if len(loads) > 1 else 1
    return loads[-1] + step


def capacity_bound(n_channels: int, rate: float, tau_m: float, tau_s: float) -> float:
    """Return the longest input that N channels can learn, estimated as Memmesheimer et al. (2014).

    T = N tau/(-2 p ln p), p = nu tau/(1 + nu tau), tau = sqrt(tau_m tau_s).
    """
    tau = math.sqrt(tau_m * tau_s)
    p = rate * tau / (1.0 + rate * tau)
    return n_channels * tau / (-2.0 * p * math.log(p))
