"""MNIST: tuning on validation images, and what table 4 makes of its trials."""

import pytest
from tests.support.mnist_trials import PROJECTION, TIES, make_trials, whole_table
from tests.support.report_rows import check_printed

from linspike.paper.common import mnist
from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.report.verdicts import compare
from linspike.paper.tables import table4
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey, Status
from linspike.study.tuning import TUNING_SEEDS


def final_cells(trials):
    return {cell.row: cell for cell in table4.cells("paper", trials) if not cell.validation}


def test_every_method_is_tuned_over_as_many_settings_on_seeds_of_their_own():
    begun = table4.cells("paper", [])
    tuning = [cell for cell in begun if cell.tuning]
    for method in mnist.METHODS:
        assert sum(cell.row == method.key(variant=TUNED) for cell in tuning) == 15
    assert sum(cell.row == mnist.REFERENCE.key() for cell in tuning) == 5
    changes = [cell for cell in begun if cell.row.scenario]
    assert len(changes) == 20
    assert all(cell.validation and not cell.tuning for cell in changes)
    assert all(cell.validation for cell in tuning)
    assert set(mnist.seeds("paper", tuning[0])) <= set(TUNING_SEEDS)
    assert set(mnist.seeds("paper", changes[0])) <= set(TUNING_SEEDS)
    assert {cell.row for cell in begun if not cell.validation} == {
        method.key(variant=variant) for method in mnist.METHODS for variant in ("", mnist.DIVIDED)
    }


def test_the_best_setting_enters_with_all_images():
    final = final_cells(whole_table())
    mst = final[RowKey(method="MST", variant=TUNED)]
    assert mst.settings["eta"] == final[RowKey(method="CNN")].settings["eta"] == 0.01
    assert mst.spikes == 3
    assert (mst.images, mst.epochs) == (60_000, 20)
    assert final[table4.STOPPED].held == 10_000
    tuned, wider = final[table4.TUNED_PROJECTION], final[table4.WIDER]
    assert wider.settings == {**tuned.settings, "margin": 0.5}
    assert len(mnist.seeds("paper", mst)) == 10


def test_every_number_of_the_paper_has_a_row_in_table_4():
    check_printed("table4", table4.summarise("paper", whole_table()).rows)


def test_what_table_4_makes_of_its_trials():
    rows = {row.key: row for row in table4.summarise("paper", whole_table()).rows}
    mst = rows[RowKey(method="MST", quantity="test")]
    assert mst.value == pytest.approx(86.9, abs=0.3)
    assert mst.n == 10

    def of_program(quantity):
        return rows[RowKey(method=LINEAR_PROGRAM, quantity=quantity)]

    assert of_program("gain over EMLC, test").value == pytest.approx(5.2, abs=0.3)
    assert of_program("Friedman F").value is None  # the same order in all trials
    assert of_program("Friedman F").status is Status.NO_RESULT
    assert "infinite" in of_program("Friedman F").note
    assert of_program("Friedman critical value").value == pytest.approx(3.55, abs=0.01)
    assert "2 and 18" in of_program("Friedman critical value").note
    wilcoxon = of_program("Wilcoxon p to CNN")
    assert wilcoxon.value == pytest.approx(2 / 2**10)  # all ten on one side
    assert wilcoxon.note.startswith("difference to CNN -1.06 (")
    tuned = rows[RowKey(method="MST", variant=TUNED, quantity="test")]
    assert tuned.note.startswith("eta 0.01, few spikes, sd ")
    assert "margin 0.5" in rows[table4.WIDER.but(quantity="test")].note
    early = rows[table4.STOPPED.but(quantity="test")]
    assert early.value == pytest.approx(97.8, abs=0.3)
    assert early.note.startswith("50000 images, the best epoch on 10000 others, patience 3")


def test_the_protocol_is_read_literally_and_activations_divided_stand_beside_it():
    cells = {cell.row: cell for cell in table4.cells("paper", []) if not cell.validation}
    for method in mnist.METHODS:
        plain, divided = cells[method.key()], cells[method.key(variant=mnist.DIVIDED)]
        assert (plain.activation, plain.other_ties) == (1.0, mnist.OTHER_TIES)
        assert divided.but(row=plain.row, activation=1.0, other_ties=mnist.OTHER_TIES) == plain
        assert divided.activation is None
    assert cells[mnist.METHODS[0].key()].settings["bound"] == mnist.PAPERS_ETA
    rows = {row.key: row for row in table4.summarise("paper", whole_table()).rows}
    assert rows[RowKey(method="MST", variant=mnist.DIVIDED, quantity="test")].n == 10


def test_other_readings_of_equal_counts_have_rows_of_their_own():
    rows = {row.key: row for row in table4.summarise("paper", whole_table()).rows}
    for method in mnist.METHODS:
        test = rows[method.key().but(quantity="test")].value
        for ties, points in TIES.items():
            row = rows[method.key().but(quantity=f"test, {ties}")]
            assert row.value == pytest.approx(test + points)
            assert row.n == 10
    assert RowKey(method="CNN", quantity="test, among") not in rows
    old = [
        t._replace(record={part: t.record[part] for part in t.cell.parts}) for t in whole_table()
    ]
    quantities = {row.key.quantity for row in table4.summarise("paper", old).rows}
    assert "test, among" not in quantities


def test_the_critical_value_stands_at_the_degrees_of_freedom_that_are_printed():
    quantity = "Friedman critical value, 3 and 18 degrees of freedom"
    rows = {row.key: row for row in table4.summarise("paper", whole_table()).rows}
    found = {key: row for key, row in rows.items() if key.quantity == quantity}
    assert set(found) == {
        RowKey(method=name, quantity=quantity) for name in (LINEAR_PROGRAM, PROJECTION)
    }
    assert all(row.value == pytest.approx(3.16, abs=0.005) for row in found.values())


def test_tuned_rows_are_compared_with_the_papers_numbers():
    found = compare("table4", "paper", table4.summarise("paper", whole_table()))
    verdicts = {result.row: result.verdict for result in found}
    assert verdicts["MST, tuned, test"] == verdicts["MST, test"]
    assert verdicts[f"{PROJECTION}, test"] in {"reproduced", "better"}
    assert verdicts[f"one change, {PROJECTION}, margin 0.5, validation"] == "no number in the paper"


def test_partial_trials_leave_rows_out():
    whole = whole_table()
    rest = [t for t in whole if t.cell.row.method not in ("MST", "CNN")]
    quantities = {row.key.quantity for row in table4.summarise("paper", rest).rows}
    assert "gain over EMLC, test" in quantities
    assert not quantities & {"gain over MST, test", "Friedman F", "Wilcoxon p to CNN"}
    assert table4.summarise("paper", []).rows == ()


def test_the_codings_are_named():
    cells = mnist.tuning_grid("paper", mnist.METHODS[0])
    targets = {mnist.coding_of(cell): cell.settings.get("count_target", "") for cell in cells}
    assert targets == {"ten spikes": "", "few spikes": "", "slow": "critical"}
    assert mnist.coding_of(table4.cells("paper", [])[0]) == ""


def test_changes_are_shown_in_their_order_with_the_start_on_top():
    begun = table4.cells("paper", [])
    trials = make_trials([cell for cell in begun if cell.row.scenario], lambda cell: 95.0)
    (panel,) = table4.summarise("paper", trials).details
    assert panel.y_names[-2:] == ("ties to the first", "none")
    assert len(panel.lines[0].x) == 60
    assert panel.marks[0].name == "none"
