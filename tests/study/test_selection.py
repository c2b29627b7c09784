"""Some rows of an experiment, with the tuning they stand on."""

import pytest
from click.testing import CliRunner

from linspike.cli.reproduce import part_of, reproduce
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


def test_the_papers_rows():
    made = part_of(experiment("table2"), ["paper"])
    assert rows_of(made) == {"DTA (paper's LP)", "DTA (ours)", "MST", "EMLC"}
    made = part_of(experiment("table3"), ["paper"])
    assert rows_of(made) == {"DTA (paper's LP)", "DTA (ours)", "MST", "EMLC"}


@pytest.mark.parametrize("name", ["table1", "fig1"])
def test_without_patterns_all_of_it(name):
    assert part_of(experiment(name), ()) is experiment(name)


def test_seeds_and_trials_stay():
    made, part = experiment("table2"), only_rows(experiment("table2"), ["MST"])
    (cell,) = part.cells("paper", [])
    assert part.seeds("paper", cell) == made.seeds("paper", cell)
    assert part.shelf == made.shelf


def test_the_papers_numbers_of_a_figure_need_all_of_it():
    assert part_of(experiment("fig6"), ["paper"]) is experiment("fig6")


def test_rows_on_the_command_line(tmp_path):
    runner = CliRunner()
    here = ["--store", str(tmp_path / "s.sqlite")]
    told = runner.invoke(reproduce, ["table2", "--rows", "MST", "--dry-run", *here])
    assert "1 cells" in told.output
    for wrong in ("mst", "", "nothing"):
        told = runner.invoke(reproduce, ["table2", "--rows", wrong, "--dry-run", *here])
        assert told.exit_code == 2
        assert "EMLC by peak" in told.output
    told = runner.invoke(reproduce, ["fig1", "--rows", "x", "--dry-run", *here])
    assert "no rows to choose from" in told.output
