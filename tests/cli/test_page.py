"""The commands of the page on the command line print what the page says they print."""

import os
import re
import subprocess
import sys

import pytest
from tests.support.pages import DOCS, blocks_of

PAGE = DOCS / "howto" / "command_line.md"
TABLE = re.compile(r"# (\w+\.csv)\b")


def tables():
    """The tables of the page by name, which stands in their first line."""
    texts = [block.code for block in blocks_of(PAGE) if block.language == "text"]
    return {TABLE.match(text)[1]: text for text in texts}


def steps():
    """Command lines that use these tables, and what the page says they print."""
    found = []
    for block in blocks_of(PAGE):
        parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]
        lines = [part.partition("\n") for part in parts if block.language == "console"]
        found += [
            (line, printed) for line, _, printed in lines if "pets" in line or "touch" in line
        ]
    return found


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_the_page_shows_what_is_printed(tmp_path):
    for name, text in tables().items():
        (tmp_path / name).write_text(text)
    program = tmp_path / "bin" / "linspike"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m linspike "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    assert len(steps()) > 5
    for line, printed in steps():
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()
        if printed:
            assert done.stdout.decode() == printed, line
