"""Figure 8: epochs of the paper's claims, of trials that every method has."""

import numpy as np
import pytest
from tests.support.report_rows import check_printed

from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.figures import fig8
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


def test_only_trials_that_every_method_has_count(trials):
    lost = {(LINEAR_PROGRAM, 2), ("MST", 5)}
    rest = [t for t in trials if (t.cell.row.method, t.seed) not in lost]
    assert {row.n for row in fig8.summarise("paper", rest).rows} == {48}
    with pytest.raises(NotEnoughTrials, match="no trial of figure 8 that every method has"):
        fig8.summarise("paper", [t for t in trials if t.cell.row.method != "MST"])
