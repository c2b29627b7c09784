"""The code of the docs runs from top to bottom, and prints what the page says it prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def blocks_of(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("name", ["tutorial", "classify", "extending"])
def test_the_page_runs(name, tmp_path):
    page = DOCS / f"{name}.md"
    # A file, not exec: numba caches a compiled step beside the file that defines it.
    script = tmp_path / f"{name}_page.py"
    script.write_text("\n".join(blocks_of(page, "python")))
    environment = dict(os.environ, MPLBACKEND="Agg", NUMBA_DISABLE_JIT="0")
    command = [sys.executable, str(script)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rest = done.stdout
    for shown in blocks_of(page, "text"):
        before, found, rest = rest.partition(shown)
        assert found, f"not printed after what came before:\n{shown}\ngot:\n{before}"
