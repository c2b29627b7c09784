"""Other channels for the same spikes: pixels pooled, stretches of time side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from linspike._validation import check_integer, check_real
from linspike.encoders.folds import fold_spikes
from linspike.encoders.spike_transformer import SpikeTransformer
from linspike.errors import ParameterError, SpikeDataError
from linspike.spikes.pattern_set import PatternSet


@final
class PoolEvents(SpikeTransformer):
    """Join the channels of squares of pixels; every spike is kept.

    Parameters
    ----------
    sensor_size : sequence of int
        Width, height and, if there are any, number of polarities: the channel of (x, y, p) is
        ``x + width * (y + height * p)``, as in `PatternSet.from_structured`.
    size : int
        Side of a square in pixels. Squares at the right and lower edge may be smaller.

    Attributes
    ----------
    pooled_size_ : tuple of int
        Width, height and polarities after pooling, which the channels are numbered by.
    n_features_in_ : int
        Number of channels before pooling.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.PatternSet([1.0, 2.0], [0, 15], [0, 2], 16, 10.0)
    >>> ls.PoolEvents((4, 4), 2).fit_transform(patterns).channels
    array([0, 3], dtype=int32)
    """

    pooled_size_: tuple[int, ...]

    def __init__(self, sensor_size: Sequence[int], size: int = 2) -> None:
        self.sensor_size = sensor_size
        self.size = size

    def _check_parameters(self) -> None:
        owner, domain = "PoolEvents", "(width, height) or (width, height, polarities)"
        check_integer(self.size, "size", owner, least=1)
        given = self.sensor_size
        if not isinstance(given, (tuple, list, np.ndarray)) or len(given) not in (2, 3):
            raise ParameterError.of("sensor_size", owner, domain, given)
        for length in given:
            check_integer(length, "sensor_size", owner, least=1)

    def _learn(self, patterns: PatternSet) -> None:
        width, height, *rest = (int(length) for length in self.sensor_size)
        n_channels = width * height * int(np.prod(rest))
        if n_channels != patterns.n_channels:
            domain = f"that of the sensor, with {patterns.n_channels} channels in all"
            raise ParameterError.of("sensor_size", "PoolEvents", domain, self.sensor_size)
        self.pooled_size_ = (-(-width // self.size), -(-height // self.size), *rest)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels by their place on the pooled sensor: x0_y0_p0, ...

        Parameters
        ----------
        input_features : list of str, optional
            Names of the channels before pooling; they are checked, but a square has many.
        """
        super().get_feature_names_out(input_features)
        places = np.ndindex(self.pooled_size_[::-1])  # the first coordinate varies fastest
        names = ["_".join(map("{}{}".format, "xyp", place[::-1])) for place in places]
        return np.array(names, dtype=object)

    def _change(self, patterns: PatternSet) -> PatternSet:
        size = tuple(int(length) for length in self.sensor_size)
        x, y, *rest = np.unravel_index(patterns.channels, size, order="F")
        pooled = x // self.size, y // self.size, *rest
        channels = np.ravel_multi_index(pooled, self.pooled_size_, order="F")
        width = int(np.prod(self.pooled_size_))
        return PatternSet(patterns.times, channels, patterns.offsets, width, patterns.durations)


@final
class DelayLines(SpikeTransformer):
    """Present stretches of a recording at once, each on channels of its own.

    With F folds of length L, a spike of channel c at time f L + t comes at time t on channel
    ``f * n_channels + c``, and patterns last L, as if stretch f came through delay lines that hold
    it back until the last one is there. A neuron then can weigh the beginning against the end, for
    F times as many weights. `RasterEncoder(folds=)` does the same for rasters.

    Parameters
    ----------
    folds : int
        Number of stretches.
    duration : float, optional
        Time that is divided into the stretches, in milliseconds. Unless given, the length of the
        longest pattern in `fit`.

    Attributes
    ----------
    duration_ : float
        The duration in use; spikes after it are refused.
    n_features_in_ : int
        Number of channels before folding.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.PatternSet([1.0, 7.0], [0, 1], [0, 2], 2, 10.0)
    >>> folded = ls.DelayLines(2).fit_transform(patterns)
    >>> folded.times, folded.channels, folded.durations
    (array([1., 2.]), array([0, 3], dtype=int32), array([5.]))
    """

    duration_: float

    def __init__(self, folds: int = 4, *, duration: float | None = None) -> None:
        self.folds = folds
        self.duration = duration

    def _check_parameters(self) -> None:
        check_integer(self.folds, "folds", "DelayLines", least=1)
        if self.duration is not None:
            domain = "positive and finite, or None"
            check_real(self.duration, "duration", "DelayLines", above=0.0, domain=domain)

    def _learn(self, patterns: PatternSet) -> None:
        longest = patterns.durations.max() if self.duration is None else self.duration
        self.duration_ = float(longest)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels, with folds fold0_x0, ...: each stretch in turn.

        Parameters
        ----------
        input_features : list of str, optional
            Names of the channels before folding; x0, x1, ... unless given.
        """
        names = super().get_feature_names_out(input_features)
        if self.folds == 1:
            return names
        folds = [f"fold{f}_{name}" for f in range(self.folds) for name in names]
        return np.array(folds, dtype=object)

    def _change(self, patterns: PatternSet) -> PatternSet:
        times: Any = patterns.times
        if times.size and times.max() > self.duration_:
            raise SpikeDataError(
                f"X has a spike at {times.max():g} ms, but the folds of DelayLines end at "
                f"{self.duration_:g} ms. Fit it to the longest patterns, or pass a longer duration."
            )
        stretch = self.duration_ / self.folds
        fold = np.minimum((times / stretch).astype(np.int64), self.folds - 1)
        within = np.clip(times - fold * stretch, 0.0, stretch)
        return fold_spikes(patterns, fold, within, self.folds, stretch)
