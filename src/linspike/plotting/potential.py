"""The potential over time, with threshold and spikes, and with the threshold that a count needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_flag, check_integer, check_real
from linspike.errors import ParameterError
from linspike.neuron.arrivals import arrived_pattern, check_delays
from linspike.neuron.srm import SRM
from linspike.plotting import style
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 2000
OWNER = "plot_potential"
ABOVE = 1.0 + 1e-9  # just above a critical threshold, where its spike is lost


def plot_potential(
    neuron: SRM,
    weights: Any,
    pattern: Pattern,
    *,
    target: SpikeTrain | Any = None,
    count: int | None = None,
    delays: Any = None,
    until: float | None = None,
    free: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw the potential over time with the threshold, the spikes and the desired spikes.

    With `count`, draw the dynamic threshold too: the threshold moves until the response has one
    spike more or less, towards the count, and the spikes it then has are desired times. So rules
    for counts find out where a spike is gained or lost at the least cost.

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
    count : int, optional
        Desired number of spikes, instead of `target`. If the response has it, nothing moves.
    delays : array of float, optional
        One delay per channel, as for `SRM.respond`.
    until : float, optional
        End of the picture; the pattern's duration unless given.
    free : bool
        Whether to show the potential without resets too.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with the potential, the threshold and the spikes
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)
    >>> ax = ls.plot_potential(ls.SRM(), [1.5, 0.85, 0.95], pattern, count=3)
    >>> [text.get_text() for text in ax.get_legend().get_texts()][2:4]
    ['threshold moved to 0.986', 'potential at that threshold']
    """
    end = _check_arguments(neuron, pattern, target, count, until)
    pattern = arrived_pattern(pattern, check_delays(delays, pattern.n_channels, OWNER))
    without_resets = check_flag(free, "free", OWNER)
    spikes = neuron.respond(weights, pattern, until=end).times
    desired = None if target is None else np.asarray(_train(target).times)
    ax = style.matplotlib_axes(ax, width=7.0, height=2.6)
    _draw_curves(ax, neuron, weights, pattern, spikes, end, without_resets)
    if count is not None:
        desired = _draw_moved(ax, neuron, weights, pattern, spikes, count, end)
    _mark_spikes(ax, spikes, desired, neuron.threshold)
    ax.set(xlim=(0.0, end), xlabel="time (ms)", ylabel="potential")
    style.add_legend(ax)
    style.tidy(ax)
    return ax


def _check_arguments(neuron: Any, pattern: Any, target: Any, count: Any, until: Any) -> float:
    """Return the end of the picture, or raise where the arguments make no picture."""
    if not isinstance(neuron, SRM):
        raise ParameterError.of(
            "neuron", OWNER, "an SRM", neuron, "Give SRM() or SRM(threshold=...)."
        )
    if not isinstance(pattern, Pattern):
        remedy = "Give one pattern of the set, such as patterns[0]."
        remedy = remedy if isinstance(pattern, PatternSet) else ""
        raise ParameterError.of("pattern", OWNER, "a Pattern", pattern, remedy)
    if target is not None and count is not None:
        raise ParameterError.of("count", OWNER, "None where a target is given", count)
    given = pattern.duration if until is None else until
    return check_real(given, "until", OWNER, above=0.0, domain="positive and finite")


def _draw_curves(
    ax: Any, neuron: SRM, weights: Any, pattern: Pattern, spikes: Floats, end: float, free: bool
) -> None:
    """Draw V and the threshold, and V without resets if asked for."""
    at, potential = _curve(neuron, weights, pattern, spikes, end)
    if free:
        unreset = neuron.potential(weights, pattern, at, reset=False)
        ax.plot(at, unreset, color=style.QUIET, lw=0.9, ls="--", label="without resets")
    ax.plot(at, potential, color=style.POTENTIAL, lw=1.2, label="potential")
    ax.axhline(neuron.threshold, color=style.THRESHOLD, lw=1.0, label="threshold")


def _curve(
    neuron: SRM, weights: Any, pattern: Pattern, spikes: Floats, end: float
) -> tuple[Floats, Floats]:
    """Return times and V, with a vertical fall to 0 at each spike instead of a sampled slope."""
    inputs = pattern.times[pattern.times <= end]
    at = np.union1d(np.linspace(0.0, end, POINTS), np.concatenate([inputs, spikes]))
    potential = neuron.potential(weights, pattern, at)
    fall = np.searchsorted(at, np.unique(spikes), side="right")
    return np.insert(at, fall, at[fall - 1]), np.insert(potential, fall, 0.0)


def _draw_moved(
    ax: Any, neuron: SRM, weights: Any, pattern: Pattern, spikes: Floats, count: Any, end: float
) -> Floats:
    """Draw the threshold one spike nearer to the count, and V under it; return the spikes there."""
    target_count = check_integer(count, "count", OWNER, least=0)
    if target_count == spikes.size:
        return spikes
    more = target_count > spikes.size
    found = neuron.critical_threshold(weights, pattern, spikes.size + more, until=end)
    if more and found.value == 0.0:
        domain = "a number of spikes that the pattern gives at some threshold"
        raise ParameterError.of("count", OWNER, domain, count)
    moved = replace(neuron, threshold=found.value * (1.0 if more else ABOVE))
    desired = moved.respond(weights, pattern, until=end).times
    at, potential = _curve(moved, weights, pattern, desired, end)
    label = f"threshold moved to {moved.threshold:.3g}"
    ax.axhline(moved.threshold, color=style.THRESHOLD, lw=1.0, ls="--", label=label)
    look = {"color": style.DESIRED, "lw": 0.9, "ls": "--"}
    ax.plot(at, potential, **look, label="potential at that threshold")
    return np.asarray(desired)


def _mark_spikes(ax: Any, spikes: Floats, desired: Floats | None, threshold: float) -> None:
    top = 1.25 * threshold
    ax.vlines(spikes, threshold, top, color=style.INK, lw=1.2, label="spikes")
    if desired is not None:
        height = np.full(desired.size, 1.32 * threshold)
        ax.plot(desired, height, ls="", marker="v", ms=5, color=style.DESIRED, label="desired")


def _train(train: Any) -> SpikeTrain:
    return train if isinstance(train, SpikeTrain) else SpikeTrain(train)
