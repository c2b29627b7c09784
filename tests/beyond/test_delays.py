"""Delays: the same tasks with and without, what is learned and what stays, rows and pictures."""

import numpy as np
import pytest

from linspike.beyond import delays
from linspike.paper.common import capacity_cells
from linspike.paper.common.methods import PROJECTION
from linspike.study.cells import Trial
from linspike.study.rows import RowKey
from linspike.study.tasks import decoding, encoding, latency_encoding
from linspike.training.trainer import Trainer

CELLS = {cell.row: cell for cell in delays.cells("smoke", [])}


def few(variant):
    return CELLS[RowKey("20 inputs", PROJECTION, "strict", variant)].but(load=3)


def test_all_variants_have_the_same_tasks():
    tasks = [few(variant).make_task(5) for variant in delays.NAMES]
    expected = latency_encoding(5, 3, n_channels=20)
    assert all(task.patterns == expected.patterns for task in tasks)
    assert all((task.weights == expected.weights).all() for task in tasks)


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("short", encoding(2, 2, n_channels=60)),
        ("long", encoding(2, 1, duration=200.0, n_channels=60)),
        ("five classes", decoding(2, 2, n_channels=60)),
    ],
)
def test_tasks_of_tables_are_those_of_tables(scenario, expected):
    criterion = "" if scenario == "five classes" else "strict"
    cell = CELLS[RowKey(scenario, PROJECTION, criterion, "delays")].but(load=2)
    found = cell.make_task(2)
    assert found.patterns == expected.patterns
    assert found.targets.counts.tolist() == expected.targets.counts.tolist()


def test_rules_name_their_delays():
    rules = {variant: few(variant).make_rule() for variant in delays.NAMES}
    assert [rule.delays for rule in rules.values()] == [False, True, False, False]
    assert [rule.margin for rule in rules.values()] == [0.1, 0.1, 0.1, 0.3]
    assert rules["delays"].max_delay == 20.0
    assert few("delays").settings["max_delay"] == 20.0
    assert all("delays" in cell.settings for cell in CELLS.values())
    counts = CELLS[RowKey("five classes", PROJECTION, "", "delays")]
    assert counts.settings["count_target"] == "auto"


@pytest.mark.parametrize("variant", delays.NAMES)
def test_learned_and_random_delays(monkeypatch, variant):
    results = []

    class Keeping(Trainer):
        def fit_many(self, *args, **more):
            results.extend(super().fit_many(*args, **more))
            return results

    monkeypatch.setattr(capacity_cells, "Trainer", Keeping)
    cell = few(variant).but(load=2, max_epochs=200)
    records = delays.EXPERIMENT.trials(cell, [0, 1])
    for seed, (result, record) in enumerate(zip(results, records, strict=True)):
        start = cell.make_delays(seed)
        if variant in ("", "margin 0.3"):
            assert result.delays is None
        elif variant == "delays":
            assert start is None
            assert 0.0 < result.delays.max() <= 20.0
        else:
            np.testing.assert_array_equal(result.delays, start)
            assert 0.0 <= start.min() <= start.max() <= 20.0
        # A record counts errors with the delays that were learned.
        assert record["learned"] == (record["missed"] + record["extra"] == 0)
    assert any(record["learned"] for record in records) or variant != "delays"


def test_random_delays_differ_by_seed_and_not_by_load():
    cell = few("random delays")
    assert (cell.make_delays(1) == cell.but(load=9).make_delays(1)).all()
    assert (cell.make_delays(1) != cell.make_delays(2)).any()


def made_up(scale="paper", n=20):
    """Trials in which delays learn twice as much, in half of the epochs."""
    trials = []
    for cell in delays.cells(scale, []):
        twice = 2 if cell.row.variant == "delays" else 1
        few_inputs = cell.task == delays.FEW
        half = 0.2 * twice * cell.n_channels if few_inputs else 1.02 * cell.load
        loads = [cell.load] if few_inputs or cell.row.quantity else [cell.load, 2 * cell.load]
        trials += [
            Trial(cell.but(load=load), seed, {"learned": load < half, "epochs": 60 // twice})
            for load in loads
            for seed in range(n)
        ]
    return trials


def test_summary_has_capacities_gains_and_epochs():
    summary = delays.summarise("paper", made_up())
    rows = {row.key: row for row in summary.rows}
    assert len(rows) == len(summary.rows)
    alone = RowKey("50 inputs", PROJECTION, "strict")
    learned = alone.but(variant="delays")
    assert rows[alone].value == pytest.approx(9.0, abs=1.1)
    assert rows[learned.but(quantity="times weights")].value == pytest.approx(2.0, rel=0.15)
    assert rows[learned.but(quantity="Wilcoxon p to 1.5 times weights")].n == 20
    random = alone.but(variant="random delays")
    assert rows[random.but(quantity="times weights")].value == pytest.approx(1.0)
    assert random.but(quantity="Wilcoxon p to 1.5 times weights") not in rows
    short = RowKey("short", PROJECTION, "strict", quantity="epochs")
    assert (rows[short].value, rows[short.but(variant="delays")].value) == (60.0, 30.0)
    assert rows[RowKey("short", PROJECTION, "strict")].unit == "ms"
    assert rows[RowKey("five classes", PROJECTION)].unit == "patterns"


def test_panels_have_a_line_for_each_variant():
    panels = {panel.title: panel for panel in delays.summarise("paper", made_up()).panels}
    names = [line.name for line in panels["50 inputs, one spike each"].lines]
    assert names == list(delays.NAMES.values())
    assert [line.name for line in panels["Five classes"].lines] == names[:2]
    assert len(panels) == 5
    assert delays.summarise("paper", []).panels == ()


def test_epochs_of_a_trial_that_failed_are_all_of_them():
    key = RowKey("short", PROJECTION, "strict", quantity="epochs")
    cell = CELLS[key]
    trials = [Trial(cell, seed, {"learned": seed > 1, "epochs": 5}) for seed in range(3)]
    rows = {row.key: row for row in delays.summarise("smoke", trials).rows}
    assert rows[key].value == 30.0
    assert "1 of 3 learned" in rows[key].note
