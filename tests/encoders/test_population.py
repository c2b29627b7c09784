"""Population code: the equations, the edges of the range, the picture of the fields."""

import math
import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from tests.support.samples import NUMBERS, is_drawn, latencies

import linspike as ls
from linspike.encoders import PopulationEncoder
from linspike.spikes import convert


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


@pytest.mark.parametrize("silent_below", [0.0, 0.3])
def test_blocks_of_rows_make_no_difference(silent_below, monkeypatch):
    values = np.random.default_rng(0).normal(size=(23, 4))
    encoder = PopulationEncoder(silent_below=silent_below).fit(values[:15])
    whole = encoder.transform(values)
    monkeypatch.setattr(convert, "ROWS", 5)
    assert encoder.transform(values) == whole
    assert whole == ls.PatternSet.from_latencies(encoder._latencies(values), 10.0)


def test_encoding_takes_little_memory_beside_the_spikes():
    values = np.random.default_rng(0).normal(size=(20_000, 5))
    encoder = PopulationEncoder().fit(values)
    tracemalloc.start()
    patterns = encoder.transform(values)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.8 * (patterns.times.nbytes + patterns.channels.nbytes)


def test_the_spikes_cannot_be_changed():
    patterns = PopulationEncoder().fit_transform(NUMBERS)
    for array in (patterns.times, patterns.channels, patterns.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
