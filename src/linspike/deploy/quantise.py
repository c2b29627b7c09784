"""Weights as small integers with one scale."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_float_array, check_integer, describe_value
from linspike.errors import ParameterError

LEAST_BITS, MOST_BITS = 2, 24


class QuantisedWeights(NamedTuple):
    """Integers and their scale; `weights` is their product.

    Attributes
    ----------
    levels : array of int32
        Integers of the shape of the weights.
    scale : float
        Weight of level 1.
    """

    levels: np.ndarray[Any, np.dtype[np.int32]]
    scale: float

    @property
    def weights(self) -> Floats:
        """Weights that the levels stand for."""
        return self.levels.astype(np.float64) * self.scale


def quantise(weights: Any, bits: int) -> QuantisedWeights:
    """Round weights to signed integers of so many bits times one scale.

    The levels are symmetric, from -(2^(bits-1) - 1) to 2^(bits-1) - 1. The largest weight in
    magnitude of all neurons has the last level, so nothing is clipped and 0 stays 0. One scale
    serves the whole layer, as on chips whose weights share an exponent; quantise row by row where
    every neuron has a scale, or a threshold, of its own.

    Parameters
    ----------
    weights : array of float
        Weights of one neuron, or one row per neuron.
    bits : int
        Size of an integer, sign included, from 2 to 24.

    Examples
    --------
    >>> import linspike as ls
    >>> quantised = ls.deploy.quantise([0.7, -0.31, 0.02], bits=4)
    >>> quantised.levels
    array([ 7, -3,  0], dtype=int32)
    >>> quantised.weights.round(2)
    array([ 0.7, -0.3,  0. ])
    """
    owner = "quantise"
    width = check_integer(bits, "bits", owner, least=LEAST_BITS, most=MOST_BITS)
    array = _check_weights(weights, owner)
    if array.size == 0 or not np.isfinite(array).all():
        raise ParameterError.of("weights", owner, "finite, and one at least", weights)
    largest, top = float(np.abs(array).max()), 2 ** (width - 1) - 1
    if largest == 0.0:
        return QuantisedWeights(np.zeros(array.shape, np.int32), 1.0)
    if largest / top < np.finfo(np.float64).tiny:  # few digits are left: the scale is rounded up
        scale = max(largest / top, np.finfo(np.float64).smallest_subnormal.item())
        scale = scale if scale * top >= largest else np.nextafter(scale, np.inf).item()
        return QuantisedWeights(np.rint(array / scale).astype(np.int32), scale)
    # In this order nothing overflows, however large the weights are.
    levels = np.rint(array / largest * top).astype(np.int32)
    return QuantisedWeights(levels, largest / top)


def _check_weights(weights: Any, owner: str) -> Floats:
    """Return weights of one neuron or of a layer as a new array."""
    try:
        ndim = np.ndim(weights)
    except ValueError:  # rows of different lengths
        ndim = 0
    if ndim not in (1, 2):
        domain = "an array of numbers, (channels,) or (neurons, channels)"
        raise ParameterError.of("weights", owner, domain, describe_value(weights))
    return check_float_array(weights, "weights", owner, ndim)
