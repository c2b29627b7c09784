"""Figure 8: epochs of the paper's claims, of trials that every method has."""

import numpy as np
import pytest
from tests.support.report_rows import check_printed

from linspike.paper.common.iris import BASELINES
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.figures import fig8
from linspike.paper.tables import table3
from linspike.study.analysis.learning_curves import bootstrap_row
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey


def constant(trials, values):
    return np.tile(np.array(values, float), (trials, 1))


def test_epochs_of_the_claims():
    curves = {
        LINEAR_PROGRAM: constant(4, [92, 93, 95]),
        PROJECTION: constant(4, [93, 94, 95]),
        "EMLC": constant(4, [80, 92, 93]),
        "MST": constant(4, [80, 85, 91]),
    }
    first, last, good = fig8.statistics(LINEAR_PROGRAM).values()
    row = bootstrap_row(RowKey(), first, curves)
    assert (row.value, row.lo, row.hi) == (None, 3.0, None)
    assert row.note == "not within 3 epochs"
    row = bootstrap_row(RowKey(), last, curves)
    assert (row.value, row.lo, row.hi) == (2.0, 2.0, 2.0)
    assert bootstrap_row(RowKey(), good, curves).value == 3.0
    assert bootstrap_row(RowKey(), fig8.epochs_to_good(PROJECTION), curves).value == 2.0


@pytest.fixture
def trials():
    rng = np.random.default_rng(1)
    return [
        Trial(cell, seed, {part: (80 + rng.random(20) * 15).tolist() for part in ("train", "test")})
        for cell in fig8.cells("paper", [])
        for seed in fig8.seeds("paper", cell)
    ]


def test_every_number_of_the_paper_has_a_row_in_figure_8(trials):
    summary = fig8.summarise("paper", trials)
    check_printed("fig8", summary.rows)
    assert [panel.title for panel in summary.panels] == ["Test half"]
    assert [panel.title for panel in summary.details] == ["Training half"]
    assert len(summary.panels[0].lines) == 4


def learn_as(cell):
    """Curves that are known: baselines with smaller steps are slower."""
    if cell.row.method not in BASELINES:
        return [86.0, 90.0, 94.0, 95.0]
    slow = {"": 0.0, "eta 0.001": 4.0, "eta 0.0005": 8.0, "eta 0.0012": 2.0}[cell.row.variant]
    return [80.0 - slow, 85.0 - slow, 90.0 - slow, 93.0 - slow]


def make_known(scale="laptop"):
    return [
        Trial(cell, seed, {part: learn_as(cell) for part in ("train", "test")})
        for cell in fig8.cells(scale, [])
        for seed in fig8.seeds(scale, cell)
    ]


def test_the_claims_of_speed_stand_at_smaller_steps_of_the_baselines_too():
    rows = {row.key: row for row in fig8.summarise("laptop", make_known()).rows}
    first, last, good = fig8.statistics(LINEAR_PROGRAM)
    for variant, to_first, to_last in (
        ("", 3.0, 3.0),
        ("eta 0.001", 3.0, 2.0),
        ("eta 0.0005", None, 1.0),
        ("eta 0.0012", 3.0, 3.0),
    ):
        where = f"EMLC and MST at {variant}" if variant else ""
        for name in (LINEAR_PROGRAM, PROJECTION):
            key = RowKey(method=name, variant=where)
            assert rows[key.but(quantity=first)].value == to_first
            assert rows[key.but(quantity=last)].value == to_last
            assert (key.but(quantity=good) in rows) == (variant == "")


def test_smaller_steps_need_trials_of_both_baselines():
    lost = ("MST", "eta 0.001")
    trials = [t for t in make_known() if (t.cell.row.method, t.cell.row.variant) != lost]
    variants = {row.key.variant for row in fig8.summarise("laptop", trials).rows}
    kept = {"EMLC and MST at eta 0.0005", "EMLC and MST at eta 0.0012"}
    assert variants == {"", *kept}
    assert not any(cell.row.variant for cell in fig8.cells("smoke", []))
    half = [t for t in make_known() if t.seed < 7 or not t.cell.row.variant]
    found = {row.key.variant: row.n for row in fig8.summarise("laptop", half).rows}
    assert found == {"": 50, "EMLC and MST at eta 0.001": 7, **dict.fromkeys(kept, 7)}


def test_figure_8_asks_for_nothing_that_table_3_does_not():
    for scale in ("smoke", "laptop", "paper"):
        of_table = {cell.digest for cell in table3.cells(scale, [])}
        assert {cell.digest for cell in fig8.cells(scale, [])} <= of_table


def test_only_trials_that_every_method_has_count(trials):
    lost = {(LINEAR_PROGRAM, 2), ("MST", 5)}
    rest = [t for t in trials if (t.cell.row.method, t.seed) not in lost]
    assert {row.n for row in fig8.summarise("paper", rest).rows} == {48}
    with pytest.raises(NotEnoughTrials, match="no trial of figure 8 that every method has"):
        fig8.summarise("paper", [t for t in trials if t.cell.row.method != "MST"])
