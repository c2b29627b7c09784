"""From stored trials to sections: rows, commands, and which errors mean "not run"."""

import shlex
import subprocess
import sys
from dataclasses import replace

import pytest

from linspike.cli.experiments import REGISTRY
from linspike.paper.report.collect import collect, row_commands, select_largest
from linspike.paper.report.published import published_results, read_published
from linspike.study.cells import RowCell
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.rows import Row, RowKey
from linspike.study.runner import run
from linspike.study.selection import select_rows
from linspike.study.store import Store
from linspike.study.workers import Serial

KEYS = [RowKey(method="MST"), RowKey(method="it's odd")]


def cells(scale, done):
    return [RowCell(scale=scale, row=key) for key in KEYS]


def trials(cell, seeds):
    return [{"value": float(seed)} for seed in seeds]


def summarise(scale, done):
    rows = [Row(key.but(quantity="test"), 1.0, n=len(done)) for key in KEYS]
    return Summary((*rows, Row(RowKey(quantity="all"), 2.0)))


EXPERIMENT = Experiment(
    Heading("made up", "nowhere", "Made up"),
    Protocol(RowCell, cells, lambda scale, cell: range(3), trials, summarise),
)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def test_a_section_of_a_complete_run(store):
    run(EXPERIMENT, "smoke", store, Serial())
    (section,) = collect(store, [EXPERIMENT])
    assert [result.row for result in section.results] == ["MST, test", "it's odd, test", "all"]
    command = "linspike reproduce made up --scale smoke"
    assert section.commands == (
        f"{command} --rows MST",
        f"{command} --rows {shlex.quote(KEYS[1].label)}",
        command,
    )
    assert [key.label for key in section.keys] == [result.row for result in section.results]
    assert section.trials == 6
    assert section.notes == ()


def test_the_largest_complete_scale_is_shown(store):
    assert select_largest(store, EXPERIMENT).coverage.trials == []
    for scale in ("smoke", "laptop"):
        run(EXPERIMENT, scale, store, Serial())
    assert select_largest(store, EXPERIMENT).scale == "laptop"
    longer = EXPERIMENT.change(seeds=lambda scale, cell: range(3 + (scale == "laptop")))
    assert select_largest(store, longer).scale == "smoke"
    (section,) = collect(store, [longer], "laptop")
    assert section.notes == ("Incomplete: 6 trials are there, 2 more are known of.",)


def test_without_trials_nothing_is_summarised(store):
    (section,) = collect(store, [replace(EXPERIMENT, needs=lambda: "no data")])
    assert section.results == ()
    assert section.skipped == "no data"


def refuse(error):
    def raise_error(scale, done):
        raise error

    return raise_error


def test_too_few_trials_are_not_run(store):
    run(EXPERIMENT, "smoke", store, Serial())
    short = replace(
        EXPERIMENT.change(summarise=refuse(NotEnoughTrials())),
        heading=EXPERIMENT.heading._replace(id="table2"),
        source="made up",
    )
    (section,) = collect(store, [short], "smoke")
    assert {result.verdict for result in section.results} == {"not run"}
    assert store.seconds("made up", "smoke") > 0.0 == section.seconds  # counted where they were run


@pytest.mark.parametrize("error", [LookupError, ValueError, TypeError, ZeroDivisionError])
def test_every_other_error_is_an_error(store, error):
    run(EXPERIMENT, "smoke", store, Serial())
    with pytest.raises(error, match="a mistake"):
        collect(store, [EXPERIMENT.change(summarise=refuse(error("a mistake")))], "smoke")


@pytest.mark.parametrize(
    ("name", "key", "row"),
    [
        ("table1", RowKey("short", "FILT"), "short, FILT"),
        ("table1", RowKey("long", "FILT", variant="tuned"), "long, FILT, tuned"),
        ("table2", RowKey(method="MST", variant="tuned"), "MST, tuned"),
        ("table3", RowKey(method="MST", quantity="test"), "MST"),
        ("table3", RowKey(method="MST", variant="tuned", quantity="test"), "MST, tuned"),
        ("fig6", RowKey(method="EMLC", quantity="exponent"), "EMLC"),
        ("table1", RowKey(quantity="bound"), ""),
        ("fig1", RowKey(method="psp", quantity="time of peak"), ""),
    ],
)
def test_the_command_of_a_number_runs_its_row(name, key, row):
    experiment = REGISTRY.load(name)
    command = f"linspike reproduce {name}"
    (found,) = row_commands(experiment, "paper", command, [key])
    assert found == (f"{command} --rows {shlex.quote(row)}" if row else command)
    assert not row or select_rows(experiment, [row]).cells("paper", [])


def test_published_results_name_experiments_that_exist():
    found = published_results(REGISTRY.ids)
    assert {result.id for result in found} <= set(REGISTRY.ids)
    published = read_published()["rows"]
    assert [result._asdict() for result in found if result.id == "table1"] == [
        row for row in published if row["id"] == "table1"
    ]


def test_a_text_table_loads_neither_page_nor_figures():
    code = (
        "import sys, linspike.paper.report.collect, linspike.paper.report.tables;"
        "print([n for n in sys.modules if n.startswith(('jinja2', 'matplotlib'))"
        " or n.endswith(('report.html', 'report.figures'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
