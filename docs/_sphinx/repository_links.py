"""Links of pages to files of the repository, as links of the site.

Pages are read in the repository too, so they link to `../ARCHITECTURE.md` or `../examples/x.py`.
Where such a file is a page of the site, the link leads there. Other files have a link if the
address of the repository is known, and their name alone if not.
"""

from __future__ import annotations

import re
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
PAGES = {
    "README.md": "docs/index.md",
    "ARCHITECTURE.md": "docs/architecture.md",
    "CHANGELOG.md": "docs/changelog.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "results/paper/README.md": "docs/results_table.md",
    "results/paper/results.md": "docs/results_table.md",
}
REPORT = "results/paper/report.html"


def page_of(file: str) -> str | None:
    """Return the page of the site that shows a file of the repository."""
    if file.startswith("examples/") and file.endswith(".py"):
        return f"docs/gallery/{PurePosixPath(file).stem}.rst"
    return PAGES.get(file, file if file.startswith("docs/") else None)


def rewrite(text: str, read: Path, page: Path, repository: str) -> str:
    """Return Markdown of the file `read`, with links that hold on `page`."""

    def replace(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        path = (read.parent / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            return found[0]  # broken, or no link at all: Sphinx judges
        file = path.relative_to(ROOT).as_posix()
        if file == REPORT:
            return f'<a href="{relpath(ROOT / "docs" / path.name, page.parent)}">{words}</a>'
        if shown := page_of(file):
            return (
                f"[{words}]({relpath(ROOT / shown, page.parent)}{anchor})"
            )
        return (
            f"[{words}]({repository}/blob/main/{file})"
            if repository
            else words
        )

    return LINK.sub(replace, text)


def setup(app: Any) -> dict[str, bool]:
    """Rewrite pages, and files that pages include, as they are read."""

    def read_page(app: Any, name: str, content: list[str]) -> None:
        page = Path(app.env.doc2path(name))
        if page.suffix == ".md":
            content[0] = rewrite(
                content[0], page, page, app.config.repository
            )

    def read_included(
        app: Any, file: Path, name: str, content: list[str]
    ) -> None:
        read = (Path(app.srcdir) / file).resolve()
        page = (
            Path(app.srcdir) / f"{name}.md"
        )  # MyST gives the name without folders
        content[0] = rewrite(content[0], read, page, app.config.repository)

    app.add_config_value("repository", "", "env")
    app.connect("source-read", read_page)
    app.connect("include-read", read_included)
    return {"parallel_read_safe": True}
