"""Draw the pictures of the pages that show one of their own: run their code, keep what it saves.

Run by hand after a change of a page or of the plots: python -m tools.draw_pages
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def draw_page(page: Path) -> list[str]:
    """Run the Python code of a page; copy the pictures that it shows, and return their names."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "page.py"
        script.write_text("\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)))
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        command = [sys.executable, str(script)]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        shown = [path for path in sorted(folder.glob("*.png")) if f"images/{path.name})" in text]
        for path in shown:
            shutil.copyfile(path, DOCS / "images" / path.name)
    return [path.name for path in shown]


def main() -> None:
    """Draw all pictures and print their names."""
    for page in sorted(DOCS.rglob("*.md")):
        if "savefig(" in page.read_text():
            print(f"{page.relative_to(ROOT)}: {', '.join(draw_page(page))}")


if __name__ == "__main__":
    main()
