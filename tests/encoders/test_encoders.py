"""What all encoders keep: scikit-learn's contract, refusals, pictures of patterns."""

import pickle
import sys

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_is_fitted, validate_data
from tests.support.samples import NUMBERS, RASTERS, is_drawn, latencies

import linspike as ls
from linspike.encoders import LatencyEncoder, PopulationEncoder, RasterEncoder

# Each with something it can encode, and with settings that are not the defaults.
CASES = [
    (PopulationEncoder(n_fields=6, beta=2.0, outside="error", silent_below=0.1), NUMBERS),
    (LatencyEncoder(duration=20.0, scale=3.0), NUMBERS),
    (RasterEncoder(dt=5.0, order="channel_time", folds=2), RASTERS),
    (RasterEncoder(n_channels=4), RASTERS.reshape(5, 28)),
]
TABLES = CASES[:2]


def of_each(cases):
    names = [f"{type(encoder).__name__}-{data.ndim}d" for encoder, data in cases]
    return pytest.mark.parametrize(("encoder", "data"), cases, ids=names)


def test_defaults_are_the_papers():
    assert PopulationEncoder().get_params() == {
        "n_fields": 10,
        "beta": 1.5,
        "duration": 10.0,
        "outside": "clip",
        "silent_below": 0.0,
    }
    assert LatencyEncoder().get_params() == {"duration": 50.0, "scale": None}
    assert RasterEncoder().get_params() == {
        "dt": 1.0,
        "order": "time_channel",
        "n_channels": None,
        "folds": 1,
    }


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


class DenseRaster(RasterEncoder):
    """Rasters of one bin, a channel per column, of numbers above 0.5."""

    def __init__(self, dt=1.0, order="time_channel", n_channels=None, *, folds=1):
        super().__init__(dt, order, n_channels, folds=folds)

    def fit(self, X, y=None):
        X = validate_data(self, X, accept_sparse="csr", dtype=float)
        self.n_channels_ = X.shape[1]
        return self._at(RasterEncoder.fit, X)

    def transform(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        return latencies(self._at(RasterEncoder.transform, X))

    def _at(self, method, X):
        """Call a method as if `n_channels` had been given; scikit-learn's checks cannot."""
        names = self.__dict__.pop("feature_names_in_", None)
        self.n_channels = self.n_channels_
        try:
            return method(self, (X > 0.5).astype(np.uint8))
        finally:
            self.n_channels = None
            if names is not None:
                self.feature_names_in_ = names

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = tags.input_tags.sparse = True
        return tags


# scikit-learn's checks compare what transform returns as arrays; a PatternSet is none.
@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        pytest.param(estimator, check, id=f"{name}-{check.func.__name__}-{number}")
        for name, dense in (
            ("population", DensePopulation()),
            ("latency", DenseLatency()),
            ("raster", DenseRaster()),
        )
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
