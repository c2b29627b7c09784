"""SpikeClassifier over epochs: weights of classes, decay, early stopping, interrupts."""

from concurrent.futures import wait

import numpy as np
import pytest
from linspike.estimators.layer import Layer
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from tests.support.estimator_kinds import made, noise, numbers, same, spikes

import linspike as ls
from linspike.training import execute as chains


def test_epochs_are_the_trainers():
    patterns, labels = noise()
    clf = made(class_weight={0: 1.0, 1: 0.25}, target="exact", spikes=2).fit(patterns, labels)
    assert clf.n_iter_ == 3
    start = np.random.default_rng(clf.seed_).normal(0.01, 0.01, (2, 8))
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=3, anneal=(1, 1))
    how = {"seeds": [clf.seed_] * 2, "step_scale": np.where(labels == 0, 1.0, 0.25)}
    learned = trainer.fit_many(start, patterns, targets, **how)
    assert np.array_equal(clf.weights_, [result.weights for result in learned])


def test_steps_that_shrink():
    patterns, labels = noise()
    plain, shrinking = made(max_iter=1, spikes=2), made(max_iter=1, spikes=2, decay=0.5)
    assert same(shrinking.fit(patterns, labels), plain.fit(patterns, labels))  # whole, at first
    halves = np.full(len(labels), 1 / 1.5)
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=1, at_least=True)
    how = {"seeds": [plain.seed_] * 2, "step_scale": halves, "first_epoch": 1}
    learned = trainer.fit_many(plain.weights_, patterns, targets, **how)
    long = made(max_iter=2, spikes=2, decay=0.5).fit(patterns, labels)
    assert np.array_equal(long.weights_, [result.weights for result in learned])
    shrinking.set_params(warm_start=True).fit(patterns, labels)
    assert same(shrinking, long)


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


def test_parts_cannot_be_balanced():
    patterns, labels = noise()
    clf = made(class_weight="balanced")
    message = "'class_weight' parameter of partial_fit must be None or a dict .* Got 'balanced'"
    with pytest.raises(ls.ParameterError, match=message) as caught:
        clf.partial_fit(patterns, labels, classes=[0, 1])
    assert not hasattr(clf, "weights_")
    remedy = str(caught.value).rpartition("together: ")[2].rstrip(".")
    known = {"compute_class_weight": compute_class_weight, "np": np, "y": labels[1:]}
    clf.set_params(class_weight=eval(remedy, known))
    whole = made(class_weight="balanced", max_iter=1).fit(patterns[1:], labels[1:])
    assert same(clf.partial_fit(patterns[1:], labels[1:], classes=[0, 1]), whole)


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
