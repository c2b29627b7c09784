"""The critical-difference diagram: which methods are joined, names that fit, refusals."""

import itertools
import sys

import numpy as np
import pytest

import linspike as ls
from linspike.plotting.critical_difference import draw_critical_difference

DRAW = "parameter of draw_critical_difference must be "


@pytest.mark.parametrize(
    ("ranks", "cd", "bars"),
    [
        ([2.8, 1.0, 2.2], 1.05, [(2.2, 2.8)]),
        ([1.0, 2.0], 1.0, []),
        ([1.0, 2.5, 2.5], 2.3, [(1.0, 2.5)]),
        ([1.0, 2.5, 2.5], 0.1, [(2.5, 2.5)]),
        ([1.5, 1.7, 3.4, 3.4, 5.0], 2.0, [(1.5, 3.4), (3.4, 5.0)]),
        ([1.2, 2.0, 3.0, 3.8], 1.9, [(1.2, 3.0), (2.0, 3.8)]),
    ],
)
def test_diagram(tmp_path, ranks, cd, bars):
    names = [f"rule {i}" for i in range(len(ranks))]
    ax = draw_critical_difference(ranks, cd, names)
    thick = [line for line in ax.lines if line.get_linewidth() == 4]
    assert np.ravel([bar.get_xdata() for bar in thick]) == pytest.approx(np.ravel(bars), abs=0.06)
    assert len({bar.get_ydata()[0] for bar in thick}) == len(bars)  # none hides another
    texts = [text.get_text().strip() for text in ax.texts]
    assert f"critical difference {cd:.3g}" in texts
    for rank, name in zip(ranks, names, strict=True):
        assert {f"{name}  {rank:.2f}", f"{rank:.2f}  {name}"} & set(texts)
    assert draw_critical_difference(ranks, cd, names, ax=ax) is ax
    ax.figure.savefig(tmp_path / "diagram.png")
    assert (tmp_path / "diagram.png").read_bytes()[:4] == b"\x89PNG"


def test_names_stand_inside_the_figure():
    names = ["a rule with a rather long name", "b", "another rule with a long name"]
    figure = draw_critical_difference([1.0, 2.2, 2.8], 2.4, names).figure
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert all(box.x0 >= 0.0 and box.x1 <= figure.bbox.x1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_diagram_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ls.errors.MissingExtraError, match="Pictures need matplotlib"):
        draw_critical_difference([1.0, 2.0], 0.5, ["a", "b"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: draw_critical_difference([1, 3], 1.0, ["a", "b"]), rf"'ranks' {DRAW}from 1 to 2, the number of methods. Got \[1, 3\] "),
        (lambda: draw_critical_difference([1], 1.0, ["a"]), rf"'ranks' {DRAW}two or more finite numbers. Got shape \(1,\) "),
        (lambda: draw_critical_difference([1, 2], np.inf, ["a", "b"]), f"'critical_difference' {DRAW}finite and above 0. Got inf "),
        (lambda: draw_critical_difference([1, 2], 1.0, "ab"), f"'names' {DRAW}2 names, one a method. Got 'ab' "),
    ],
)  # fmt: skip
def test_bad_diagrams(call, message):
    with pytest.raises(ls.ParameterError, match=message):
        call()
