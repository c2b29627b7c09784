"""Dense rasters as spikes, long ones through delay lines."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted, validate_data

from linspike._validation import check_integer
from linspike.encoders.base import Encoder
from linspike.encoders.folds import fold_spikes
from linspike.encoders.sparse import iter_blocks
from linspike.errors import ParameterError, SpikeDataError
from linspike.spikes import convert
from linspike.spikes.pattern_set import PatternSet


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
        which then get their two axes back in this order. Such a table may be sparse; it is read
        in blocks of rows.
    folds : int
        Stretches of equal length that a recording is cut into and that are presented at once,
        each with channels of its own; it must divide the number of bins. 1 leaves all as it is.

    Attributes
    ----------
    shape_ : tuple of int
        The axes of X after the first, before folding; rasters passed to `transform` must have
        the same.
    n_features_in_ : int
        Their product.

    Notes
    -----
    With F folds of L bins each, bin f L + j of channel c becomes bin j of channel
    f * n_channels + c, and a pattern lasts L dt, as if stretch f came through delay lines that
    hold it back until the last one is there. A neuron with a membrane time of 20 ms has forgotten
    what happened a second ago, so that it cannot weigh the beginning of a long recording against
    its end; delay lines bring them together. The price is F times as many weights.

    Examples
    --------
    >>> import linspike as ls
    >>> raster = [[[0, 1], [0, 0], [1, 1]]]  # one pattern, three bins, two channels
    >>> patterns = ls.RasterEncoder(dt=5.0).fit_transform(raster)
    >>> patterns.times, patterns.channels
    (array([ 0., 10., 10.]), array([1, 0, 1], dtype=int32))

    Three stretches of one bin, each on two channels of its own:

    >>> patterns = ls.RasterEncoder(dt=5.0, folds=3).fit_transform(raster)
    >>> patterns.times, patterns.channels
    (array([0., 0., 0.]), array([1, 4, 5], dtype=int32))
    """

    shape_: tuple[int, int]

    def __init__(
        self,
        dt: float = 1.0,
        order: str = "time_channel",
        n_channels: int | None = None,
        *,
        folds: int = 1,
    ) -> None:
        self.dt = dt
        self.order = order
        self.n_channels = n_channels
        self.folds = folds

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the rasters and remember their shape; y is not looked at."""
        _, shape = self._read(X, reset=True)
        self._stretch(shape)
        self.shape_ = shape
        self.n_features_in_ = shape[0] * shape[1]
        return self

    def transform(self, X: Any) -> PatternSet:
        """One pattern per raster, with `folds` times as many channels."""
        check_is_fitted(self)
        patterns, shape = self._read(X, reset=False)
        if shape != self.shape_:
            raise SpikeDataError(
                f"X has rasters of shape {shape}, but RasterEncoder is expecting {self.shape_} "
                "as in fit."
            )
        return patterns if self.folds == 1 else self._folded(patterns, self._stretch(shape))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels: channel0, ..., with folds fold0_channel0, ...

        Parameters
        ----------
        input_features : list of str, optional
            Names of the bins; they are checked, but a channel has many.
        """
        super().get_feature_names_out(input_features)
        n_channels = self.shape_[1 if self.order == "time_channel" else 0]
        names = [f"channel{c}" for c in range(n_channels)]
        if self.folds > 1:
            names = [f"fold{f}_{name}" for f in range(self.folds) for name in names]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        tags.input_tags.two_d_array = tags.input_tags.sparse = self.n_channels is not None
        return tags

    def _read(self, X: Any, *, reset: bool) -> tuple[PatternSet, tuple[int, int]]:
        """The patterns as recorded, and the shape of one raster."""
        owner = "RasterEncoder"
        check_integer(self.folds, "folds", owner, least=1)
        if self.n_channels is not None:
            check_integer(self.n_channels, "n_channels", owner, least=1)
        how: dict[str, Any] = {"dtype": None, "ensure_2d": False, "allow_nd": True}
        raster = validate_data(self, X, reset=reset, accept_sparse="csr", **how)
        shape = raster.shape[1:] if raster.ndim != 2 else self._table_shape(raster.shape[1])
        parts = []
        for rows in iter_blocks(raster, raster.shape[1]) if issparse(raster) else (raster,):
            block = rows.reshape((len(rows), *shape))
            flat, n_channels, duration = convert.from_raster(block, self.dt, self.order, owner)
            parts.append(flat)
        if self.n_channels not in (None, n_channels):
            domain = f"the number of channels in X, {n_channels} in the order {self.order!r}"
            raise ParameterError.of("n_channels", owner, domain, self.n_channels)
        return PatternSet(*convert.joined(parts), n_channels, duration), shape

    def _table_shape(self, width: int) -> tuple[int, int]:
        """Return the shape of the rasters that a table holds, one flat row each."""
        if self.n_channels is None or width % self.n_channels:
            domain = f"a divisor of the columns ({width}) if X is a table of flattened rasters"
            raise ParameterError.of("n_channels", "RasterEncoder", domain, self.n_channels)
        bins = width // self.n_channels
        return (self.n_channels, bins) if self.order == "channel_time" else (bins, self.n_channels)

    def _stretch(self, shape: tuple[int, int]) -> int:
        """Bins of one of the folds, or an error that says how to come to whole ones."""
        bins, folds = shape[0 if self.order == "time_channel" else 1], self.folds
        if bins % folds:
            domain = f"a divisor of the number of bins, {bins}"
            remedy = _nearest_ways(bins, folds)
            raise ParameterError.of("folds", "RasterEncoder", domain, folds, remedy)
        return bins // folds

    def _folded(self, patterns: PatternSet, stretch: int) -> PatternSet:
        """The stretches at once, each on channels of its own."""
        dt = float(self.dt)
        # Times are bins times dt to a rounding error, so that rounding finds the bins exactly.
        fold, bins = np.divmod(np.rint(patterns.times / dt).astype(np.int64), stretch)
        return fold_spikes(patterns, fold, bins * dt, self.folds, stretch * dt)


def _nearest_ways(bins: int, folds: int) -> str:
    """The divisors around `folds`, and the lengths that it divides, as a remedy."""
    below = next(d for d in range(min(folds, bins), 0, -1) if bins % d == 0)
    above = next((d for d in range(folds, bins + 1) if bins % d == 0), None)
    divisors = f"divisor is {below}" if above is None else f"divisors are {below} and {above}"
    short = bins - bins % folds
    cut = f"cut to {short} bins or " if short else ""
    return f"The nearest {divisors}; else {cut}pad with silence to {short + folds} bins."
