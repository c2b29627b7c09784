"""The code of the docs runs from top to bottom, and prints what the page says it prints."""

import re

import pytest
from tests.support.paths import ROOT
from tests.support.process import run_python

from linspike.study.registry import Registry
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial

DOCS = ROOT / "docs"


def blocks_of(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("name", ["tutorial", "classify", "extending", "plotting"])
def test_the_page_runs(name, tmp_path):
    page = DOCS / f"{name}.md"
    # A file, not exec: numba caches a compiled step beside the file that defines it.
    script = tmp_path / f"{name}_page.py"
    script.write_text("\n".join(blocks_of(page, "python")))
    done = run_python(script, cwd=tmp_path, MPLBACKEND="Agg", NUMBA_DISABLE_JIT="0")
    rest = done.stdout
    for shown in blocks_of(page, "text"):
        before, found, rest = rest.partition(shown)
        assert found, f"not printed after what came before:\n{shown}\ngot:\n{before}"


def test_the_study_of_the_architecture_runs(tmp_path, monkeypatch):
    (code,) = blocks_of(ROOT / "ARCHITECTURE.md", "python")
    (tmp_path / "mine_of_a_newcomer.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    made = Registry({"mine": "mine_of_a_newcomer"}).load("mine")
    with Store(tmp_path / "s.sqlite") as store:
        assert run(made, "smoke", store, Serial()) == 16
        rows = made.summarise("smoke", store.trials(made, "smoke")).rows
    assert [row.key.label for row in rows] == ["100.0 ms, untrained", "400.0 ms, untrained"]
    assert all(row.n == 8 for row in rows)
