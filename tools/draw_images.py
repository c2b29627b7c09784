"""Draw the pictures of the docs into docs/images, by running the code of the pages that show them.

python -m tools.draw_images
"""

from __future__ import annotations

import re
import shutil
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
DPI = 110
# A block of code, or a picture that the code before it saved, or left as the axes `ax`.
PART = re.compile(
    r"```python\n(?P<code>.*?)```|!\[[^\]]*\]\((?:\.\./)?images/(?P<image>\w+\.png)\)", re.DOTALL
)


def draw_images(page: Path, folder: Path) -> list[Path]:
    """Run the code of a page from top to bottom; keep each of its pictures in the folder."""
    names: dict[str, Any] = {}
    written = []
    with tempfile.TemporaryDirectory() as name, chdir(name):
        for part in PART.finditer(page.read_text(encoding="utf-8")):
            if part["code"]:
                exec(part["code"], names)
                continue
            path = folder / part["image"]
            if Path(path.name).is_file():
                shutil.copyfile(path.name, path)
            elif "ax" in names:
                # Without the version of matplotlib: the same picture is the same file.
                names["ax"].figure.savefig(path, dpi=DPI, metadata={"Software": None})
            else:
                continue  # the picture of another page
            written.append(path)
    return written


def pages_with_images() -> list[Path]:
    """Return the pages that show a picture of docs/images."""
    return [page for page in sorted(DOCS.rglob("*.md")) if "images/" in page.read_text()]


if __name__ == "__main__":
    for page in pages_with_images():
        for path in draw_images(page, DOCS / "images"):
            print(f"{page.relative_to(ROOT)}: {path.name}")
