"""Experiments and rows as the command line chooses them."""

import pytest
from tests.support.shell import run

from linspike.cli.experiments import REGISTRY, choose_experiments, choose_rows, select_part

experiment = REGISTRY.load


def rows_of(made):
    return {cell.row.label for cell in made.cells("paper", [])}


@pytest.mark.parametrize("name", ["table2", "table3"])
def test_the_papers_rows(name):
    made = select_part(experiment(name), ["paper"], "paper")
    assert rows_of(made) == {
        "DTA (paper's linear program)",
        "DTA (projection)",
        "MST",
        "EMLC",
    }


def test_the_papers_numbers_of_a_figure_need_all_of_it():
    assert select_part(experiment("figA1"), ["paper"], "paper") is experiment("figA1")


@pytest.mark.parametrize("name", ["table1", "fig1"])
def test_without_patterns_all_rows(name):
    assert choose_rows([experiment(name)], (), "smoke") == [experiment(name)]


def test_all_experiments():
    assert choose_experiments(()) == choose_experiments(("fig1", "all"))
    assert [made.id for made in choose_experiments(("fig3", "fig1", "fig3"))] == ["fig3", "fig1"]


def test_rows_on_the_command_line(tmp_path):
    here = ("--dry-run", "--store", tmp_path / "s.sqlite")
    assert "1 cells" in run("reproduce", "table2", "--rows", "MST", *here).out
    for wrong in ("mst", "", "nothing"):
        done = run("reproduce", "table2", "--rows", wrong, *here)
        assert done.code == 2
        assert "No row matches --rows. The rows are: " in done.err
        assert "EMLC by peak" in done.err
    assert "no rows to choose from" in run("reproduce", "fig1", "--rows", "x", *here).err
