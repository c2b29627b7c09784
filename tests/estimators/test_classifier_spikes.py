"""SpikeClassifier on spikes, where scikit-learn's checks cannot reach: a conformance of our own."""

import copy
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from tests.support.estimator_kinds import numbers, spikes

import linspike as ls

PATTERNS, LABELS = spikes()
ARRAY = np.empty(len(PATTERNS), dtype=object)
ARRAY[:] = list(PATTERNS)
FORMS = {"set": PATTERNS, "list": list(PATTERNS), "tuple": tuple(PATTERNS), "array": ARRAY}
CODES = [{}, {"ties": "paper"}, {"code": "times", "spikes": 2}]
of_each_code = pytest.mark.parametrize("settings", CODES, ids=["graded", "paper", "times"])


def made(**settings):
    return ls.SpikeClassifier(**{"max_iter": 3, "random_state": 0, **settings})


@pytest.mark.parametrize("form", FORMS)
def test_learns_sets_and_lists(form):
    given = FORMS[form]
    clf = made(max_iter=20).fit(given, LABELS)
    assert clf.encoder_ is None
    assert clf.n_features_in_ == 30
    assert clf.weights_.shape == (3, 30)
    assert clf.score(given, LABELS) == 1.0
    assert np.array_equal(clf.weights_, made(max_iter=20).fit(PATTERNS, LABELS).weights_)
    assert np.array_equal(clf.decision_function(given), clf.decision_function(PATTERNS))
    assert np.array_equal(clf.predict(PATTERNS[4]), LABELS[4:5])


@of_each_code
def test_fit_changes_neither_parameters_nor_inputs(settings):
    clf = made(**settings, neuron=ls.SRM(15.0), class_weight={0: 2.0})
    before, labels = copy.deepcopy(clf.get_params()), LABELS.copy()
    patterns = pickle.loads(pickle.dumps(PATTERNS))
    assert clf.fit(patterns, labels) is clf
    assert clf.get_params() == before
    assert patterns == PATTERNS
    assert np.array_equal(labels, LABELS)
    own = set(vars(clf)) - set(before)
    assert all(name.endswith("_") and not name.startswith("_") for name in own)


@pytest.mark.parametrize("method", ["predict", "decision_function", "score", "save"])
def test_not_fitted(method, tmp_path):
    parts = {"score": (PATTERNS, LABELS), "save": (tmp_path / "m.npz",)}.get(method, (PATTERNS,))
    with pytest.raises(NotFittedError, match="This SpikeClassifier instance is not fitted"):
        getattr(made(), method)(*parts)
    failed = made()
    with pytest.raises(ls.SpikeDataError, match="at least 2 classes"):
        failed.fit(PATTERNS, 0 * LABELS)
    with pytest.raises(NotFittedError, match="This SpikeClassifier instance is not fitted"):
        getattr(failed, method)(*parts)
    assert not list(tmp_path.iterdir())


@of_each_code
def test_fit_twice_is_fit_once(settings):
    clf = made(**settings).fit(*spikes(2, seed=5))
    clf.fit(PATTERNS, LABELS)
    once = made(**settings).fit(PATTERNS, LABELS)
    assert np.array_equal(clf.weights_, once.weights_)
    assert np.array_equal(clf.classes_, once.classes_)
    assert clf.n_iter_ == once.n_iter_
    assert clf.decision_function(PATTERNS).tobytes() == once.decision_function(PATTERNS).tobytes()


@of_each_code
def test_samples_do_not_see_each_other(settings):
    clf = made(**settings).fit(PATTERNS, LABELS)
    scores = clf.decision_function(PATTERNS)
    order = np.random.default_rng(0).permutation(len(PATTERNS))
    assert np.array_equal(clf.decision_function(PATTERNS[order]), scores[order])
    assert np.array_equal(clf.predict(PATTERNS[order]), clf.predict(PATTERNS)[order])
    alone = np.concatenate([clf.decision_function([pattern]) for pattern in PATTERNS])
    assert np.array_equal(alone, scores)
    alone = np.concatenate([clf.predict([pattern]) for pattern in PATTERNS])
    assert np.array_equal(alone, clf.predict(PATTERNS))


@of_each_code
def test_partial_fits_in_parts(settings):
    clf = made(**settings)
    for _ in range(5):
        for part in (slice(0, 12), slice(12, None)):
            clf.partial_fit(PATTERNS[part], LABELS[part], classes=[0, 1, 2])
    assert clf.n_iter_ <= 10
    assert clf.score(PATTERNS, LABELS) > 0.9


def test_in_scikit_learns_hands():
    for given in FORMS.values():
        assert cross_val_score(made(max_iter=10), given, LABELS, cv=3).min() > 0.5
    search = GridSearchCV(made(), {"spikes": [1, 4], "rule": ["dta", "emlc"]}, cv=2)
    search.fit(PATTERNS, LABELS)
    assert search.best_score_ > 0.5
    assert np.array_equal(search.predict(PATTERNS), search.best_estimator_.predict(PATTERNS))
    scores = cross_val_predict(made(), PATTERNS, LABELS, cv=2, method="decision_function")
    assert scores.shape == (24, 3)
    data, labels = numbers()
    pipeline = make_pipeline(ls.PopulationEncoder(), made())
    assert cross_val_score(pipeline, data, labels, cv=3).mean() > 0.8
    inside = made(encoder=ls.PopulationEncoder()).fit(data, labels)
    assert np.array_equal(pipeline.fit(data, labels)[-1].weights_, inside.weights_)


@of_each_code
def test_clone_pickle_and_joblib(settings, tmp_path):
    clf = made(**settings).fit(PATTERNS, LABELS)
    scores = clf.decision_function(PATTERNS).tobytes()
    assert pickle.loads(pickle.dumps(clf)).decision_function(PATTERNS).tobytes() == scores
    joblib.dump(clf, tmp_path / "clf")
    assert joblib.load(tmp_path / "clf").decision_function(PATTERNS).tobytes() == scores
    assert clone(clf).fit(PATTERNS, LABELS).decision_function(PATTERNS).tobytes() == scores


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_by_calibration(n_classes):
    patterns, labels = spikes(n_classes)
    calibrated = CalibratedClassifierCV(made(max_iter=10), cv=2).fit(patterns, labels)
    shares = calibrated.predict_proba(patterns)
    assert shares.shape == (24, n_classes)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert np.array_equal(calibrated.predict(patterns), labels)


def test_from_numbers_to_spikes_and_back():
    data, labels = numbers()
    clf = made().fit(data, labels).fit(PATTERNS, LABELS)
    assert clf.encoder_ is None
    assert np.array_equal(clf.weights_, made().fit(PATTERNS, LABELS).weights_)
    clf.fit(data, labels)
    assert np.array_equal(clf.weights_, made().fit(data, labels).weights_)


def test_spikes_and_numbers_are_not_mixed_up():
    data, labels = numbers()
    on_spikes, on_numbers = made().fit(PATTERNS, LABELS), made().fit(data, labels)
    for method in ("predict", "decision_function"):
        with pytest.raises(
            ls.ParameterError, match="'X' .* must be a PatternSet, as in fit. Got nd"
        ):
            getattr(on_spikes, method)(data)
        with pytest.raises(ls.ParameterError, match=r"'X' .* must be numbers, as in fit. Got Patt"):
            getattr(on_numbers, method)(list(PATTERNS))
    with pytest.raises(ls.ParameterError, match="'X' .* must be a PatternSet, as in fit. Got list"):
        on_spikes.partial_fit(data.tolist(), labels)
    with pytest.raises(ls.ParameterError, match=r"'X' .* must be numbers, as in fit"):
        on_numbers.set_params(warm_start=True).fit(PATTERNS, LABELS)


def test_bad_spikes():
    clf = made().fit(PATTERNS, LABELS)
    other, _ = spikes(n_channels=29)
    with pytest.raises(
        ls.SpikeDataError, match="X has 29 channels, but SpikeClassifier is expecti"
    ):
        clf.predict(other)
    with pytest.raises(ls.SpikeDataError, match=r"same number of channels. Got \[29, 30\]"):
        clf.predict([PATTERNS[0], other[0]])
    with pytest.raises(
        ls.ParameterError,
        match="'encoder' .* None or a transformer of spikes, .* if X is spikes.* Leave",
    ):
        made(encoder=ls.PopulationEncoder()).fit(PATTERNS, LABELS)
    with pytest.raises(ValueError, match="inconsistent numbers of samples: .24, 3."):
        made().fit(PATTERNS, [0, 1, 2])
    with pytest.raises(ls.ParameterError, match="requires y to be passed"):
        made().fit(PATTERNS, None)


def test_a_horizon_of_ones_own():
    clf = made(until=25.0, max_iter=10).fit(PATTERNS, LABELS)
    counts = clf.neuron_.respond_many(clf.weights_, PATTERNS, until=25.0).counts.T
    assert np.array_equal(np.floor(clf.decision_function(PATTERNS)), counts)
    timed = made(until=25.0, code="times").fit(PATTERNS, LABELS)
    assert all(5.0 < train.times[0] < train.times[-1] < 25.0 for train in timed.code_.trains)
    durations = np.where(np.arange(24) % 2, 60.0, 90.0)
    uneven = ls.PatternSet(PATTERNS.times, PATTERNS.channels, PATTERNS.offsets, 30, durations)
    timed = made(code="times").fit(uneven, LABELS)
    assert all(train.times[-1] < 60.0 for train in timed.code_.trains)
