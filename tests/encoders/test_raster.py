"""Rasters: both orders, flat tables, delay lines, what is no raster."""

import numpy as np
import pytest
from sklearn.base import clone
from tests.support.samples import RASTERS

import linspike as ls
from linspike.encoders import RasterEncoder


@pytest.mark.parametrize("order", ["time_channel", "channel_time"])
@pytest.mark.parametrize("kind", [np.uint8, bool, float])
def test_rasters(order, kind):
    raster = RASTERS.astype(kind)
    patterns = RasterEncoder(dt=0.5, order=order).fit_transform(raster)
    assert patterns == ls.PatternSet.from_raster(RASTERS, 0.5, order=order)
    n_channels, n_bins = (4, 7) if order == "time_channel" else (7, 4)
    assert (patterns.durations == 0.5 * n_bins).all()
    spikes = {
        (p, 0.5 * (i if order == "time_channel" else j), j if order == "time_channel" else i)
        for p, i, j in np.argwhere(RASTERS)
    }
    found = np.repeat(np.arange(5), np.diff(patterns.offsets))
    assert set(zip(found, patterns.times, patterns.channels, strict=True)) == spikes
    flat = RasterEncoder(dt=0.5, order=order, n_channels=n_channels)
    assert flat.fit_transform(raster.reshape(5, -1)) == patterns
    assert flat.transform(raster) == patterns
    assert flat.shape_ == (7, 4)
    assert flat.n_features_in_ == 28


@pytest.mark.parametrize(
    ("settings", "raster", "message"),
    [
        ({}, RASTERS * 2, "'raster' parameter of RasterEncoder must be made of 0 and 1"),
        ({}, RASTERS * 0.5, "must be made of 0 and 1"),
        ({}, RASTERS * np.nan, "Input X contains NaN"),
        ({}, RASTERS[:0], "minimum of 1 is required"),
        ({}, RASTERS[0, 0], "must be a filled 3-D array of patterns, time and channels. Got shape"),
        (
            {},
            RASTERS[0],
            "'n_channels' parameter of RasterEncoder must be a divisor of the columns",
        ),
        ({"n_channels": 3}, RASTERS[0], "divisor of the columns \\(4\\) if X is a table .* Got 3"),
        (
            {"n_channels": 3},
            RASTERS,
            "the number of channels in X, 4 in the order 'time_channel'. Got 3",
        ),
        (
            {"n_channels": 0},
            RASTERS,
            "'n_channels' parameter of RasterEncoder must be a whole number",
        ),
        (
            {"dt": 0.0},
            RASTERS,
            "'dt' parameter of RasterEncoder must be positive and finite. Got 0.0",
        ),
        (
            {"order": "pct"},
            RASTERS,
            "'order' parameter of RasterEncoder must be one of .* Got 'pct'",
        ),
    ],
)
def test_bad_rasters(settings, raster, message):
    with pytest.raises(ValueError, match=message):
        RasterEncoder(**settings).fit(raster)


def test_rasters_keep_their_shape():
    encoder = RasterEncoder().fit(RASTERS)
    for other in (RASTERS[:, :6], RASTERS[:, :, :3]):
        with pytest.raises(
            ls.SpikeDataError, match="but RasterEncoder is expecting \\(7, 4\\) as in fit"
        ):
            encoder.transform(other)
    with pytest.raises(ls.ParameterError, match="made of 0 and 1"):
        encoder.transform(RASTERS + 1)


def naive_folds(rasters, folds):
    """Rasters of patterns x time x channels with the stretches side by side, spike by spike."""
    n_patterns, n_bins, n_channels = rasters.shape
    length = n_bins // folds
    folded = np.zeros((n_patterns, length, folds * n_channels), rasters.dtype)
    for p in range(n_patterns):
        for f in range(folds):
            for j in range(length):
                for c in range(n_channels):
                    folded[p, j, f * n_channels + c] = rasters[p, f * length + j, c]
    return folded


@pytest.mark.parametrize("order", ["time_channel", "channel_time"])
@pytest.mark.parametrize("folds", [1, 2, 3, 4, 12])
@pytest.mark.parametrize("dt", [0.1, 5.0])
def test_folds(order, folds, dt):
    rasters = (np.random.default_rng(2).random((6, 12, 5)) < 0.4).astype(np.uint8)
    rasters[3] = 0  # a pattern without spikes
    expected = ls.PatternSet.from_raster(naive_folds(rasters, folds), dt, order="time_channel")
    given = rasters if order == "time_channel" else rasters.swapaxes(1, 2)
    encoder = RasterEncoder(dt, order, folds=folds)
    patterns = encoder.fit_transform(given)
    assert patterns == expected
    assert patterns.n_channels == 5 * folds
    assert patterns.durations.tolist() == [12 // folds * dt] * 6
    assert len(patterns.times) == rasters.sum()
    assert encoder.shape_ == given.shape[1:]
    assert encoder.n_features_in_ == 60
    table = RasterEncoder(dt, order, n_channels=5, folds=folds)
    assert table.fit_transform(given.reshape(6, -1)) == expected
    assert table.transform(given) == expected
    assert (table.shape_, table.n_features_in_) == (given.shape[1:], 60)


def test_folds_find_the_bins_of_long_recordings():
    bins = np.arange(0, 30_000, 7)
    raster = np.zeros((1, 30_000, 1), np.uint8)
    raster[0, bins] = 1
    for dt in (0.1, 1 / 3, 1e-300, 7e200, 2, np.float32(0.1)):
        patterns = RasterEncoder(dt, folds=30).fit_transform(raster)
        order = np.lexsort((bins // 1000, bins % 1000))
        assert np.array_equal(patterns.times, (bins % 1000 * float(dt))[order])
        assert np.array_equal(patterns.channels, (bins // 1000)[order])
        assert patterns.durations.tolist() == [1000 * float(dt)]


def test_folds_are_a_parameter_like_the_others():
    encoder = RasterEncoder(folds=7)
    copy = clone(encoder)
    assert copy.get_params() == encoder.get_params()
    assert copy.get_params()["folds"] == 7
    assert not hasattr(copy, "shape_")
    whole = copy.fit(RASTERS).set_params(folds=1).transform(RASTERS)
    assert whole == ls.PatternSet.from_raster(RASTERS, 1.0, order="time_channel")
    with pytest.raises(TypeError, match="positional"):
        RasterEncoder(1.0, "time_channel", 4, 7)


@pytest.mark.parametrize(
    ("folds", "order", "message"),
    [
        (0, "time_channel", "must be a whole number of at least 1. Got 0 instead"),
        (1.0, "time_channel", "must be a whole number of at least 1. Got 1.0 instead"),
        (True, "time_channel", "must be a whole number of at least 1. Got True instead"),
        (5, "time_channel", "must be a divisor of the number of bins, 12. Got 5 instead. The nearest divisors are 4 and 6; else cut to 10 bins or pad with silence to 15 bins.$"),
        (3, "channel_time", "must be a divisor of the number of bins, 5. Got 3 instead. The nearest divisors are 1 and 5; else cut to 3 bins or pad with silence to 6 bins.$"),
        (13, "time_channel", "must be a divisor of the number of bins, 12. Got 13 instead. The nearest divisor is 12; else pad with silence to 13 bins.$"),
    ],
)  # fmt: skip
def test_bad_folds(folds, order, message):
    rasters = np.ones((2, 12, 5))
    message = f"The 'folds' parameter of RasterEncoder {message}"
    with pytest.raises(ls.ParameterError, match=message):
        RasterEncoder(order=order, folds=folds).fit(rasters)
    fitted = RasterEncoder(order=order).fit(rasters)
    with pytest.raises(ls.ParameterError, match=message):
        fitted.set_params(folds=folds).transform(rasters)


def test_another_length_is_named_before_the_folds():
    encoder = RasterEncoder(folds=7).fit(RASTERS)
    with pytest.raises(ls.SpikeDataError, match="shape \\(6, 4\\), but RasterEncoder is expecting"):
        encoder.transform(RASTERS[:, :6])
