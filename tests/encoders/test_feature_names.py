"""Names of channels, and data frames that cannot come out of an encoder."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from tests.support.samples import NUMBERS, RASTERS

import linspike as ls

FRAME = pd.DataFrame(NUMBERS, columns=["length", "width", "height"])


def test_of_a_population():
    encoder = ls.PopulationEncoder(3).fit(NUMBERS[:, :2])
    names = encoder.get_feature_names_out()
    assert names.dtype == object
    assert names.tolist() == [f"x{f}_field{i}" for f in (0, 1) for i in range(3)]
    assert encoder.get_feature_names_out(["a", "b"])[3] == "b_field0"
    framed = ls.PopulationEncoder(3).fit(FRAME)
    assert framed.get_feature_names_out()[-1] == "height_field2"
    # A spike early on channel c says that the feature is near the centre of this field.
    patterns = framed.transform(FRAME)
    assert len(framed.get_feature_names_out()) == patterns.n_channels


def test_of_latencies():
    assert ls.LatencyEncoder().fit(NUMBERS).get_feature_names_out().tolist() == ["x0", "x1", "x2"]
    names = ls.LatencyEncoder().fit(FRAME).get_feature_names_out()
    assert names.tolist() == ["length", "width", "height"]


@pytest.mark.parametrize("order", ["time_channel", "channel_time"])
@pytest.mark.parametrize("folds", [1, 7])
def test_of_rasters(order, folds):
    rasters = RASTERS if order == "time_channel" else RASTERS.swapaxes(1, 2)
    encoder = ls.RasterEncoder(order=order, folds=folds).fit(rasters)
    names = encoder.get_feature_names_out()
    assert len(names) == encoder.transform(rasters).n_channels == 4 * folds
    expected = ["channel0", "channel3"] if folds == 1 else ["fold0_channel0", "fold6_channel3"]
    assert [names[0], names[-1]] == expected


def test_of_a_random_layer():
    patterns = ls.PatternSet([1.0, 7.0], [0, 1], [0, 2], 2, 30.0)
    layer = ls.RandomLayer(3, random_state=0).fit(patterns)
    assert layer.get_feature_names_out().tolist() == ["neuron0", "neuron1", "neuron2"]
    with pytest.raises(ValueError, match="input_features"):
        layer.get_feature_names_out(["only one"])


def test_of_delay_lines():
    patterns = ls.PatternSet([1.0, 7.0], [0, 1], [0, 2], 2, 10.0)
    lines = ls.DelayLines(2).fit(patterns)
    names = lines.get_feature_names_out()
    assert names.tolist() == ["fold0_x0", "fold0_x1", "fold1_x0", "fold1_x1"]
    # The later spike, of channel 1, comes in the second stretch.
    assert names[lines.transform(patterns).channels].tolist() == ["fold0_x0", "fold1_x1"]
    assert lines.get_feature_names_out(["left", "right"])[3] == "fold1_right"
    assert ls.DelayLines(1).fit(patterns).get_feature_names_out().tolist() == ["x0", "x1"]


@pytest.mark.parametrize(
    ("sensor", "last"), [((5, 3), "x2_y1"), ((5, 3, 2), "x2_y1_p1"), ((1, 1), "x0_y0")]
)
def test_of_pooled_pixels(sensor, last):
    n = int(np.prod(sensor))
    patterns = ls.PatternSet(np.arange(n) + 1.0, np.arange(n), [0, n], n, 100.0)
    pool = ls.PoolEvents(sensor, 2).fit(patterns)
    names = pool.get_feature_names_out()
    pooled = pool.transform(patterns)
    assert (len(names), len(set(names)), names[-1]) == (pooled.n_channels, pooled.n_channels, last)
    for pixel, name in enumerate(names[pooled.channels]):  # one spike of each pixel
        x, y, *p = np.unravel_index(pixel, sensor, order="F")
        assert name == "_".join([f"x{x // 2}", f"y{y // 2}", *(f"p{one}" for one in p)])
    with pytest.raises(ValueError, match="input_features should have length equal"):
        pool.get_feature_names_out(["a"] * (n + 1))


def test_of_a_classifier_of_events():
    patterns = ls.poisson_patterns(4, n_channels=3, duration=50.0, rate=0.1, rng=0)
    clf = ls.make_event_classifier(50.0, folds=2, max_iter=1, random_state=0)
    names = clf.fit(patterns, [0, 1, 0, 1]).encoder_.get_feature_names_out()
    assert len(names) == clf.weights_.shape[1]
    assert names[-1] == "fold1_x2"


def test_in_a_pipeline_and_a_classifier():
    pipeline = make_pipeline(MinMaxScaler(), ls.PopulationEncoder(4)).fit(FRAME)
    assert pipeline.get_feature_names_out()[4] == "width_field0"
    clf = ls.SpikeClassifier(max_iter=1, random_state=0).fit(FRAME, np.arange(12) % 2)
    names = clf.encoder_.get_feature_names_out(clf.feature_names_in_)
    assert len(names) == clf.weights_.shape[1]
    assert names[0] == "length_field0"


@pytest.mark.parametrize("kind", [ls.PopulationEncoder, ls.LatencyEncoder])
def test_refused_names(kind):
    with pytest.raises(NotFittedError, match=f"This {kind.__name__} instance is not fitted"):
        kind().get_feature_names_out()
    with pytest.raises(ValueError, match="input_features should have length equal"):
        kind().fit(NUMBERS).get_feature_names_out(["a"])
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        kind().fit(FRAME).get_feature_names_out(["a", "b", "c"])


def test_no_data_frames():
    encoder = ls.PopulationEncoder().fit(FRAME)
    for kind in ("pandas", "polars"):
        message = (
            "'transform' parameter of PopulationEncoder.set_output must be 'default' or None. "
            f"Got '{kind}' instead. An encoder returns a PatternSet, which is no table"
        )
        with pytest.raises(ls.ParameterError, match=message):
            encoder.set_output(transform=kind)
        with pytest.raises(ls.ParameterError, match=message):
            make_pipeline(MinMaxScaler(), encoder).set_output(transform=kind)
    assert encoder.set_output(transform="default") is encoder
    assert isinstance(encoder.set_output().transform(FRAME), ls.PatternSet)
