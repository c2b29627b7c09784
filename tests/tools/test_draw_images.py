"""The pictures of docs/plotting.md: drawn by its code, small, one for each public plot function."""

import re

from tests.support.paths import ROOT
from tools.draw_images import PART, draw_images

import linspike as ls

PAGE = ROOT / "docs" / "plotting.md"


def test_a_picture_is_that_of_the_code_before_it(tmp_path):
    (tmp_path / "images").mkdir()
    code = "import linspike as ls\nax = ls.plot_raster(ls.SpikeTrain([1.0]))\n"
    page = tmp_path / "page.md"
    page.write_text(f"Text.\n\n```python\n{code}```\n\n![One spike](images/one.png)\n")
    (path,) = draw_images(page, tmp_path)
    assert path == tmp_path / "images" / "one.png"
    assert path.read_bytes()[:4] == b"\x89PNG"


def test_every_plot_function_has_a_picture_that_is_there_and_small():
    text = PAGE.read_text()
    plots = {name for name in ls.__all__ if name.startswith("plot_")}
    assert plots == set(re.findall(r"ls\.(plot_\w+)\(", text))
    images = [part["image"] for part in PART.finditer(text) if part["image"]]
    assert len(set(images)) == len(images) > len(plots)
    for image in images:
        assert 0 < (ROOT / "docs" / image).stat().st_size < 60_000, image
