"""The README's code runs as printed."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_code_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})


def test_nothing_is_left_to_fill_in():
    root = README.parent
    for path in [README, *root.glob("*.md"), *root.glob("docs/**/*.md")]:
        assert "@@" not in path.read_text(), path
