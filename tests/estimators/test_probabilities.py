"""Probabilities of classes: the softmax of the scores, and its temperature."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict, cross_val_score
from tests.support.estimator_kinds import made, numbers, spikes

import linspike as ls
from linspike.estimators.classes.readout import TEMPERATURES, fit_temperature, log_probabilities


@pytest.mark.parametrize("settings", [{}, {"ties": "paper"}, {"code": "times"}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_they_are_the_softmax_of_the_scores(settings, n_classes):
    data, labels = numbers(n_classes, spread=1.0)
    clf = made(**settings).fit(data, labels)
    shares = clf.predict_proba(data)
    assert shares.shape == (30, n_classes)
    assert np.allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    assert np.array_equal(clf.classes_[shares.argmax(axis=1)], clf.predict(data))
    scores = clf.decision_function(data)
    if n_classes == 2:
        assert np.allclose(shares[:, 1], 1.0 / (1.0 + np.exp(-scores / clf.temperature_)))
    else:
        powers = np.exp(scores / clf.temperature_)
        assert np.allclose(shares, powers / powers.sum(axis=1, keepdims=True))
    assert np.allclose(np.exp(clf.predict_log_proba(data)), shares)


def test_the_temperature_is_the_best_on_what_was_learned():
    data, labels = numbers(2, n_samples=120, spread=2.0)
    clf = made(max_iter=10).fit(data, labels)
    scores = clf.code_.scores(clf._reader(), clf._patterns(data))
    losses = [log_loss(labels, np.exp(log_probabilities(scores, t * 10))) for t in TEMPERATURES]
    assert clf.temperature_ == 10 * TEMPERATURES[np.argmin(losses)] > 10 * TEMPERATURES[0]
    assert log_loss(labels, clf.predict_proba(data)) == pytest.approx(min(losses))
    # Of samples that are learned without an error it would be 0.
    data, labels = numbers(2, spread=0.1)
    assert made(max_iter=30).fit(data, labels).temperature_ == 10 * TEMPERATURES[0] == 1.25


def test_they_are_no_worse_than_guessing_where_little_can_be_known():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, 3))
    labels = (data[:, 0] + rng.normal(size=300) > 0).astype(int)
    shares = cross_val_predict(made(max_iter=20), data, labels, cv=3, method="predict_proba")
    assert log_loss(labels, shares) < np.log(2.0)


def test_scores_that_need_them():
    data, labels = numbers(spread=0.8, n_samples=60)
    for scoring in ("neg_log_loss", "roc_auc_ovr"):
        assert np.isfinite(cross_val_score(made(), data, labels, cv=3, scoring=scoring)).all()


def test_partial_fit_leaves_the_temperature():
    patterns, labels = spikes()
    clf = made(spikes=5).partial_fit(patterns, labels, classes=[0, 1, 2])
    assert clf.temperature_ == 0.2 * 5
    clf.fit(patterns, labels)
    fitted = clf.temperature_
    assert clf.partial_fit(patterns[:3], labels[:3]).temperature_ == fitted != 1.0
    times = made(code="times", spikes=2).partial_fit(patterns, labels, classes=[0, 1, 2])
    silence = ls.SpikeTrain([])
    margin = np.mean([ls.van_rossum(train, silence) for train in times.code_.trains])
    assert times.temperature_ == pytest.approx(0.2 * margin)


def test_they_are_there_after_every_epoch():
    data, labels = numbers(spread=1.5)
    seen = []
    clf = made()
    clf.fit(data, labels, on_epoch=lambda epoch: seen.append(clf.predict_proba(data[:2])))
    assert [shares.shape for shares in seen] == [(2, 3)] * 3


def test_some_of_many_samples_are_enough(monkeypatch):
    data, labels = numbers(spread=1.5, n_samples=60)
    monkeypatch.setattr("linspike.estimators.classes.learner.MOST_SAMPLES", 20)
    clf = made().fit(data, labels)
    rows = np.linspace(0, 59, 20).astype(int)
    scores = clf.decision_function(data[rows])
    assert clf.temperature_ == fit_temperature(scores, labels[rows], None, 10.0)


def test_weights_count_in_the_loss():
    scores = np.array([[10.0, 0.0], [0.0, 10.0], [0.0, 3.0]])
    labels = np.array([0, 1, 0])  # the last is wrong
    sure, doubtful = (
        fit_temperature(scores, labels, np.array([1.0, 1.0, w]), 10.0) for w in (1e-6, 1.0)
    )
    assert sure == 10 * TEMPERATURES[0] < doubtful


@given(
    st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=1, max_size=5),
    st.floats(1e-3, 1e3),
)
def test_any_scores(scores, temperature):
    found = np.exp(log_probabilities(np.array(scores), temperature))
    assert np.isfinite(found).all()
    assert np.allclose(found.sum(axis=1), 1.0)
    best = np.array(scores).argmax(axis=1)
    assert np.array_equal(found[np.arange(len(found)), best], found.max(axis=1))
