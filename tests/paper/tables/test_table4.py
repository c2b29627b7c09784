"""MNIST: what is learned from and tested on, tuning, the reference, resuming, what is made of it."""

import numpy as np
import pytest
from linspike.estimators.layer import Layer
from sklearn.datasets import load_digits

import linspike.datasets as features
from linspike.datasets import Images
from linspike.kernels.rng import shuffle
from linspike.paper.common import mnist
from linspike.paper.figures import fig10
from linspike.paper.report.collect import collect
from linspike.paper.report.numbers import PRINTED, is_quoted
from linspike.paper.report.verdicts import results
from linspike.paper.tables import table4
from linspike.study.experiment import Trial
from linspike.study.registry import experiment
from linspike.study.runner import missing, run
from linspike.study.store import Store
from linspike.study.tuning import TUNING_SEEDS
from linspike.study.workers import Here, workers

TRAIN, ASIDE = 1500, 200


@pytest.fixture
def digits(monkeypatch):
    """Scikit-learn's small digits, blown up to MNIST's size, in its place; which parts were read."""
    small, shown = load_digits(return_X_y=True)
    large = np.zeros((len(shown), 28, 28), np.uint8)
    large[:, 2:26, 2:26] = np.kron(small.reshape(-1, 8, 8), np.ones((3, 3))) * 15
    parts = {
        "train": Images(large[:TRAIN], shown[:TRAIN]),
        "test": Images(large[TRAIN:], shown[TRAIN:]),
    }
    read = []

    def load(part):
        read.append(part)
        return parts[part]

    monkeypatch.setattr(features, "load_mnist", load)
    monkeypatch.setattr(features, "mnist_missing", lambda: "")
    monkeypatch.setattr(mnist, "VALIDATION", ASIDE)
    monkeypatch.setattr(mnist._Last, "key", ())
    return read


def smoke(number=1, **changes):
    return {**table4.cells("smoke", [])[number], **changes}


def test_tuning_never_reads_test_images_and_learns_from_none_of_the_last(digits):
    part = mnist.part_of(smoke(tuning=True, images=10**6, tests=10**6), 0)
    assert digits == ["train"]
    learn, test = part["train"][0], part["test"][0]
    assert (len(learn), len(test)) == (TRAIN - ASIDE, ASIDE)
    whole = mnist.part_of(smoke(images=10**6, tests=10**6), 0)
    assert digits[-1] == "test"
    np.testing.assert_array_equal(np.concatenate([learn, test]), whole["train"][0])
    assert len(whole["test"][0]) == 1797 - TRAIN


def test_images_to_stop_by_are_not_learned_from(digits):
    part = mnist.part_of(smoke(held=ASIDE, images=10**6, tests=150), 0)
    assert list(part) == ["train", "held", "test"]
    assert [len(part[name][1]) for name in part] == [TRAIN - ASIDE, 150, 150]


def test_trials_that_differ_in_their_rule_alone_share_their_spikes(digits):
    cell = smoke(images=50, tests=20)
    spikes = mnist.spikes_of(cell, 0)
    assert mnist.spikes_of({**cell, "rule": "mst", "spikes": 3}, 0) is spikes
    assert digits == ["train", "test"]
    for other, seed in (
        (smoke(images=50, tests=20, duration=40.0), 0),
        (smoke(images=50, tests=20, activation=2.0), 0),
        (smoke(images=51, tests=20), 0),
        (cell, 1),
    ):
        assert mnist.spikes_of(other, seed)["train"][0].times.tobytes() != (
            spikes["train"][0].times.tobytes()
        )


def test_every_trial_has_filters_of_its_own(digits):
    one, two, eleven = (mnist.part_of(smoke(images=5), seed)["train"][0] for seed in (0, 1, 10))
    assert not np.array_equal(one, two)
    np.testing.assert_array_equal(one, eleven)


def test_rules_start_from_the_same_weights_and_see_the_same_order(digits, monkeypatch):
    seen = []

    def learn_epoch(self, patterns, targets, scales, threads):
        seen.append((self.weights.tobytes(), patterns.times.tobytes(), self.seed, self.epochs))
        raise InterruptedError

    monkeypatch.setattr(Layer, "learn_epoch", learn_epoch)
    for cell in table4.cells("smoke", [])[:4]:
        with pytest.raises(InterruptedError):
            mnist.trials(cell, [5])
    assert len(seen) == 4
    assert len(set(seen)) == 1


def test_the_reference_sees_the_order_of_the_neurons(digits, monkeypatch):
    orders = []
    monkeypatch.setattr(
        mnist, "learn_rates", lambda w, x, y, order, *how: orders.append(order.copy())
    )
    mnist.trials(smoke(-1), [5])
    desired = np.arange(300)
    for epoch, order in enumerate(orders):
        shuffle(desired, 5, epoch)
        np.testing.assert_array_equal(order, desired)
    assert len(orders) == 2


def test_all_of_them_learn(digits):
    for cell in table4.cells("smoke", []):
        (record,) = mnist.trials({**cell, "images": 1000, "epochs": 3}, [0])
        assert {part: len(curve) for part, curve in record.items()} == {"train": 3, "test": 3}
        assert record["test"][-1] > 60.0, cell["row"]  # 10 by chance
        assert mnist.trials({**cell, "images": 100}, [1]) == mnist.trials(
            {**cell, "images": 100}, [1]
        )


def test_learning_stops_by_the_images_held_back(digits, monkeypatch):
    held = iter([50.0, 60.0, 55.0, 60.0, 59.0, 99.0])

    class Learner:
        def learn_epoch(self):
            pass

        def accuracy(self, part):
            return next(held) / 100.0 if part == "held" else 0.5

    record = mnist.learned(smoke(held=ASIDE, patience=3, epochs=20), Learner())
    assert record["held"] == pytest.approx([50.0, 60.0, 55.0, 60.0, 59.0])
    assert len(record["train"]) == len(record["test"]) == 5


def test_averaged_weights_answer_for_the_second_half_of_the_epochs(digits):
    learner = mnist.Spiking(smoke(average=True, images=100), 0)
    for _ in range(3):
        learner.learn_epoch()
    mean = np.mean(learner._seen[1:], axis=0)
    averaged = learner.accuracy("test")
    learner.layer.weights, learner._average = mean, False
    assert learner.accuracy("test") == averaged


def test_interrupted_and_resumed_it_finds_the_same_and_figure_10_looks_at_the_same_trials(
    digits, tmp_path
):
    made = experiment("table4")

    class Cut(Here):
        """Dies after two batches."""

        def finished(self, batches):
            for number, found in enumerate(super().finished(batches)):
                if number == 2:
                    raise KeyboardInterrupt
                yield found

    with Store(tmp_path / "whole.sqlite") as store, workers(2, None) as crew:
        assert run(made, "smoke", store, crew) == 5  # in this process: the digits are a fixture
        digest = store.digest()
    with Store(tmp_path / "cut.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            run(made, "smoke", store, Cut())
        assert len(store) == 2
        assert run(made, "smoke", store, Here()) == 3
        assert store.digest() == digest
        assert missing(experiment("fig10"), "smoke", store) == []
        table, figure = collect(store, ["table4", "fig10"])
        assert table.trials == figure.trials == 5
        assert figure.panels


def made_up(cells, score):
    rng = np.random.default_rng(0)
    found = []
    for cell in cells:
        for seed in table4.seeds("paper", cell):
            curve = score(cell) - 8.0 * 0.5 ** np.arange(cell["epochs"]) + rng.normal(0.0, 0.2)
            parts = {part: np.minimum(curve, 100.0).tolist() for part in mnist.parts_of(cell)}
            found.append(Trial(cell, seed, parts))
    return found


LEVELS = {mnist.LP: 97.5, mnist.OURS: 97.8, "EMLC": 92.3, "MST": 86.9, "CNN": 98.4}


def level(cell):
    return LEVELS.get(cell["row"].split(": ")[-1], 90.0)


def whole_table():
    tuned = made_up(
        [cell for cell in table4.cells("paper", []) if cell["tuning"]],
        lambda cell: 95.0 + (cell["settings"].get("eta") == 0.01) + (cell["spikes"] == 3),
    )
    return tuned + made_up([c for c in table4.cells("paper", tuned) if not c["tuning"]], level)


def test_every_rule_is_tuned_over_as_many_settings_on_seeds_of_their_own():
    begun = table4.cells("paper", [])
    tuning = [cell for cell in begun if cell["row"].startswith("tuning")]
    for who in mnist.CONTENDERS:
        assert sum(cell["row"] == f"tuning {who.name}" for cell in tuning) == 15
    assert all(cell["tuning"] for cell in begun if cell["row"].startswith("change"))
    assert set(table4.seeds("paper", tuning[0])) <= set(TUNING_SEEDS)
    later = ("best", "stopped", "kept", "CNN")
    assert not any(cell["row"].startswith(later) for cell in begun)
    best = {c["row"]: c for c in table4.cells("paper", whole_table()) if not c["tuning"]}
    assert best["best: MST"]["settings"]["eta"] == best["CNN"]["settings"]["eta"] == 0.01
    assert best["best: MST"]["spikes"] == 3
    assert (best["best: MST"]["images"], best["best: MST"]["epochs"]) == (60_000, 20)
    assert best[f"stopped early: {mnist.OURS}"]["held"] == 10_000
    kept, found = best[f"kept: {mnist.OURS}"], best[f"best: {mnist.OURS}"]
    assert kept["settings"] == {**found["settings"], "margin": 0.5}
    assert len(table4.seeds("paper", best["best: MST"])) == 10


@pytest.mark.parametrize("made", [table4, fig10])
def test_every_number_of_the_paper_has_a_row(made):
    summary = made.summarise("paper", whole_table())
    names = [row.name for row in summary.rows]
    name = made.EXPERIMENT.id
    assert {p.row for p in PRINTED if p.experiment == name and not is_quoted(p)} <= set(names)
    assert len(set(names)) == len(names)


def test_what_table_4_makes_of_its_trials():
    rows = {row.name: row for row in table4.summarise("paper", whole_table()).rows}
    assert rows["MST, test"].value == pytest.approx(86.9, abs=0.3)
    assert rows["MST, test"].n == 10
    assert rows["gain over EMLC, test"].value == pytest.approx(5.2, abs=0.3)
    assert rows["Friedman F"].value is None  # the same order in all trials
    assert "no end" in rows["Friedman F"].note
    assert rows["Friedman critical value"].value == pytest.approx(3.55, abs=0.01)
    assert "2 and 18" in rows["Friedman critical value"].note
    assert rows["p, DTA to CNN"].value == pytest.approx(2 / 2**10)  # all ten on one side
    assert "few spikes" in rows["best: MST, test"].note
    early = rows[f"stopped early: {mnist.OURS}, test"]
    assert early.value == pytest.approx(97.8, abs=0.3)
    assert early.note.startswith("50000 images, the best epoch on 10000 others")
    verdicts = {
        found.row: found.verdict
        for found in results("table4", "paper", table4.summarise("paper", whole_table()))
    }
    assert verdicts["best: MST, test"] == verdicts["MST, test"]
    assert verdicts[f"{mnist.OURS}, test"] in {"match", "better"}


def test_the_ways_are_named():
    cells = table4._tuning("paper", mnist.CONTENDERS[0])
    names = {
        table4._way([Trial(cell, 0, {})], cell["row"]): cell["settings"].get("count_target", "")
        for cell in cells
    }
    assert names == {", ten spikes": "", ", few spikes": "", ", slow": "critical"}
    papers = table4.cells("paper", [])[0]
    assert table4._way([Trial(papers, 0, {})], papers["row"]) == ""


def test_what_figure_10_makes_of_its_trials():
    summary = fig10.summarise("paper", whole_table())
    rows = {row.name: row for row in summary.rows}
    assert rows["epochs to 90 %, DTA"].value == 2.0
    assert rows["epochs to 90 %, MST"].value is None
    assert rows["epochs to 1 % of the last, EMLC"].value == 4.0
    assert rows["CNN over EMLC, last epoch"].value == pytest.approx(6.1, abs=0.3)
    assert rows["CNN over EMLC, last epoch"].unit == "points"
    found = results("fig10", "paper", summary)
    ours = next(result for result in found if result.row == "CNN over DTA, last epoch, ours")
    assert ours.claim == "about 1"
    assert [len(panel.lines) for panel in summary.panels] == [5, 5, 5]
    assert fig10.summarise("paper", []).notes == ("No trial is there for every rule yet.",)


def test_figure_10_asks_for_nothing_that_table_4_does_not():
    done = whole_table()
    of_table = [str(cell) for cell in table4.cells("paper", done)]
    of_figure = [str(cell) for cell in fig10.cells("paper", done)]
    assert set(of_figure) < set(of_table)
    assert not any(row in cell for cell in of_figure for row in ("change: ", "stopped", "kept"))
