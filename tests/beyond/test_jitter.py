"""Jitter: how it is added, what counts as right, who is compared with whom."""

import numpy as np
import pytest

import linspike as ls
from linspike.beyond import jitter
from linspike.paper.common.methods import PROJECTION
from linspike.study.cells import Trial
from linspike.study.rows import RowKey, Status

CELLS = {cell.row: cell for cell in jitter.cells("smoke", [])}
WEIGHTS = RowKey("same load", PROJECTION, "strict")
RIGHT = "responses within 1 ms, jitter 0.5 ms"


def test_jitter_moves_spikes_inside_their_patterns():
    patterns = ls.PatternSet([1.0, 9.0, 5.0], [0, 1, 2], [0, 2, 3], 3, 10.0)
    moved = jitter.add_jitter(patterns, np.array([8.5, -2.0, 7.0]))
    assert moved.times.tolist() == [7.0, 9.5, 10.0]
    assert moved.channels.tolist() == [1, 0, 2]
    assert moved.offsets.tolist() == [0, 2, 3]


def test_right_responses_and_spikes():
    targets = ls.SpikeTimes([[10.0, 30.0], [20.0]])
    exact = [ls.SpikeTrain([10.5, 30.0]), ls.SpikeTrain([20.0])]
    late = [ls.SpikeTrain([11.5, 30.0]), ls.SpikeTrain([20.0, 40.0])]
    assert jitter.compare_responses([exact], targets, 1.0) == (100.0, 100.0)
    assert jitter.compare_responses([late], targets, 1.0) == (0.0, pytest.approx(200.0 / 3.0))
    assert jitter.compare_responses([late], targets, 2.0) == (50.0, 100.0)
    assert jitter.compare_responses([exact, late], targets, 2.0) == (75.0, 100.0)


@pytest.mark.parametrize("row", CELLS, ids=str)
def test_every_method_is_measured(row):
    (record,) = jitter.trials(CELLS[row], [1])
    shares = {name: value for name, value in record.items() if " within " in name}
    assert len(shares) == 8
    assert all(0.0 <= value <= 100.0 for value in shares.values())
    for measure in jitter.MEASURES:
        for size in (0.5, 1):
            near, far = (shares[f"{measure} within {within} at {size}"] for within in (1, 2))
            assert near <= far


def test_without_jitter_all_that_was_learned_stays_right():
    cell = CELLS[WEIGHTS.but(variant="delays")].but(jitters=(0.0,), max_epochs=300)
    (record,) = jitter.trials(cell, [1])
    assert record["learned"]
    assert record["responses within 1 at 0"] == 100.0


def made_up(n=6):
    trials = []
    for cell in jitter.cells("paper", []):
        better = 5.0 if cell.row.variant == "delays" else 0.0
        record = {name: 80.0 + better for _, name in jitter._quantities()}
        for seed in range(n):
            learned = seed > 0 and cell.row.method != "joint layers"
            trials.append(Trial(cell, seed, {"learned": learned, "epochs": 9, **record}))
    return trials


def test_summary_leaves_out_what_did_not_learn():
    summary = jitter.summarise("paper", made_up())
    rows = {row.key: row for row in summary.rows}
    assert len(rows) == len(summary.rows)
    found = rows[WEIGHTS.but(quantity=RIGHT)]
    assert (found.value, found.n) == (80.0, 5)
    assert "5 of 6 trials learned" in found.note
    gain = rows[WEIGHTS.but(variant="delays", quantity=f"gain over weights, {RIGHT}")]
    assert (gain.value, gain.n) == (5.0, 5)
    assert WEIGHTS.but(quantity=f"gain over weights, {RIGHT}") not in rows
    joint = rows[RowKey("own load", "joint layers", "strict", "100 hidden")]
    assert joint.status is Status.NO_RESULT
    assert [panel.title for panel in summary.panels] == ["same load", "own load", "500 inputs"]
    assert [len(panel.lines) for panel in summary.panels] == [5, 5, 3]
