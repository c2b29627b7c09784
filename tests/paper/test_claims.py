"""Claims of the text: what is tried, and ratios of epochs."""

import numpy as np
import pytest

from linspike.paper import claims
from linspike.paper.claims import MST, PROGRAM, PROJECTION, SPEED
from linspike.study.cells import Trial
from linspike.study.rows import RowKey

OVER_DTA, OVER_PROGRAM = "MST over DTA", "MST over the linear program"


def cell_of(row, scale="paper"):
    return next(cell for cell in claims.cells(scale, []) if cell.row == row)


def run(row, epochs, *, failed=()):
    """Return trials of a row that take so many epochs, by seed."""
    cell = cell_of(row)
    return [
        Trial(cell, seed, {"learned": seed not in failed, "epochs": count})
        for seed, count in epochs.items()
    ]


def summarise(trials):
    return {row.key: row for row in claims.summarise("paper", trials).rows}


def eta(value):
    return MST.key(SPEED, variant=f"eta {value:g}")


def test_every_claim_has_a_row_of_its_own():
    rows = [claim.row for claim in claims.CLAIMS]
    assert len(set(rows)) == len(rows)
    found = claims.cells("paper", [])
    assert [cell.row for cell in found] == rows
    assert len({cell.digest for cell in found}) == len(found)


def test_other_readings_of_the_program_change_what_they_name():
    def at_bound(variant):
        return cell_of(PROGRAM.key(f"{claims.AT_BOUND}, short", variant=variant))

    plain = at_bound("")
    assert (plain.settings["bound"], plain.settings["fallback_per"]) == (0.01, "step")
    for variant, changed in (
        ("bound 0.03", {"bound": 0.03}),
        ("bound 0.1", {"bound": 0.1}),
        ("fallback step per row", {"fallback_per": "row"}),
        ("bound 0.03, fallback step per row", {"bound": 0.03, "fallback_per": "row"}),
    ):
        settings = {**plain.settings, **changed}
        assert at_bound(variant) == plain.vary(variant, settings=settings)
    assert claims.PROGRAM.settings["fallback_per"] == "step"


@pytest.mark.parametrize("value", claims.SPEED_ETAS)
def test_step_sizes_of_mst_are_those_that_rows_name(value):
    cell = cell_of(eta(value))
    assert (cell.settings, cell.load, cell.max_epochs) == ({"eta": value}, 110, 500)


def test_ratios_are_taken_seed_by_seed():
    trials = [
        *run(eta(0.01), {0: 60, 1: 200, 3: 7}),
        *run(eta(0.001), {0: 90}),
        *run(PROJECTION.key(SPEED), {0: 6, 1: 10, 2: 1}),
        *run(PROGRAM.key(SPEED), {0: 30, 1: 20}),
    ]
    rows = summarise(trials)
    over = rows[RowKey(SPEED, OVER_DTA)]
    assert (over.value, over.n, over.unit) == (pytest.approx(15.0), 2, "times")
    assert rows[RowKey(SPEED, OVER_PROGRAM)].value == pytest.approx(6.0)
    assert rows[RowKey(SPEED, OVER_DTA, variant="eta 0.001")].value == pytest.approx(15.0)
    assert rows[RowKey(SPEED, OVER_PROGRAM, variant="eta 0.001")].n == 1
    assert RowKey(SPEED, OVER_DTA, variant="eta 0.0003") not in rows
    assert rows[eta(0.01)].value == 60.0


def test_a_trial_without_a_step_has_no_ratio():
    trials = [*run(eta(0.01), {0: 60, 1: 80}), *run(PROJECTION.key(SPEED), {0: 0, 1: 8})]
    assert summarise(trials)[RowKey(SPEED, OVER_DTA)].value == 10.0


def test_running_away_early_is_not_fast():
    trials = [
        *run(eta(0.027), {0: 50, 1: 6, 2: 100}, failed={1}),
        *run(PROJECTION.key(SPEED), {0: 10, 1: 10, 2: 10}),
    ]
    rows = summarise(trials)
    over = rows[RowKey(SPEED, OVER_DTA, variant="eta 0.027")]
    assert over.value == pytest.approx(np.mean([5.0, 50.0, 10.0]))
    assert over.note.endswith("1 not learned, which count all epochs")
    assert rows[eta(0.027)].value == 100.0
    assert rows[eta(0.027)].note.endswith("1 not learned, which count all epochs")
    assert "not learned" not in rows[PROJECTION.key(SPEED)].note


def test_shares_have_wilsons_interval():
    row = RowKey("EMLC at half of DTA's capacity", variant="eta 0.0012")
    found = summarise(run(row, dict.fromkeys(range(10), 100), failed={0, 1, 2, 3}))[row]
    assert (found.value, found.n) == (0.6, 10)
    assert (found.lo, found.hi) == pytest.approx((0.313, 0.832), abs=1e-3)
