"""A method beside baselines: gains, tests, ranks, and what happens where trials are missing."""

import numpy as np
import pytest

from linspike.study.analysis.comparison import (
    compare_methods,
    gain_rows,
    rank_panels,
    wilcoxon_rows,
)
from linspike.study.cells import RuleCell, Trial
from linspike.study.rows import RowKey, Status

KEY = RowKey(method="new", variant="tuned")
BASELINES = ("old", "older")


def make_trials(levels, seeds=range(10), noise=0.1):
    rng = np.random.default_rng(0)
    return [
        Trial(
            RuleCell(scale="smoke", row=KEY.but(method=name), rule="mst"),
            seed,
            {"test": [level + noise * rng.normal()]},
        )
        for name, level in levels.items()
        for seed in seeds
    ]


WHOLE = make_trials({"new": 95.0, "old": 90.0, "older": 80.0})


def test_gains_are_over_the_mean_of_baselines():
    (row,) = gain_rows(WHOLE, KEY, BASELINES, "test")
    assert row.key == KEY.but(quantity="gain over old and older, test")
    assert row.value == pytest.approx(10.0, abs=0.2)
    assert (row.n, row.unit) == (10, "points")
    (row,) = gain_rows(WHOLE, KEY, ("old",), "test")
    assert row.key.quantity == "gain over old, test"
    assert row.value == pytest.approx(5.0, abs=0.2)
    assert gain_rows(WHOLE, KEY, ("oldest",), "test") == []


def at_variant(trials, variant, **fields):
    """Trials of the same methods in another variant."""
    return [
        trial._replace(cell=trial.cell.but(row=trial.cell.row.but(variant=variant, **fields)))
        for trial in trials
    ]


def test_gains_over_baselines_of_another_variant_name_it():
    weak = at_variant(make_trials({"old": 70.0, "older": 60.0}, range(5)), "small")
    (row,) = gain_rows([*WHOLE, *weak], KEY, BASELINES, "test", at="small")
    assert row.key == RowKey(
        method="new",
        variant="old and older at small",
        quantity="gain over old and older, test",
    )
    assert row.value == pytest.approx(30.0, abs=0.2)
    assert row.n == 5
    assert gain_rows(WHOLE, KEY, BASELINES, "test", at="small") == []
    (same,) = gain_rows([*WHOLE, *weak], KEY, BASELINES, "test")
    assert same.value == pytest.approx(10.0, abs=0.2)


def test_gains_stay_within_scenario_and_criterion():
    fields = {"scenario": "long", "criterion": "strict"}
    there = at_variant(make_trials({"new": 50.0, "old": 30.0}), "tuned", **fields)
    (row,) = gain_rows([*WHOLE, *there], KEY.but(**fields), ("old",), "test")
    assert row.value == pytest.approx(20.0, abs=0.2)
    plain = at_variant(make_trials({"old": 10.0}), "", **fields)
    (row,) = gain_rows([*WHOLE, *there, *plain], KEY.but(**fields), ("old",), "test", at="")
    assert row.value == pytest.approx(40.0, abs=0.2)


def test_rows_of_a_comparison_have_the_key_of_the_method():
    found = compare_methods(WHOLE, KEY, BASELINES)
    q, p = found.chi2_rows()
    assert (q.key.quantity, p.key.quantity) == ("Friedman Q", "Friedman p")
    assert q.value == pytest.approx(20.0)
    assert p.value < 1e-3
    each = found.nemenyi_rows()
    assert [row.key.quantity for row in each] == ["Nemenyi p to old", "Nemenyi p to older"]
    largest = found.largest_nemenyi_row()
    assert largest.key == KEY.but(quantity="Nemenyi p to old and older")
    assert largest.value == max(row.value for row in each)
    assert found.baselines_row().key.quantity == "Nemenyi p, old to older"
    assert found.baselines_row().value == pytest.approx(each[0].value)  # a rank apart, both
    assert found.sentence().startswith("Tuned: Friedman over 10 trials of 3 methods")


def test_the_same_order_in_every_trial_leaves_f_without_a_number():
    f, critical = compare_methods(WHOLE, KEY, BASELINES).f_rows()
    assert (f.value, f.status) == (None, Status.NO_RESULT)
    assert "infinite" in f.note
    assert critical.value == pytest.approx(3.55, abs=0.01)
    mixed = make_trials({"new": 90.0, "old": 90.0, "older": 90.0})
    f, _ = compare_methods(mixed, KEY, BASELINES).f_rows()
    assert f.value is not None
    assert f.note == "F with 2 and 18 degrees of freedom"


@pytest.mark.parametrize(
    "trials",
    [
        make_trials({"new": 95.0, "old": 90.0}),
        make_trials({"new": 95.0, "old": 90.0, "older": 80.0}, seeds=[0]),
        make_trials({"new": 90.0, "old": 90.0, "older": 90.0}, noise=0.0),
    ],
    ids=["a method is missing", "one trial", "no differences"],
)
def test_without_a_difference_to_test_there_is_no_comparison(trials):
    assert compare_methods(trials, KEY, BASELINES) is None
    assert rank_panels(trials, [KEY.but(method=name) for name in ("new", *BASELINES)], "x") == []


def test_wilcoxon():
    (row,) = wilcoxon_rows(WHOLE, KEY, KEY.but(method="old"))
    assert row.key == KEY.but(quantity="Wilcoxon p to old")
    assert row.value == pytest.approx(2 / 2**10)
    assert row.note.startswith("difference to old +5.0")
    assert wilcoxon_rows(WHOLE, KEY, RowKey(method="old")) == []


def test_ranks_are_of_all_rows():
    (panel,) = rank_panels(WHOLE, [KEY.but(method=name) for name in ("older", "new", "old")], "x")
    assert panel.ranks.names == ("older", "new", "old")
    assert tuple(panel.ranks.mean_ranks) == (3.0, 1.0, 2.0)
