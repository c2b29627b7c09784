"""The code of the docs runs from top to bottom, and prints what the page says it prints."""

import re

import pytest
from tests.support.paths import ROOT
from tests.support.process import run_python

DOCS = ROOT / "docs"


def blocks_of(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("name", ["tutorial", "classify", "extending"])
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
