"""Which classes were taken for which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linspike._validation import describe_value
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
    true, predicted = _check_classes(y_true, "y_true"), _check_classes(y_pred, "y_pred")
    if not true:
        raise ParameterError.of("y_true", OWNER, "one class per sample", Words("none"))
    if len(predicted) != len(true):
        domain = f"as many classes as y_true has, {len(true)}"
        raise ParameterError.of("y_pred", OWNER, domain, Words(f"{len(predicted)} classes"))
    if len({isinstance(name, str) for name in (*true, *predicted)}) > 1:
        domain = "classes of the kind that y_true has, texts or numbers"
        raise ParameterError.of("y_pred", OWNER, domain, describe_value(y_pred))
    found = sorted({*true, *predicted})
    classes = found if labels is None else _check_labels(labels, found)
    counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
    place = {name: number for number, name in enumerate(classes)}
    for one, other in zip(true, predicted, strict=True):
        counts[place[one], place[other]] += 1
    return _draw(counts, [str(name) for name in classes], ax)


def _check_classes(values: Any, name: str) -> list[Any]:
    """Return one class per sample, all texts or all numbers, or raise."""
    domain = "one class per sample, all of them texts or all numbers"
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ParameterError.of(name, OWNER, domain, describe_value(values)) from None
    if array.ndim != 1:
        raise ParameterError.of(name, OWNER, domain, Words(f"shape {array.shape}"))
    classes: list[Any] = array.tolist()
    # NumPy makes texts of numbers beside texts, so what came in is looked at too.
    mixed = len({isinstance(each, str) for each in values}) > 1
    if mixed or not all(isinstance(each, (str, int, float)) for each in classes):
        raise ParameterError.of(name, OWNER, domain, describe_value(values))
    if any(each != each for each in classes):
        remedy = "Leave out samples without a class."
        raise ParameterError.of(name, OWNER, domain, Words("NaN among them"), remedy)
    return classes


def _check_labels(labels: Any, found: list[Any]) -> list[Any]:
    """Return the classes in the order given, or raise."""
    classes = list(labels) if isinstance(labels, Iterable) else []
    good = all(isinstance(name, (str, int, float, np.number)) for name in classes)
    if not good or len(set(classes)) != len(classes) or not {*found} <= {*classes}:
        domain = f"a list of different classes, {found} among them"
        raise ParameterError.of("labels", OWNER, domain, describe_value(labels))
    return classes


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
