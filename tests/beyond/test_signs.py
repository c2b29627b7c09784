"""Weights of fixed signs: bounds and first weights of a cell, records, rows and shares."""

import numpy as np
import pytest

import linspike as ls
from linspike.beyond import signs
from linspike.constraints import solve_task
from linspike.paper.common import capacity_cells
from linspike.paper.tables import table1
from linspike.paper.tables.table1_limits import LIMIT, SHARE, limit_rows
from linspike.study.cells import Trial
from linspike.study.rows import RowKey
from linspike.study.tasks import encoding

CELLS = {cell.row: cell for cell in signs.cells("smoke", [])}
LEARNED = CELLS[RowKey("short, 80 % excitatory", "DTA (projection)", "strict")]
SOLVED = CELLS[RowKey("short, 80 % excitatory", LIMIT)]
FREE, _ = limit_rows("smoke", "short", 60)


@pytest.mark.parametrize(("excitatory", "first"), [(0.5, 30), (0.8, 48)])
def test_the_first_channels_are_excitatory(excitatory, first):
    cell = LEARNED.but(excitatory=excitatory)
    low, high = cell.weight_bounds()
    assert (low == np.where(np.arange(60) < first, 0.0, -np.inf)).all()
    assert (high == np.where(np.arange(60) < first, np.inf, 0.0)).all()


def test_the_task_is_that_of_table_1_with_weights_inside_the_bounds():
    cell = LEARNED.but(load=3)
    weights, patterns, targets = cell.make_task(4)
    free, same, alike = encoding(4, 3, n_channels=60)
    assert patterns == same
    assert [train.times.tolist() for train in targets] == [t.times.tolist() for t in alike]
    np.testing.assert_array_equal(np.abs(weights), np.abs(free))
    low, high = cell.weight_bounds()
    assert ((low <= weights) & (weights <= high)).all()


def test_learned_weights_keep_their_signs(monkeypatch):
    found = []

    class Keeping(ls.Trainer):
        def fit_many(self, *args, **more):
            results = super().fit_many(*args, **more)
            found.extend(result.weights for result in results)
            return results

    monkeypatch.setattr(capacity_cells, "Trainer", Keeping)
    records = signs.trials(LEARNED.but(load=2), [0, 1])
    assert [set(record) >= {"learned", "epochs", "missed"} for record in records] == [True, True]
    low, high = LEARNED.weight_bounds()
    assert len(found) == 2
    assert all(((low <= weights) & (weights <= high)).all() for weights in found)


def test_solved_weights_keep_their_signs():
    cell = SOLVED.but(load=2)
    _, patterns, targets = cell.make_task(0)
    bounds = cell.weight_bounds()
    options = {"weight_bounds": bounds, "objective": "feasible"}
    found = solve_task(cell.make_neuron(), patterns, targets, **options)
    (record,) = signs.trials(cell, [0])
    assert found.solvable
    assert record["learned"]
    assert ((bounds[0] <= found.weights) & (found.weights <= bounds[1])).all()


def test_fixed_signs_make_tasks_unsolvable():
    free, bound = (
        [record["learned"] for record in trials(cell.but(load=5), range(6))]
        for trials, cell in ((table1.trials, FREE), (signs.trials, SOLVED))
    )
    assert sum(free) > sum(bound)


def test_rows_have_shares_of_the_limit_of_their_own_bounds():
    trials = []
    for cell, loads in ((LEARNED, (2, 3)), (SOLVED, (4, 5))):
        for load, solved in zip(loads, (True, False), strict=True):
            record = {"learned": solved, "decided": True, "epochs": 3, "margin": 0.1, "rounds": 2}
            trials += [Trial(cell.but(load=load), seed, record) for seed in range(4)]
    summary = signs.summarise("smoke", trials)
    rows = {row.key: row for row in summary.rows}
    share = rows[LEARNED.row.but(quantity=SHARE)]
    assert share.value == pytest.approx(100.0 * rows[LEARNED.row].value / rows[SOLVED.row].value)
    assert [panel.title for panel in summary.panels] == ["Short patterns, 80 % excitatory"]
    assert [line.name for line in summary.panels[0].lines] == ["DTA (projection)", LIMIT]
