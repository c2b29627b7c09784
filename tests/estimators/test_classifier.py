"""SpikeClassifier on numbers: scikit-learn's contract, learning, labels."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from tests.support.estimator_kinds import X, Y, made, numbers, same
from tests.support.samples import RASTERS

import linspike as ls


def test_defaults():
    assert ls.SpikeClassifier().get_params(deep=False) == {
        "encoder": None,
        "rule": "dta",
        "spikes": 10,
        "code": "counts",
        "target": "at_least",
        "ties": "graded",
        "neuron": None,
        "until": None,
        "init": "drive",
        "jitter": 0.0,
        "weight_bounds": None,
        "max_iter": 20,
        "schedule": None,
        "early_stopping": False,
        "validation_fraction": 0.1,
        "n_iter_no_change": 5,
        "class_weight": None,
        "warm_start": False,
        "n_jobs": None,
        "random_state": None,
        "verbose": 0,
    }


@pytest.mark.parametrize("target", ["at_least", "exact"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_learns_counts(target, n_classes):
    data, labels = numbers(n_classes, spread=0.2)
    settings = {"target": target, "spikes": 3, "until": 40.0, "max_iter": 40}
    clf = made(**settings).fit(data, labels)
    assert clf.score(data, labels) == 1.0
    assert clf.converged_
    assert clf.n_iter_ == len(clf.history_["accuracy"]) < 40
    assert clf.history_["accuracy"][-1] == 1.0
    assert clf.history_.keys() == {"accuracy"}
    counts = clf.neuron_.respond_many(clf.weights_, clf.encoder_.transform(data), until=40.0).counts
    own = counts[labels, np.arange(len(labels))]
    assert (own >= 3).all() if target == "at_least" else (own == 3).all()
    assert counts.sum() == own.sum()  # others are silent


@pytest.mark.parametrize("n_classes", [2, 3])
def test_learns_times(n_classes):
    data, labels = numbers(n_classes, spread=0.2)
    clf = made(code="times", spikes=3, max_iter=60).fit(data, labels)
    assert clf.score(data, labels) > 0.9
    responses = clf.neuron_.respond_many(clf.weights_, clf.encoder_.transform(data))
    for neuron, train in enumerate(clf.code_.trains):
        own, others = (
            np.mean([ls.van_rossum(responses[neuron, p], train) for p in np.flatnonzero(which)])
            for which in (labels == neuron, labels != neuron)
        )
        assert own < 0.5 * others


@pytest.mark.parametrize("settings", [{"ties": "graded"}, {"ties": "paper"}, {"code": "times"}])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_predict_follows_decision_function(settings, n_classes):
    data, labels = numbers(n_classes, spread=1.0)
    clf = made(**settings, max_iter=1).fit(data, labels)
    scores = clf.decision_function(data)
    if n_classes == 2:
        assert scores.shape == (30,)
        chosen = (scores > 0).astype(int)
    else:
        assert scores.shape == (30, n_classes)
        chosen = scores.argmax(axis=1)
    assert len(set(chosen)) > 1
    assert np.array_equal(clf.predict(data), clf.classes_[chosen])
    if settings == {"ties": "paper"}:
        assert np.array_equal(scores, np.rint(scores))


LABELS = {
    "str": np.array(["red", "amber", "green"]),
    "int": np.array([-7, 3, 12]),
    "object": np.array(["z", "yy", "x"], dtype=object),
    "bool": np.array([True, False]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_kind(kind):
    names = LABELS[kind]
    data, labels = numbers(len(names), spread=0.2)
    clf = made(max_iter=20).fit(data, names[labels])
    assert clf.classes_.dtype == names.dtype
    assert np.array_equal(clf.classes_, np.sort(names))
    assert np.array_equal(clf.predict(data), names[labels])
    assert clf.score(data, list(names[labels])) == 1.0
    steps = made()
    for _ in range(20):
        steps.partial_fit(data, names[labels], classes=names[::-1])
    assert same(steps, clf)


def test_twenty_partial_fits_are_one_fit():
    data, labels = numbers(spread=1.5)
    clf = made(max_iter=20).fit(data, labels)
    assert clf.n_iter_ == 20  # not converged: every one of them counts
    steps = made()
    for _ in range(20):
        steps.partial_fit(data, labels, classes=[0, 1, 2])
    assert same(steps, clf)
    assert len(steps.history_["accuracy"]) == 1


def test_warm_start_is_one_long_fit():
    data, labels = numbers(spread=1.5)
    whole = made(max_iter=6).fit(data, labels)
    parts = made(max_iter=2, warm_start=True).fit(data, labels)
    assert not np.array_equal(parts.weights_, whole.weights_)
    parts.fit(data, labels).fit(data, labels)
    assert same(parts, whole)
    assert len(parts.history_["accuracy"]) == 2
    assert np.array_equal(parts.history_["accuracy"], whole.history_["accuracy"][-2:])
    again = made(max_iter=6).fit(data, labels).fit(data, labels)  # cold: all anew
    assert same(again, whole)


def test_nothing_left_to_learn():
    data, labels = numbers(spread=0.2)
    clf = made(max_iter=40, warm_start=True).fit(data, labels)
    weights, epochs = clf.weights_, clf.n_iter_
    clf.fit(data, labels)
    assert np.array_equal(clf.weights_, weights)
    assert (clf.n_iter_, clf.converged_, clf.history_["accuracy"].size) == (epochs, True, 0)


def test_number_of_jobs_changes_nothing():
    fits = [made(n_jobs=n).fit(X, Y) for n in (None, 1, 2, -1)]
    scores = [clf.decision_function(X).tobytes() for clf in fits]
    assert all(same(clf, fits[0]) for clf in fits)
    assert len(set(scores)) == 1


def test_random_state():
    one = made().fit(X, Y)
    assert same(made().fit(X, Y), one)
    assert not np.array_equal(made(random_state=1).fit(X, Y).weights_, one.weights_)
    drawn = [made(random_state=np.random.RandomState(3)).fit(X, Y) for _ in range(2)]
    assert same(*drawn)
    going_on = np.random.RandomState(3)
    pair = [made(random_state=going_on).fit(X, Y) for _ in range(2)]
    assert same(pair[0], drawn[0])
    assert not np.array_equal(pair[1].weights_, pair[0].weights_)


def test_verbose(capsys):
    data, labels = numbers(spread=1.5)
    made(verbose=1, max_iter=2, early_stopping=True, validation_fraction=0.2).fit(data, labels)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("[SpikeClassifier] epoch 2 of 2: accuracy 0.")
    assert "validation accuracy " in lines[1]
    made(verbose=False).fit(X, Y)
    assert capsys.readouterr().out == ""


def test_in_scikit_learns_hands():
    encoder = ls.PopulationEncoder(n_fields=5)
    clf = made(encoder=encoder)
    assert cross_val_score(clf, X, Y, cv=3).mean() > 0.8
    grid = {"encoder__n_fields": [3, 6], "spikes": [2, 5]}
    search = GridSearchCV(clf, grid, cv=2).fit(X, Y)
    assert search.best_estimator_.encoder_.n_fields == search.best_params_["encoder__n_fields"]
    assert not hasattr(encoder, "data_min_")
    pipeline = make_pipeline(StandardScaler(), ls.PopulationEncoder(), made()).fit(X, Y)
    inside = made(encoder=make_pipeline(StandardScaler(), ls.PopulationEncoder())).fit(X, Y)
    assert np.array_equal(pipeline.decision_function(X), inside.decision_function(X))
    assert pipeline[-1].encoder_ is None
    assert inside.n_features_in_ == 3


def test_clone_pickle_and_joblib(tmp_path):
    for settings in ({}, {"code": "times"}, {"rule": ls.DTA(bound=0.5), "neuron": ls.SRM(10.0)}):
        clf = made(encoder=ls.LatencyEncoder(), **settings).fit(np.abs(X), Y)
        scores = clf.decision_function(np.abs(X)).tobytes()
        assert pickle.loads(pickle.dumps(clf)).decision_function(np.abs(X)).tobytes() == scores
        joblib.dump(clf, tmp_path / "clf")
        assert joblib.load(tmp_path / "clf").decision_function(np.abs(X)).tobytes() == scores
        copy = clone(clf)
        assert not hasattr(copy, "weights_")
        assert copy.fit(np.abs(X), Y).decision_function(np.abs(X)).tobytes() == scores


def test_probabilities_by_calibration():
    calibrated = CalibratedClassifierCV(made(), cv=2).fit(X, Y)
    shares = calibrated.predict_proba(X)
    assert shares.shape == (30, 3)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert (calibrated.predict(X) == Y).mean() > 0.8


def test_rasters():
    rasters = np.concatenate([RASTERS, RASTERS])
    labels = np.arange(10) % 5 % 2
    clf = made(encoder=ls.RasterEncoder(dt=5.0, folds=7), max_iter=30).fit(rasters, labels)
    assert clf.n_features_in_ == clf.encoder_.n_features_in_ == 28
    assert np.array_equal(clf.predict(rasters), labels)
    with pytest.raises(ls.SpikeDataError, match=r"X has rasters of shape \(6, 4\), but .*\(7, 4\)"):
        clf.predict(rasters[:, 1:])
    with pytest.raises(ls.ParameterError, match="divisor of the columns .* flattened rasters"):
        clf.fit(rasters[0], labels[:7])
    flat = made(encoder=ls.RasterEncoder(dt=5.0, n_channels=4, folds=7), max_iter=30)
    assert same(flat.fit(rasters.reshape(10, 28), labels), clf)
    assert made(encoder=ls.RasterEncoder()).fit(rasters, labels).weights_.shape == (2, 4)


def test_tags_are_those_of_the_encoder():
    assert not get_tags(ls.SpikeClassifier()).input_tags.three_d_array
    assert get_tags(made(encoder=ls.RasterEncoder())).input_tags.three_d_array
    assert get_tags(made(encoder=ls.LatencyEncoder())).input_tags.positive_only
    assert get_tags(made(encoder="nonsense")).input_tags.two_d_array
    assert get_tags(ls.SpikeClassifier()).target_tags.required
