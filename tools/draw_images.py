"""Draw the pictures of docs/plotting.md into docs/images, by running the code of that page.

python -m tools.draw_images
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
DPI = 110
# A block of code, or the picture of the axes that the code before it left as `ax`.
PART = re.compile(r"```python\n(?P<code>.*?)```|!\[.*?\]\((?P<image>images/\w+\.png)\)", re.DOTALL)


def draw_images(page: Path, folder: Path) -> list[Path]:
    """Run the code of a page from top to bottom; save each of its pictures below the folder."""
    names: dict[str, Any] = {}
    written = []
    for part in PART.finditer(page.read_text(encoding="utf-8")):
        if part["code"]:
            exec(part["code"], names)
        else:
            path = folder / part["image"]
            # Without the version of matplotlib: the same picture is the same file.
            names["ax"].figure.savefig(path, dpi=DPI, metadata={"Software": None})
            written.append(path)
    return written


if __name__ == "__main__":
    for path in draw_images(DOCS / "plotting.md", DOCS):
        print(path.relative_to(DOCS))
