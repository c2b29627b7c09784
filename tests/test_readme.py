"""The README's code runs as printed."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_code_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
