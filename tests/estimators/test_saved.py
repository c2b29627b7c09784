"""Estimators in one file: the same bits elsewhere, and nothing but whole files is taken."""

import dataclasses
import json
import pickle
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kinds import noise, numbers, spikes
from samples import RASTERS
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import linspike as ls
from linspike.estimators import saved
from linspike.spikes import files

X, Y = numbers()
PATTERNS, LABELS = spikes()
BINARY = np.arange(5) % 2
NAMES = np.array(["low", "middle", "high"])
POPULATION = ls.PopulationEncoder(n_fields=4, beta=2.0, outside="error", silent_below=0.05)
RULE = ls.DTA(bound=np.float32(0.25))

# What is to be saved, and what it learned from.
CASES = {
    "plain": ({}, X, Y),
    "population": ({"encoder": POPULATION, "rule": RULE, "until": 30.0}, X, NAMES[Y]),
    "latency": ({"encoder": ls.LatencyEncoder(20.0), "ties": "paper"}, np.abs(X), Y == 1),
    "raster": ({"encoder": ls.RasterEncoder(5.0, folds=7)}, RASTERS, BINARY),
    "flat raster": (
        {"encoder": ls.RasterEncoder(5.0, "channel_time", 4)},
        RASTERS.reshape(5, 28),
        BINARY,
    ),
    "spikes": ({"neuron": ls.SRM(12.0, 3.0, 0.7), "target": "exact"}, PATTERNS, NAMES[LABELS]),
    "objects": ({"class_weight": {"low": 2.0}}, PATTERNS, NAMES[LABELS].astype(object)),
    "times": ({"code": "times", "spikes": 2, "until": 50.0}, PATTERNS, LABELS - 5),
    "stopped": (
        {
            "early_stopping": True,
            "validation_fraction": 0.25,
            "class_weight": {-1: 2, 0: np.int64(3)},
        },
        PATTERNS,
        LABELS - 1,
    ),
    "endless": ({"until": np.inf, "verbose": np.False_}, PATTERNS, LABELS),
}


def fitted(case, **more):
    settings, data, labels = CASES[case]
    how = {"max_iter": 3, "random_state": 0, **settings, **more}
    return ls.SpikeClassifier(**how).fit(data, labels)


@cache
def whole(case):
    """The bytes of a saved classifier."""
    with tempfile.TemporaryDirectory() as folder:
        fitted(case).save(Path(folder) / "m.npz")
        return (Path(folder) / "m.npz").read_bytes()


@pytest.mark.parametrize("case", CASES)
def test_round_trip(case, tmp_path):
    clf, (_, data, labels) = fitted(case), CASES[case]
    clf.save(tmp_path / "m.npz", notes={"from": "here", "numbers": [1, 2.5, None]})
    back = ls.load_model(tmp_path / "m.npz")
    assert isinstance(back, ls.SpikeClassifier)
    assert back.notes_ == {"from": "here", "numbers": [1, 2.5, None]}
    assert back.decision_function(data).tobytes() == clf.decision_function(data).tobytes()
    assert np.array_equal(back.predict(data), clf.predict(data))
    for name in ("n_iter_", "seed_", "converged_", "n_features_in_", "neuron_", "rule_", "code_"):
        assert getattr(back, name) == getattr(clf, name), name
    assert back.history_.keys() == clf.history_.keys()
    assert all(np.array_equal(back.history_[key], clf.history_[key]) for key in clf.history_)
    if clf.encoder_ is not None:
        assert repr(back.encoder_) == repr(clf.encoder_)
        assert back.encoder_.n_features_in_ == clf.encoder_.n_features_in_
        for name in saved.ENCODERS[type(clf.encoder_).__name__][1]:
            assert np.array_equal(getattr(back.encoder_, name), getattr(clf.encoder_, name))
    apart = ("encoder", "rule", "neuron")  # in place of None and names, what these stood for
    given, found = clf.get_params(deep=False), back.get_params(deep=False)
    assert {k: v for k, v in found.items() if k not in apart} == {
        k: v for k, v in given.items() if k not in apart
    }
    assert np.array_equal(back.fit(data, labels).weights_, fitted(case).weights_)


@pytest.mark.parametrize("case", ["plain", "times", "stopped", "raster"])
def test_a_loaded_one_goes_on_as_the_original_would(case, tmp_path):
    clf, (_, data, labels) = fitted(case), CASES[case]
    clf.save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    for each in (clf, back):
        each.partial_fit(data, labels).set_params(warm_start=True).fit(data, labels)
    assert back.weights_.tobytes() == clf.weights_.tobytes()
    assert (back.n_iter_, back.seed_) == (clf.n_iter_, clf.seed_)


def test_a_random_start_goes_on_too(tmp_path):
    patterns, labels = noise()
    for state in (None, np.random.RandomState(3)):
        clf = ls.SpikeClassifier(max_iter=2, random_state=state).fit(patterns, labels)
        clf.save(tmp_path / "m.npz")
        back = ls.load_model(tmp_path / "m.npz")
        assert back.random_state is None
        clf.partial_fit(patterns, labels)
        assert np.array_equal(back.partial_fit(patterns, labels).weights_, clf.weights_)


ELSEWHERE = """
import pickle, sys
import linspike as ls
folder, found = sys.argv[1], {}
with open(folder + "/data", "rb") as stream:
    data = pickle.load(stream)
for number, (case, X) in enumerate(data.items()):
    found[case] = ls.load_model(f"{folder}/{number}.npz").decision_function(X).tobytes()
with open(folder + "/found", "wb") as stream:
    pickle.dump(found, stream)
"""


def test_the_same_bits_in_another_process(tmp_path):
    data = {case: X for case, (_, X, _) in CASES.items()}
    (tmp_path / "data").write_bytes(pickle.dumps(data))
    expected = {}
    for number, case in enumerate(CASES):
        clf = fitted(case)
        clf.save(tmp_path / f"{number}.npz")
        expected[case] = clf.decision_function(data[case]).tobytes()
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(tmp_path)], check=True)
    assert pickle.loads((tmp_path / "found").read_bytes()) == expected


def test_mapper(tmp_path):
    wanted = [ls.SpikeTimes([[20.0, 40.0]] * 12 + [[30.0]] * 12), ls.SpikeTimes([[]] * 24)]
    for patterns, encoder in ((PATTERNS, None), (X[:24], POPULATION)):
        mapper = ls.SpikeMapper(encoder, max_iter=3, random_state=0, until=50.0)
        mapper.fit(patterns, wanted).save(tmp_path / "m.npz", notes={"a": 1})
        back = ls.load_model(tmp_path / "m.npz")
        assert isinstance(back, ls.SpikeMapper)
        assert back.notes_ == {"a": 1}
        assert back.predict(patterns) == mapper.predict(patterns)
        assert back.score(patterns, wanted) == mapper.score(patterns, wanted)
        for each in (mapper, back):
            each.set_params(warm_start=True).fit(patterns, wanted)
        assert np.array_equal(back.weights_, mapper.weights_)


def test_plain_models_load_too(tmp_path):
    model = ls.Model(ls.SRM(10.0), [[0.1, 0.2]], "dta", {"a": 1})
    model.save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    assert isinstance(back, ls.Model)
    assert back.notes == {"a": 1}
    assert np.array_equal(back.weights, model.weights)


def test_names_of_features(tmp_path):
    clf = fitted("plain")
    clf.feature_names_in_ = np.array(["a", "b", "c"], dtype=object)
    clf.save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").feature_names_in_.tolist() == ["a", "b", "c"]


class Foreign(TransformerMixin, BaseEstimator):
    """Somebody's own encoder."""

    def fit(self, X, y=None):
        self.encoder_ = ls.PopulationEncoder().fit(X)
        return self

    def transform(self, X):
        return self.encoder_.transform(X)


@dataclasses.dataclass(frozen=True)
class Mine(ls.DTA):
    """Somebody's own rule."""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder": Foreign()}, "'encoder' .* Got Foreign .* with joblib or pickle"),
        (
            {"encoder": make_pipeline(StandardScaler(), ls.PopulationEncoder())},
            "'encoder' .* Got Pipeline .* with joblib or pickle",
        ),
        ({"rule": Mine()}, r"'rule' .* Got Mine\(.* use joblib or pickle"),
    ],
)
def test_what_cannot_be_saved(settings, message, tmp_path):
    clf = fitted("plain", **settings)
    with pytest.raises(ls.ParameterError, match=message):
        clf.save(tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())
    again = pickle.loads(pickle.dumps(clf))  # as the message says
    assert np.array_equal(again.predict(X), clf.predict(X))


@pytest.mark.parametrize("notes", [{"x": np.ones(2)}, [1, 2], "text", {(1, 2): 3}])
def test_bad_notes(notes, tmp_path):
    message = "'notes' parameter of SpikeClassifier.save must be a dict of what JSON can hold"
    with pytest.raises(ls.ParameterError, match=message):
        fitted("plain").save(tmp_path / "m.npz", notes=notes)
    assert not list(tmp_path.iterdir())


def test_the_old_file_stays(tmp_path):
    path = tmp_path / "m.npz"
    clf = fitted("plain")
    clf.save(path)
    before = path.read_bytes()
    with pytest.raises(ls.ParameterError, match="'notes'"):
        clf.save(path, notes={"x": object()})
    with pytest.raises(NotFittedError, match="not fitted"):
        ls.SpikeClassifier().save(path)
    assert path.read_bytes() == before


def test_damaged_files(tmp_path):
    broken, right = tmp_path / "m.npz", whole("plain")
    scores = fitted("plain").decision_function(X)
    for length in (0, 1, 100, len(right) // 2, len(right) - 1):
        broken.write_bytes(right[:length])
        with pytest.raises(ls.FileFormatError, match="damaged|is not a model"):
            ls.load_model(broken)
    refused = 0
    for at in range(0, len(right), 37):
        broken.write_bytes(right[:at] + bytes([right[at] ^ 0x10]) + right[at + 1 :])
        try:  # dates and such may change; what is read must be right
            assert np.array_equal(ls.load_model(broken).decision_function(X), scores)
        except ls.FileFormatError:
            refused += 1
    assert refused > 0.5 * len(right) / 37


def test_files_of_another_kind(tmp_path):
    path = tmp_path / "m.npz"
    PATTERNS.save(path)
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    np.savez(path, weights=np.ones(3))
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    path.write_text("weights: 1, 2, 3")
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    with pytest.raises(FileNotFoundError):
        ls.load_model(tmp_path / "none.npz")


def rewritten(path, change, version=1, **arrays):
    """The saved file once more, with changes to what is told about it and to its arrays."""
    names = ("about", "weights", "classes")
    parts = files.load_arrays(path, saved.FORMAT, 1, names)
    about = json.loads(str(parts["about"]))
    change(about)
    parts.update(arrays, about=np.str_(json.dumps(about)))
    kept = {name: part for name, part in parts.items() if part is not None}
    files.save_arrays(path, saved.FORMAT, version, **kept)


def nothing(about):
    """Leave all as it is."""


def test_newer_files_and_rules(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole("plain"))
    rewritten(path, nothing)
    ls.load_model(path)  # what the next tests change is what they are refused for
    rewritten(path, lambda about: about["rule"].update(key="later"))
    with pytest.raises(
        ls.FileFormatError, match="with the rule 'later', which this linspike lacks"
    ):
        ls.load_model(path)
    rewritten(path, nothing, version=2)
    with pytest.raises(ls.FileFormatError, match=r"newer linspike \(format 2.* Update linspike"):
        ls.load_model(path)


@pytest.mark.parametrize("case", ["plain", "times", "spikes", "raster"])
@pytest.mark.parametrize(
    "arrays",
    [
        {"weights": None},
        {"classes": None},
        {"weights": np.float64(3.0)},
        {"weights": np.ones(40)},
        {"weights": np.ones((3, 7))},
        {"weights": np.ones((1, 1))},
        {"weights": np.full((3, 30), np.nan)},
        {"weights": np.full((3, 30), "a")},
        {"weights": np.array([[1, None]], dtype=object)},
        {"classes": np.arange(9)},
        {"classes": np.arange(1)},
        {"classes": np.array([2, 1, 0])},
        {"classes": np.array([0, 0, 1])},
        {"classes": np.eye(3)},
        {"classes": np.array("x")},
    ],
    ids=str,
)
def test_arrays_that_do_not_fit(case, arrays, tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole(case))
    rewritten(path, nothing, **arrays)
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)


@pytest.mark.parametrize(
    "change",
    [
        {"estimator": "SpikeRegressor"},
        {"settings": {"colour": "red"}},
        {"settings": {"spikes": "ten"}},
        {"settings": []},
        {"neuron": {"tau_m": -1.0}},
        {"neuron": None},
        {"rule": {"key": "dta", "settings": {"bound": -1.0}}},
        {"rule": {"key": [], "settings": {}}},
        {"rule": None},
        {"class_weight": 5},
        {"class_weight": [[0, -1.0]]},
        {"epochs": -1},
        {"epochs": 1.5},
        {"order": -1},
        {"order": "x"},
        {"converged": "no"},
        {"history": []},
        {"notes": 3},
        {"n_features": 4},
        {"n_features": "3"},
        {"names": ["a", "b"]},
        {"code": {"n_neurons": 2, "spikes": 10, "at_least": True, "graded": True}},
        {"code": {"n_neurons": 3, "spikes": "ten", "at_least": True, "graded": True}},
        {"code": {"n_neurons": 3, "spikes": 10, "at_least": True, "graded": 1}},
        {"code": {"trains": [[[1.0], 5.0], [[2.0], 5.0]]}},
        {"code": {"trains": [[[2.0, 1.0], 5.0]] * 3}},
        {"code": None},
        {"encoder": None},
        {"encoder": {"key": "os.system"}},
    ],
    ids=str,
)
def test_tampered_accounts(change, tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole("plain"))
    rewritten(path, lambda about: about.update(change))
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)


@pytest.mark.parametrize(
    ("case", "part", "change"),
    [
        ("population", "settings", {"n_fields": 5}),
        ("population", "settings", {"beta": -1.0}),
        ("population", "learned", {"data_min_": [0.0, 1.0]}),
        ("population", "learned", {"data_max_": [1.0]}),
        ("population", "learned", {"data_min_": [0.0, 1.0, float("nan")]}),
        ("population", "learned", {"data_max_": "high"}),
        ("latency", "learned", {"scale_": float("inf")}),
        ("latency", "settings", {"duration": 0.0}),
        ("raster", "settings", {"folds": 1}),
        ("raster", "settings", {"dt": "long"}),
        ("raster", "learned", {"shape_": [7, 5]}),
        ("raster", "learned", {"shape_": [14, 4]}),
        ("raster", "learned", {"shape_": 28}),
    ],
    ids=str,
)
def test_tampered_encoders(case, part, change, tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole(case))
    rewritten(path, lambda about: about["encoder"][part].update(change))
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)


@pytest.mark.parametrize("key", ["rule", "encoder", "epochs", "order", "names", "code", "settings"])
def test_missing_accounts(key, tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole("plain"))
    rewritten(path, lambda about: about.pop(key))
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)


@pytest.mark.parametrize("text", ["[]", "3", "null", '"x"', "{", "[" * 100_000], ids=len)
def test_accounts_of_nothing(text, tmp_path):
    path = tmp_path / "m.npz"
    arrays = {"weights": np.ones((3, 30)), "classes": np.arange(3)}
    files.save_arrays(path, saved.FORMAT, 1, about=np.str_(text), **arrays)
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)
