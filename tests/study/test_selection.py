"""Some rows of an experiment, with the tuning they need."""

from linspike.cli.experiments import REGISTRY
from linspike.study.selection import list_rows, select_rows

TABLE1, TABLE2 = REGISTRY.load("table1"), REGISTRY.load("table2")


def rows_of(made):
    """Labels of rows, each with whether it is tuning."""
    return {(cell.row.label, cell.tuning) for cell in made.cells("paper", [])}


def test_patterns_choose_rows():
    short = rows_of(select_rows(TABLE1, ["short, *"]))
    assert ("short, FILT", False) in short
    assert ("short, FILT, tuned", True) in short
    assert not any("long" in label for label, _ in short)


def test_a_row_does_not_bring_the_tuning_of_another():
    untuned = rows_of(select_rows(TABLE1, ["*, FILT"]))
    assert untuned == {("short, FILT", False), ("long, FILT", False)}
    tuned = rows_of(select_rows(TABLE1, ["*g, FILT, tuned"]))
    assert tuned == {("long, FILT, tuned", True)}


def test_rows_that_can_be_asked_for():
    assert "MST, tuned" in list_rows(TABLE2, "paper")
    assert "MST, tuned" not in list_rows(TABLE2, "smoke")
    assert list_rows(REGISTRY.load("fig1"), "smoke") == []


def test_seeds_and_trials_stay():
    part = select_rows(TABLE2, ["MST"])
    (cell,) = part.cells("paper", [])
    assert part.seeds("paper", cell) == TABLE2.seeds("paper", cell)
    assert part.store_id == TABLE2.store_id
