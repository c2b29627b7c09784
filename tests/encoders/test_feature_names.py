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
