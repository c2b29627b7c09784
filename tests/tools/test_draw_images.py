"""Pictures of the docs: drawn by the code of their page, small, one for each public plot."""

import re

from tests.support.paths import ROOT
from tools.draw_images import DOCS, PART, draw_images, pages_with_images

import linspike as ls

PAGE = """
![The picture of another page](images/other.png)

```python
from pathlib import Path

import linspike as ls

ax = ls.plot_raster(ls.SpikeTrain([1.0]))
for name in ("saved.png", "not_shown.png"):
    Path(name).write_bytes(b"picture")
```

![One spike](images/one.png)

![A file](../images/saved.png)
"""


def test_a_picture_is_that_of_the_code_before_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    one, saved = draw_images(page, tmp_path)
    assert (one.name, saved.name) == ("one.png", "saved.png")
    assert one.read_bytes()[:4] == b"\x89PNG"
    assert saved.read_bytes() == b"picture"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "page.md", "saved.png"]


def test_every_plot_function_has_a_picture():
    text = (DOCS / "plotting.md").read_text()
    plots = {name for name in ls.__all__ if name.startswith("plot_")}
    assert plots == set(re.findall(r"ls\.(plot_\w+)\(", text))
    images = [part["image"] for part in PART.finditer(text) if part["image"]]
    assert len(set(images)) == len(images) > len(plots)


def test_every_picture_is_there_and_small_and_saved_ones_are_shown():
    for page in pages_with_images():
        text = page.read_text()
        shown = {part["image"] for part in PART.finditer(text) if part["image"]}
        saved = set(re.findall(r'savefig\("(\w+\.png)", dpi', text))
        assert saved <= shown, page
        for image in shown:
            assert 0 < (ROOT / "docs" / "images" / image).stat().st_size < 60_000, image
