"""Iris: halves, tuning that keeps away from test halves, and what is made of the trials."""

import numpy as np
import pytest

from linspike.paper.common import iris
from linspike.paper.figures import fig8
from linspike.paper.report.numbers import PRINTED, is_quoted
from linspike.paper.report.verdicts import results
from linspike.paper.tables import table3
from linspike.study.experiment import Trial
from linspike.study.analysis.learning_curves import answered, first_epoch
from linspike.study.tuning import TUNING_SEEDS
from linspike.training.trainer import Trainer


@pytest.mark.parametrize("how", ["even", "plain"])
def test_halves_are_disjoint_whole_and_differ_from_trial_to_trial(how):
    train, test = iris.halves(3, how)
    assert len(train) == len(test) == 75
    assert sorted([*train, *test]) == list(range(150))
    assert not np.array_equal(iris.halves(4, how)[0], train)
    np.testing.assert_array_equal(iris.halves(3, how)[0], train)
    counts = np.bincount(iris.data()[1][train])
    assert (counts == 25).all() == (how == "even")


def test_tuning_never_sees_a_test_half(monkeypatch):
    seen = []

    def learned(cell, seed, train, test):
        seen.append((seed, set(train), set(test)))
        return {"train": [float(len(seen))], "test": [0.0]}

    monkeypatch.setattr(iris, "learned", learned)
    records = iris.trials({"tuning": True, "halves": "even"}, [7, 8])
    assert records[0] == {"train": [2.0], "test": [0.0]}  # the mean of three folds
    for seed, train, test in seen:
        half, kept_away = (set(part) for part in iris.halves(seed))
        assert train | test == half
        assert not train & test
        assert not (train | test) & kept_away
    assert set.union(*(test for seed, _, test in seen if seed == 7)) == set(iris.halves(7)[0])


def test_rules_start_from_the_same_weights_and_see_the_same_order(monkeypatch):
    seen = []

    def fit_many(self, weights, patterns, targets, *, seeds, first_epoch, **more):
        seen.append((weights.tobytes(), patterns.times.tobytes(), tuple(seeds), first_epoch))
        raise InterruptedError

    monkeypatch.setattr(Trainer, "fit_many", fit_many)
    values, species = iris.data()
    train, _ = iris.halves(5)
    for who in iris.CONTENDERS:
        model = iris.classifier(iris.base("paper", who, who.common, who.name, 1), 5)
        assert (model.spikes, model.target, model.ties) == (10, "exact", "paper")
        encoder = model.encoder
        assert (encoder.n_fields, encoder.beta, encoder.duration) == (10, 1.5, 10.0)
        with pytest.raises(InterruptedError):
            model.fit(values[train], species[train])
    assert len(seen) == 4
    assert len(set(seen)) == 1


def test_a_trial_is_a_curve_of_all_epochs():
    cell = iris.base("smoke", iris.CONTENDERS[1], 0.3, iris.OURS, 3)
    one, two = iris.trials(cell, [0, 1])
    assert len(one["train"]) == len(one["test"]) == 3
    assert all(0.0 <= value <= 100.0 for value in one["train"] + two["test"])
    assert iris.trials(cell, [1]) == [two]


def made_up(cells, seeds, score):
    return [
        Trial(cell, seed, {"train": [score(cell, seed)] * 20, "test": [score(cell, seed)] * 20})
        for cell in cells
        for seed in seeds(cell)
    ]


def laptop(cell):
    return table3.seeds("laptop", cell)


def test_the_best_setting_comes_from_tuning_and_enters_once_it_is_done():
    begun = table3.cells("laptop", [])
    tuning = [cell for cell in begun if cell["tuning"]]
    assert len(tuning) == len(iris.CONTENDERS) * 7 * 2  # as many settings for every rule
    assert set(table3.seeds("laptop", tuning[0])) <= set(TUNING_SEEDS)
    assert not any(cell["row"].startswith("best: ") for cell in begun)

    def score(cell, seed):
        good = cell["settings"].get("eta", 0.003) == 0.003 and cell["decay"] == 0.3
        return 90.0 + 5.0 * good

    done = made_up(tuning, laptop, score)
    best = {c["row"]: c for c in table3.cells("laptop", done) if c["row"].startswith("best: ")}
    assert set(best) == {f"best: {who.name}" for who in iris.CONTENDERS}
    assert best["best: MST"]["settings"]["eta"] == 0.003
    assert best["best: MST"]["decay"] == 0.3
    assert best["best: MST"]["target"] == "at_least"
    assert not best["best: MST"]["tuning"]
    assert len(table3.seeds("laptop", best["best: MST"])) == 50
    fewer = {cell["row"] for cell in table3.cells("laptop", done[1:])}
    assert f"best: {iris.LP}" not in fewer
    assert "best: MST" in fewer


def whole_table():
    rng = np.random.default_rng(0)
    tuned = made_up([c for c in table3.cells("laptop", []) if c["tuning"]], laptop, lambda c, s: 90)
    cells = [cell for cell in table3.cells("laptop", tuned) if not cell["tuning"]]
    level = {iris.LP: 96.0, iris.OURS: 95.0, "EMLC": 90.0, "MST": 85.0}

    def score(cell, seed):
        name = cell["row"].split(": ")[-1]
        return level.get(name, 94.0) + rng.normal()

    return tuned + made_up(cells, laptop, score)


def test_every_number_of_the_paper_has_a_row_in_table_3():
    summary = table3.summarise("laptop", whole_table())
    names = {row.name for row in summary.rows}
    desired = {p.row for p in PRINTED if p.experiment == "table3" and not is_quoted(p)}
    assert desired <= names
    assert len(names) == len(summary.rows)
    rows = {row.name: row for row in summary.rows}
    assert rows["EMLC, test"].value == pytest.approx(90.0, abs=0.5)
    assert rows["EMLC, test"].lo < rows["EMLC, test"].value < rows["EMLC, test"].hi
    gain = rows["gain over EMLC and MST, test, ours"]
    assert gain.value == pytest.approx(7.5, abs=0.7)
    assert rows["Friedman p"].value < 1e-6
    assert rows["Nemenyi p, DTA to EMLC and MST"].value < 1e-3
    assert [panel.x_label for panel in summary.panels] == [
        "spikes for the own species",
        "beta",
        "duration (ms)",
        "",
        "",
    ]
    assert [len(panel.lines[0].x) for panel in summary.panels[:3]] == [5, 5, 4]
    ranks = summary.panels[3].ranks
    assert ranks.names == tuple(who.name for who in iris.CONTENDERS)
    assert ranks.mean_ranks[0] < ranks.mean_ranks[1] < ranks.mean_ranks[2] < ranks.mean_ranks[3]


def test_only_the_papers_protocol_is_judged_by_the_papers_numbers():
    found = results("table3", "laptop", table3.summarise("laptop", whole_table()))
    verdicts = {result.row: result.verdict for result in found}
    assert verdicts["EMLC, test"] == "better"
    assert verdicts["DTA (ours), test"] == "short"
    assert verdicts["freed: EMLC, test"] == "no number in the paper"
    assert verdicts["best: MST, test"] == "no number in the paper"
    assert verdicts["plain halves: MST, train"] == "no number in the paper"
    assert verdicts["Friedman Q"] == verdicts["Nemenyi p, EMLC to MST, ours"] == "shown"


def test_rules_are_compared_in_the_trials_they_share():
    """A run that was cut off leaves other holes in every rule."""
    whole = whole_table()
    seeds = {iris.LP: 3, "EMLC": 17, "MST": 40}
    holed = [t for t in whole if seeds.get(t.cell["row"]) != t.seed]
    rows = {row.name: row for row in table3.summarise("laptop", holed).rows}
    assert rows["EMLC, test"].n == 49
    assert rows["Friedman Q"].n == 47
    assert rows["Friedman Q, ours"].n == 48
    scores = {
        name: {t.seed: t.record["test"][-1] for t in whole if t.cell["row"] == name}
        for name in (iris.LP, "EMLC", "MST")
    }
    kept = [seed for seed in range(50) if seed not in (3, 17, 40)]
    gain = np.mean([scores[iris.LP][s] - (scores["EMLC"][s] + scores["MST"][s]) / 2 for s in kept])
    assert rows["gain over EMLC and MST, test"].value == pytest.approx(gain)


def curves(trials, values):
    return np.tile(np.array(values, float), (trials, 1))


def test_first_epochs_and_their_intervals():
    assert first_epoch(np.array([90.0, 94.0, 95.0]), 94.0) == 2.0
    assert first_epoch(np.array([90.0, 91.0]), 94.0) == np.inf
    made = {
        iris.LP: curves(4, [92, 93, 95]),
        iris.OURS: curves(4, [93, 94, 95]),
        "EMLC": curves(4, [80, 92, 93]),
        "MST": curves(4, [80, 85, 91]),
    }
    asked = fig8._questions(iris.LP)
    row = answered("never", asked["epochs of EMLC and MST to DTA's first"], made)
    assert (row.value, row.lo, row.hi) == (None, 3.0, None)
    assert row.note == "not within 3 epochs"
    row = answered("last", asked["epochs of DTA to their last"], made)
    assert (row.value, row.lo, row.hi) == (2.0, 2.0, 2.0)
    row = answered("good", fig8._questions(iris.OURS)["epochs to 94 %, DTA"], made)
    assert row.value == 2.0


def test_every_number_of_the_paper_has_a_row_in_figure_8():
    rng = np.random.default_rng(1)
    trials = [
        Trial(cell, seed, {part: (80 + rng.random(20) * 15).tolist() for part in ("train", "test")})
        for cell in fig8.cells("paper", [])
        for seed in fig8.seeds("paper", cell)
    ]
    summary = fig8.summarise("paper", trials)
    desired = {p.row for p in PRINTED if p.experiment == "fig8" and not is_quoted(p)}
    assert desired <= {row.name for row in summary.rows}
    assert [panel.title for panel in summary.panels] == ["Test half", "Training half"]
    assert len(summary.panels[0].lines) == 4
    # Holes: only trials that every rule has count, and none is no disaster.
    holed = [t for t in trials if (t.cell["row"], t.seed) not in {(iris.LP, 2), ("MST", 5)}]
    assert {row.n for row in fig8.summarise("paper", holed).rows} == {48}
    nothing = fig8.summarise("paper", [t for t in trials if t.cell["row"] != "MST"])
    assert nothing.rows == ()
    assert "No trial is there for every rule" in nothing.notes[0]
