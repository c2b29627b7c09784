"""Estimators in one file: the same bits elsewhere, and what cannot be saved."""

import dataclasses
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.support.estimator_kinds import noise
from tests.support.saved_cases import CASES, PATTERNS, POPULATION, X, fitted

import linspike as ls
from linspike.estimators.saved_encoders import ENCODERS


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
        for name in ENCODERS[type(clf.encoder_).__name__][1]:
            assert np.array_equal(getattr(back.encoder_, name), getattr(clf.encoder_, name))
    apart = ("encoder", "rule", "neuron")  # in place of None and names, what these stood for
    given, found = clf.get_params(deep=False), back.get_params(deep=False)
    assert {k: v for k, v in found.items() if k not in apart} == {
        k: v for k, v in given.items() if k not in apart
    }
    assert np.array_equal(back.fit(data, labels).weights_, fitted(case).weights_)


def test_a_loaded_one_shows_only_what_was_set(tmp_path):
    for rule in ("dta", ls.rules.MST(eta=0.02)):
        clf = ls.SpikeClassifier(ls.PopulationEncoder(), rule, max_iter=1, random_state=0)
        clf.fit(X, CASES["plain"][2]).save(tmp_path / "m.npz")
        back = ls.load_model(tmp_path / "m.npz")
        assert repr(back) == repr(clf)
        assert (back.rule, back.neuron) == (rule, None)


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
    desired = [ls.SpikeTimes([[20.0, 40.0]] * 12 + [[30.0]] * 12), ls.SpikeTimes([[]] * 24)]
    for patterns, encoder in ((PATTERNS, None), (X[:24], POPULATION)):
        mapper = ls.SpikeMapper(encoder, max_iter=3, random_state=0, until=50.0)
        mapper.fit(patterns, desired).save(tmp_path / "m.npz", notes={"a": 1})
        back = ls.load_model(tmp_path / "m.npz")
        assert isinstance(back, ls.SpikeMapper)
        assert back.notes_ == {"a": 1}
        assert back.predict(patterns) == mapper.predict(patterns)
        assert back.score(patterns, desired) == mapper.score(patterns, desired)
        for each in (mapper, back):
            each.set_params(warm_start=True).fit(patterns, desired)
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
            "'encoder' .* Got StandardScaler .* with joblib or pickle",
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


@pytest.mark.parametrize(
    ("case", "changed", "message"),
    [
        ("plain", {"n_jobs": 0}, "'n_jobs' parameter of SpikeClassifier must be None or not 0"),
        ("plain", {"spikes": 1, "code": "times"}, "'spikes' .* at least 2 .* Got 1 instead"),
        ("plain", {"until": 0.0}, "'until' .* positive"),
        ("plain", {"class_weight": [1, 2, 3]}, "'class_weight' .* or a dict"),
        ("counting", {"rule": "dta", "code": "times"}, r"'rule' .* learns times.* Got MST\("),
    ],
)
def test_settings_that_could_not_be_loaded(case, changed, message, tmp_path):
    clf = fitted("plain", rule="mst" if case == "counting" else "dta")
    with pytest.raises(ls.ParameterError, match=message):
        clf.set_params(**changed).save(tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())


def test_a_mapper_that_could_not_be_loaded(tmp_path):
    mapper = ls.SpikeMapper(max_iter=1, random_state=0).fit(PATTERNS[:2], [[20.0], []])
    with pytest.raises(ls.ParameterError, match="'criterion' parameter of SpikeMapper"):
        mapper.set_params(criterion="lax").save(tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())


def test_labels_do_not_turn_into_texts(tmp_path):
    clf = fitted("plain")
    clf.classes_ = clf.classes_.astype(object)
    with pytest.raises(ls.ParameterError, match="'y' .* all texts or all numbers to be saved. Go"):
        clf.save(tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())


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
