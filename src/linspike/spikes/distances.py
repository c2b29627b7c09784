"""Distances between trains, and pairing of a response with its target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.spikes.spike_train import SpikeTrain

Train = SpikeTrain | Sequence[float] | Floats

VRD_PER_MS = 0.08  # slope of vRD* with the mean displacement, Nguyen & Chu, appendix A
VRD_PER_DURATION = 0.0001  # slope of vRD* with the pattern's duration, ibid.


def van_rossum(a: Train, b: Train, tau: float = 100.0) -> float:
    """Return the van Rossum distance between two trains, in closed form and linear time.

    Both trains are filtered with exp(-t/tau); the distance is the root of the integral of the
    squared difference, divided by tau. One spike against none is at 0.707; one spike displaced
    by D at sqrt(1 - exp(-D/tau)). Some libraries (Elephant) leave out a factor: theirs is
    sqrt(2) times ours.

    Parameters
    ----------
    a, b : SpikeTrain or ascending times
        The trains.
    tau : float
        Time constant of the filter in milliseconds.

    Examples
    --------
    >>> import linspike as ls
    >>> round(ls.van_rossum([10.0], []), 6)
    0.707107
    """
    from linspike.kernels.trains.distances import van_rossum_squared

    scale = check_real(tau, "tau", "van_rossum", above=0.0)
    return math.sqrt(van_rossum_squared(_times(a), _times(b), scale))


def vrd_bound(duration: float, dt: float = 1.0) -> float:
    """Return the van Rossum distance below which a response counts as learned (the paper's vRD*).

    0.08 dt + 0.0001 duration, a fit to trains whose spikes are dt milliseconds off on average.
    It is lax for long patterns: see `match_spikes` for the strict criterion.

    Examples
    --------
    >>> import linspike as ls
    >>> round(ls.vrd_bound(400.0), 6)
    0.12
    """
    length = check_real(duration, "duration", "vrd_bound", least=0.0)
    shift = check_real(dt, "dt", "vrd_bound", least=0.0)
    return VRD_PER_MS * shift + VRD_PER_DURATION * length


@dataclass(frozen=True)
class SpikeMatch:
    """One-to-one pairing of a response with a target within a tolerance, in numbers of spikes.

    Attributes
    ----------
    paired : int
        Desired spikes that have a response spike of their own within the tolerance.
    missed : int
        Desired spikes without one.
    extra : int
        Response spikes that belong to no desired spike.
    """

    paired: int
    missed: int
    extra: int

    @property
    def exact(self) -> bool:
        """Whether every desired spike has its own response spike and nothing is left over."""
        return self.missed == 0 and self.extra == 0


def match_spikes(response: Train, target: Train, tolerance: float = 1.0) -> SpikeMatch:
    """Pair response and target one to one, each pair at most `tolerance` milliseconds apart.

    As many pairs as possible are formed. The strict criterion of learning is `match.exact`.
    `victor_purpura` says which spikes belong together.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.match_spikes([10.4, 30.0], [10.0, 20.0])
    SpikeMatch(paired=1, missed=1, extra=1)
    """
    from linspike.kernels.trains.distances import pair_spikes

    width = check_real(tolerance, "tolerance", "match_spikes", least=0.0, infinite=True)
    given, desired = _times(response), _times(target)
    paired = int(pair_spikes(given, desired, width))
    return SpikeMatch(paired, desired.size - paired, given.size - paired)


@dataclass(frozen=True)
class Alignment:
    """Cheapest way to turn train a into train b, as `victor_purpura` returns it.

    Attributes
    ----------
    cost : float
        The Victor-Purpura distance.
    moved : tuple of (int, int)
        Pairs (index into a, index into b) of spikes that belong together.
    removed : tuple of int
        Indices into a of the spikes without a partner.
    added : tuple of int
        Indices into b of the spikes without a partner.
    """

    cost: float
    moved: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]


def victor_purpura(a: Train, b: Train, tau: float, *, squared: bool = False) -> Alignment:
    """Return the Victor-Purpura alignment of two trains: add or remove a spike for 1, or move it.

    A move by D costs ``|D|/tau`` (the usual metric, with q = 1/tau), or (D/tau)^2/2 with
    `squared=True`, as the Chronotron's E-learning has it. On equal cost a move is preferred.

    Parameters
    ----------
    a, b : SpikeTrain or ascending times
        The train to start from and the train to reach.
    tau : float
        Time scale of a move in milliseconds.
    squared : bool
        Whether a move costs the square of its length.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.victor_purpura([10.0, 40.0], [11.0], tau=10.0)
    Alignment(cost=1.1, moved=((0, 0),), removed=(1,), added=())
    """
    from linspike.kernels.trains import distances as distance

    scale = check_real(tau, "tau", "victor_purpura", above=0.0)
    start, goal = _times(a), _times(b)
    table = np.empty((start.size + 1, goal.size + 1))
    partner = np.empty(start.size, np.int64)
    cost = distance.victor_purpura(start, goal, scale, bool(squared), table, partner)
    moved = tuple((i, j) for i, j in enumerate(partner.tolist()) if j >= 0)
    removed = tuple(np.flatnonzero(partner < 0).tolist())
    added = tuple(sorted(set(range(goal.size)) - set(partner.tolist())))
    return Alignment(float(cost), moved, removed, added)


def _times(train: Any) -> Floats:
    return train._times if isinstance(train, SpikeTrain) else SpikeTrain(train)._times
