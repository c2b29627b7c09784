"""SpikeClassifier over epochs: weights of classes, schedules, early stopping, interrupts."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.class_weight import compute_class_weight
from tests.support.estimator_kinds import made, noise, numbers, same, spikes

import linspike as ls
from linspike.estimators.classes.samples import Samples
from linspike.training import EpochEnd, Inverse, execute

START = {"init": (0.01, 0.01)}


def test_epochs_are_the_trainers():
    patterns, labels = noise()
    clf = made(**START, class_weight={0: 1.0, 1: 0.25}, target="exact", spikes=2)
    clf.fit(patterns, labels)
    assert clf.n_iter_ == 3
    start = np.random.default_rng(clf.seed_).normal(0.01, 0.01, (2, 8))
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=3, schedule=(1, 1))
    how = {"seeds": [clf.seed_] * 2, "step_factor": np.where(labels == 0, 1.0, 0.25)}
    learned = trainer.fit_many(start, patterns, targets, **how)
    assert np.array_equal(clf.weights_, [result.weights for result in learned])


def test_steps_that_shrink():
    patterns, labels = noise()
    plain, shrinking = made(max_iter=1, spikes=2), made(max_iter=1, spikes=2, schedule=Inverse(0.5))
    assert same(shrinking.fit(patterns, labels), plain.fit(patterns, labels))  # whole, at first
    halves = np.full(len(labels), 1 / 1.5)
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=1, at_least=True)
    how = {"seeds": [plain.seed_] * 2, "step_factor": halves, "first_epoch": 1}
    learned = trainer.fit_many(plain.weights_, patterns, targets, **how)
    long = made(max_iter=2, spikes=2, schedule=Inverse(0.5)).fit(patterns, labels)
    assert np.array_equal(long.weights_, [result.weights for result in learned])
    shrinking.set_params(warm_start=True).fit(patterns, labels)
    assert same(shrinking, long)


def trained(clf, patterns, labels, **settings):
    """Weights by the trainer alone, from the classifier's start and in its order."""
    targets = [ls.SpikeCounts(2 * (labels == 0)), ls.SpikeCounts(2 * (labels == 1))]
    trainer = ls.Trainer(ls.SRM(), **{"max_epochs": clf.max_iter, **settings})
    start = np.random.default_rng(clf.seed_).normal(0.01, 0.01, (2, 8))
    results = trainer.fit_many(start, patterns, targets, seeds=[clf.seed_] * 2)
    return [result.weights for result in results]


def test_a_linear_schedule_ends_with_the_fit():
    patterns, labels = noise()
    how = {**START, "max_iter": 5, "spikes": 2, "schedule": (2.0, 0.5)}
    falling = made(**how).fit(patterns, labels)
    expected = trained(falling, patterns, labels, at_least=True, schedule=(2.0, 0.5))
    assert np.array_equal(falling.weights_, expected)
    parts = made(**how)
    for _ in range(5):
        parts.partial_fit(patterns, labels, classes=[0, 1])
    assert same(parts, falling)


def test_momentum_lasts_over_epochs():
    patterns, labels = noise()
    rule = ls.rules.MST(momentum=0.9)
    clf = made(**START, rule=rule, spikes=2, target="exact").fit(patterns, labels)
    assert np.array_equal(clf.weights_, trained(clf, patterns, labels, rule=rule))


def test_a_callback_sees_every_epoch_and_can_stop():
    patterns, labels = noise()
    seen, scores = [], []
    clf = made(max_iter=9)

    def watch(epoch):
        seen.append(epoch)
        scores.append(clf.score(patterns, labels))  # usable as if it were fitted
        return epoch.epoch == 3

    three = made(max_iter=3).fit(patterns, labels)
    assert same(clf.fit(patterns, labels, on_epoch=watch), three)
    assert [(each.epoch, each.last) for each in seen] == [(1, 9), (2, 9), (3, 9)]
    assert [each.scores["accuracy"] for each in seen] == scores == list(clf.history_["accuracy"])
    assert str(seen[0]) == f"epoch 1 of 9: accuracy {scores[0]:.3f}"
    clf.set_params(warm_start=True, max_iter=1).fit(patterns, labels, on_epoch=seen.append)
    assert (seen[-1].epoch, seen[-1].last) == (4, 4)


def test_an_error_of_the_callback_undoes_the_fit():
    def fail(epoch):
        raise RuntimeError("enough")

    clf = made()
    with pytest.raises(RuntimeError, match="enough"):
        clf.fit(*noise(), on_epoch=fail)
    assert not hasattr(clf, "weights_")


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
    clf = made(**START, class_weight={2: 0.0}, max_iter=20).fit(patterns, labels)
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


def set_aside(clf, labels):
    """Numbers of the samples that a fitted classifier learned from, and of those it held out."""
    samples = Samples(np.arange(len(labels)), labels, None)
    return [part.values for part in samples.split(clf.validation_fraction, clf.seed_)]


def test_samples_set_aside_are_not_learned_from(monkeypatch):
    seen = []
    fit_many = ls.Trainer.fit_many

    def watched(self, weights, patterns, *others, **how):
        seen.append(len(patterns))
        return fit_many(self, weights, patterns, *others, **how)

    monkeypatch.setattr(ls.Trainer, "fit_many", watched)
    patterns, labels = noise()
    clf = made(**STOPPING, max_iter=1).fit(patterns, labels)
    assert seen == [30]
    kept, aside = set_aside(clf, labels)
    assert sorted([*kept, *aside]) == list(range(40))
    assert np.bincount(labels[aside]).tolist() == [5, 5]
    accuracy = {"accuracy": kept, "validation_accuracy": aside}
    for name, part in accuracy.items():
        assert clf.history_[name][-1] == clf.score(patterns[part], labels[part])


def test_going_on_never_loses_the_best(monkeypatch):
    patterns, labels = noise()
    # Without a number as random state, too, the same samples are set aside again. Silence has half
    # of the samples right: a start that is worse would gain by being spoiled.
    clf = made(**STOPPING, max_iter=5, warm_start=True, random_state=None)
    while clf.fit(patterns, labels).history_["validation_accuracy"].max() < 0.5:
        pass
    before, aside = clf.weights_, set_aside(clf, labels)[1]

    spoiled = FakeTrainer([-np.ones_like(before)] * 9)
    monkeypatch.setattr(ls.Trainer, "fit_many", spoiled.fit_many)
    clf.fit(patterns, labels)
    assert clf.history_["validation_accuracy"].size == 3
    assert np.array_equal(clf.weights_, before)
    assert np.array_equal(set_aside(clf, labels)[1], aside)


class FakeTrainer:
    """Epochs whose weights are given; after the last of them all has converged."""

    def __init__(self, epochs):
        self.epochs = epochs

    def fit_many(self, weights, patterns, targets, *, on_epoch, **how):
        for number, after in enumerate(self.epochs, 1):
            met = np.full(len(after), number == len(self.epochs))
            if on_epoch(EpochEnd(number, after.copy(), met, np.zeros_like(met))):
                break
        return [ls.FitResult(row, True, number, "all responses right") for row in after]


def test_what_is_kept_need_not_be_what_converged(monkeypatch):
    patterns, labels = noise()
    learned = made(**STOPPING, max_iter=1).fit(patterns, labels)
    fake = FakeTrainer([learned.weights_, -np.ones_like(learned.weights_)])
    monkeypatch.setattr(ls.Trainer, "fit_many", fake.fit_many)
    clf = made(**STOPPING).fit(patterns, labels)
    assert clf.n_iter_ == 2
    assert np.array_equal(clf.weights_, learned.weights_)
    assert not clf.converged_


def interrupt_in_epoch(monkeypatch, epoch, *, late):
    """Interrupt while neurons are in this epoch, before or after they have finished it."""
    original, train = execute.wait, execute.Workers.train
    now = []

    def wait(futures, timeout):
        if late:
            original(futures)
        if now[-1] == epoch:
            raise KeyboardInterrupt
        return original(futures, timeout)

    def train_epoch(self, jobs, begin, end):
        now.append(end)
        train(self, jobs, begin, end)

    monkeypatch.setattr(execute, "wait", wait)
    monkeypatch.setattr(execute.Workers, "train", train_epoch)


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_interrupted(monkeypatch, late, n_jobs):
    patterns, labels = noise()
    two = made(max_iter=2).fit(patterns, labels)
    four = made(max_iter=4).fit(patterns, labels)
    clf = made(max_iter=9, n_jobs=n_jobs, warm_start=True)
    with monkeypatch.context() as patch:
        interrupt_in_epoch(patch, 3, late=late)
        with pytest.warns(
            ConvergenceWarning, match="SpikeClassifier was interrupted .* warm_start"
        ) as caught:
            assert clf.fit(patterns, labels) is clf
    assert caught[0].filename == __file__
    assert same(clf, two)
    assert np.array_equal(clf.history_["accuracy"], two.history_["accuracy"])
    assert same(clf.set_params(max_iter=2).fit(patterns, labels), four)


@pytest.mark.parametrize("max_iter", [2, 9])
def test_interrupted_between_epochs(max_iter):
    """Ctrl-C while the second epoch is scored, which may be the last one."""

    def interrupt(epoch):
        if epoch.epoch == 2:
            raise KeyboardInterrupt

    patterns, labels = noise()
    clf = made(max_iter=max_iter)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf.fit(patterns, labels, on_epoch=interrupt)
    assert same(clf, made(max_iter=2).fit(patterns, labels))


def test_interrupted_before_one_whole_epoch(monkeypatch):
    """Nothing was learned, so that nothing can be predicted."""
    interrupt_in_epoch(monkeypatch, 1, late=False)
    clf = made(**STOPPING)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*noise())
    with pytest.raises(NotFittedError):
        clf.predict(noise()[0])


def test_a_warm_start_interrupted_before_one_whole_epoch(monkeypatch):
    patterns, labels = noise()
    clf = made(max_iter=2, warm_start=True).fit(patterns, labels)
    interrupt_in_epoch(monkeypatch, 1, late=False)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(patterns, labels)
    monkeypatch.undo()
    assert same(clf, made(max_iter=2).fit(patterns, labels))


def test_interrupted_while_an_epoch_is_scored(monkeypatch):
    """An epoch without its scores is not whole."""
    patterns, labels = noise()
    clf, original = made(max_iter=9), ls.SpikeClassifier._accuracy

    def interrupt(self, samples):
        if self.n_iter_ == 3:
            raise KeyboardInterrupt
        return original(self, samples)

    monkeypatch.setattr(ls.SpikeClassifier, "_accuracy", interrupt)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf.fit(patterns, labels)
    monkeypatch.undo()
    assert same(clf, made(max_iter=2).fit(patterns, labels))
    assert clf.history_["accuracy"].size == 2
    assert set(clf.reason_) == {"interrupted after 2 epochs"}


def test_interrupted_fits_end_at_once(monkeypatch):
    """The temperature, which takes as long as some epochs, stays that of the start."""
    patterns, labels = noise()
    clf = made(max_iter=9)
    interrupt_in_epoch(monkeypatch, 3, late=False)
    monkeypatch.setattr(ls.SpikeClassifier, "_find_temperature", None)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf.fit(patterns, labels)
    assert clf.temperature_ == 0.2 * clf.spikes


def test_an_interrupt_after_the_last_epoch_keeps_what_was_learned(monkeypatch):
    def interrupt(self, samples):
        raise KeyboardInterrupt

    patterns, labels = noise()
    whole, clf = made(max_iter=2).fit(patterns, labels), made(max_iter=2)
    monkeypatch.setattr(ls.SpikeClassifier, "_find_temperature", interrupt)
    with pytest.warns(ConvergenceWarning, match="interrupted") as caught:
        clf.fit(patterns, labels)
    assert caught[0].filename == __file__
    assert same(clf, whole)
    assert clf.temperature_ == 0.2 * clf.spikes
