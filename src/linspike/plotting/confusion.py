"""Which classes were taken for which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike.errors import ParameterError, Words
from linspike.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OWNER = "plot_confusion"
WRITTEN = 20  # classes up to which each cell has its number


def plot_confusion(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how many samples of each class were taken for each class.

    Parameters
    ----------
    y_true, y_pred : array, (samples,)
        True and predicted classes.
    labels : sequence, optional
        Classes in the order of the picture; all that occur, sorted, unless given.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib axes
        Rows are true classes, columns predicted ones; colours are shares of a row.

    Examples
    --------
    >>> import linspike as ls
    >>> ax = ls.plot_confusion(["cat", "cat", "dog"], ["cat", "dog", "dog"])
    >>> ax.get_title(loc="left")
    '2 of 3 right, 66.7 %'
    """
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.ndim != 1 or not true.size:
        raise ParameterError.of(
            "y_true", OWNER, "one class per sample", Words(f"shape {true.shape}")
        )
    if predicted.shape != true.shape:
        domain = f"as many classes as y_true has, {true.size}"
        raise ParameterError.of("y_pred", OWNER, domain, Words(f"shape {predicted.shape}"))
    found = np.unique(np.concatenate([true, predicted]))
    classes = list(found.tolist() if labels is None else labels)
    missing = [name for name in found.tolist() if name not in classes]
    if missing or len(set(classes)) != len(classes):
        domain = f"different classes, {found.tolist()} among them"
        raise ParameterError.of("labels", OWNER, domain, labels)
    counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
    place = {name: number for number, name in enumerate(classes)}
    for one, other in zip(true.tolist(), predicted.tolist(), strict=True):
        counts[place[one], place[other]] += 1
    return _draw(counts, [str(name) for name in classes], ax)


def _draw(counts: Any, names: list[str], ax: Axes | None) -> Axes:
    size = float(np.clip(1.2 + 0.42 * len(names), 2.6, 7.0))
    ax = style.matplotlib_axes(ax, width=size + 0.4, height=size)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
    if len(names) <= WRITTEN:
        for (row, column), count in np.ndenumerate(counts):
            if count:
                ink = style.GROUND if shares[row, column] > 0.5 else style.INK
                ax.text(column, row, str(count), ha="center", va="center", color=ink, size=9)
    places = range(len(names))
    turned = 0 if max(map(len, names)) <= 3 else 40
    ax.set_xticks(places, names, rotation=turned, ha="right" if turned else "center")
    ax.set_yticks(places, names)
    ax.set(xlabel="predicted", ylabel="true")
    right, total = int(np.trace(counts)), int(counts.sum())
    ax.set_title(f"{right} of {total} right, {100.0 * right / total:.3g} %", loc="left", size=10)
    style.tidy(ax)
    return ax
