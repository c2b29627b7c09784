"""Some rows of an experiment, with the tuning they stand on."""

from linspike.study.registry import experiment
from linspike.study.selection import names_of, only_rows


def rows_of(made):
    return {cell["row"] for cell in made.cells("paper", [])}


def test_patterns_choose_rows():
    short = rows_of(only_rows(experiment("table1"), ["short, *"]))
    assert "short, FILT" in short
    assert "tuning short, FILT" in short  # what "short, FILT, best" stands on
    assert not any("long" in row for row in short)


def test_a_row_does_not_bring_the_tuning_of_another():
    assert rows_of(only_rows(experiment("table1"), ["*, FILT"])) == {"short, FILT", "long, FILT"}
    best = rows_of(only_rows(experiment("table1"), ["*, FILT, best"]))
    assert best == {"tuning short, FILT", "tuning long, FILT"}


def test_tuning_belongs_to_the_best_rows():
    assert names_of({"row": "tuning MST"}) == ("MST, best", "best: MST")
    assert names_of({"row": "MST"}) == ("MST",)
    assert names_of({}) == ("",)


def test_seeds_and_trials_stay():
    made, part = experiment("table2"), only_rows(experiment("table2"), ["MST"])
    (cell,) = part.cells("paper", [])
    assert part.seeds("paper", cell) == made.seeds("paper", cell)
    assert part.shelf == made.shelf
