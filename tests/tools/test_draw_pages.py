"""Pictures of pages come from the code of the page."""

import pytest

from tools import draw_pages

PAGE = """
```python
from pathlib import Path

for name in ("shown.png", "not_shown.png"):
    Path(name).write_bytes(b"picture")
```

![A picture](images/shown.png)
"""


@pytest.fixture
def docs(tmp_path, monkeypatch):
    monkeypatch.setattr(draw_pages, "DOCS", tmp_path)
    (tmp_path / "images").mkdir()
    (tmp_path / "page.md").write_text(PAGE)
    return tmp_path


def test_the_pictures_that_a_page_shows_are_kept(docs):
    assert draw_pages.draw_page(docs / "page.md") == ["shown.png"]
    assert [path.name for path in (docs / "images").iterdir()] == ["shown.png"]


def test_every_picture_that_a_page_saves_is_shown_and_kept():
    pages = [page for page in draw_pages.DOCS.rglob("*.md") if "savefig(" in page.read_text()]
    assert pages
    for page in pages:
        text = page.read_text()
        for line in (line for line in text.splitlines() if "savefig(" in line):
            name = line.split('"')[1]
            assert f"images/{name})" in text, f"{page.name} saves {name} and does not show it"
            assert (draw_pages.DOCS / "images" / name).is_file()
