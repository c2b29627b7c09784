"""Iris: halves, tuning that keeps away from test halves, and what is made of the trials."""

import numpy as np
import pytest

from linspike.estimators import SpikeClassifier
from linspike.paper.common import iris
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.report.numbers import PRINTED
from linspike.paper.report.verdicts import compare
from linspike.paper.tables import table3
from linspike.study.cells import Trial
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey
from linspike.study.tuning import TUNING_SEEDS
from linspike.training.trainer import Trainer


@pytest.mark.parametrize("stratified", [True, False])
def test_halves_are_disjoint_whole_and_differ_from_trial_to_trial(stratified):
    train, test = iris.split_halves(3, stratified=stratified)
    assert len(train) == len(test) == 75
    assert sorted([*train, *test]) == list(range(150))
    assert not np.array_equal(iris.split_halves(4, stratified=stratified)[0], train)
    np.testing.assert_array_equal(iris.split_halves(3, stratified=stratified)[0], train)
    counts = np.bincount(iris.load()[1][train])
    assert (counts == 25).all() == stratified


def test_an_interrupted_fit_is_no_trial(monkeypatch):
    scores = iter([0.5, 0.5])

    def score(*_):
        try:
            return next(scores)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(SpikeClassifier, "score", score)
    with pytest.raises(KeyboardInterrupt):
        iris.trials(iris.make_cell("paper", iris.METHODS[1], 5), [0])


def test_tuning_never_uses_a_test_half(monkeypatch):
    seen = []

    def learn(cell, seed, train, test):
        seen.append((seed, set(train), set(test)))
        return {"train": [float(len(seen))], "test": [0.0]}

    monkeypatch.setattr(iris, "learn", learn)
    cell = iris.make_cell("paper", iris.METHODS[1], 1)
    records = iris.trials(cell.vary(TUNED, tuning=True), [7, 8])
    assert records[0] == {"train": [2.0], "test": [0.0]}  # the mean of three folds
    for seed, train, test in seen:
        half, kept_away = (set(part) for part in iris.split_halves(seed))
        assert train | test == half
        assert not train & test
        assert not (train | test) & kept_away
    tested = set.union(*(test for seed, _, test in seen if seed == 7))
    assert tested == set(iris.split_halves(7)[0])


def test_methods_start_from_the_same_weights_and_see_the_same_order(monkeypatch):
    seen = []

    def fit_many(self, weights, patterns, targets, *, seeds, first_epoch, **more):
        seen.append((weights.tobytes(), patterns.times.tobytes(), tuple(seeds), first_epoch))
        raise InterruptedError

    monkeypatch.setattr(Trainer, "fit_many", fit_many)
    values, species = iris.load()
    train, _ = iris.split_halves(5)
    for method in iris.METHODS:
        model = iris.make_classifier(iris.make_cell("paper", method, 1), 5)
        assert (model.spikes, model.target, model.ties) == (10, "exact", "paper")
        encoder = model.encoder
        assert (encoder.n_fields, encoder.beta, encoder.duration) == (10, 1.5, 10.0)
        with pytest.raises(InterruptedError):
            model.fit(values[train], species[train])
    assert len(seen) == 4
    assert len(set(seen)) == 1


def test_a_trial_is_a_curve_of_all_epochs():
    cell = iris.make_cell("smoke", iris.METHODS[1], 3, 0.3)
    one, two = iris.trials(cell, [0, 1])
    assert len(one["train"]) == len(one["test"]) == 3
    assert all(0.0 <= value <= 100.0 for value in one["train"] + two["test"])
    assert iris.trials(cell, [1]) == [two]


def make_trials(cells, seeds, score):
    return [
        Trial(cell, seed, {"train": [score(cell, seed)] * 20, "test": [score(cell, seed)] * 20})
        for cell in cells
        for seed in seeds(cell)
    ]


def laptop(cell):
    return table3.seeds("laptop", cell)


def tuned_rows(cells):
    return {c.row.method: c for c in cells if c.row.variant == TUNED and not c.tuning}


def test_the_best_setting_comes_from_tuning_and_enters_once_it_is_done():
    begun = table3.cells("laptop", [])
    tuning = [cell for cell in begun if cell.tuning]
    assert len(tuning) == len(iris.METHODS) * 7 * 2  # as many settings for every method
    assert set(table3.seeds("laptop", tuning[0])) <= set(TUNING_SEEDS)
    assert not tuned_rows(begun)

    def score(cell, seed):
        good = cell.settings.get("eta", 0.003) == 0.003 and cell.decay_rate == 0.3
        return 90.0 + 5.0 * good

    done = make_trials(tuning, laptop, score)
    tuned = tuned_rows(table3.cells("laptop", done))
    assert set(tuned) == {method.name for method in iris.METHODS}
    assert tuned["MST"].settings["eta"] == 0.003
    assert tuned["MST"].decay_rate == 0.3
    assert tuned["MST"].target == "at_least"
    assert len(table3.seeds("laptop", tuned["MST"])) == 50
    fewer = tuned_rows(table3.cells("laptop", done[1:]))
    assert LINEAR_PROGRAM not in fewer
    assert "MST" in fewer


def whole_table():
    rng = np.random.default_rng(0)
    tuning = [cell for cell in table3.cells("laptop", []) if cell.tuning]
    tuned = make_trials(tuning, laptop, lambda cell, seed: 90.0)
    cells = [cell for cell in table3.cells("laptop", tuned) if not cell.tuning]
    level = {LINEAR_PROGRAM: 96.0, PROJECTION: 95.0, "EMLC": 90.0, "MST": 85.0}

    def score(cell, seed):
        small = 10.0 * (cell.row.variant == "eta 0.0005")
        return level[cell.row.method] - small + rng.normal()

    return tuned + make_trials(cells, laptop, score)


def test_every_number_of_the_paper_has_a_row_in_table_3():
    summary = table3.summarise("laptop", whole_table())
    rows = {row.key: row for row in summary.rows}
    printed = {item.row for item in PRINTED.values() if item.experiment == "table3"}
    quoted = {item.row for item in PRINTED.values() if item.quoted}
    assert printed - quoted <= set(rows)
    assert len(rows) == len(summary.rows)
    emlc = rows[RowKey(method="EMLC", quantity="test")]
    assert emlc.value == pytest.approx(90.0, abs=0.5)
    assert emlc.lo < emlc.value < emlc.hi
    assert emlc.note.startswith("eta 0.01, sd ")
    gain = rows[RowKey(method=PROJECTION, quantity="gain over EMLC and MST, test")]
    assert gain.value == pytest.approx(7.5, abs=0.7)
    assert rows[RowKey(method=LINEAR_PROGRAM, quantity="Friedman p")].value < 1e-6
    nemenyi = RowKey(method=LINEAR_PROGRAM, quantity="Nemenyi p to EMLC and MST")
    assert rows[nemenyi].value < 1e-3


def test_gains_over_the_baselines_at_smaller_steps():
    trials = whole_table()
    rows = {row.key: row for row in table3.summarise("laptop", trials).rows}

    def gain(method, variant, part="test"):
        where = f"EMLC and MST at {variant}" if variant else ""
        quantity = f"gain over EMLC and MST, {part}"
        return rows[RowKey(method=method, variant=where, quantity=quantity)]

    assert gain(PROJECTION, "eta 0.001").value == pytest.approx(7.5, abs=0.7)
    assert gain(PROJECTION, "eta 0.0005").value == pytest.approx(17.5, abs=0.7)
    assert gain(LINEAR_PROGRAM, "eta 0.0005", "train").value == pytest.approx(18.5, abs=0.7)
    assert gain(LINEAR_PROGRAM, "").value == pytest.approx(8.5, abs=0.7)
    scores = {(t.cell.row, t.seed): t.record["test"][-1] for t in trials}
    each = [
        scores[RowKey(method=PROJECTION), seed]
        - sum(scores[RowKey(method=name, variant="eta 0.001"), seed] for name in iris.BASELINES) / 2
        for seed in range(50)
    ]
    assert gain(PROJECTION, "eta 0.001").value == pytest.approx(np.mean(each))


def test_smaller_steps_change_the_step_size_alone():
    cells = {cell.row: cell for cell in table3.cells("paper", []) if not cell.tuning}
    for name in iris.BASELINES:
        plain = cells[RowKey(method=name)]
        for variant, step in (("eta 0.001", 0.001), ("eta 0.0005", 0.0005), ("eta 0.0012", 0.0012)):
            assert cells[RowKey(method=name, variant=variant)] == plain.vary(
                variant, settings={"eta": step}
            )
    assert not any(cell.row.variant for cell in table3.cells("smoke", []))


def test_panels_of_table_3():
    summary = table3.summarise("laptop", whole_table())
    tuned, *search = summary.details
    axes = ["spikes for the own species", "beta", "duration (ms)"]
    assert [panel.x_label for panel in search] == axes
    assert [len(panel.lines[0].x) for panel in search] == [5, 5, 4]
    assert tuned.ranks is not None
    (common,) = summary.panels
    ranks = common.ranks
    assert ranks.names == tuple(method.name for method in iris.METHODS)
    assert ranks.mean_ranks[0] < ranks.mean_ranks[1] < ranks.mean_ranks[2] < ranks.mean_ranks[3]


def test_only_the_papers_protocol_is_judged_by_the_papers_numbers():
    found = compare("table3", "laptop", table3.summarise("laptop", whole_table()))
    verdicts = {result.row: result.verdict for result in found}
    assert verdicts["EMLC, test"] == "better"
    assert verdicts["DTA (projection), test"] == "short"
    assert verdicts["EMLC, relaxed, test"] == "no number in the paper"
    assert verdicts["MST, tuned, test"] == "no number in the paper"
    assert verdicts["MST, random halves, train"] == "no number in the paper"
    assert verdicts["DTA (paper's linear program), Friedman Q"] == "shown"
    assert verdicts["DTA (projection), Nemenyi p, EMLC to MST"] == "shown"


def test_methods_are_compared_in_the_trials_they_share():
    """A run that was cut off has other gaps in every method."""
    whole = whole_table()
    lost = {(LINEAR_PROGRAM, 3), ("EMLC", 17), ("MST", 40)}
    rest = [t for t in whole if t.cell.row.variant or (t.cell.row.method, t.seed) not in lost]
    rows = {row.key: row for row in table3.summarise("laptop", rest).rows}
    assert rows[RowKey(method="EMLC", quantity="test")].n == 49
    assert rows[RowKey(method=LINEAR_PROGRAM, quantity="Friedman Q")].n == 47
    assert rows[RowKey(method=PROJECTION, quantity="Friedman Q")].n == 48
    scores = {
        name: {t.seed: t.record["test"][-1] for t in whole if t.cell.row == RowKey(method=name)}
        for name in (LINEAR_PROGRAM, "EMLC", "MST")
    }
    kept = [seed for seed in range(50) if seed not in (3, 17, 40)]
    gain = np.mean(
        [scores[LINEAR_PROGRAM][s] - (scores["EMLC"][s] + scores["MST"][s]) / 2 for s in kept]
    )
    key = RowKey(method=LINEAR_PROGRAM, quantity="gain over EMLC and MST, test")
    assert rows[key].value == pytest.approx(gain)


def test_a_table_without_trials_has_no_rows():
    assert table3.summarise("laptop", []).rows == ()
