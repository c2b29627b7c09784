"""Spikes as ticks: of a pattern, of a set, of trains."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import describe_value
from linspike.errors import ParameterError
from linspike.neuron.arrivals import check_delays
from linspike.plotting import style
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OWNER = "plot_raster"


def plot_raster(
    spikes: Pattern | PatternSet | SpikeTrain | list[SpikeTrain],
    *,
    delays: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw spikes as ticks: one row per channel of a pattern, per pattern of a set, or per train.

    In a set, each pattern is a row and its spikes are drawn whatever their channel.

    Parameters
    ----------
    spikes : Pattern, PatternSet, SpikeTrain or list of SpikeTrain
        What to show.
    delays : array of float, (channels,), optional
        Delays in milliseconds: a line leads from each spike of a pattern to where it arrives.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with a row of ticks per channel, pattern or train
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.poisson_patterns(1, n_channels=20, duration=200.0, rate=0.01, rng=0)
    >>> ax = ls.plot_raster(patterns[0])
    >>> ax.get_ylabel()
    'channel'
    """
    if delays is not None and not isinstance(spikes, Pattern):
        raise ParameterError.of(
            "delays", OWNER, "left out unless a pattern is drawn", describe_value(delays)
        )
    late = None
    if isinstance(spikes, Pattern):
        late = check_delays(delays, spikes.n_channels, OWNER)
        times, rows, n_rows = spikes.times, spikes.channels, spikes.n_channels
        end, label = spikes.duration, "channel"
    elif isinstance(spikes, PatternSet):
        rows = np.repeat(np.arange(len(spikes)), np.diff(spikes.offsets))
        times, n_rows = spikes.times, len(spikes)
        end, label = float(spikes.durations.max()), "pattern"
    else:
        trains = [spikes] if isinstance(spikes, SpikeTrain) else _trains(spikes)
        times = np.concatenate([train.times for train in trains])
        rows = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
        n_rows, label = len(trains), "train"
        end = _longest(trains, times)
    ax = style.matplotlib_axes(ax, width=6.0, height=min(5.0, 1.6 + 0.12 * n_rows))
    size = float(np.clip(240.0 / n_rows, 2.5, 14.0))
    ax.plot(times, rows, ls="", marker="|", ms=size, mew=0.8, color=style.INK, label="sent")
    if late is not None:
        arrived = times + late[rows]
        ax.hlines(rows, times, arrived, color=style.QUIET, lw=0.8)
        ax.plot(
            arrived, rows, ls="", marker="o", ms=size / 3, color=style.POTENTIAL, label="arrives"
        )
        style.add_legend(ax)
    ax.set(xlim=(0.0, end), ylim=(-0.7, n_rows - 0.3), xlabel="time (ms)", ylabel=label)
    ax.locator_params(axis="y", integer=True)
    style.tidy(ax)
    return ax


def _trains(spikes: Any) -> list[SpikeTrain]:
    trains = list(spikes) if isinstance(spikes, (list, tuple)) else []
    if not trains or not all(isinstance(train, SpikeTrain) for train in trains):
        domain = "a Pattern, a PatternSet, a SpikeTrain or a list of trains"
        raise ParameterError.of("spikes", OWNER, domain, spikes)
    return trains


def _longest(trains: list[SpikeTrain], times: Floats) -> float:
    """Return the end of the picture: durations, and spikes of trains without one, are inside."""
    ends = [train.duration for train in trains if math.isfinite(train.duration)]
    last = float(times.max(initial=0.0))
    return max([*ends, last]) or 1.0
