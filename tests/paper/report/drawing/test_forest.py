"""Forest plots: rows in their order, marks where the numbers are, heights, odd rows."""

import pytest

from linspike.paper.common.methods import PROJECTION
from linspike.paper.report.drawing.forest import forest_height
from linspike.paper.report.drawing.looks import COLOURS
from linspike.paper.report.figures import draw_figure
from linspike.study.panels import Estimate, Forest, Panel

ROWS = (
    Estimate(PROJECTION, 25200.0, 24600.0, 25900.0),
    Estimate("FILT", 14800.0, 14300.0, 15200.0, 7800.0, 13000.0),
    Estimate("PSD", None, lo=7600.0),
    Estimate("mine", None, hi=900.0),
    Estimate("none", None),
)


def axes_of(forest, **more):
    return draw_figure([Panel("Title", "ms", "", forest=forest, **more)]).axes[0]


def points(ax, marker):
    return [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]), line.get_color())
        for line in ax.lines
        if line.get_marker() == marker
    ]


def test_rows_marks_and_numbers():
    ax = axes_of(Forest(ROWS, limit=27000.0))
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert names == ["DTA (projection)", "FILT", "PSD", "mine", "none"]
    assert ax.yaxis_inverted()  # the first on top
    dots = [(x, y) for x, y, _ in points(ax, "o")]
    assert dots == [(25200.0, 0.0), (7800.0, 1.0), (14800.0, 1.0)]
    assert points(ax, "o")[0][2] == COLOURS[PROJECTION]
    assert [(x, y) for x, y, _ in points(ax, "|")] == [(13000.0, 1.0)]
    assert [(x, y) for x, y, _ in points(ax, ">")] == [(7600.0, 2.0)]
    assert [(x, y) for x, y, _ in points(ax, "<")] == [(900.0, 3.0)]
    written = [text.get_text() for text in ax.texts]
    assert written == ["25200", "14800", "> 7600", "< 900", "no value", "Title (ms)"]


@pytest.mark.parametrize(
    ("forest", "key"),
    [
        (Forest(ROWS, 27000.0), ["tuned", "common setting", "paper", "limit"]),
        (Forest(ROWS[:1]), ["here"]),
    ],
)
def test_the_key_tells_the_marks_there_are(forest, key):
    assert [text.get_text() for text in axes_of(forest).get_legend().get_texts()] == key


def test_nothing_overlaps_and_all_is_inside():
    ax = axes_of(Forest(ROWS, 27000.0))
    figure = ax.figure.figure
    figure.draw_without_rendering()
    title = ax.texts[-1].get_window_extent()
    assert not title.overlaps(ax.get_legend().get_window_extent())
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in ax.texts)


def test_nine_rows_are_compact():
    assert forest_height(Forest(ROWS + ROWS[:4])) / 4.6 * 480.0 <= 220.0


def test_a_logarithmic_axis():
    ax = axes_of(Forest(ROWS), log_x=True)
    assert ax.get_xscale() == "log"
