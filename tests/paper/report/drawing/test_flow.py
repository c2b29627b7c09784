"""Flows: stages to scale, parts told apart, texts that stand clear of each other."""

import itertools

import pytest

import linspike as ls
from linspike.paper.report import figures as draw
from linspike.paper.report.drawing.flow import draw_flow
from linspike.study.panels import Flow, Line, Panel, Stage

STAGES = (
    Stage("picture", ("", "20 by 20"), "still", 20, 20),
    Stage("maps", ("3 filters", "10 by 10"), "still", 10, 10, 3, sees=4),
    Stage("many", ("all of them", "300"), "moving", 300),
    Stage("few", ("the last", "4"), "moving", 4, sees=0),
)


def patches(ax, kind):
    return [patch for patch in ax.patches if type(patch).__name__ == kind]


def test_stages_are_drawn_to_scale(tmp_path):
    ax = draw_flow(Flow(STAGES))
    sheets = patches(ax, "Rectangle")
    wide = sorted({round(sheet.get_width(), 6) for sheet in sheets}, reverse=True)
    picture, maps, patch, unit = wide
    assert picture == pytest.approx(2 * maps)
    assert patch == pytest.approx(picture * 4 / 20, abs=1e-6)
    assert unit == pytest.approx(maps / 10, abs=1e-6)
    assert [round(sheet.get_width(), 6) for sheet in sheets].count(maps) == 3
    assert len(patches(ax, "Circle")) == 6 + 4  # dots stand for the other 294
    (fan,) = ax.collections
    assert len(fan.get_segments()) == 6 * 4
    assert draw_flow(Flow(STAGES), ax) is ax
    ax.figure.savefig(tmp_path / "flow.png")
    assert (tmp_path / "flow.png").read_bytes()[:4] == b"\x89PNG"


def test_parts_differ_in_colour_and_have_their_names():
    ax = draw_flow(Flow(STAGES))
    named = {text.get_text(): text.get_color() for text in ax.texts}
    assert named["still"] != named["moving"]
    assert len(patches(ax, "FancyBboxPatch")) == 2


def test_texts_stand_inside_and_do_not_overlap():
    figure = draw_flow(Flow(STAGES)).figure
    figure.draw_without_rendering()
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    boxes = [text.get_window_extent() for text in texts]
    assert all(box.x0 >= 0.0 and box.x1 <= figure.bbox.x1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_columns_alone():
    ax = draw_flow(Flow(STAGES[2:]))
    assert not patches(ax, "Rectangle")


def test_one_stage_is_refused():
    with pytest.raises(ls.ParameterError, match="'stages' parameter of Flow must be two stages at"):
        draw_flow(Flow(STAGES[:1]))


def test_a_flow_has_a_row_to_itself():
    flow = Panel("Flow", "", "", flow=Flow(STAGES))
    line = Panel("Line", "x", "y", (Line("a", [1, 2], [3, 4]),))
    wide = Panel("Wide", "x", "y", (Line("a", [1, 2], [3e6 + 0.1, 4e6]),), y_names=("p", "q"))
    drawn = draw.draw_figure([flow, line, line, wide, line])
    widths = [cell.bbox.width for cell in drawn.subfigs]
    assert widths == pytest.approx([2 * widths[1]] + 4 * [widths[1]], rel=0.02)
    left = [cell.axes[0].get_position().x0 for cell in drawn.subfigs]
    assert left[1] == left[3]  # below each other
    assert draw.draw_figure([flow]).bbox.width == pytest.approx(widths[1], rel=0.02)
