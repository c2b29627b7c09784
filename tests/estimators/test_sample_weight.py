"""Weights of samples: factors of the steps, in fits, searches and pipelines."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.support.estimator_kinds import X, Y, made, noise, numbers, same, spikes

import linspike as ls


def test_they_scale_the_steps():
    patterns, labels = noise()
    weights = np.where(np.arange(40) < 20, 3.0, 0.75)
    clf = made(init=(0.01, 0.01), class_weight={0: 1.0, 1: 0.5}).fit(patterns, labels, weights)
    how = {
        "seeds": [clf.seed_] * 2,
        "step_factor": np.where(labels == 0, 1.0, 0.5) * np.where(np.arange(40) < 20, 1.0, 0.25),
    }
    start = ls.training.initial_weights(clf.neuron_, 2, 8, clf.seed_)
    trainer = ls.Trainer(ls.SRM(), max_epochs=3, at_least=True, schedule=(1.0, 1.0))
    results = trainer.fit_many(start, patterns, clf.code_.targets(labels), **how)
    assert np.array_equal(clf.weights_, [result.weights for result in results])


def test_equal_ones_change_nothing():
    plain = made().fit(X, Y)
    for weight in (1.0, 0.3, 20):
        assert same(made().fit(X, Y, sample_weight=np.full(30, weight)), plain)
    for weights in ([1.0] * 30, None):
        assert same(made().fit(X, Y, weights), plain)
    steps = made()
    for _ in range(3):
        steps.partial_fit(X, Y, [0, 1, 2], np.ones(30))
    assert same(steps, plain)


@pytest.mark.parametrize("settings", [{}, {"early_stopping": True, "class_weight": "balanced"}])
@pytest.mark.parametrize("make", [numbers, spikes])
def test_a_weight_of_0_is_as_good_as_no_sample(make, settings):
    data, labels = make(n_samples=60)
    weights = np.where(np.arange(60) % 7 == 0, 0.0, 1.0)
    kept = np.flatnonzero(weights)
    few = made(validation_fraction=0.2, **settings).fit(data[kept], labels[kept])
    assert same(made(validation_fraction=0.2, **settings).fit(data, labels, weights), few)
    part = made().partial_fit(data, labels, [0, 1, 2], weights)
    assert same(part, made().partial_fit(data[kept], labels[kept], [0, 1, 2]))


def test_labels_of_weight_0_are_classes():
    clf = made(max_iter=20).fit(X, Y, (Y != 2).astype(float))
    assert clf.classes_.tolist() == [0, 1, 2]
    assert 2 not in clf.predict(X[Y != 2])
    assert clf.predict_proba(X).shape == (30, 3)


def test_light_samples_teach_little():
    data, labels = numbers(2, spread=0.3)
    wrong = np.arange(30) % 5 == 0
    noisy = np.where(wrong, 1 - labels, labels)
    clf = made(max_iter=10)
    light = clf.fit(data, noisy, np.where(wrong, 1e-3, 1.0)).score(data, labels)
    assert light == 1.0 > clf.fit(data, noisy).score(data, labels)
    assert clf.score(data, noisy, np.where(wrong, 0.0, 1.0)) > clf.score(data, noisy)


def test_accuracies_are_weighted():
    data, labels = numbers(spread=1.5, n_samples=60)
    weights = np.linspace(0.1, 2.0, 60)
    clf = made().fit(data, labels, weights)
    assert clf.history_["accuracy"][-1] == pytest.approx(clf.score(data, labels, weights))
    assert clf.history_["accuracy"][-1] != pytest.approx(clf.score(data, labels))


DESIRED = [[4.0], [6.0], [5.0, 8.0]] * 10


def test_of_a_mapper():
    mapper = ls.SpikeMapper(random_state=0, max_iter=3)
    assert same(mapper.fit(X, DESIRED), ls.SpikeMapper(**mapper.get_params(False)).fit(X, DESIRED))
    plain = mapper.weights_
    assert np.array_equal(mapper.fit(X, DESIRED, np.full(30, 0.7)).weights_, plain)
    weights = np.where(np.arange(30) < 9, 0.0, np.arange(30))
    few = ls.SpikeMapper(random_state=0, max_iter=3)
    few.fit(X[9:], DESIRED[9:], np.arange(9, 30) / 29)
    assert same(mapper.fit(X, DESIRED, weights), few)
    assert not np.array_equal(few.weights_, few.fit(X[9:], DESIRED[9:]).weights_)
    learned = [mapper.score(X[p : p + 1], DESIRED[p : p + 1]) for p in range(30)]
    assert mapper.score(X, DESIRED, weights) == pytest.approx(np.average(learned, weights=weights))
    pair = [ls.SpikeTimes(DESIRED), ls.SpikeTimes(DESIRED[::-1])]
    two = ls.SpikeMapper(random_state=0, max_iter=3).fit(X, pair, weights)
    assert np.array_equal(two.weights_[0], mapper.weights_[0])
    assert 0.0 <= two.score(X, pair, weights) <= 1.0


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros(30), "'sample_weight' parameter of fit .* Got zero weights only instead"),
        (np.ones((30, 1)), r"one finite number .* for each sample. Got shape \(30, 1\) instead"),
        (1.0, r"Got shape \(\) instead"),
        (np.ones(29), "fit needs a sample_weight for each of the 30 samples. Got 29 instead"),
        ([1.0] * 29 + [-0.5], r"of at least 0 for each sample. Got -0.5 at 29 instead"),
        ([np.nan] + [1.0] * 29, "Got nan at 0 instead"),
        (["heavy"] * 30, "Got a list of something else instead"),
    ],
)
def test_refusals(weights, message):
    clf = made().fit(X, Y)
    before = clf.weights_
    with pytest.raises(ValueError, match=message):
        clf.fit(X, Y, weights)
    assert clf.weights_ is before
    with pytest.raises(ValueError, match=message):
        ls.SpikeMapper().fit(X, DESIRED, weights)


def test_parts_know_only_themselves():
    message = "'sample_weight' parameter of partial_fit must be at most 1. Got 2.0.*Divide by"
    with pytest.raises(ls.ParameterError, match=message):
        made().partial_fit(X, Y, [0, 1, 2], np.full(30, 2.0))
    light = made().partial_fit(X, Y, [0, 1, 2], np.full(30, 1e-9))
    start = made(max_iter=1, rule=ls.rules.MST(eta=1e-12)).fit(X, Y).weights_
    assert np.allclose(light.weights_, start, atol=1e-6)  # the weights are the factors themselves


def test_in_searches_and_pipelines():
    weights = np.where(Y == 0, 1.0, 0.01)
    expected = made().fit(X, Y, weights)
    pipeline = make_pipeline(StandardScaler(), made()).fit(
        X, Y, spikeclassifier__sample_weight=weights
    )
    scaled = StandardScaler().fit_transform(X)
    assert same(pipeline[-1], made().fit(scaled, Y, weights))
    search = GridSearchCV(made(), {"spikes": [10]}, cv=2).fit(X, Y, sample_weight=weights)
    assert same(search.best_estimator_, expected)
    assert BaggingClassifier(made(), 3, random_state=0).fit(X, Y, sample_weight=weights).score(X, Y)


def test_routing():
    weights = np.where(Y == 0, 1.0, 0.01)
    with config_context(enable_metadata_routing=True):
        routed = made().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), routed)
        found = cross_validate(
            pipeline, X, Y, cv=2, params={"sample_weight": weights}, return_estimator=True
        )
        plain = cross_validate(
            make_pipeline(StandardScaler(), made()), X, Y, cv=2, return_estimator=True
        )
        pairs = zip(found["estimator"], plain["estimator"], strict=True)
        assert all(not np.array_equal(one[-1].weights_, other[-1].weights_) for one, other in pairs)
        search = GridSearchCV(routed, {"rule__bound": [0.5]}, cv=2)
        search.fit(X, Y, sample_weight=weights)
        again = made(rule=ls.DTA(bound=0.5)).fit(X, Y, weights)
        assert same(search.best_estimator_, again)
