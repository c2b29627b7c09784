"""Trials on MNIST: what is learned from and tested on, the reference, and resuming."""

import numpy as np
import pytest
from tests.support import large_digits
from tests.support.large_digits import ASIDE, TRAIN

from linspike.cli.experiments import REGISTRY
from linspike.kernels.rng import shuffle
from linspike.paper.common import mnist_trials
from linspike.paper.report.collect import collect
from linspike.paper.tables import table4
from linspike.study.runner import find_missing, run
from linspike.study.store import Store
from linspike.study.workers import Serial, open_workers
from linspike.training.trainer import Trainer


@pytest.fixture
def digits(monkeypatch):
    """Digits in place of MNIST; which parts were read."""
    return large_digits.install(monkeypatch)


def smoke(number=1, **changes):
    return table4.cells("smoke", [])[number].but(**changes)


def test_validation_never_reads_test_images_and_learns_from_none_of_the_last(digits):
    part = mnist_trials.load_parts(smoke(validation=True, images=10**6, tests=10**6), 0)
    assert digits == ["train"]
    learn, test = part["train"][0], part["test"][0]
    assert (len(learn), len(test)) == (TRAIN - ASIDE, ASIDE)
    whole = mnist_trials.load_parts(smoke(images=10**6, tests=10**6), 0)
    assert digits[-1] == "test"
    np.testing.assert_array_equal(np.concatenate([learn, test]), whole["train"][0])
    assert len(whole["test"][0]) == 1797 - TRAIN


def test_images_to_stop_by_are_not_learned_from(digits):
    part = mnist_trials.load_parts(smoke(held=ASIDE, images=10**6, tests=150), 0)
    assert list(part) == ["train", "held", "test"]
    assert [len(part[name][1]) for name in part] == [TRAIN - ASIDE, 150, 150]


def test_trials_that_differ_in_their_rule_alone_share_their_spikes(digits, monkeypatch):
    large_digits.install_networks(monkeypatch)
    cell = smoke(images=50, tests=20)
    spikes = mnist_trials.encode_parts(cell, 0)
    assert mnist_trials.encode_parts(cell.but(rule="mst", spikes=3), 0) is spikes
    assert digits == ["train", "test"]
    for other, seed in (
        (smoke(images=50, tests=20, duration=40.0), 0),
        (smoke(images=50, tests=20, activation=2.0), 0),
        (smoke(images=50, tests=20, activation=None), 0),
        (smoke(images=50, tests=20, activation="image"), 0),
        (smoke(images=50, tests=20, activation="unclipped"), 0),
        (smoke(images=50, tests=20, filters="sigmoid"), 0),
        (smoke(images=51, tests=20), 0),
        (cell, 1),
    ):
        assert mnist_trials.encode_parts(other, seed)["train"][0].times.tobytes() != (
            spikes["train"][0].times.tobytes()
        )


def test_every_trial_has_filters_of_its_own(digits):
    one, two, eleven = (
        mnist_trials.load_parts(smoke(images=5), seed)["train"][0] for seed in (0, 1, 10)
    )
    assert not np.array_equal(one, two)
    np.testing.assert_array_equal(one, eleven)


def test_methods_start_from_the_same_weights_and_see_the_same_order(digits, monkeypatch):
    seen = []

    def fit_many(self, weights, patterns, targets, *, seeds, **more):
        seen.append((weights.tobytes(), patterns.times.tobytes(), tuple(seeds), self.max_epochs))
        raise InterruptedError

    monkeypatch.setattr(Trainer, "fit_many", fit_many)
    for cell in table4.cells("smoke", [])[:4]:
        with pytest.raises(InterruptedError):
            mnist_trials.trials(cell, [5])
    assert len(seen) == 4
    assert len(set(seen)) == 1


def test_the_reference_sees_the_order_of_the_neurons(digits, monkeypatch):
    orders = []
    monkeypatch.setattr(
        mnist_trials, "learn_rates", lambda w, x, y, order, *how: orders.append(order.copy())
    )
    mnist_trials.trials(smoke(-1), [5])
    desired = np.arange(300)
    for epoch, order in enumerate(orders):
        shuffle(desired, 5, epoch)
        np.testing.assert_array_equal(order, desired)
    assert len(orders) == 2


def test_all_of_them_learn(digits):
    for cell in table4.cells("smoke", []):
        (record,) = mnist_trials.trials(cell.but(images=1000, epochs=3), [0])
        others = [f"{part}, {ties}" for part in cell.parts for ties in cell.other_ties]
        parts = [*cell.parts, *others]
        assert {part: len(curve) for part, curve in record.items()} == dict.fromkeys(parts, 3)
        if cell.other_ties:
            among = np.array(record["test, among"])
            assert (among >= record["test"]).all(), cell.row
            assert (among >= record["test, among, not silent"]).all(), cell.row
        assert record["test"][-1] > 60.0, cell.row  # 10 by chance
        assert mnist_trials.trials(cell.but(images=100), [1]) == mnist_trials.trials(
            cell.but(images=100), [1]
        )


def test_learning_stops_by_the_images_held_back(digits, monkeypatch):
    held = iter([50.0, 60.0, 55.0, 60.0, 59.0, 99.0])

    class Outputs:
        def train(self, epochs, after_epoch):
            for _ in range(epochs):
                if after_epoch():
                    break

        def accuracies(self, part, other_ties):
            return [next(held) / 100.0 if part == "held" else 0.5]

    record = mnist_trials.learn(smoke(held=ASIDE, patience=3, epochs=20, other_ties=()), Outputs())
    assert record["held"] == pytest.approx([50.0, 60.0, 55.0, 60.0, 59.0])
    assert len(record["train"]) == len(record["test"]) == 5


def test_averaged_weights_are_those_of_the_second_half_of_the_epochs(digits):
    outputs = mnist_trials.SpikingOutputs(smoke(average=True, images=100, epochs=3), 0)
    outputs.train(3, lambda: False)
    assert len(outputs._seen) == 3
    mean = np.mean(outputs._seen[1:], axis=0)
    averaged = outputs.accuracies("test")
    outputs.weights, outputs._average = mean, False
    assert outputs.accuracies("test") == averaged


def test_interrupted_and_resumed_it_finds_the_same_and_figure_10_looks_at_the_same_trials(
    digits, tmp_path
):
    made = REGISTRY.load("table4")

    class Cut(Serial):
        """Dies after two batches."""

        def run(self, batches):
            for number, found in enumerate(super().run(batches)):
                if number == 2:
                    raise KeyboardInterrupt
                yield found

    with Store(tmp_path / "whole.sqlite") as store, open_workers(2, None) as crew:
        assert run(made, "smoke", store, crew) == 5  # in this process: the digits are a fixture
        digest = store.digest()
    with Store(tmp_path / "cut.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            run(made, "smoke", store, Cut())
        assert len(store) == 2
        assert run(made, "smoke", store, Serial()) == 3
        assert store.digest() == digest
        assert find_missing(REGISTRY.load("fig10"), "smoke", store) == []
        table, figure = collect(store, [made, REGISTRY.load("fig10")])
        assert table.trials == figure.trials == 5
        assert figure.panels
