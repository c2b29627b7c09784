"""Pictures as functions: the potential of a neuron, the spikes of a pattern or set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.errors import ParameterError
from linspike.neuron.srm import SRM
from linspike.plotting import style
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 2000


def plot_potential(
    neuron: SRM,
    weights: Any,
    pattern: Pattern,
    *,
    target: SpikeTrain | Any = None,
    until: float | None = None,
    free: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw the potential over time with the threshold, the spikes and the desired spikes.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float
        One weight per channel.
    pattern : Pattern
        The input.
    target : SpikeTrain or ascending times, optional
        Desired spikes, shown as triangles above the threshold.
    until : float, optional
        End of the picture; the pattern's duration unless given.
    free : bool
        Whether to show the potential without resets too.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
    """
    if not isinstance(pattern, Pattern):
        raise ParameterError.of("pattern", "plot_potential", "a Pattern", pattern)
    domain = "positive and finite"
    end = check_real(
        pattern.duration if until is None else until,
        "until",
        "plot_potential",
        above=0.0,
        domain=domain,
    )
    spikes = neuron.respond(weights, pattern, until=end).times
    desired = None if target is None else np.asarray(_train(target).times)
    ax = style.matplotlib_axes(ax, width=7.0, height=2.6)
    at, potential = _curve(neuron, weights, pattern, spikes, end)
    if free:
        unreset = neuron.potential(weights, pattern, at, reset=False)
        ax.plot(at, unreset, color=style.QUIET, lw=0.9, ls="--", label="without resets")
    ax.plot(at, potential, color=style.POTENTIAL, lw=1.2, label="potential")
    ax.axhline(neuron.threshold, color=style.THRESHOLD, lw=1.0, label="threshold")
    _mark_spikes(ax, spikes, desired, neuron.threshold)
    ax.set(xlim=(0.0, end), xlabel="time (ms)", ylabel="potential")
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small")
    style.tidy(ax)
    return ax


def _curve(
    neuron: SRM, weights: Any, pattern: Pattern, spikes: Floats, end: float
) -> tuple[Floats, Floats]:
    """Return times and V, with a vertical fall to 0 at each spike instead of a sampled slope."""
    inputs = pattern.times[pattern.times <= end]
    at = np.union1d(np.linspace(0.0, end, POINTS), np.concatenate([inputs, spikes]))
    potential = neuron.potential(weights, pattern, at)
    fall = np.searchsorted(at, np.unique(spikes), side="right")
    return np.insert(at, fall, at[fall - 1]), np.insert(potential, fall, 0.0)


def _mark_spikes(ax: Any, spikes: Floats, desired: Floats | None, threshold: float) -> None:
    top = 1.25 * threshold
    ax.vlines(spikes, threshold, top, color=style.INK, lw=1.2, label="spikes")
    if desired is not None:
        height = np.full(desired.size, 1.32 * threshold)
        ax.plot(desired, height, ls="", marker="v", ms=5, color=style.DESIRED, label="desired")


def plot_raster(
    spikes: Pattern | PatternSet | SpikeTrain | list[SpikeTrain], *, ax: Axes | None = None
) -> Axes:
    """Draw spikes as ticks: one row per channel of a pattern, per pattern of a set, or per train.

    In a set, each pattern is a row and its spikes are drawn whatever their channel.

    Parameters
    ----------
    spikes : Pattern, PatternSet, SpikeTrain or list of SpikeTrain
        What to show.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.
    """
    if isinstance(spikes, Pattern):
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
    ax.plot(times, rows, ls="", marker="|", ms=size, mew=0.8, color=style.INK)
    ax.set(xlim=(0.0, end), ylim=(-0.7, n_rows - 0.3), xlabel="time (ms)", ylabel=label)
    ax.locator_params(axis="y", integer=True)
    style.tidy(ax)
    return ax


def _trains(spikes: Any) -> list[SpikeTrain]:
    trains = list(spikes) if isinstance(spikes, (list, tuple)) else []
    if not trains or not all(isinstance(train, SpikeTrain) for train in trains):
        domain = "a Pattern, a PatternSet, a SpikeTrain or a list of trains"
        raise ParameterError.of("spikes", "plot_raster", domain, spikes)
    return trains


def _longest(trains: list[SpikeTrain], times: Floats) -> float:
    ends = [train.duration for train in trains if math.isfinite(train.duration)]
    last = float(times.max()) if times.size else 0.0
    return max(ends, default=max(last, 1.0))


def _train(train: Any) -> SpikeTrain:
    return train if isinstance(train, SpikeTrain) else SpikeTrain(train)
