"""What a grid and quantised weights change, as lines over the time step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linspike._validation import describe_value
from linspike.errors import ParameterError
from linspike.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_deploy_check(report: Any, *, ax: Axes | None = None) -> Axes:
    """Draw over the time step for how many patterns counts change, a line per size of weights.

    Where labels were given, dashed lines show the accuracy.

    Parameters
    ----------
    report : DeployReport
        From `deploy_check`.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes with a line per size of weights
        `ax.figure.savefig(...)` writes the picture.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.poisson_patterns(9, n_channels=50, duration=200.0, rate=0.01, rng=0)
    >>> report = ls.deploy_check(ls.Model(ls.SRM(), [[0.1] * 50]), patterns, bits=[4])
    >>> ax = ls.plot_deploy_check(report)
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['exact', '0.01', '0.1', '1']
    """
    if not all(hasattr(report, name) for name in ("rows", "reference")):
        got = describe_value(report)
        raise ParameterError.of("report", "plot_deploy_check", "a DeployReport", got)
    rows = [report.reference, *report.rows]
    steps = sorted({row.dt for row in rows if row.dt is not None})
    places = {dt: place for place, dt in enumerate([None, *steps])}
    ax = style.matplotlib_axes(ax, width=5.4, height=3.2)
    for index, size in enumerate(dict.fromkeys(row.bits for row in rows)):
        colour = style.SERIES[index % len(style.SERIES)]
        of_size = sorted((row for row in rows if row.bits == size), key=lambda row: places[row.dt])
        x = [places[row.dt] for row in of_size]
        changed = [100.0 * row.count_changed for row in of_size]
        name = "full weights" if size is None else f"{size} bits"
        ax.plot(x, changed, marker="o", ms=4, lw=1.4, color=colour, label=name)
        if report.reference.accuracy is not None:
            right = [100.0 * row.accuracy for row in of_size]
            ax.plot(x, right, marker="s", ms=3, lw=1.2, ls="--", color=colour)
    label = "patterns with another count (%)"
    if report.reference.accuracy is not None:
        label = "another count, right class (%)"
        ax.plot([], [], marker="s", ms=3, lw=1.2, ls="--", color=style.INK, label="right class")
    names = ["exact", *(f"{dt:g}" for dt in steps)]
    ax.set(xlabel="time step (ms)", ylabel=label, ylim=(-3.0, 103.0))
    ax.set_xticks(range(len(names)), names)
    style.add_legend(ax)
    style.tidy(ax)
    return ax
