"""reason_: why training ended, neuron by neuron."""

import numpy as np
import pytest
from tests.support.estimator_kinds import X, Y, made, noise, numbers

import linspike as ls
from linspike.training import EpochEnd


def test_of_a_mapper():
    pattern = ls.Pattern([10.0, 12.0, 20.0], [0, 1, 0], 2, 60.0)
    patterns = ls.PatternSet.from_patterns([pattern, pattern])
    desired = [
        ls.SpikeTimes([[25.0], [25.0]]),
        ls.SpikeTimes([[25.0], [45.0]]),
        ls.SpikeTimes([[5.0], [25.0]]),
    ]
    mapper = ls.SpikeMapper(random_state=0, max_iter=50).fit(patterns, desired)
    assert [len(mapper.reason_), mapper.converged_] == [3, False]
    assert mapper.reason_[0] == "all responses right"
    assert mapper.reason_[1].startswith(
        "impossible: patterns 0 and 1 have the same input, but different targets: "
        "spikes at 25 ms and spikes at 45 ms"
    )
    assert mapper.reason_[2] == (
        "impossible: pattern 0 has a desired spike at 5.0 ms, before its first input comes at 10.0 ms"
    )
    weights = [1.0, 0.0]
    assert mapper.fit(patterns, desired[:2], weights).reason_ == ["all responses right"] * 2


def test_of_a_classifier():
    data, labels = numbers(spread=0.2)
    clf = made(max_iter=40).fit(data, labels)
    assert clf.reason_ == ["all responses right"] * 3
    patterns, labels = noise()
    clf = made(max_iter=2).fit(patterns, labels)
    assert clf.reason_ == ["not converged within 2 epochs"] * 2
    twice = ls.PatternSet.concatenate([patterns[:2], patterns[1:2]])
    clf = made(max_iter=2).fit(twice, [0, 1, 0])
    assert "patterns 1 and 2 have the same input" in clf.reason_[0]
    assert "0 spikes and 10 spikes" in clf.reason_[0]


def test_of_one_epoch():
    patterns, labels = noise()
    clf = made(max_iter=20).partial_fit(patterns, labels, classes=[0, 1])
    assert clf.reason_ == ["not converged within 1 epochs"] * 2


def test_of_what_was_stopped():
    patterns, labels = noise()
    clf = made(max_iter=20)
    clf.fit(patterns, labels, on_epoch=lambda epoch: epoch.epoch == 2)
    assert clf.reason_ == ["stopped by on_epoch after 2 epochs"] * 2
    clf = made(max_iter=20, early_stopping=True, n_iter_no_change=1, validation_fraction=0.25)
    while clf.fit(patterns, labels).n_iter_ == 20:
        clf.random_state += 1
    assert all(reason.startswith("stopped early: the weights are") for reason in clf.reason_)


def test_of_what_was_interrupted(monkeypatch):
    def fit_many(self, weights, patterns, targets, *, on_epoch, **how):
        on_epoch(EpochEnd(1, weights, *np.zeros((2, len(weights)), bool)))
        raise KeyboardInterrupt

    monkeypatch.setattr(ls.Trainer, "fit_many", fit_many)
    with pytest.warns(UserWarning, match="was interrupted"):
        clf = made().fit(X, Y)
    assert clf.reason_ == ["interrupted: the weights are those of the last whole epoch"] * 3


def test_a_file_keeps_them(tmp_path):
    patterns, labels = noise()
    clf = made(max_iter=2).fit(patterns, labels)
    clf.save(tmp_path / "m.npz")
    again = ls.load_model(tmp_path / "m.npz")
    assert again.reason_ == clf.reason_
    assert again.temperature_ == clf.temperature_
    assert np.array_equal(again.predict_proba(patterns), clf.predict_proba(patterns))


@pytest.mark.parametrize("how", [{}, {"jitter": 0.1}])
def test_samples_have_the_numbers_of_x(how):
    rows = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 1.0], [3.0, 4.0], [2.0, 2.0]])
    clf = ls.SpikeClassifier(max_iter=2, random_state=0, **how)
    clf.fit(rows, ["a", "a", "b", "b", "b"], sample_weight=[0.0, 1.0, 1.0, 1.0, 1.0])
    assert "patterns 1 and 3 have the same input" in clf.reason_[0]
    mapper = ls.SpikeMapper(max_iter=2, random_state=0, **how)
    mapper.fit(rows, [[5.0], [4.0], [], [8.0], []], sample_weight=[0.0, 1.0, 0.0, 1.0, 1.0])
    assert "patterns 1 and 3 have the same input" in mapper.reason_[0]
