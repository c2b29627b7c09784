"""Pictures of learning: curves over epochs, the potential before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import describe_value
from linspike.errors import ParameterError
from linspike.neuron.srm import SRM
from linspike.plotting import style
from linspike.plotting.potential import plot_potential
from linspike.spikes.pattern import Pattern
from linspike.training.result import FitResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTITIES = ("accuracy", "distance", "stepped", "fallback", "dead", "norm")
LISTED = 8  # chains up to which each has its name in the legend


def plot_learning(results: Any, *, quantity: str = "accuracy", ax: Axes | None = None) -> Axes:
    """Draw one quantity over the epochs, a line per chain.

    Parameters
    ----------
    results : FitResult, list of FitResult, or fitted estimator
        From `Trainer.fit(..., history=True)` or `fit_many`; or a `SpikeClassifier` or
        `SpikeMapper`, or its `history_`.
    quantity : str
        An attribute of `History`; of an estimator a name in `history_`, where validation is
        drawn beside it.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with a line per chain
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.poisson_patterns(2, n_channels=50, duration=100.0, rate=0.01, rng=0)
    >>> trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=20)
    >>> result = trainer.fit([0.05] * 50, patterns, ls.SpikeCounts([1, 3]), history=True)
    >>> ax = ls.plot_learning(result)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('epoch', 'accuracy')
    """
    history = getattr(results, "history_", results)
    if isinstance(history, Mapping):
        curves = _curves_of_estimator(history, quantity)
    else:
        curves = _curves_of_chains(results, quantity)
    ax = style.matplotlib_axes(ax, width=5.0, height=3.0)
    for index, (name, values) in enumerate(curves.items()):
        colour = style.SERIES[index % len(style.SERIES)]
        ax.plot(np.arange(1, values.size + 1), values, color=colour, lw=1.4, label=name)
    ax.set(xlabel="epoch", ylabel=quantity.replace("_", " "))
    if 1 < len(curves) <= LISTED:
        style.add_legend(ax)
    style.tidy(ax)
    return ax


def _curves_of_estimator(history: Mapping[str, Any], quantity: str) -> dict[str, Floats]:
    """Return the quantity in training and, with early stopping, in validation."""
    names = [name for name in history if name == quantity or name.endswith(f"_{quantity}")]
    if not names:
        domain = f"one of {tuple(history)}"
        raise ParameterError.of("quantity", "plot_learning", domain, quantity)
    return {name.replace("_", " "): np.asarray(history[name]) for name in names}


def _curves_of_chains(results: Any, quantity: str) -> dict[str, Floats]:
    listed = [results] if isinstance(results, FitResult) else results
    known = isinstance(listed, (list, tuple)) and len(listed) > 0
    if not known or not all(isinstance(each, FitResult) for each in listed):
        domain = "results of Trainer.fit, one at least, or a fitted estimator"
        raise ParameterError.of("results", "plot_learning", domain, describe_value(results))
    if quantity not in QUANTITIES:
        raise ParameterError.of("quantity", "plot_learning", f"one of {QUANTITIES}", quantity)
    curves = {}
    for index, result in enumerate(listed):
        if result.history is None:
            remedy = "Train with history=True."
            raise ParameterError.of(
                "results", "plot_learning", "results with a history", result, remedy
            )
        curves[f"chain {index}"] = getattr(result.history, quantity)
    return curves


def plot_before_after(
    neuron: SRM,
    before: Any,
    after: Any,
    pattern: Pattern,
    target: Any,
    *,
    delays: tuple[Any, Any] = (None, None),
) -> list[Axes]:
    """Draw the potential with the weights before and after learning, one above the other.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    before, after : array of float
        Weights.
    pattern : Pattern
        The input.
    target : SpikeTrain or ascending times
        Desired spikes.
    delays : pair, optional
        Delays before and after, one per channel each, or None.

    Returns
    -------
    list of matplotlib axes
        Of both pictures; `axes[0].figure.savefig(...)` writes them.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([1.0, 30.0], [0, 1], n_channels=2, duration=60.0)
    >>> target = ls.SpikeTimes([[8.0, 38.0]])
    >>> result = ls.Trainer(ls.SRM(), "dta").fit([0.2, 0.2], pattern, target)
    >>> axes = ls.plot_before_after(ls.SRM(), [0.2, 0.2], result.weights, pattern, [8.0, 38.0])
    >>> [ax.get_title(loc="left") for ax in axes]
    ['before', 'after']
    """
    if not isinstance(delays, (tuple, list)) or len(delays) != 2:
        domain, got = "a pair (before, after), each None or one per channel", describe_value(delays)
        raise ParameterError.of("delays", "plot_before_after", domain, got)
    first = style.matplotlib_axes(None, width=7.0, height=4.2)
    figure = first.figure
    figure.clear()
    axes: list[Axes] = list(figure.subplots(2, sharex=True))
    parts = zip(axes, (before, after), delays, ("before", "after"), strict=True)
    for ax, weights, late, title in parts:
        plot_potential(neuron, weights, pattern, target=target, delays=late, ax=ax)
        ax.set_title(title, loc="left", fontsize="medium")
    axes[0].set_xlabel("")
    legend = axes[1].get_legend()
    if legend is not None:
        legend.remove()  # one is enough
    return axes
