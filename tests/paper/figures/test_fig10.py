"""Figure 10: what it makes of the trials of table 4."""

import pytest
from tests.support.mnist_trials import PROJECTION, whole_table
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
    assert {table4.STOPPED, table4.WIDER} < left
    assert all(row.scenario for row in left - {table4.STOPPED, table4.WIDER})
