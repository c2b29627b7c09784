"""Pictures of learning: curves over epochs, the potential before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linspike.errors import ParameterError
from linspike.neuron.srm import SRM
from linspike.plotting import style
from linspike.plotting.responses import plot_potential
from linspike.spikes.pattern import Pattern
from linspike.training.result import FitResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTITIES = ("accuracy", "distance", "stepped", "fallback", "dead", "norm")


def plot_learning(
    results: FitResult | list[FitResult], *, quantity: str = "accuracy", ax: Axes | None = None
) -> Axes:
    """Draw one quantity of the history over the epochs, a line per chain.

    Parameters
    ----------
    results : FitResult or list of FitResult
        From `Trainer.fit(..., history=True)` or `fit_many`.
    quantity : str
        An attribute of `History`.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.
    """
    if quantity not in QUANTITIES:
        raise ParameterError.of("quantity", "plot_learning", f"one of {QUANTITIES}", quantity)
    listed = [results] if isinstance(results, FitResult) else list(results)
    ax = style.matplotlib_axes(ax, width=5.0, height=3.0)
    for index, result in enumerate(listed):
        if result.history is None:
            remedy = "Train with history=True."
            raise ParameterError.of(
                "results", "plot_learning", "results with a history", result, remedy
            )
        values = getattr(result.history, quantity)
        ax.plot(np.arange(1, values.size + 1), values, lw=1.2, label=f"chain {index}")
    ax.set(xlabel="epoch", ylabel=quantity.replace("_", " "))
    if 1 < len(listed) <= 8:
        ax.legend(frameon=False, fontsize="small")
    style.tidy(ax)
    return ax


def plot_before_after(
    neuron: SRM, before: Any, after: Any, pattern: Pattern, target: Any
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
    """
    first = style.matplotlib_axes(None, width=7.0, height=4.6)
    figure = first.figure
    figure.clear()
    axes: list[Axes] = list(figure.subplots(2, sharex=True))
    for ax, weights, title in zip(axes, (before, after), ("before", "after"), strict=True):
        plot_potential(neuron, weights, pattern, target=target, ax=ax)
        ax.set_title(title, loc="left", fontsize="medium")
    axes[0].set_xlabel("")
    legend = axes[1].get_legend()
    if legend is not None:
        legend.remove()  # one is enough
    return axes
