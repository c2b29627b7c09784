"""The classifier for events: its settings follow from the duration, and all can be changed."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import linspike as ls
from linspike.training import Inverse


def recordings(n=60, duration=400.0, seed=0):
    """Three classes that have the same counts, and differ in which channels fire early."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    lists = []
    for label in labels:
        order = np.roll(np.arange(6), 2 * label)
        starts = duration * order / 6.0
        lists.append([np.sort(rng.uniform(t, t + duration / 6.0, 8)) for t in starts])
    return ls.PatternSet.from_lists(lists, duration), labels


def test_settings_follow_from_the_duration():
    clf = ls.make_event_classifier(800.0)
    assert isinstance(clf, ls.SpikeClassifier)
    assert clf.neuron == ls.SRM(200.0, 40.0)
    assert (clf.spikes, clf.ties, clf.schedule) == (3, "graded", Inverse(0.3))
    assert clf.rule == ls.DTA(count_target="gradient")
    lines, thin = (step for _, step in clf.encoder.steps)
    assert lines.get_params() == {"folds": 8, "duration": 800.0}
    assert thin.get_params() == {"every": 1, "power": 0.5}
    assert ls.make_event_classifier(800.0, folds=4).neuron == ls.SRM(400.0, 80.0)


def test_everything_can_be_changed():
    neuron = ls.SRM(30.0, 3.0)
    clf = ls.make_event_classifier(100.0, neuron=neuron, encoder=None, max_iter=2, spikes=7)
    assert (clf.neuron, clf.encoder, clf.max_iter, clf.spikes) == (neuron, None, 2, 7)


def test_it_learns_what_counts_do_not_tell():
    patterns, labels = recordings()
    clf = ls.make_event_classifier(400.0, random_state=0).fit(patterns[:30], labels[:30])
    assert clf.score(patterns[30:], labels[30:]) > 0.9
    assert clf.weights_.shape == (3, 48)


def test_it_is_cloned_searched_and_saved(tmp_path):
    patterns, labels = recordings(24)
    clf = ls.make_event_classifier(400.0, random_state=0, max_iter=3)
    copy = clone(clf)
    assert repr(copy) == repr(clf)
    grid = {"encoder__delaylines__folds": [2, 8]}
    search = GridSearchCV(clf, grid, cv=2).fit(patterns, labels)
    assert search.best_params_["encoder__delaylines__folds"] in (2, 8)
    copy.fit(patterns, labels).save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    assert np.array_equal(back.predict(patterns), copy.predict(patterns))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"duration": 0.0}, "'duration' parameter of make_event_classifier .* positive.* Got 0.0"),
        ({"folds": 0}, "'folds' .* a whole number of at least 1. Got 0"),
        (
            {"neurons": 3},
            "'changes' .* parameters of SpikeClassifier: class_weight, .* Got 'neurons'",
        ),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.make_event_classifier(**{"duration": 100.0, **arguments})
