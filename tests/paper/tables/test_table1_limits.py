"""The limit beside the rules of table 1: its cells, records, notes and shares."""

import numpy as np
import pytest

import linspike as ls
from linspike.paper.common.capacity_cells import LONG_MS
from linspike.paper.common.methods import PROJECTION
from linspike.paper.tables import table1
from linspike.paper.tables.table1_limits import (
    FOUND,
    LIMIT,
    SHARE,
    add_learned,
    describe_limit,
    limit_rows,
    repeat_strict,
    share_rows,
)
from linspike.study.cells import Trial
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import encoding

EXACT, WITHIN = limit_rows("smoke", "long", 60)


def trials_at(cell, load, *solved):
    """One trial per seed; None is undecided."""
    return [
        Trial(cell.but(load=load), seed, {"learned": bool(found), "decided": found is not None})
        for seed, found in enumerate(solved)
    ]


def test_cells_say_what_is_solved():
    assert EXACT.row == RowKey("long", LIMIT)
    assert WITHIN.row == RowKey("long", FOUND, "strict")
    assert EXACT.settings == {"tolerance": 0.0, "objective": "feasible"}
    assert WITHIN.settings == {"tolerance": 1.0, "objective": "feasible"}
    assert EXACT.from_json(EXACT.to_json()) == EXACT


def test_the_tasks_are_those_of_the_rules():
    (_, patterns, targets), (_, same, alike) = (
        EXACT.but(load=4).make_task(7),
        encoding(7, 1, duration=4 * LONG_MS, n_channels=60),
    )
    assert patterns == same
    assert [train.times.tolist() for train in targets] == [t.times.tolist() for t in alike]


def test_what_dta_learned_strictly_is_found():
    dta = WITHIN.but(row=RowKey("long", PROJECTION, "strict"), rule="dta")
    lax = dta.but(row=RowKey("long", PROJECTION))
    trials = [
        *trials_at(WITHIN, 8, True, None, None, None),
        *trials_at(EXACT, 8, True, False, False, None),
        *trials_at(dta, 8, False, True, False),
        *trials_at(dta, 9, True, False, True, True),
        *trials_at(lax, 8, True, True, True, True),
    ]
    found = add_learned(trials)
    assert found[:-8] == trials[4:]
    within = {(trial.cell.load, trial.seed): trial.record["learned"] for trial in found[-8:]}
    assert {trial.cell.row for trial in found[-8:]} == {WITHIN.row}
    assert [within[8, seed] for seed in range(4)] == [True, True, False, False]
    assert [within[9, seed] for seed in range(4)] == [True, False, True, True]
    assert add_learned(trials[4:]) == trials[4:]


def test_a_record_says_whether_it_was_decided():
    easy, hard = (table1.trials(EXACT.but(load=load), [1])[0] for load in (9, 40))
    assert set(easy) == {"learned", "decided", "margin", "rounds"}
    assert (hard["learned"], hard["decided"]) == (False, True)
    assert hard["margin"] < 0.0
    assert easy["decided"] or not easy["learned"]
    (within,) = table1.trials(WITHIN.but(load=9), [1])
    assert within["learned"] >= easy["learned"]


def test_a_margin_of_minus_infinity_is_stored_as_none(monkeypatch):
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    targets = ls.SpikeTimes([[10.0, 30.0]])
    task = (np.zeros(1), ls.PatternSet.from_patterns([pattern]), targets)
    monkeypatch.setattr(type(EXACT), "make_task", lambda cell, seed: task)
    (record,) = table1.trials(EXACT, [0])
    assert record["margin"] is None
    assert (record["learned"], record["decided"]) == (False, True)


def test_undecided_tasks_are_counted_apart():
    sure = trials_at(EXACT, 10, True, True) + trials_at(EXACT, 12, False, False)
    assert describe_limit(sure).endswith("; 0.0 % of the tasks undecided")
    open_ones = trials_at(EXACT, 11, True, None)
    text = describe_limit(sure + open_ones)
    assert "16.7 % of the tasks undecided, counted as not solvable (as solvable: " in text
    assert "for 50.0 % of the tasks none were found" in describe_limit(
        trials_at(WITHIN, 9, True, None)
    )


def test_shares_of_the_limit():
    dta = RowKey("long", "DTA (projection)")
    rows = [
        Row(RowKey("long", LIMIT), 20000.0, 16000.0, 25000.0, 50, "ms"),
        Row(dta, 22000.0, 20000.0, 24000.0, 50, "ms"),
        Row(dta.but(criterion="strict"), 18000.0, 16000.0, 20000.0, 50, "ms"),
        Row(dta.but(variant="no gap"), 18000.0, 16000.0, 20000.0, 50, "ms"),  # of other tasks
        Row(RowKey("long", "FP"), None, None, 900.0, 50, "ms"),
        Row(RowKey("short", "FP"), 900.0, 800.0, 900.0, 50, "ms"),  # without a limit
    ]
    rows += repeat_strict(rows)
    assert rows[-1].key == RowKey("long", LIMIT, "strict")
    assert rows[-1].value == 20000.0
    plain, strict = share_rows(rows)
    assert plain.key == dta.but(quantity=SHARE)
    assert (plain.value, plain.lo, plain.hi) == pytest.approx((110.0, 80.0, 150.0))
    assert "above 100 % is possible" in plain.note
    assert strict.key == dta.but(criterion="strict", quantity=SHARE)
    assert strict.value == pytest.approx(90.0)
    assert strict.note == "strict criterion: every spike within 1 ms"


def test_the_picture_has_rules_by_the_hardest_criterion_they_have():
    cells = [cell for cell in table1.cells("smoke", []) if cell.task == "short"]
    record = {"learned": True, "decided": True, "epochs": 5, "desired": 9, "missed": 0, "extra": 0}
    panels = table1.summarise("smoke", [Trial(cell, 0, record) for cell in cells]).panels
    assert [panel.title for panel in panels] == [
        "Short patterns, common setting",
        "Short patterns, below the exact limit",
    ]
    assert [line.name for line in panels[1].lines] == [
        "exact limit",
        "found within 1 ms",
        "DTA (projection), strict",
        "HTP, the paper's criterion",
    ]
