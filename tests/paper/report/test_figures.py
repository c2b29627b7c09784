"""Panels as drawn: every kind of them, their names, ticks and files."""

import numpy as np
import pytest

import linspike as ls
from linspike.paper.report import figures as draw
from linspike.study.panels import Estimate, Forest, Image, Line, Mark, Panel, Ranks

X = [1.0, 2.0, 3.0, 4.0]
LOW, Y, HIGH = [0.5, 1.0, 1.5, 3.0], [1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 6.0]


def of_style(style, names=("a", "b")):
    return tuple(Line(name, X, Y, LOW, HIGH, style) for name in names)


PANELS = {
    "lines": Panel("Lines", "x", "y", of_style("line")),
    "points": Panel("Points", "x", "y", of_style("points")),
    "cloud": Panel("Cloud", "x", "y", (Line("c", range(900), range(900), style="points"),)),
    "steps": Panel("Steps", "x", "y", of_style("steps")),
    "bars": Panel("Bars", "x", "y", of_style("bars")),
    "named bars": Panel(
        "Named", "", "y", (Line("p", [0], [1], style="bars"), Line("q", [1], [2], style="bars"))
    ),
    "log": Panel("Log", "x", "y", of_style("line"), log_x=True, log_y=True),
    "map": Panel(
        "Map",
        "x",
        "y",
        image=Image(range(1, 21), range(1, 31), np.random.default_rng(0).random((30, 20)), "v"),
        marks=(Mark("x", 3.0, "here"), Mark("y", 9.0, "there")),
        shaded=((5.0, 8.0),),
        shaded_name="none",
        log_x=True,
    ),
    "ends": Panel("Ends", "x", "y", image=Image([1, 2], [1], [[0.5, 0.5]], "v", (0.0, 1.0))),
    "gaps": Panel("Gaps", "x", "y", image=Image([0.1, 3.0], [1.0], [[None, 2.0]], "v")),
    "marks": Panel("Marks", "x", "y", of_style("line"), marks=(Mark("y", 2.0, "bound"),)),
    "shaded": Panel("Shaded", "x", "y", of_style("line"), shaded=((1.0, 2.0), (3.0, 3.5))),
    "empty": Panel("Empty", "x", "y"),
    "ranks": Panel("Ranks", "", "", ranks=Ranks(("p", "q", "r"), (1.2, 2.0, 2.8), 0.9)),
    "forest": Panel("Forest", "ms", "", forest=Forest([Estimate("FILT", 3.0, 2.0, 4.0, 1.0)], 5.0)),
    "no forest": Panel("No forest", "ms", "", forest=Forest([])),
    "named places": Panel("Places", "", "y", (Line("a", [1, 2], [3, 4]),), x_names=("p", "q")),
    "odd": Panel("5 % of $ and _ <b>", "x_1", "y & z", of_style("line", ("_hidden", "a_b $"))),
}


def ink(path):
    """Share of a picture that is not white."""
    from matplotlib.image import imread

    return float((imread(path)[..., :3].min(axis=2) < 0.9).mean())


@pytest.mark.parametrize("name", PANELS)
def test_every_kind_of_panel_is_drawn(name, tmp_path):
    drawn = draw.draw_figure([PANELS[name]])
    png, svg, pdf = draw.save_figure(drawn, tmp_path, "figure")
    assert ink(png) > (0.005 if name in ("empty", "no forest") else 0.01)
    assert b"</svg>" in svg.read_bytes()
    assert pdf.read_bytes()[:4] == b"%PDF"


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_names_stand_beside_series_and_references():
    drawn = draw.draw_figure([PANELS["lines"], PANELS["marks"], PANELS["named bars"]])
    assert [sorted(texts(ax)) for ax in drawn.axes] == [["a", "b"], ["a", "b", "bound"], []]
    assert [tick.get_text() for tick in drawn.axes[2].get_xticklabels()] == ["p", "q"]
    first, second = drawn.axes[0], drawn.axes[1]
    for left, right in zip(first.lines[:2], second.lines[:2], strict=True):
        assert left.get_color() == right.get_color()  # the same series, the same look
    a, b = first.lines[:2]
    assert a.get_color() != b.get_color()
    assert a.get_marker() != b.get_marker()
    assert not any(ax.get_legend() for ax in drawn.axes)


def test_marks_of_one_name_look_alike_and_are_named_once():
    marks = (Mark("x", 1.0, "spike"), Mark("y", 1.0, "threshold"), Mark("x", 2.0, "spike"))
    ax = draw.draw_figure([Panel("Marks", "x", "y", marks=marks)]).axes[0]
    first, other, second = ax.lines[:3]
    assert first._dash_pattern == second._dash_pattern != other._dash_pattern
    assert sorted(texts(ax)) == ["nothing to show", "spike", "threshold"]


def test_the_same_figure_gives_the_same_file():
    made = [draw.encode_figure(draw.draw_figure([PANELS["map"]]), "svg") for _ in range(2)]
    assert made[0] == made[1]


def test_refused_panels():
    with pytest.raises(ls.ParameterError, match="'style' parameter of Line must be one of"):
        draw.draw_figure([Panel("", "", "", (Line("a", X, Y, style="dots"),))])
    with pytest.raises(ls.ParameterError, match="'axis' parameter of Mark must be 'x' or 'y'"):
        draw.draw_figure([Panel("", "", "", marks=(Mark("z", 1.0, ""),))])
    with pytest.raises(ls.ParameterError, match="'panels' parameter of draw_figure"):
        draw.draw_figure([])
    with pytest.raises(ls.ParameterError, match="'kind' parameter of encode_figure"):
        draw.encode_figure(draw.draw_figure([PANELS["empty"]]), "gif")


def test_places_that_count_have_whole_ticks_and_named_ones_their_names():
    few = Panel("", "epoch", "", (Line("a", [1, 2, 3], [1, 2, 4]),))
    ticks = [draw.draw_figure([panel]).axes[0] for panel in (few, PANELS["named places"])]
    assert all(float(tick).is_integer() for tick in ticks[0].get_xticks())
    assert [label.get_text() for label in ticks[1].get_xticklabels()] == ["p", "q"]
