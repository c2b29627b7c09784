"""Every example runs as it is, in a folder of its own, prints something and draws a picture."""

import runpy
import sys

import matplotlib.pyplot as plt
import pytest
from tests.support.paths import ROOT

from linspike.datasets import mnist_missing

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WITHOUT_PICTURE = {"classify_mnist"}  # its thumbnail is a published figure


@pytest.fixture
def screen(monkeypatch):
    """A screen that shows nothing; figures stay open until the test ends."""
    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    yield plt
    plt.close("all")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path, monkeypatch, capsys, screen):
    if path.stem == "classify_mnist" and mnist_missing():
        with pytest.raises(SystemExit, match="MNIST is not there"):
            runpy.run_path(str(path), run_name="__main__")
        return
    # In this process: a dozen interpreters would load the same packages.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert screen.get_fignums() or path.stem in WITHOUT_PICTURE


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_has_a_title_for_the_gallery(path):
    title, line, blank, *_ = path.read_text().removeprefix('"""\n').splitlines()
    assert line == "=" * len(title)
    assert not blank
