"""Encoders: the equations, the edges of the range, what scikit-learn expects, pictures."""

import math
import pickle
import sys

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import linspike as ls
from linspike.estimators import LatencyEncoder, PopulationEncoder, RasterEncoder

NUMBERS = np.random.default_rng(0).uniform(0.0, 8.0, (12, 3))
RASTERS = (np.random.default_rng(1).random((5, 7, 4)) < 0.3).astype(np.uint8)
# Each with something it can encode, and with settings that are not the defaults.
CASES = [
    (PopulationEncoder(n_fields=6, beta=2.0, outside="error", silent_below=0.1), NUMBERS),
    (LatencyEncoder(duration=20.0, scale=3.0), NUMBERS),
    (RasterEncoder(dt=5.0, order="channel_time"), RASTERS),
    (RasterEncoder(n_channels=4), RASTERS.reshape(5, 28)),
]
TABLES = CASES[:2]


def of_each(cases):
    names = [f"{type(encoder).__name__}-{data.ndim}d" for encoder, data in cases]
    return pytest.mark.parametrize(("encoder", "data"), cases, ids=names)


def latencies(patterns):
    """Time of the only spike of each channel, NaN for silence: patterns x channels."""
    matrix = np.full((len(patterns), patterns.n_channels), np.nan)
    for row, pattern in zip(matrix, patterns, strict=True):
        assert np.unique(pattern.channels).size == len(pattern)
        row[pattern.channels] = pattern.times
    return matrix


def naive_population(data, seen, n_fields, beta, duration):
    """The equations as they are written, one value and one field at a time."""
    rows = []
    for row in data:
        times = []
        for feature, x in enumerate(row):
            low, high = min(seen[:, feature]), max(seen[:, feature])
            for i in range(1, n_fields + 1):
                mu = low + (2 * i - 3) / 2 * (high - low) / (n_fields - 2)
                sigma = (high - low) / (beta * (n_fields - 2))
                times.append(duration * (1.0 - math.exp(-((x - mu) ** 2) / (2.0 * sigma**2))))
        rows.append(times)
    return np.array(rows)


@pytest.mark.parametrize(("n_fields", "beta", "duration"), [(10, 1.5, 10.0), (3, 0.7, 80.0)])
def test_population_follows_the_equations(n_fields, beta, duration):
    encoder = PopulationEncoder(n_fields, beta, duration).fit(NUMBERS)
    inside = np.clip(NUMBERS[::-1] * 0.9 + 0.4, NUMBERS.min(axis=0), NUMBERS.max(axis=0))
    patterns = encoder.transform(inside)
    assert patterns.n_channels == 3 * n_fields
    assert (patterns.durations == duration).all()
    expected = naive_population(inside, NUMBERS, n_fields, beta, duration)
    np.testing.assert_allclose(latencies(patterns), expected, rtol=0.0, atol=1e-12 * duration)


def test_defaults_are_the_papers():
    assert PopulationEncoder().get_params() == {
        "n_fields": 10,
        "beta": 1.5,
        "duration": 10.0,
        "outside": "clip",
        "silent_below": 0.0,
    }
    assert LatencyEncoder().get_params() == {"duration": 50.0, "scale": None}
    assert RasterEncoder().get_params() == {"dt": 1.0, "order": "time_channel", "n_channels": None}


def test_population_at_the_ends_and_the_centre():
    encoder = PopulationEncoder(n_fields=4, beta=1.0, duration=10.0).fit([[2.0], [6.0]])
    # Centres 1, 3, 5, 7 and width 2.
    near, far, farther = (10.0 * (1.0 - math.exp(-0.5 * z * z)) for z in (0.5, 1.5, 2.5))
    np.testing.assert_allclose(
        latencies(encoder.transform([[2.0], [6.0]])),
        [[near, near, far, farther], [farther, far, near, near]],
        rtol=1e-14,
    )
    assert latencies(encoder.transform([[3.0], [5.0]]))[[0, 1], [1, 2]].tolist() == [0.0, 0.0]


def test_channels_go_by_feature_then_field():
    seen = np.array([[0.0, 0.0], [1.0, 1.0]])
    encoder = PopulationEncoder(n_fields=5).fit(seen)
    first, second = (latencies(encoder.transform([row])) for row in ([0.2, 0.9], [0.2, 0.3]))
    assert np.array_equal(first[:, :5], second[:, :5])
    assert (first[:, 5:] != second[:, 5:]).all()


def test_values_outside_the_training_range():
    encoder = PopulationEncoder().fit([[0.0, 0.0], [1.0, 10.0]])
    assert encoder.transform([[-5.0, 99.0]]) == encoder.transform([[0.0, 10.0]])
    strict = clone(encoder).set_params(outside="error").fit([[0.0, 0.0], [1.0, 10.0]])
    assert strict.transform([[1.0, 0.0]]) == encoder.transform([[1.0, 0.0]])
    expected = (
        "The 'X' parameter of PopulationEncoder must be in the training range, 0.0 to 10.0 in "
        "column 1. Got -0.5 in row 1 instead. With outside='clip' the nearest end"
    )
    with pytest.raises(ls.ParameterError, match=expected):
        strict.transform([[1.0, 0.0], [1.0, -0.5]])


def test_constant_features_answer_everything_alike():
    encoder = PopulationEncoder(n_fields=5, beta=2.0, duration=10.0)
    encoder.fit([[7.0, 0.0], [7.0, 1.0]])
    times = latencies(encoder.transform([[7.0, 0.3], [-100.0, 0.3], [1e300, 0.3]]))
    assert np.isfinite(times).all()
    assert np.array_equal(times[0], times[1])
    assert np.array_equal(times[0], times[2])
    unit = PopulationEncoder(n_fields=5, beta=2.0, duration=10.0).fit([[7.0], [8.0]])
    assert np.array_equal(times[:1, :5], latencies(unit.transform([[7.0]])))


@pytest.mark.parametrize(
    "seen", [[[1e-320], [2e-320]], [[1e12], [1e12 + 1.0]], [[-8e307], [8e307]]]
)
def test_extreme_ranges_lose_no_spike(seen):
    times = latencies(PopulationEncoder(beta=1e200).fit_transform(seen))
    assert np.array_equal(times, np.full((2, 10), 10.0))  # narrower than any distance
    times = latencies(PopulationEncoder().fit_transform(seen))
    np.testing.assert_allclose(times[0], times[1][::-1], rtol=1e-12)


def test_range_that_overflows():
    with pytest.raises(
        ls.ParameterError, match="finite range. Got -1e\\+308 to 1e\\+308 in column 1"
    ):
        PopulationEncoder().fit([[0.0, -1e308], [0.0, 1e308]])


def test_weak_fields_can_be_silent():
    every = latencies(PopulationEncoder(duration=10.0).fit_transform(NUMBERS))
    assert np.isfinite(every).all()
    some = latencies(PopulationEncoder(duration=10.0, silent_below=0.25).fit_transform(NUMBERS))
    assert np.array_equal(np.isnan(some), every > 7.5)
    assert 0 < np.isnan(some).sum() < some.size
    assert np.array_equal(some[~np.isnan(some)], every[every <= 7.5])


def test_latencies_are_exact():
    encoder = LatencyEncoder(duration=50.0).fit([[4.0, 0.0], [1.0, 2.0]])
    assert encoder.scale_ == 4.0
    patterns = encoder.transform([[4.0, 1.0], [0.0, 8.0], [-0.0, 0.0], [3.0, 5e-324]])
    expected = [[0.0, 37.5], [np.nan, 0.0], [np.nan, np.nan], [12.5, np.nan]]
    np.testing.assert_array_equal(latencies(patterns), expected)
    assert (patterns.durations == 50.0).all()


def test_latency_scale_can_be_given():
    encoder = LatencyEncoder(duration=10.0, scale=2)
    assert latencies(encoder.fit_transform([[1.0, 9.0]])).tolist() == [[5.0, 0.0]]
    assert encoder.scale_ == 2.0
    assert np.isnan(latencies(encoder.fit_transform([[0.0, 0.0]]))).all()
    with pytest.raises(
        ls.ParameterError, match="above 0 somewhere .* Got only zeros .* Give a scale"
    ):
        LatencyEncoder().fit([[0.0, 0.0]])


def test_negative_activations():
    encoder = LatencyEncoder().fit(NUMBERS)
    message = "must be at least 0. Got -0.25 in row 1, column 2 instead. Negative values in data"
    for method in (encoder.transform, encoder.fit):
        with pytest.raises(ls.ParameterError, match=message):
            method([[0.0, 1.0, 2.0], [0.0, 1.0, -0.25]])


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


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (PopulationEncoder, {"n_fields": 2}, "'n_fields' .* a whole number of at least 3. Got 2"),
        (
            PopulationEncoder,
            {"n_fields": 4.0},
            "'n_fields' .* a whole number of at least 3. Got 4.0",
        ),
        (PopulationEncoder, {"beta": 0.0}, "'beta' .* positive and finite. Got 0.0"),
        (PopulationEncoder, {"duration": np.inf}, "'duration' .* positive and finite. Got inf"),
        (
            PopulationEncoder,
            {"outside": "wrap"},
            "'outside' .* one of \\('clip', 'error'\\). Got 'wrap'",
        ),
        (PopulationEncoder, {"silent_below": 1.0}, "'silent_below' .* in \\[0, 1\\). Got 1.0"),
        (PopulationEncoder, {"silent_below": -0.1}, "'silent_below' .* in \\[0, 1\\). Got -0.1"),
        (LatencyEncoder, {"duration": "50"}, "'duration' .* positive and finite. Got '50'"),
        (LatencyEncoder, {"scale": -1.0}, "'scale' .* positive and finite, or None. Got -1.0"),
    ],
)
def test_bad_parameters_are_refused_by_fit_and_by_transform(kind, settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        kind(**settings).fit(NUMBERS)  # making one only stores
    with pytest.raises(ls.ParameterError, match=message):
        kind().fit(NUMBERS).set_params(**settings).transform(NUMBERS)


class DensePopulation(PopulationEncoder):
    def transform(self, X):
        return latencies(super().transform(X))


class DenseLatency(LatencyEncoder):
    def transform(self, X):
        return latencies(super().transform(X))


# scikit-learn's checks compare what transform returns as arrays; a PatternSet is none.
@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        pytest.param(estimator, check, id=f"{name}-{check.func.__name__}-{number}")
        for name, dense in (("population", DensePopulation()), ("latency", DenseLatency()))
        for number, (estimator, check) in enumerate(estimator_checks_generator(dense))
        if check.func.__name__ != "check_array_api_input"  # needs SCIPY_ARRAY_API
    ],
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@of_each(CASES)
def test_clone_pickle_and_parameters(encoder, data):
    copy = clone(encoder)
    assert copy is not encoder
    assert copy.get_params() == encoder.get_params()
    assert type(encoder)(**encoder.get_params()).get_params() == encoder.get_params()
    assert set(vars(copy)) == set(encoder.get_params())
    assert copy.fit(data) is copy
    patterns = copy.transform(data)
    assert isinstance(patterns, ls.PatternSet)
    assert len(patterns) == len(data)
    assert pickle.loads(pickle.dumps(copy)).transform(data) == patterns
    assert clone(encoder).fit_transform(data) == patterns
    assert clone(copy).set_params(**copy.get_params()).fit(data).transform(data[1:]) == patterns[1:]


@of_each(CASES)
def test_unfitted_and_not_finite(encoder, data):
    for method in ("transform", "plot_patterns"):
        with pytest.raises(
            NotFittedError, match=f"This {type(encoder).__name__} instance is not fitted"
        ):
            getattr(clone(encoder), method)(data)
    fitted = clone(encoder).fit(data)
    for value in (np.nan, np.inf):
        bad = data.astype(float)
        bad[(2,) + (0,) * (bad.ndim - 1)] = value
        for method in (fitted.transform, clone(encoder).fit):
            with pytest.raises(ValueError, match="Input X contains"):
                method(bad)


@of_each(TABLES)
def test_tables_of_another_shape(encoder, data):
    fitted = clone(encoder).fit(data)
    assert fitted.n_features_in_ == 3
    with pytest.raises(ValueError, match="X has 2 features, but .*Encoder is expecting 3 features"):
        fitted.transform(data[:, :2])
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        fitted.transform(data[0])
    with pytest.raises(ValueError, match="dim 3"):
        clone(encoder).fit(data[np.newaxis])
    with pytest.raises(ValueError, match="could not convert string to float"):
        clone(encoder).fit([["long", "short"]])


@of_each(TABLES)
def test_pipeline(encoder, data):
    pipeline = make_pipeline(MinMaxScaler(clip=True), clone(encoder)).fit(data)
    scaled = MinMaxScaler(clip=True).fit(data).transform(data)
    expected = clone(encoder).fit_transform(scaled)
    assert pipeline.transform(data) == expected
    assert clone(pipeline).fit_transform(data) == expected
    with config_context(transform_output="pandas"):  # no table comes out, so it is left alone
        assert clone(encoder).fit_transform(scaled) == expected


def is_drawn(ax, path):
    """Whether a saved picture has ink inside the axes."""
    ax.figure.savefig(path)
    assert path.read_bytes()[:4] == b"\x89PNG"
    canvas = FigureCanvasAgg(ax.figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3]
    box = ax.get_window_extent()
    inside = pixels[int(box.y0) + 4 : int(box.y1) - 4, int(box.x0) + 4 : int(box.x1) - 4]
    return inside.std() > 1.0


def test_plot_of_the_fields(tmp_path):
    encoder = PopulationEncoder(n_fields=4, beta=1.0).fit([[0.0, 2.0], [1.0, 6.0]])
    ax = encoder.plot(1)
    assert ax.get_xlabel() == "feature 1"
    assert [line.get_xdata()[np.argmax(line.get_ydata())] for line in ax.lines] == pytest.approx(
        [1.0, 3.0, 5.0, 7.0], abs=0.02
    )
    assert is_drawn(ax, tmp_path / "fields.png")
    other = ls.plot_raster(encoder.transform([[0.5, 3.0]])[0])
    other.clear()
    assert encoder.plot(ax=other) is other
    encoder.feature_names_in_ = np.array(["petal", "sepal"], object)
    assert encoder.plot(1).get_xlabel() == "sepal"
    assert is_drawn(PopulationEncoder().fit([[3.0]]).plot(), tmp_path / "constant.png")
    for feature in (2, -1, "sepal"):
        with pytest.raises(
            ls.ParameterError, match="'feature' parameter of PopulationEncoder.plot"
        ):
            encoder.plot(feature)
    with pytest.raises(NotFittedError):
        PopulationEncoder().plot()


@of_each(CASES)
def test_plot_of_patterns(encoder, data, tmp_path):
    fitted = clone(encoder).fit(data)
    patterns = fitted.transform(data)
    ax = fitted.plot_patterns(data)
    times, rows = ax.lines[0].get_data()
    assert np.array_equal(times, patterns.times)
    bands = np.repeat(np.arange(len(data)), np.diff(patterns.offsets))
    assert np.array_equal(np.round(rows), bands)
    assert np.array_equal(
        np.argsort(rows[bands == 0]), np.lexsort((times[bands == 0], patterns[0].channels))
    )
    assert is_drawn(ax, tmp_path / "patterns.png")
    assert fitted.plot_patterns(data[:1], ax=ax) is ax


def test_plots_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    encoder = PopulationEncoder().fit(NUMBERS)
    for draw in (encoder.plot, lambda: encoder.plot_patterns(NUMBERS)):
        with pytest.raises(ls.MissingExtraError, match=r"pip install 'linspike\[report\]'"):
            draw()
