"""SpikeClassifier on numbers: scikit-learn's contract, learning, parameters, refusals."""

import pickle
import warnings
from concurrent.futures import wait

import joblib
import numpy as np
import pytest
from kinds import noise, numbers, spikes
from samples import RASTERS
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import linspike as ls
from linspike.estimators.layer import Layer
from linspike.training import chains

X, Y = numbers()
QUICK = {"max_iter": 3, "random_state": 0}


def made(**settings):
    return ls.SpikeClassifier(**{**QUICK, **settings})


def same(one, other):
    """Whether two fitted classifiers cannot be told apart."""
    assert one.weights_.tobytes() == other.weights_.tobytes()
    assert (one.n_iter_, one.seed_, one.converged_) == (
        other.n_iter_,
        other.seed_,
        other.converged_,
    )
    return True


def test_scikit_learn_checks():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks look at those that matter
        results = check_estimator(ls.SpikeClassifier(), on_fail=None, on_skip=None)
    of = {
        status: [r["check_name"] for r in results if r["status"] == status]
        for status in {r["status"] for r in results}
    }
    assert of.keys() <= {"passed", "skipped"}, of
    assert len(of["passed"]) >= 40
    # One needs pandas, the other SCIPY_ARRAY_API.
    may_be_skipped = {"check_classifier_data_not_an_array", "check_array_api_input"}
    assert set(of.get("skipped", ())) <= may_be_skipped


def test_defaults():
    assert ls.SpikeClassifier().get_params() == {
        "encoder": None,
        "rule": "dta",
        "spikes": 10,
        "code": "counts",
        "target": "at_least",
        "ties": "graded",
        "neuron": None,
        "until": None,
        "max_iter": 20,
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
    answers = clf.neuron_.respond_many(clf.weights_, clf.encoder_.transform(data))
    for neuron, train in enumerate(clf.code_.trains):
        own, others = (
            np.mean([ls.van_rossum(answers[neuron, p], train) for p in np.flatnonzero(which)])
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


def test_epochs_are_the_trainers():
    patterns, labels = noise()
    clf = made(class_weight={0: 1.0, 1: 0.25}, target="exact", spikes=2).fit(patterns, labels)
    assert clf.n_iter_ == 3
    start = np.random.default_rng(clf.seed_).normal(0.01, 0.01, (2, 8))
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=3)
    how = {"seeds": [clf.seed_] * 2, "step_scale": np.where(labels == 0, 1.0, 0.25)}
    learned = trainer.fit_many(start, patterns, targets, **how)
    assert np.array_equal(clf.weights_, [result.weights for result in learned])


def test_class_weight():
    data, labels = numbers(spread=1.5)
    labels = np.minimum(labels, 1)  # 10 and 20 of them
    plain = made().fit(data, labels)
    assert same(made(class_weight={0: 3.0, 1: 3.0}).fit(data, labels), plain)
    assert same(made(class_weight={}).fit(data, labels), plain)
    halved = made(class_weight={1: 0.5}).fit(data, labels)
    assert not np.array_equal(halved.weights_, plain.weights_)
    assert same(made(class_weight={0: 8, 1: 4}).fit(data, labels), halved)
    assert same(made(class_weight="balanced").fit(data, labels), halved)


def test_a_class_of_no_weight_teaches_nothing():
    patterns, labels = spikes()
    clf = made(class_weight={2: 0.0}, max_iter=20).fit(patterns, labels)
    counts = clf.neuron_.respond_many(clf.weights_, patterns).counts
    assert (counts[2] == 0).all()  # its neuron was only ever told to be silent
    right = clf.predict(patterns) == labels
    assert right[labels < 2].all()
    assert not right[labels == 2].any()


def test_class_weight_of_parts_is_that_of_the_whole():
    patterns, labels = noise()
    one = made(class_weight={1: 0.0}).partial_fit(patterns, labels, classes=[0, 1])
    before = one.weights_.copy()
    one.partial_fit(patterns[1::2], labels[1::2])  # samples of the class without weight alone
    assert np.array_equal(one.weights_, before)
    assert one.n_iter_ == 2
    one.set_params(class_weight={0: 0.5, 1: 1.0}).partial_fit(patterns[::2], labels[::2])
    assert not np.array_equal(one.weights_, before)
    three = made(class_weight={2: 0.5})
    three.partial_fit(patterns, labels, classes=[0, 1, 2])  # no sample of the class it names
    balanced = made(class_weight="balanced")
    balanced.partial_fit(patterns, labels, classes=[0, 1, 2])
    assert same(balanced, made().partial_fit(patterns, labels, classes=[0, 1, 2]))


STOPPING = {"early_stopping": True, "validation_fraction": 0.25, "n_iter_no_change": 3}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_early_stopping_keeps_the_best(seed):
    patterns, labels = noise()
    clf = made(**STOPPING, max_iter=50, random_state=seed).fit(patterns, labels)
    found = clf.history_["validation_accuracy"]
    assert clf.history_["accuracy"].size == found.size == clf.n_iter_
    best = int(found.argmax())  # the first of the largest
    assert found.size == best + 1 + 3 < 50
    until_then = made(**STOPPING, max_iter=best + 1, random_state=seed).fit(patterns, labels)
    assert np.array_equal(clf.weights_, until_then.weights_)
    assert not clf.converged_


def test_samples_set_aside_are_not_learned_from(monkeypatch):
    seen = []
    learn_epoch = Layer.learn_epoch

    def watched(self, patterns, *others):
        seen.append(len(patterns))
        return learn_epoch(self, patterns, *others)

    monkeypatch.setattr(Layer, "learn_epoch", watched)
    patterns, labels = noise()
    clf = made(**STOPPING, max_iter=1).fit(patterns, labels)
    assert seen == [30]
    kept, aside = clf._split(labels)
    assert sorted([*kept, *aside]) == list(range(40))
    assert np.bincount(labels[aside]).tolist() == [5, 5]
    accuracy = {"accuracy": kept, "validation_accuracy": aside}
    for name, part in accuracy.items():
        assert clf.history_[name][-1] == clf.score(patterns[part], labels[part])


def test_going_on_never_loses_the_best(monkeypatch):
    patterns, labels = noise()
    # Without a number as random state, too, the same samples are set aside again.
    clf = made(**STOPPING, max_iter=5, warm_start=True, random_state=None).fit(patterns, labels)
    before, aside = clf.weights_, clf._split(labels)[1]

    def spoil(self, *lesson):
        self.weights, self.epochs = -np.ones_like(self.weights), self.epochs + 1
        return False

    monkeypatch.setattr(Layer, "learn_epoch", spoil)
    clf.fit(patterns, labels)
    assert clf.history_["validation_accuracy"].size == 3
    assert np.array_equal(clf.weights_, before)
    assert np.array_equal(clf._split(labels)[1], aside)


def test_what_is_kept_need_not_be_what_converged(monkeypatch):
    patterns, labels = noise()
    learned = made(**STOPPING, max_iter=1).fit(patterns, labels)

    def learn_epoch(self, *lesson):
        self.epochs += 1
        self.weights = learned.weights_ if self.epochs == 1 else -np.ones_like(self.weights)
        return self.epochs == 2

    monkeypatch.setattr(Layer, "learn_epoch", learn_epoch)
    clf = made(**STOPPING).fit(patterns, labels)
    assert clf.n_iter_ == 2
    assert np.array_equal(clf.weights_, learned.weights_)
    assert not clf.converged_


def interrupt_at(monkeypatch, owner, name, call, *, late=False):
    """The so-manieth call of a function is interrupted, before it begins or when it is done."""
    original, calls = getattr(owner, name), []

    def interrupted(*parts):
        calls.append(1)
        if len(calls) < call:
            return original(*parts)
        if late:
            wait(parts[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(owner, name, interrupted)


# The last: Ctrl-C while every neuron is in its only epoch, which the trainer lets them end.
@pytest.mark.parametrize(
    ("where", "late"),
    [((Layer, "learn_epoch"), False), ((chains, "_watch"), False), ((chains, "_watch"), True)],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_interrupted(monkeypatch, where, late, n_jobs):
    patterns, labels = noise()
    two = made(max_iter=2).fit(patterns, labels)
    four = made(max_iter=4).fit(patterns, labels)
    clf = made(max_iter=9, n_jobs=n_jobs, warm_start=True)
    with monkeypatch.context() as patch:
        interrupt_at(patch, *where, call=3, late=late)
        with pytest.warns(
            ConvergenceWarning, match="SpikeClassifier was interrupted .* warm_start"
        ):
            assert clf.fit(patterns, labels) is clf
    assert same(clf, two)
    assert np.array_equal(clf.history_["accuracy"], two.history_["accuracy"])
    assert same(clf.set_params(max_iter=2).fit(patterns, labels), four)


def test_interrupted_at_once(monkeypatch):
    interrupt_at(monkeypatch, Layer, "learn_epoch", 1)
    clf = made(**STOPPING)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf.fit(*noise())
    assert (clf.n_iter_, clf.converged_) == (0, False)
    assert clf.history_.keys() == {"accuracy", "validation_accuracy"}
    assert clf.predict(noise()[0]).shape == (40,)


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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": "dtaa"}, r"'rule' parameter of SpikeClassifier must be a Rule or one of"),
        ({"rule": None}, r"'rule' parameter of SpikeClassifier must be a Rule or one of"),
        ({"rule": "mst", "code": "times"}, "'rule' parameter .* one that learns times"),
        ({"spikes": 0}, "'spikes' .* at least 1 and at most 1000. Got 0"),
        ({"spikes": 1001}, "'spikes' .* at least 1 and at most 1000. Got 1001"),
        ({"spikes": 2.5}, "'spikes' .* a whole number"),
        ({"spikes": 1, "code": "times"}, "'spikes' .* at least 2 and at most 1000. Got 1"),
        ({"code": "rate"}, r"'code' .* one of \('counts', 'times'\). Got 'rate'"),
        ({"target": "most"}, r"'target' .* one of \('at_least', 'exact'\). Got 'most'"),
        ({"ties": None}, r"'ties' .* one of \('graded', 'paper'\). Got None"),
        ({"neuron": "SRM"}, "'neuron' parameter of SpikeClassifier must be None or an SRM"),
        ({"until": -1.0}, "'until' parameter of SpikeClassifier must be at least 0. Got -1.0"),
        ({"until": "late"}, "'until' parameter of SpikeClassifier must be at least 0"),
        ({"until": np.inf, "code": "times"}, "'until' .* positive and finite for code='times'"),
        ({"until": 0.0, "code": "times"}, "'until' .* positive and finite for code='times'"),
        ({"max_iter": 0}, "'max_iter' .* at least 1. Got 0"),
        ({"early_stopping": 1}, "'early_stopping' .* True or False. Got 1"),
        ({"validation_fraction": 0.0}, r"'validation_fraction' .* in \(0, 1\). Got 0.0"),
        ({"validation_fraction": 1.0}, r"'validation_fraction' .* in \(0, 1\). Got 1.0"),
        (
            {"validation_fraction": 0.01, "early_stopping": True},
            "'validation_fraction' .* leaves samples of every class on both sides. Got 0.01",
        ),
        ({"n_iter_no_change": 0}, "'n_iter_no_change' .* at least 1. Got 0"),
        ({"class_weight": "heavy"}, "'class_weight' .* or a dict .* Got 'heavy'"),
        ({"class_weight": [1.0, 2.0, 3.0]}, "'class_weight' .* None, 'balanced', or a dict"),
        ({"class_weight": {0: -1.0}}, "'class_weight' .* numbers of at least 0. Got -1.0"),
        ({"class_weight": {0: np.nan}}, "'class_weight' .* numbers of at least 0. Got nan"),
        ({"class_weight": {0: 0, 1: 0, 2: 0}}, "'class_weight' .* above 0 for one class at least"),
        ({"class_weight": {"a": 1.0}}, r"The classes, .* are not in class_weight"),
        ({"warm_start": "yes"}, "'warm_start' .* True or False. Got 'yes'"),
        ({"n_jobs": 0}, "'n_jobs' .* None or not 0. Got 0"),
        ({"n_jobs": 1.5}, "'n_jobs' .* a whole number"),
        ({"random_state": "seed"}, "'seed' cannot be used to seed"),
        ({"verbose": -1}, "'verbose' .* at least 0. Got -1"),
        ({"encoder": "population"}, "'encoder' .* None or a transformer .* Got 'population'"),
        ({"encoder": ls.PopulationEncoder}, "'encoder' .* None or a transformer"),
        ({"encoder": MinMaxScaler()}, "'encoder' .* returns a PatternSet .* Got ndarray"),
    ],
)
def test_bad_parameters(settings, message):
    clf = made(**settings)  # making one only stores
    with pytest.raises(ValueError, match=message):
        clf.fit(X, Y)
    with pytest.raises(NotFittedError, match="This SpikeClassifier instance is not fitted"):
        clf.predict(X)
    if "early_stopping" not in settings:
        with pytest.raises(ValueError, match=message):
            made(**settings).partial_fit(X, Y, classes=[0, 1, 2])


class Forgetful(ls.PopulationEncoder.__mro__[1]):
    """Returns a pattern less than there are samples."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return ls.PopulationEncoder().fit_transform(X)[1:]


def test_an_encoder_that_loses_samples():
    with pytest.raises(ls.ParameterError, match=r"a pattern per sample. Got PatternSet\(29 patt"):
        made(encoder=Forgetful()).fit(X, Y)


def test_weights_that_run_away():
    rule = ls.rules.EML(eta=1e308)
    clf = made(rule=rule, max_iter=20, warm_start=True)
    with pytest.raises(ls.ParameterError, match="'rule' .* one whose weights stay finite. Got EML"):
        clf.fit(X, Y)
    assert np.isfinite(clf.weights_).all()


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (Y[:-1], "inconsistent numbers of samples: .30, 29."),
        (np.zeros(30), r"one class alone, .* samples of at least 2 classes. Got \[0.0\] instead"),
        (np.linspace(0.0, 1.0, 30), "Unknown label type: continuous"),
        (np.eye(30), "y should be a 1d array"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        made().fit(X, labels)


def test_bad_classes():
    with pytest.raises(ls.ParameterError, match="'classes' parameter of partial_fit must be all"):
        made().partial_fit(X, Y)
    with pytest.raises(ls.SpikeDataError, match=r"at least 2 classes. Got \[\]"):
        made().partial_fit(X, Y, classes=[])
    with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1\]. Got 2 instead"):
        made().partial_fit(X, Y, classes=[0, 1])
    clf = made().partial_fit(X, Y, classes=[2, 0, 1])
    clf.partial_fit(X[:4], Y[:4], classes=[0, 1, 2])
    for changed in ([0, 1], [0, 1, 3], ["0", "1", "2"]):
        with pytest.raises(ls.ParameterError, match=r"those of the first call, \[0, 1, 2\]"):
            clf.partial_fit(X, Y, classes=changed)
    for unknown in (Y + 1, Y.astype(str)):
        with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1, 2\]"):
            clf.partial_fit(X, unknown)
        with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1, 2\]"):
            clf.set_params(warm_start=True).fit(X, unknown)


def test_texts_are_no_numbers():
    clf = made().partial_fit(X, np.where(Y == 0, 2, 10), classes=[2, 10])
    with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[2, 10\]. Got '2'"):
        clf.partial_fit(X, np.where(Y == 0, "2", "10"))


def test_bad_numbers():
    clf = made().fit(X, Y)
    with pytest.raises(ValueError, match="X has 2 features, but SpikeClassifier is expecting 3"):
        clf.predict(X[:, :2])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        clf.predict(np.where(X > 0, X, np.nan))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        clf.predict(X[0])
    with pytest.raises(ValueError, match="dim 3"):
        made().fit(X[np.newaxis], [0])
