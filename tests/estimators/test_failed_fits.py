"""A fit that fails leaves an estimator as it was."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from tests.support.estimator_kinds import X, Y, made, numbers, spikes

import linspike as ls

PATTERNS, LABELS = spikes()
RARE = np.r_[Y[:-2], 7, 8]  # two classes of one sample each, which cannot be parted


class Failing(ls.PopulationEncoder):
    """Takes the training data, and then does not encode them."""

    def transform(self, X):
        raise RuntimeError("no spikes today")


# What is set before the fit that fails, what it is handed, and what it raises.
FAILURES = {
    "split": ({"early_stopping": True}, X, RARE, "'validation_fraction'"),
    "class weight": ({"class_weight": {9: 1.0}}, X, Y, "not in class_weight"),
    "encoder": ({"encoder": Failing()}, X, Y, "no spikes today"),
    "no encoder": ({"encoder": "population"}, X, Y, "'encoder'"),
    "seed": ({"random_state": "x"}, X, Y, "cannot be used to seed"),
    "length": ({}, X[:, :2], Y[:-1], "inconsistent numbers"),
    "one class": ({}, X[:, :2], 0 * Y, "one class alone"),
    "spikes": ({}, PATTERNS, LABELS[:-1], "inconsistent numbers"),
    "parameters": ({"spikes": 0}, X[:, :2], Y, "'spikes'"),
    "runaway": ({"rule": ls.rules.EML(eta=1e308), "max_iter": 20}, X, Y, "stay finite"),
}


def learned(estimator):
    """All that is no parameter."""
    given = estimator.get_params(deep=False)
    return {name: value for name, value in vars(estimator).items() if name not in given}


def unchanged(estimator, before):
    after = learned(estimator)
    return after.keys() == before.keys() and all(after[name] is before[name] for name in before)


@pytest.mark.parametrize("case", FAILURES)
def test_what_was_learned_stays(case):
    settings, data, labels, message = FAILURES[case]
    clf = made().fit(X, Y)
    before, scores = learned(clf), clf.decision_function(X)
    clf.set_params(**settings)
    with pytest.raises((ValueError, RuntimeError), match=message):
        clf.fit(data, labels)
    assert unchanged(clf, before)
    assert np.array_equal(clf.decision_function(X), scores)


@pytest.mark.parametrize("case", FAILURES)
def test_nothing_stays_where_nothing_was(case):
    settings, data, labels, message = FAILURES[case]
    clf = made(**settings)
    with pytest.raises((ValueError, RuntimeError), match=message):
        clf.fit(data, labels)
    assert learned(clf) == {}
    with pytest.raises(NotFittedError, match="not fitted"):
        clf.predict(X)


def test_partial_fits():
    clf = made()
    for labels, classes in ((Y, [0, 1]), (Y[:-1], [0, 1, 2]), (Y, [0])):
        with pytest.raises(ValueError, match="labels among|inconsistent|one class alone"):
            clf.partial_fit(X, labels, classes=classes)
        assert learned(clf) == {}
    before = learned(clf.partial_fit(X, Y, classes=[0, 1, 2]))
    for data, labels in ((X, Y + 1), (X, Y[:-1]), (X[:, :2], Y)):
        with pytest.raises(ValueError, match="labels among|inconsistent|2 features"):
            clf.partial_fit(data, labels)
        assert unchanged(clf, before)


def test_going_on():
    clf = made(warm_start=True).fit(X, Y)
    before = learned(clf)
    with pytest.raises(ls.ParameterError, match="'validation_fraction'"):
        clf.set_params(early_stopping=True, validation_fraction=0.01).fit(X, Y)
    with pytest.raises(ls.ParameterError, match="stay finite"):
        clf.set_params(early_stopping=False, rule=ls.rules.EML(eta=1e308)).fit(X, Y)
    assert unchanged(clf, before)


def test_names_of_features_stay():
    clf = made().fit(X, Y)
    clf.feature_names_in_ = np.array(["a", "b", "c"], dtype=object)
    before = learned(clf)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        clf.fit(PATTERNS, LABELS[:-1])
    assert unchanged(clf, before)


def test_mapper():
    desired = [[20.0, 40.0], [30.0]]
    mapper = ls.SpikeMapper(max_iter=2, random_state=0).fit(PATTERNS[:2], desired)
    before = learned(mapper)
    two = [ls.SpikeTimes(desired), ls.SpikeTimes([[900.0], []])]  # beyond the end of the patterns
    for data, trains in ((PATTERNS[:2], two), (PATTERNS[:3], desired), (numbers()[0], desired)):
        with pytest.raises(ValueError, match="up to the horizon|for each of the"):
            mapper.fit(data, trains)
        assert unchanged(mapper, before)
    fresh = ls.SpikeMapper(random_state=0)
    with pytest.raises(ValueError, match="up to the horizon"):
        fresh.fit(PATTERNS[:2], two)
    assert learned(fresh) == {}


def test_an_interrupt_outside_of_learning(monkeypatch):
    clf = made().fit(X, Y)
    before = learned(clf)

    def interrupted(self, X):
        raise KeyboardInterrupt

    monkeypatch.setattr(ls.PopulationEncoder, "transform", interrupted)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X[:, :2], Y)
    assert unchanged(clf, before)


def test_an_interrupt_before_the_first_epoch_ends(monkeypatch):
    clf = made().fit(X, Y)
    before = learned(clf)

    def interrupted(*arguments, **how):
        raise KeyboardInterrupt

    monkeypatch.setattr(ls.Trainer, "fit_many", interrupted)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X[:, :2], Y == 0)
    assert unchanged(clf, before)
