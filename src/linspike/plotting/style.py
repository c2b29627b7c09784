"""One look for all pictures: colours that colour-blind readers tell apart, and print in grey."""

from __future__ import annotations

from typing import Any

from linspike.errors import MissingExtraError

INK = "#222222"
POTENTIAL = "#0072B2"
THRESHOLD = "#D55E00"
DESIRED = "#009E73"
QUIET = "#8C8C8C"


def matplotlib_axes(ax: Any, *, width: float, height: float) -> Any:
    """Return the axes given, or those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            "Pictures need matplotlib. Install it with: pip install 'linspike[report]'"
        ) from None
    # A figure of its own, not pyplot's: nothing global changes and nothing has to be closed.
    return Figure(figsize=(width, height), layout="constrained").subplots()


def tidy(ax: Any) -> None:
    """Hide all but the two axes that carry numbers."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(direction="out", length=3)
