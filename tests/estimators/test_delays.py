"""Classifiers and mappers with delays that are learned."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import linspike as ls
from linspike import _files as files
from linspike.estimators import persistence as saved

RULE = ls.DTA(delays=True, max_delay=15.0)


def samples(n=24, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    starts = rng.uniform(5.0, 40.0, (3, 20))
    times = starts[labels] + rng.normal(0.0, 2.0, (n, 20))
    return ls.PatternSet.from_latencies(np.clip(times, 0.0, 60.0), 80.0), labels


def made(**settings):
    return ls.SpikeClassifier(**{"rule": RULE, "random_state": 0, "max_iter": 30, **settings})


@pytest.mark.parametrize("code", ["counts", "times"])
@pytest.mark.parametrize("ties", ["graded", "paper"])
def test_a_classifier_learns_delays_and_reads_with_them(code, ties):
    X, y = samples()
    model = made(code=code, ties=ties, spikes=3).fit(X, y)
    assert model.delays_.shape == model.weights_.shape
    assert 0.0 < model.delays_.max() <= 15.0
    assert model.score(X, y) > 0.8
    scores = model.decision_function(X)
    if code == "counts":
        counts = ls.SRM().respond_many(model.weights_, X, delays=model.delays_).counts.T
        assert np.array_equal(np.floor(scores), counts)
        if ties == "graded":
            graded = ls.graded_counts(ls.SRM(), model.weights_, X, delays=model.delays_)
            assert np.array_equal(scores, graded.T)
    assert np.array_equal(model.predict_proba(X).argmax(axis=1), model.predict(X))


def test_one_part_after_the_other_and_warm_starts():
    X, y = samples()
    model = made()
    model.partial_fit(X, y, classes=[0, 1, 2])
    first = model.delays_
    assert first.max() > 0.0
    model.partial_fit(X, y)
    assert not np.array_equal(model.delays_, first)
    warm = made(max_iter=2, warm_start=True).fit(X, y)
    before = warm.delays_
    warm.fit(X, y)
    assert not np.array_equal(warm.delays_, before)
    # Another rule goes on with the delays as they are.
    warm.set_params(rule="resume").fit(X, y)
    kept = warm.delays_
    warm.fit(X, y)
    assert np.array_equal(warm.delays_, kept)
    assert made(rule="dta").fit(X, y).delays_ is None


def test_early_stopping_keeps_the_delays_of_the_best_weights():
    X, y = samples(60)
    model = made(early_stopping=True, n_iter_no_change=2, max_iter=12).fit(X, y)
    again = made(early_stopping=True, n_iter_no_change=2, max_iter=12)
    seen = []
    again.fit(X, y, on_epoch=lambda scores: seen.append((again.weights_, again.delays_)))
    assert any(
        np.array_equal(weights, model.weights_) and np.array_equal(delays, model.delays_)
        for weights, delays in seen
    )


def test_settings_of_delays_in_a_grid():
    X, y = samples()
    grid = GridSearchCV(made(max_iter=5), {"rule__delays": [False, True]}, cv=2).fit(X, y)
    assert set(grid.cv_results_["param_rule__delays"]) == {False, True}
    assert clone(made()).rule == RULE


def test_a_mapper_learns_delays():
    X, _ = samples(6)
    trains = [ls.SpikeTrain([30.0 + 3.0 * i], 80.0) for i in range(6)]
    model = ls.SpikeMapper(rule=RULE, random_state=0, max_iter=200).fit(X, trains)
    assert model.converged_
    assert model.delays_.max() > 0.0
    found = ls.SRM().respond_many(model.weights_, X, delays=model.delays_)
    assert [one.times.tolist() for one in model.predict(X)] == [
        found[0, p].times.tolist() for p in range(6)
    ]


def test_saved_and_loaded(tmp_path):
    X, y = samples()
    model = made().fit(X, y)
    model.save(tmp_path / "model.npz")
    back = ls.load_model(tmp_path / "model.npz")
    assert np.array_equal(back.delays_, model.delays_)
    assert back.rule == RULE
    assert np.array_equal(back.decision_function(X), model.decision_function(X))


def test_files_of_the_format_before_delays_are_read(tmp_path):
    X, y = samples()
    plain = made(rule="dta").fit(X, y)
    plain.save(tmp_path / "new.npz")
    names = ("about", "weights", "classes")
    kept = files.load_arrays(tmp_path / "new.npz", saved.FORMAT, saved.FORMAT_VERSION, names)
    files.save_arrays(tmp_path / "old.npz", saved.FORMAT, 3, **kept)
    back = ls.load_model(tmp_path / "old.npz")
    assert back.delays_ is None
    assert np.array_equal(back.predict(X), plain.predict(X))


def test_damaged_delays(tmp_path):
    X, y = samples()
    model = made().fit(X, y)
    model.save(tmp_path / "new.npz")
    names = ("about", "weights", "classes", "delays")
    kept = files.load_arrays(tmp_path / "new.npz", saved.FORMAT, saved.FORMAT_VERSION, names)
    for bad in (-kept["delays"] - 1.0, kept["delays"][:, :3]):
        arrays = {**kept, "delays": bad}
        files.save_arrays(tmp_path / "bad.npz", saved.FORMAT, saved.FORMAT_VERSION, **arrays)
        with pytest.raises(ls.LinspikeError, match="damaged"):
            ls.load_model(tmp_path / "bad.npz")


def test_deployment_with_delays():
    X, y = samples()
    model = made(spikes=2).fit(X, y)
    report = ls.deploy_check(model, X, labels=y, dts=[0.01], bits=[16])
    assert report.rows[-1].count_changed < 0.2
    assert all(row.median_error < 0.1 for row in report.rows)
