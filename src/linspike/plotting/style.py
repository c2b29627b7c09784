"""One look for all pictures: colours that colour-blind readers tell apart, and print in grey."""

from __future__ import annotations

from typing import Any

from linspike.errors import MissingExtraError

INK = "#222222"
QUIET = "#767676"
GROUND = "#FFFFFF"
SHADE = "#EFEFEF"  # of areas behind the data
# Okabe and Ito's colours, no lighter and no darker than shows on white and on nearly black:
# blue, vermilion, green, purple, ochre, sky blue, grey, brown.
SERIES = (
    "#0072B2",
    "#C94F00",
    "#009E73",
    "#CF72A8",
    "#B98D00",
    "#4A9BD6",
    "#6E6E6E",
    "#935539",
)
POTENTIAL, THRESHOLD, DESIRED = SERIES[:3]
TEXT_SHARE = 0.6  # of a colour in text of that colour; ink is the rest
PALE_SHARE = 0.08  # of a colour in areas of that colour; the ground is the rest


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


def mix(colour: str, share: float, other: str) -> str:
    """Return a colour mixed with another: `share` of it, the rest of the other."""
    parts = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1.0 - share) * b):02X}" for a, b in parts)


def darken(colour: str) -> str:
    """Return a colour as it is used for text."""
    return mix(colour, TEXT_SHARE, INK)


def pale(colour: str) -> str:
    """Return a colour as it is used for areas behind the data."""
    return mix(colour, PALE_SHARE, GROUND)


def add_legend(ax: Any, columns: int = 4) -> None:
    """Add the legend above the axes, where it covers nothing."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": columns}
    close = {"columnspacing": 1.2, "handlelength": 1.6, "borderaxespad": 0.2}
    ax.legend(**place, **close, frameon=False, fontsize="small")


def tidy(ax: Any) -> None:
    """Hide all but the two axes that carry numbers."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(direction="out", length=3)
