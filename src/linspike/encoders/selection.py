"""Fewer spikes: the first of each channel, or one for every few."""

from __future__ import annotations

from typing import final

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_choice, check_integer, check_real
from linspike.encoders.spike_transformer import SpikeTransformer, keep_spikes, pattern_of_spikes
from linspike.spikes.pattern_set import PatternSet

SCOPES = ("channel", "pattern")
WHOLE = 1e-9  # powers of whole numbers that are whole but for rounding


@final
class FirstEvents(SpikeTransformer):
    """Keep the first n spikes of each channel, or of each pattern.

    Parameters
    ----------
    n : int
        Number of spikes that are kept, at most.
    per : {"channel", "pattern"}
        Whether spikes are counted on each channel of a pattern, or on all channels together.
        Simultaneous spikes keep their order.

    Attributes
    ----------
    n_features_in_ : int
        Number of channels, before and after.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.PatternSet([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 0], [0, 4], 2, 10.0)
    >>> ls.FirstEvents(2).fit_transform(patterns).times
    array([1., 2., 3.])
    >>> ls.FirstEvents(2, per="pattern").fit_transform(patterns).times
    array([1., 2.])
    """

    def __init__(self, n: int = 1, *, per: str = "channel") -> None:
        self.n = n
        self.per = per

    def _check_parameters(self) -> None:
        check_integer(self.n, "n", "FirstEvents", least=1)
        check_choice(self.per, "per", "FirstEvents", SCOPES)

    def _change(self, patterns: PatternSet) -> PatternSet:
        if self.per == "channel":
            number = number_in_channel(patterns)
        else:
            number = np.arange(patterns.times.size) - patterns.offsets[pattern_of_spikes(patterns)]
        return keep_spikes(patterns, number < self.n)


@final
class ThinEvents(SpikeTransformer):
    """Keep every k-th spike of each channel, or fewer the more there are.

    Of a channel with N spikes in a pattern, ``floor((N / every) ** power)`` are kept: the n-th
    spike is kept if this number grows with it. With ``power=0.5`` these are spikes 1, 4, 9, 16 and
    so on, and counts become their square roots, whose noise does not grow with the count where
    spikes are Poisson. So a few channels that fire all the time do not drown the others, and
    neurons have fewer spikes to sum.

    Parameters
    ----------
    every : int
        Number of spikes for each that is kept.
    power : float
        Exponent in (0, 1]; 1 thins all channels alike.

    Attributes
    ----------
    n_features_in_ : int
        Number of channels, before and after.

    Examples
    --------
    >>> import numpy as np, linspike as ls
    >>> patterns = ls.PatternSet(np.arange(1.0, 11.0), [0] * 10, [0, 10], 1, 10.0)
    >>> ls.ThinEvents(every=3).fit_transform(patterns).times
    array([3., 6., 9.])
    >>> ls.ThinEvents(power=0.5).fit_transform(patterns).times
    array([1., 4., 9.])
    """

    def __init__(self, every: int = 1, *, power: float = 1.0) -> None:
        self.every = every
        self.power = power

    def _check_parameters(self) -> None:
        check_integer(self.every, "every", "ThinEvents", least=1)
        power = {"above": 0.0, "domain": "in (0, 1]"}
        check_real(self.power, "power", "ThinEvents", below=np.nextafter(1.0, 2.0), **power)  # type: ignore[arg-type]

    def _change(self, patterns: PatternSet) -> PatternSet:
        number = number_in_channel(patterns)
        return keep_spikes(patterns, self._count(number + 1) > self._count(number))

    def _count(self, spikes: Ints) -> Floats:
        """Return how many of so many spikes are kept."""
        if self.power == 1.0:
            return np.asarray(spikes // self.every, np.float64)
        return np.asarray(np.floor((spikes / self.every) ** self.power + WHOLE))


def number_in_channel(patterns: PatternSet) -> Ints:
    """Return the number of each spike among those of its channel and pattern, from 0."""
    group = pattern_of_spikes(patterns) * patterns.n_channels + patterns.channels
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    place = np.arange(ordered.size)
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: ordered.size]
    number = np.empty(ordered.size, np.int64)
    number[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    return number
