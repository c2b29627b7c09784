"""Activations to the times of first spikes."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted, validate_data

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.encoders.base import Encoder
from linspike.encoders.sparse import canonical, find_cell, iter_blocks, select_spikes
from linspike.errors import ParameterError, Words
from linspike.spikes import convert
from linspike.spikes.pattern_set import PatternSet


@final
class LatencyEncoder(Encoder):
    """Encode activations by first spikes: the stronger, the earlier, and none at all for 0.

    Channel c responds to x >= 0 with one spike at t = duration (1 - A), A = min(x / scale, 1), and
    is silent where A = 0. Sparse tables are encoded without a dense copy.

    Parameters
    ----------
    duration : float
        Length of a pattern, in milliseconds.
    scale : float, optional
        The activation that spikes at time 0, as all larger ones do. Unless given, the largest in
        training, over all features.

    Attributes
    ----------
    scale_ : float
        The scale in use.
    n_features_in_ : int
        Number of features, and of channels.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.LatencyEncoder(duration=50.0).fit_transform([[4.0, 0.0, 1.0]])
    >>> patterns.times, patterns.channels
    (array([ 0. , 37.5]), array([0, 2], dtype=int32))
    """

    scale_: float

    def __init__(self, duration: float = 50.0, scale: float | None = None) -> None:
        self.duration = duration
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the scale, unless it was given; y is ignored."""
        self._check_parameters()
        values = self._activations(X, reset=True)
        largest = values.max()
        if self.scale is None and largest == 0.0:
            domain = "above 0 somewhere if the scale is to be learned"
            got, remedy = Words("only zeros"), "Give a scale."
            raise ParameterError.of("X", "LatencyEncoder", domain, got, remedy)
        self.scale_ = float(largest if self.scale is None else self.scale)
        return self

    def transform(self, X: Any) -> PatternSet:
        """Return one pattern per row of X, with one channel per feature."""
        check_is_fitted(self)
        self._check_parameters()
        values = self._activations(X, reset=False)
        n_channels = values.shape[1]
        if issparse(values):
            flat = select_spikes(values, self._latencies(values.data), values.indices)
        else:
            blocks = iter_blocks(values, n_channels)
            flat = convert.joined([convert.sorted_rows(self._latencies(b)) for b in blocks])
        return PatternSet(*flat, n_channels, self.duration)

    def _latencies(self, values: Floats) -> Floats:
        """Return the times of some values, NaN for silence; always in double precision."""
        strength = np.minimum(values.astype(np.float64), self.scale_) / self.scale_
        return np.where(strength > 0.0, self.duration * (1.0 - strength), np.nan)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags

    def _check_parameters(self) -> None:
        owner, positive = "LatencyEncoder", "positive and finite"
        check_real(self.duration, "duration", owner, above=0.0, domain=positive)
        if self.scale is not None:
            check_real(self.scale, "scale", owner, above=0.0, domain=f"{positive}, or None")

    def _activations(self, X: Any, *, reset: bool) -> Any:
        # Single precision stays what it is: large sets of features come in it.
        how = {"dtype": [np.float64, np.float32], "accept_sparse": "csr"}
        values = canonical(validate_data(self, X, reset=reset, **how))
        bad = (values.data if issparse(values) else values) < 0.0
        if bad.any():
            value, row, column = find_cell(values, bad)
            got = Words(f"{value} in row {row}, column {column}")
            remedy = "Negative values in data have no latency: shift or clip them first."
            raise ParameterError.of("X", "LatencyEncoder", "at least 0", got, remedy)
        return values
