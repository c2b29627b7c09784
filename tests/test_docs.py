"""The code of all pages runs from top to bottom, and prints what the page says it prints."""

import shlex

import click
import pytest
from tests.support.pages import DOCS, code_of, commands_of, name_of, outputs_of, written_pages
from tests.support.paths import ROOT
from tests.support.process import run_python

from linspike.cli.app import cli
from linspike.study.registry import Registry
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial

PAGES = written_pages()
WITH_CODE = [page for page in PAGES[1:] if code_of(page)]  # test_readme.py runs the README
COMMANDS = [(name_of(page), line) for page in PAGES for line in commands_of(page)]


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_page_runs(page, tmp_path):
    # A file, not exec: numba caches a compiled step beside the file that defines it.
    script = tmp_path / f"{page.stem}_page.py"
    script.write_text(code_of(page))
    done = run_python(script, cwd=tmp_path, MPLBACKEND="Agg", NUMBA_DISABLE_JIT="0")
    rest = done.stdout
    for shown in outputs_of(page):
        before, found, rest = rest.partition(shown)
        assert found, f"not printed after what came before:\n{shown}\ngot:\n{before}"


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_its_code_is_not_cut_off_on_the_site(page):
    if page.is_relative_to(DOCS):
        assert [line for line in code_of(page).splitlines() if len(line) > 75] == []


@pytest.fixture
def parse(monkeypatch):
    """A function that parses a command line as the program does, and runs nothing."""
    monkeypatch.setattr(click.Command, "invoke", lambda command, context: None)
    monkeypatch.setattr(click.Path, "convert", lambda kind, value, *rest: value)  # need not exist
    return lambda words: cli.main(words, prog_name="linspike", standalone_mode=False)


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_the_command_line_parses(page, line, parse):
    words = shlex.split(line, comments=True)
    ends = [words.index(mark) for mark in ("|", ">", "&&", "&") if mark in words]
    parse(words[1 : min(ends, default=None)])


@pytest.mark.parametrize("line", ["fits a.csv", "fit a.csv --aim b", "store merge"])
def test_a_wrong_command_line_does_not_parse(line, parse):
    with pytest.raises(click.UsageError):
        parse(line.split())


def test_the_study_of_the_architecture_runs(tmp_path, monkeypatch):
    (tmp_path / "mine_of_a_newcomer.py").write_text(code_of(ROOT / "ARCHITECTURE.md"))
    monkeypatch.syspath_prepend(tmp_path)
    made = Registry({"mine": "mine_of_a_newcomer"}).load("mine")
    with Store(tmp_path / "s.sqlite") as store:
        assert run(made, "smoke", store, Serial()) == 16
        rows = made.summarise("smoke", store.trials(made, "smoke")).rows
    assert [row.key.label for row in rows] == ["100.0 ms, untrained", "400.0 ms, untrained"]
    assert all(row.n == 8 for row in rows)
