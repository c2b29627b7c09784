"""The frozen convolution: six filters of five by five, and pooling, in NumPy."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._files import load_arrays, refusing_damage, save_arrays
from linspike._typing import Floats, Ints
from linspike._validation import check_choice
from linspike.errors import FileFormatError, ParameterError, Words

SIDE, MAPS, FIELD, POOL = 28, 6, 5, 2
POOLED = (SIDE - FIELD + 1) // POOL  # 12 rows and columns a map
FEATURES = MAPS * POOLED * POOLED  # 864
BAND = FIELD + POOL - 1  # rows of pixels that one row of pooled activations depends on
CHUNK = 100  # images at a time: what is made of them stays in the cache
# Files of filters, by the network that they were trained in.
SHIPPED = {
    "relu": "filters.npz",
    "sigmoid": "filters_sigmoid.npz",
    "tanh": "filters_tanh.npz",
    "relu, SGD": "filters_sgd.npz",
}
KIND, VERSION = "linspike filters", 1

Singles = npt.NDArray[np.float32]


def _rectify(values: Singles) -> Singles:
    return np.maximum(values, np.float32(0.0))


ACTIVATIONS: dict[str, Callable[[Singles], Singles]] = {
    "relu": _rectify,
    "sigmoid": lambda values: np.float32(0.5) * (np.tanh(np.float32(0.5) * values) + 1),
    "tanh": lambda values: np.tanh(_rectify(values)),
}


@dataclass(frozen=True, eq=False)
class Filters:
    """Six filters with their biases: 156 numbers.

    Attributes
    ----------
    weights : array of float, (6, 5, 5)
        The filters.
    bias : array of float, (6,)
        Their biases.
    accuracy : float
        Accuracy of the network they were trained in, on the test images; nan if unknown.
    activation : {"relu", "sigmoid", "tanh"}
        Activation function of that network.

    Examples
    --------
    >>> import numpy as np
    >>> flat = Filters(np.ones((6, 5, 5)), np.zeros(6))
    >>> flat.features(np.full((1, 28, 28), 255, np.uint8)).shape
    (1, 864)
    """

    weights: Floats
    bias: Floats
    accuracy: float = float("nan")
    activation: str = "relu"

    def __post_init__(self) -> None:
        check_choice(self.activation, "activation", "Filters", ACTIVATIONS)
        weights, bias = (np.array(part, np.float64) for part in (self.weights, self.bias))
        shapes = weights.shape == (MAPS, FIELD, FIELD) and bias.shape == (MAPS,)
        if not (shapes and np.isfinite(weights).all() and np.isfinite(bias).all()):
            domain = f"finite, of shape ({MAPS}, {FIELD}, {FIELD}), with {MAPS} biases"
            shown = f"shapes {weights.shape} and {bias.shape}" if not shapes else "nan or infinity"
            raise ParameterError.of("weights", "Filters", domain, Words(shown))
        for name, part in (("weights", weights), ("bias", bias)):
            part.setflags(write=False)
            object.__setattr__(self, name, part)

    def features(self, images: Any) -> Singles:
        """Return activations after pooling, at least 0, (n, 864), by map, row and column.

        What a network with tanh has below 0 is 0 here: it makes no spike.

        Parameters
        ----------
        images : array, (n, 28, 28)
            Whole numbers of 0 to 255, taken as 0 to 1, or fractions, taken as they are.
        """
        pictures = _checked(images)
        scale = np.float32(1.0 / 255.0 if pictures.dtype.kind in "ui" else 1.0)
        matrix, bias = self._band_matrix(), np.repeat(self.bias.astype(np.float32), POOLED)
        found = np.empty((len(pictures), MAPS, POOLED, POOLED), np.float32)
        for start in range(0, len(pictures), CHUNK):
            part = pictures[start : start + CHUNK].astype(np.float32) * scale
            responses = (_bands(part) @ matrix).reshape(-1, POOL * POOL, MAPS * POOLED).max(axis=1)
            # Bias and activation after pooling give the same, on a quarter of the numbers.
            active = ACTIVATIONS[self.activation](responses + bias)
            by_row = active.reshape(-1, POOLED, MAPS, POOLED)
            found[start : start + CHUNK] = by_row.transpose(0, 2, 1, 3)
        return found.reshape(-1, FEATURES)

    def _band_matrix(self) -> Singles:
        """Return the matrix from a band of pixels to all activations in it, (168, 4 * 72).

        Most entries are 0, and one large product is still several times faster than one over
        windows of 25 pixels, which are slow to gather. Activations that are pooled together stand
        72 apart.
        """
        matrix = np.zeros((BAND, SIDE, POOL, POOL, MAPS, POOLED), np.float32)
        kernel = self.weights.transpose(1, 2, 0)
        for down, right, column in np.ndindex(POOL, POOL, POOLED):
            left = POOL * column + right
            rows, columns = slice(down, down + FIELD), slice(left, left + FIELD)
            matrix[rows, columns, down, right, :, column] = kernel
        return matrix.reshape(BAND * SIDE, -1)


def _checked(images: Any) -> npt.NDArray[Any]:
    pictures = np.asarray(images)
    if pictures.ndim != 3 or pictures.shape[1:] != (SIDE, SIDE):
        got = Words(f"shape {pictures.shape}")
        raise ParameterError.of("images", "features", f"of shape (n, {SIDE}, {SIDE})", got)
    if pictures.dtype.kind not in "uif":
        got = Words(f"type {pictures.dtype}")
        raise ParameterError.of("images", "features", "whole numbers or fractions", got)
    if pictures.dtype.kind == "f" and not np.isfinite(pictures).all():
        raise ParameterError.of("images", "features", "finite", Words("nan or infinity"))
    if pictures.dtype.kind in "ui" and pictures.size:
        lowest, highest = int(pictures.min()), int(pictures.max())
        if lowest < 0 or highest > 255:
            got = Words(f"whole numbers of {lowest} to {highest}")
            raise ParameterError.of("images", "features", "in 0 to 255, or fractions", got)
    return pictures


def _bands(pictures: Singles) -> Singles:
    """Return six rows of pixels for each row of pooled activations, (n * 12, 168)."""
    flat = pictures.reshape(len(pictures), SIDE * SIDE)
    runs = np.lib.stride_tricks.sliding_window_view(flat, BAND * SIDE, axis=1)
    return runs[:, :: POOL * SIDE].reshape(-1, BAND * SIDE)


class FilterFile(NamedTuple):
    """Content of a file of filters: sets of filters, their seeds, and how they were made."""

    filters: list[Filters]
    seeds: Ints
    about: dict[str, Any]


def save_filters(
    path: str | PathLike[str],
    filters: Sequence[Filters],
    seeds: Sequence[int],
    about: dict[str, Any],
) -> None:
    """Write sets of filters to one npz file, all or nothing.

    Parameters
    ----------
    path : path
        Where to write.
    filters : sequence of Filters
        At least one.
    seeds : sequence of int
        One for each, all different.
    about : dict
        How they were made, as JSON can hold it; see tools/
    """
    if not filters or len(seeds) != len(filters) or len(set(seeds)) != len(seeds):
        got = Words(f"{len(filters)} filters and seeds {list(seeds)}")
        raise ParameterError.of("seeds", "save_filters", "different, one for each filter", got)
    save_arrays(
        path,
        KIND,
        VERSION,
        weights=np.array([one.weights for one in filters]),
        bias=np.array([one.bias for one in filters]),
        accuracy=np.array([one.accuracy for one in filters]),
        seeds=np.array(seeds, np.int64),
        about=np.str_(json.dumps({"activation": filters[0].activation, **about}, sort_keys=True)),
    )


def load_filters(path: str | PathLike[str]) -> FilterFile:
    """Read what `save_filters` wrote."""
    names = ("weights", "bias", "accuracy", "seeds", "about")
    stored = load_arrays(path, KIND, VERSION, names)
    with refusing_damage(path):
        parts = [stored[name] for name in names[:3]]
        if any(len(part) != len(stored["seeds"]) for part in parts) or not len(stored["seeds"]):
            raise FileFormatError(f"{str(path)!r} is damaged: its arrays differ in length.")
        about = json.loads(str(stored["about"]))
        how = about.get("activation", "relu")
        filters = [Filters(w, b, float(a), how) for w, b, a in zip(*parts, strict=True)]
        return FilterFile(filters, stored["seeds"], about)


def shipped_filters(network: str = "relu") -> list[Filters]:
    """Return the sets of filters that come with the package, one for each trial.

    Parameters
    ----------
    network : {"relu", "sigmoid", "tanh", "relu, SGD"}
        Network that they were trained in: ten sets of the first, three of each other.
    """
    check_choice(network, "network", "shipped_filters", SHIPPED)
    with resources.as_file(resources.files("linspike.datasets") / SHIPPED[network]) as path:
        return load_filters(path).filters
