"""Numbers to spikes of a population of receptive fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self, final

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from linspike._typing import Floats
from linspike._validation import check_choice, check_integer, check_real
from linspike.encoders.base import Encoder
from linspike.encoders.sparse import canonical, find_range, iter_blocks
from linspike.errors import ParameterError, Words
from linspike.plotting.encodings import draw_fields
from linspike.spikes import convert
from linspike.spikes.pattern_set import PatternSet

POINTS = 500


@final
class PopulationEncoder(Encoder):
    """Encode numbers by Gaussian receptive fields over the range of each feature.

    Field i = 1..M of a feature with training range [min, max] responds to x with one spike at

        t = duration (1 - G),   G = exp(-(x - mu_i)^2 / (2 sigma^2)),
        mu_i = min + (2i - 3)/2 (max - min)/(M - 2),   sigma = (max - min)/(beta (M - 2)),

    early if x is near the centre, late if it is far. Channels are ordered by feature, then by
    field: feature f and field i (from 0) are channel f * n_fields + i.

    Parameters
    ----------
    n_fields : int
        Fields per feature, M; at least 3.
    beta : float
        How narrow the fields are: neighbouring centres lie beta widths apart.
    duration : float
        Length of a pattern, in milliseconds.
    outside : {"clip", "error"}
        What to do with values outside the training range: take the nearest end of the range, or
        refuse them.
    silent_below : float
        Fields with G below it do not spike. With 0 every field spikes, as in the paper; a field
        far from x then does so close to `duration`.

    Attributes
    ----------
    data_min_, data_max_ : array of float
        Training range of each feature.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Sparse tables are encoded in blocks of rows. A zero is a number like any other here, so it has
    spikes, and the patterns are as large as those of the dense table; `LatencyEncoder` has no
    spikes for zeros.

    A feature that was constant in training has no range; it is given one of length 1 that starts
    at its value. Under "clip" its fields then respond to every value alike, and carry nothing.

    The learning paper prints sigma with a product instead of the division, which would put every
    spike close to time 0; this is the form of the reference.

    References
    ----------
    S. M. Bohte, H. La Poutre, J. N. Kok, Unsupervised clustering with spiking neurons by sparse
    temporal coding and multilayer RBF networks, IEEE Trans. Neural Networks 13 (2002).

    Examples
    --------
    >>> import linspike as ls
    >>> encoder = ls.PopulationEncoder(n_fields=3, beta=1.0, duration=10.0)
    >>> patterns = encoder.fit_transform([[0.0], [1.0], [0.5]])
    >>> patterns
    PatternSet(3 patterns, 9 spikes, 3 channels, 10.0 ms)
    >>> patterns[2].channels[0].item(), patterns[2].times[0].item()
    (1, 0.0)
    """

    data_min_: Floats
    data_max_: Floats

    def __init__(
        self,
        n_fields: int = 10,
        beta: float = 1.5,
        duration: float = 10.0,
        *,
        outside: str = "clip",
        silent_below: float = 0.0,
    ) -> None:
        self.n_fields = n_fields
        self.beta = beta
        self.duration = duration
        self.outside = outside
        self.silent_below = silent_below

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the range of each feature of X; y is ignored."""
        self._check_parameters()
        values = canonical(validate_data(self, X, dtype=np.float64, accept_sparse="csr"))
        low, high = find_range(values)
        with np.errstate(over="ignore"):
            too_wide = ~np.isfinite(high - low)
        if too_wide.any():
            at = int(np.argmax(too_wide))
            got = Words(f"{low[at]} to {high[at]} in column {at}")
            raise ParameterError.of("X", "PopulationEncoder", "of a finite range", got)
        self.data_min_, self.data_max_ = low, high
        return self

    def transform(self, X: Any) -> PatternSet:
        """Return one pattern per row of X, with `n_fields` channels per feature."""
        check_is_fitted(self)
        self._check_parameters()
        how = {"dtype": np.float64, "accept_sparse": "csr", "reset": False}
        values = canonical(validate_data(self, X, **how))
        n_channels = values.shape[1] * self.n_fields
        spikes = convert.filled(self._encode(values, n_channels), (values.shape[0], n_channels))
        return PatternSet._adopt(*spikes, n_channels, self.duration)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels: `name_field0`, `name_field1`, ... for each feature.

        Parameters
        ----------
        input_features : list of str, optional
            Names of the features; unless given those of the data frame in `fit`, else x0, x1, ...
        """
        names = super().get_feature_names_out(input_features)
        fields = range(self.n_fields)
        return np.array([f"{name}_field{i}" for name in names for i in fields], dtype=object)

    def plot(self, feature: int = 0, *, ax: Any = None) -> Any:
        """Draw the fields of one feature, with its training range shaded.

        Parameters
        ----------
        feature : int
            Number of the feature, counted from 0.
        ax : matplotlib axes, optional
            Where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
        """
        check_is_fitted(self)
        self._check_parameters()
        most = self.n_features_in_ - 1
        at = check_integer(feature, "feature", "PopulationEncoder.plot", least=0, most=most)
        beyond = 0.5 / (self.n_fields - 2)  # where the outermost centres lie
        position = np.linspace(-beyond, 1.0 + beyond, POINTS)
        low, high = self.data_min_[at], self.data_max_[at]
        fields = _fields(position, self.n_fields, self.beta)
        ax = draw_fields(low + position * self._spread[at], fields, (low, high), ax)
        names = getattr(self, "feature_names_in_", None)
        ax.set_xlabel(f"feature {at}" if names is None else str(names[at]))
        ax.set_ylabel(f"G, spike at {self.duration:g} (1 - G) ms")
        return ax

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _encode(self, values: Any, n_channels: int) -> Iterator[Floats]:
        """Yield the latencies of a few rows after the other."""
        row = 0
        for block in iter_blocks(values, n_channels):
            if self.outside == "error":
                self._refuse_outside(block, row)
            yield self._latencies(block)
            row += len(block)

    def _latencies(self, values: Floats) -> Floats:
        """Return the times of all channels for a few rows, NaN for silence."""
        values = np.clip(values, self.data_min_, self.data_max_)
        fields = _fields((values - self.data_min_) / self._spread, self.n_fields, self.beta)
        times = np.where(fields >= self.silent_below, self.duration * (1.0 - fields), np.nan)
        return times.reshape(len(values), -1)

    @property
    def _spread(self) -> Floats:
        """Return the length of each range, 1 for constant features."""
        return np.where(self.data_max_ > self.data_min_, self.data_max_ - self.data_min_, 1.0)

    def _check_parameters(self) -> None:
        owner, positive = "PopulationEncoder", "positive and finite"
        check_integer(self.n_fields, "n_fields", owner, least=3)
        check_real(self.beta, "beta", owner, above=0.0, domain=positive)
        check_real(self.duration, "duration", owner, above=0.0, domain=positive)
        check_choice(self.outside, "outside", owner, ("clip", "error"))
        check_real(
            self.silent_below, "silent_below", owner, least=0.0, below=1.0, domain="in [0, 1)"
        )

    def _refuse_outside(self, values: Floats, first_row: int) -> None:
        bad = (values < self.data_min_) | (values > self.data_max_)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            low, high = self.data_min_[column], self.data_max_[column]
            domain = f"in the training range, {low} to {high} in column {column}"
            got = Words(f"{values[row, column]} in row {first_row + row}")
            remedy = "With outside='clip' the nearest end of the range is taken."
            raise ParameterError.of("X", "PopulationEncoder", domain, got, remedy)


def _fields(position: Floats, n_fields: int, beta: float) -> Floats:
    """Return G of each field, on a new last axis, at positions in units of the range.

    In these units (x - mu_i) / sigma = beta ((M - 2) position - (2i - 3)/2), which divides by
    nothing that could be 0.
    """
    centres = np.arange(n_fields) - 0.5
    with np.errstate(over="ignore"):  # a field that narrow is 0 everywhere but at its centre
        off = beta * ((n_fields - 2) * position[..., np.newaxis] - centres)
        fields: Floats = np.exp(-0.5 * off**2)
    return fields
