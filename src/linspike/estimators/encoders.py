"""From tables of numbers and dense rasters to spikes: scikit-learn transformers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from linspike import checks
from linspike.errors import MissingExtraError, ParameterError, SpikeDataError, Words
from linspike.spikes import convert
from linspike.spikes.patternset import PatternSet
from linspike.spikes.ragged import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#222222"
FIELD = "#0072B2"
QUIET = "#8C8C8C"
POINTS = 500


class Encoder(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """What the encoders share: they return a `PatternSet`, and can draw it."""

    @abstractmethod
    def transform(self, X: Any) -> PatternSet:
        """The rows of X as patterns of spikes."""

    def plot_patterns(self, X: Any, *, ax: Axes | None = None) -> Axes:
        """Draw the spikes of each row of X, a band per pattern and within it a row per channel.

        ax says where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
        `linspike.plot_raster` draws one pattern, or a set with one row per pattern.
        """
        patterns = self.transform(X)
        pattern = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
        # The band of pattern p goes from p - 1/2 to p + 1/2, so that whole numbers name patterns.
        rows = pattern - 0.5 + (patterns.channels + 0.5) / patterns.n_channels
        n_rows = len(patterns) * patterns.n_channels
        end = float(patterns.durations.max())
        ax = _axes(ax, width=6.0, height=min(6.0, 1.6 + 0.08 * n_rows))
        size = float(np.clip(480.0 / n_rows, 3.0, 10.0))
        ax.hlines(np.arange(1, len(patterns)) - 0.5, 0.0, end, color=QUIET, lw=0.5)
        ax.plot(patterns.times, rows, ls="", marker="|", ms=size, mew=1.2, color=INK)
        # Many spikes fall on the very first and last instant: room for their ticks.
        ax.set(xlim=(-0.01 * end, 1.01 * end), ylim=(-0.5, len(patterns) - 0.5))
        ax.set(xlabel="time (ms)", ylabel="pattern")
        ax.locator_params(axis="y", integer=True)
        return ax


@final
class PopulationEncoder(Encoder):
    """Numbers as spikes of a population: Gaussian receptive fields over the range of each feature.

    Field i = 1..M of a feature with training range [min, max] answers x with one spike at

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
    A feature that was constant in training has no range; it is given one of length 1 that starts
    at its value. Under "clip" its fields then answer every value alike, and carry nothing.

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
        """Learn the range of each feature of X; y is not looked at."""
        self._check_parameters()
        values = validate_data(self, X, dtype=np.float64)
        low, high = values.min(axis=0), values.max(axis=0)
        with np.errstate(over="ignore"):
            too_wide = ~np.isfinite(high - low)
        if too_wide.any():
            at = int(np.argmax(too_wide))
            got = Words(f"{low[at]} to {high[at]} in column {at}")
            raise ParameterError.of("X", "PopulationEncoder", "of a finite range", got)
        self.data_min_, self.data_max_ = low, high
        return self

    def transform(self, X: Any) -> PatternSet:
        """One pattern per row of X, with `n_fields` channels per feature."""
        check_is_fitted(self)
        self._check_parameters()
        values = validate_data(self, X, dtype=np.float64, reset=False)
        if self.outside == "error":
            self._refuse_outside(values)
        values = np.clip(values, self.data_min_, self.data_max_)
        fields = _fields((values - self.data_min_) / self._spread, self.n_fields, self.beta)
        times = np.where(fields >= self.silent_below, self.duration * (1.0 - fields), np.nan)
        return PatternSet.from_latencies(times.reshape(len(values), -1), self.duration)

    def plot(self, feature: int = 0, *, ax: Axes | None = None) -> Axes:
        """Draw the fields of one feature, counted from 0, with its training range shaded.

        ax says where to draw; a new figure unless given (`ax.figure.savefig(...)` writes it).
        """
        check_is_fitted(self)
        self._check_parameters()
        most = self.n_features_in_ - 1
        at = checks.whole(feature, "feature", "PopulationEncoder.plot", least=0, most=most)
        ax = _axes(ax, width=6.0, height=2.8)
        beyond = 0.5 / (self.n_fields - 2)  # where the outermost centres lie
        position = np.linspace(-beyond, 1.0 + beyond, POINTS)
        x = self.data_min_[at] + position * self._spread[at]
        ax.axvspan(self.data_min_[at], self.data_max_[at], color=QUIET, alpha=0.15, lw=0.5)
        ax.plot(x, _fields(position, self.n_fields, self.beta), color=FIELD, lw=1.0)
        names = getattr(self, "feature_names_in_", None)
        label = f"feature {at}" if names is None else str(names[at])
        ax.set(xlim=(x[0], x[-1]), ylim=(0.0, 1.05), xlabel=label)
        ax.set_ylabel(f"G, spike at {self.duration:g} (1 - G) ms")
        return ax

    @property
    def _spread(self) -> Floats:
        """Length of each range, 1 for constant features."""
        return np.where(self.data_max_ > self.data_min_, self.data_max_ - self.data_min_, 1.0)

    def _check_parameters(self) -> None:
        owner, positive = "PopulationEncoder", "positive and finite"
        checks.whole(self.n_fields, "n_fields", owner, least=3)
        checks.real(self.beta, "beta", owner, above=0.0, domain=positive)
        checks.real(self.duration, "duration", owner, above=0.0, domain=positive)
        checks.choice(self.outside, "outside", owner, ("clip", "error"))
        checks.real(
            self.silent_below, "silent_below", owner, least=0.0, below=1.0, domain="in [0, 1)"
        )

    def _refuse_outside(self, values: Floats) -> None:
        bad = (values < self.data_min_) | (values > self.data_max_)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            low, high = self.data_min_[column], self.data_max_[column]
            domain = f"in the training range, {low} to {high} in column {column}"
            got = Words(f"{values[row, column]} in row {row}")
            remedy = "With outside='clip' the nearest end of the range is taken."
            raise ParameterError.of("X", "PopulationEncoder", domain, got, remedy)


@final
class LatencyEncoder(Encoder):
    """Activations as first spikes: the stronger, the earlier, and none at all for 0.

    Channel c answers x >= 0 with one spike at t = duration (1 - A), A = min(x / scale, 1), and
    is silent where A = 0.

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
        """Learn the scale, unless it was given; y is not looked at."""
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
        """One pattern per row of X, one channel per feature."""
        check_is_fitted(self)
        self._check_parameters()
        strength = np.minimum(self._activations(X, reset=False), self.scale_) / self.scale_
        times = np.where(strength > 0.0, self.duration * (1.0 - strength), np.nan)
        return PatternSet.from_latencies(times, self.duration)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _check_parameters(self) -> None:
        owner, positive = "LatencyEncoder", "positive and finite"
        checks.real(self.duration, "duration", owner, above=0.0, domain=positive)
        if self.scale is not None:
            checks.real(self.scale, "scale", owner, above=0.0, domain=f"{positive}, or None")

    def _activations(self, X: Any, *, reset: bool) -> Floats:
        values: Floats = validate_data(self, X, dtype=np.float64, reset=reset)
        bad = values < 0.0
        if bad.any():
            row, column = np.argwhere(bad)[0]
            got = Words(f"{values[row, column]} in row {row}, column {column}")
            remedy = "Negative values in data have no latency: shift or clip them first."
            raise ParameterError.of("X", "LatencyEncoder", "at least 0", got, remedy)
        return values


@final
class RasterEncoder(Encoder):
    """Dense 0/1 rasters as spikes: bin i stands for time i*dt, the duration is bins times dt.

    Parameters
    ----------
    dt : float
        Width of a bin, in milliseconds.
    order : {"time_channel", "channel_time"}
        What the axes of X are after the first, which is the pattern. As in
        `PatternSet.from_raster`, nothing is guessed from the shape.
    n_channels : int, optional
        Number of channels. Needed only for flattened rasters, one row of a table per pattern,
        which are then unfolded in this order.

    Attributes
    ----------
    shape_ : tuple of int
        The axes of X after the first; rasters handed to `transform` must have the same.
    n_features_in_ : int
        Their product.

    Examples
    --------
    >>> import linspike as ls
    >>> raster = [[[0, 1], [0, 0], [1, 1]]]  # one pattern, three bins, two channels
    >>> patterns = ls.RasterEncoder(dt=5.0).fit_transform(raster)
    >>> patterns.times, patterns.channels
    (array([ 0., 10., 10.]), array([1, 0, 1], dtype=int32))
    """

    shape_: tuple[int, int]

    def __init__(
        self, dt: float = 1.0, order: str = "time_channel", n_channels: int | None = None
    ) -> None:
        self.dt = dt
        self.order = order
        self.n_channels = n_channels

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the rasters and remember their shape; y is not looked at."""
        _, self.shape_ = self._read(X, reset=True)
        self.n_features_in_ = self.shape_[0] * self.shape_[1]
        return self

    def transform(self, X: Any) -> PatternSet:
        """One pattern per raster."""
        check_is_fitted(self)
        patterns, shape = self._read(X, reset=False)
        if shape != self.shape_:
            raise SpikeDataError(
                f"X has rasters of shape {shape}, but RasterEncoder is expecting {self.shape_} "
                "as in fit."
            )
        return patterns

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        tags.input_tags.two_d_array = self.n_channels is not None
        return tags

    def _read(self, X: Any, *, reset: bool) -> tuple[PatternSet, tuple[int, int]]:
        """The patterns, and the shape of one raster."""
        owner = "RasterEncoder"
        if self.n_channels is not None:
            checks.whole(self.n_channels, "n_channels", owner, least=1)
        raster = validate_data(self, X, reset=reset, dtype=None, ensure_2d=False, allow_nd=True)
        if raster.ndim == 2:
            raster = self._unfolded(raster)
        flat, n_channels, duration = convert.from_raster(raster, self.dt, self.order, owner)
        if self.n_channels not in (None, n_channels):
            domain = f"the number of channels in X, {n_channels} in the order {self.order!r}"
            raise ParameterError.of("n_channels", owner, domain, self.n_channels)
        return PatternSet(*flat, n_channels, duration), raster.shape[1:]

    def _unfolded(self, table: Any) -> Any:
        """Rasters from one flat row each."""
        patterns, width = table.shape
        if self.n_channels is None or width % self.n_channels:
            domain = f"a divisor of the columns ({width}) if X is a table of flattened rasters"
            raise ParameterError.of("n_channels", "RasterEncoder", domain, self.n_channels)
        shape = self.n_channels, width // self.n_channels
        return table.reshape((patterns, *(shape if self.order == "channel_time" else shape[::-1])))


def _fields(position: Floats, n_fields: int, beta: float) -> Floats:
    """G of each field, on a new last axis, at positions in units of the range: 0 min, 1 max.

    In these units (x - mu_i) / sigma = beta ((M - 2) position - (2i - 3)/2), which divides by
    nothing that could be 0.
    """
    centres = np.arange(n_fields) - 0.5
    with np.errstate(over="ignore"):  # a field that narrow is 0 everywhere but at its centre
        off = beta * ((n_fields - 2) * position[..., np.newaxis] - centres)
        fields: Floats = np.exp(-0.5 * off**2)
    return fields


def _axes(ax: Any, *, width: float, height: float) -> Any:
    """The axes given, or those of a new figure of this size in inches, without a frame."""
    if ax is None:
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingExtraError(
                "Pictures need matplotlib. Install it with: pip install 'linspike[report]'"
            ) from None
        ax = Figure(figsize=(width, height), layout="constrained").subplots()
        ax.spines[["top", "right"]].set_visible(False)
    return ax
