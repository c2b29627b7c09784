"""Figure 10: what it makes of the trials of table 4."""

import pytest
from tests.support.mnist_trials import PROJECTION, TIES, whole_table
from tests.support.report_rows import check_printed

from linspike.paper.common import mnist
from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.figures import fig10
from linspike.paper.report.verdicts import compare
from linspike.paper.tables import table4
from linspike.study.experiment import NotEnoughTrials
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey


def test_every_number_of_the_paper_has_a_row_in_figure_10():
    check_printed("fig10", fig10.summarise("paper", whole_table()).rows)


def test_what_figure_10_makes_of_its_trials():
    summary = fig10.summarise("paper", whole_table())
    rows = {row.key: row for row in summary.rows}
    assert rows[RowKey(method=LINEAR_PROGRAM, quantity="epochs to 90 %")].value == 2.0
    assert rows[RowKey(method="MST", quantity="epochs to 90 %")].value is None
    assert rows[RowKey(method="EMLC", quantity="epochs to 1 % of the last")].value == 4.0
    below = rows[RowKey(method="EMLC", quantity="below CNN, last epoch")]
    assert below.value == pytest.approx(6.1, abs=0.3)
    assert below.unit == "points"
    assert RowKey(method="MST", variant=TUNED, quantity="first epoch") in rows
    found = compare("fig10", "paper", summary)
    label = f"{PROJECTION}, below CNN, last epoch"
    assert next(result for result in found if result.row == label).claim == "about 1"
    assert [len(panel.lines) for panel in (*summary.panels, *summary.details)] == [5, 5, 5]
    assert [panel.title for panel in summary.panels] == ["Test images"]


def test_without_trials_of_every_method_there_is_no_summary():
    with pytest.raises(NotEnoughTrials, match="no trial of figure 10 that every method has"):
        fig10.summarise("paper", [t for t in whole_table() if t.cell.row.method != "CNN"])


def test_figure_10_asks_for_nothing_that_table_4_does_not():
    done = whole_table()
    of_table = {cell.digest: cell.row for cell in table4.cells("paper", done)}
    of_figure = {cell.digest for cell in mnist.method_cells("paper", done)}
    assert of_figure < set(of_table)
    left = {row for digest, row in of_table.items() if digest not in of_figure}
    divided = {method.key(variant=mnist.DIVIDED) for method in mnist.METHODS}
    rows = {table4.STOPPED, table4.WIDER, *divided}
    assert rows < left
    assert all(row.scenario for row in left - rows)


def of_ties(trials, ties=mnist.AMONG):
    rows = fig10.summarise("paper", trials).rows
    return {row.key: row for row in rows if row.key.variant == ties}


@pytest.mark.parametrize("ties", mnist.OTHER_TIES)
def test_ties_bring_a_method_nearer_to_the_reference(ties):
    rows = of_ties(whole_table(), ties)
    assert {key.quantity for key in rows} == {"below CNN, first epoch", "below CNN, last epoch"}
    assert {key.method for key in rows} == {method.name for method in mnist.METHODS}
    plain = {row.key: row for row in fig10.summarise("paper", whole_table()).rows}
    for key, row in rows.items():
        assert row.value == pytest.approx(plain[key.but(variant="")].value - TIES[ties])
        assert row.n == 10


def test_ties_are_compared_seed_by_seed():
    def kept(trial):
        method, seed = trial.cell.row.method, trial.seed
        if trial.cell.row.variant or trial.cell.validation:
            return False
        return seed not in {"CNN": (0, 1), LINEAR_PROGRAM: (8, 9)}.get(method, ())

    trials = [trial for trial in whole_table() if kept(trial)]
    key = RowKey(method=LINEAR_PROGRAM, variant=mnist.AMONG, quantity="below CNN, last epoch")
    row = of_ties(trials)[key]
    last = {(t.cell.row.method, t.seed): t.record for t in trials}
    points = [
        last["CNN", seed]["test"][-1] - last[LINEAR_PROGRAM, seed]["test, among"][-1]
        for seed in range(2, 8)
    ]
    assert row.n == 6
    assert row.value == pytest.approx(sum(points) / 6)


def test_trials_without_other_readings_of_ties_have_no_rows_of_them():
    trials = [
        t._replace(record={part: t.record[part] for part in t.cell.parts}) for t in whole_table()
    ]
    assert [of_ties(trials, ties) for ties in mnist.OTHER_TIES] == [{}, {}]
