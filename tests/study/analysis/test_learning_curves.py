"""Accuracy over epochs: last accuracies, the best of a grid, and statistics of mean curves."""

import numpy as np
import pytest

from linspike.study.analysis import learning_curves as curves
from linspike.study.cells import RuleCell, Trial
from linspike.study.rows import RowKey

A, B = RowKey(method="A"), RowKey(method="B")


def cell(row=A, **fields):
    return RuleCell(scale="smoke", row=row, rule="mst", **fields)


def trial(of_cell, seed, *accuracies):
    return Trial(of_cell, seed, {"train": list(accuracies), "test": list(accuracies)})


def test_trials_of_tuning_do_not_belong_to_the_row():
    trials = [trial(cell(), 0, 50.0), trial(cell(tuning=True), 1, 90.0), trial(cell(B), 2, 70.0)]
    assert curves.last_accuracies(trials, A, "test") == {0: 50.0}


def test_accuracy_rows_have_the_spread_in_their_note():
    train, test = curves.accuracy_rows(
        [trial(cell(), s, 10.0, 80.0 + s) for s in (0, 2)], A, "eta 1"
    )
    assert train.key == A.but(quantity="train")
    assert test.key == A.but(quantity="test")
    assert (test.value, test.n, test.unit) == (81.0, 2, "%")
    assert test.note == "eta 1, sd 1.41"
    assert curves.accuracy_rows([], A) == []
    (one, _) = curves.accuracy_rows([trial(cell(), 0, 80.0)], A, "eta 1")
    assert one.note == "eta 1"


def test_the_best_cell_is_the_first_of_equals_once_all_have_their_trials():
    grid = [cell(tuning=True, settings={"eta": eta}) for eta in (0.1, 0.2, 0.3)]
    trials = [
        trial(each, seed, level)
        for each, level in zip(grid, (1, 5, 5), strict=True)
        for seed in (0, 1)
    ]
    assert curves.best_cell(trials, grid, 2) is grid[1]
    assert curves.best_cell(trials[:-1], grid, 2) is None
    assert curves.best_cell(trials[:-1], grid, 1) is grid[1]


def test_the_best_cell_is_found_in_every_block_of_seeds():
    grid = [cell(tuning=True, settings={"eta": eta}) for eta in (0.1, 0.2)]
    trials = [trial(each.but(seed_block=3), 0, each.settings["eta"]) for each in grid]
    assert curves.best_cell(trials, grid, 1) is grid[1]


def test_curves_are_of_the_trials_that_all_rows_share():
    trials = [trial(cell(A), s, s, s) for s in (0, 1, 2)] + [
        trial(cell(B), s, s, 9) for s in (1, 2)
    ]
    found = curves.paired_curves(trials, [A, B], "test")
    assert found["A"].tolist() == [[1, 1], [2, 2]]
    assert found["B"].tolist() == [[1, 9], [2, 9]]
    assert len(curves.paired_curves(trials[:3], [A, B], "test")["A"]) == 0


def test_first_epoch():
    assert curves.first_epoch(np.array([90.0, 94.0, 95.0]), 94.0) == 2.0
    assert curves.first_epoch(np.array([90.0, 91.0]), 94.0) == np.inf


def test_bootstrap_draws_the_same_trials_of_all_methods():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(20, 3))
    found = {"A": noise + 5.0, "B": noise}
    row = curves.bootstrap_row(
        A, lambda means: float(means["A"][-1] - means["B"][-1]), found, "points"
    )
    assert row.value == pytest.approx(5.0)
    assert row.hi - row.lo < 1e-12
    wide = curves.bootstrap_row(A, lambda means: float(means["A"][-1]), found, "points")
    assert wide.lo < wide.value < wide.hi
    assert (wide.key, wide.n, wide.unit) == (A, 20, "points")


def test_a_level_that_is_not_reached_leaves_the_last_epoch_as_lower_end():
    found = {"A": np.zeros((4, 3))}
    row = curves.bootstrap_row(A, lambda means: curves.first_epoch(means["A"], 1.0), found)
    assert (row.value, row.lo, row.hi) == (None, 3.0, None)
    assert row.note == "not within 3 epochs"


def test_lines_have_standard_deviations():
    line = curves.mean_line("A", np.array([[90.0, 99.0], [92.0, 101.0]]))
    assert line.y == [91.0, 100.0]
    assert line.hi[1] == 100.0
    assert line.lo[0] == pytest.approx(91.0 - 2**0.5)
    assert curves.mean_line("A", np.array([[90.0]])).lo == [90.0]
