"""Panels inside a page: one element each, ids of their own, the page's colours and font."""

import re
from xml.etree import ElementTree

import pytest

from linspike.paper.report.figures import encode_panels
from linspike.study.panels import Estimate, Forest, Image, Line, Mark, Panel

X = [1.0, 2.0, 3.0]
LINES = Panel(
    'Share & "load" <1>',
    "load",
    "share",
    (Line("FILT", X, X), Line("other", X, X[::-1])),
    marks=(Mark("y", 2.0, "half"),),
)
MAP = Panel("Map", "x", "y", image=Image(range(20), range(30), [[1.0] * 20] * 30, "v"))
FOREST = Panel("Forest", "ms", "", forest=Forest([Estimate("FILT", 3.0, 2.0, 4.0, 1.0, 5.0)]))
PANELS = [LINES, LINES, MAP, FOREST]


@pytest.fixture(scope="module")
def made():
    return encode_panels(PANELS)


def test_an_element_for_each_panel_with_its_content_in_words(made):
    roots = [ElementTree.fromstring(with_namespace(text)) for text in made]
    lines = 'Share & "load" <1>: share against load, 2 lines; numbers in the table'
    assert [root.get("aria-label") for root in roots] == [
        lines,
        lines,
        "Map: map of v over x and y",
        "Forest: ms by method, 1 rows with intervals; numbers in the table",
    ]
    for root in roots:
        assert root.get("role") == "img"
        assert root.get("viewBox")
        assert root.get("width") is root.get("height") is None


def with_namespace(text):
    return text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def test_ids_are_unique_and_all_references_lead_somewhere(made):
    page = "".join(made)
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 0
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', page)) == set(ids)


def test_text_is_text_in_the_font_of_the_page(made):
    assert re.findall(r">(FILT|other|half|load)<", made[0])
    assert "DejaVu" not in "".join(made)
    assert "paint-order: stroke" in made[0]  # the halo of names


def test_ink_and_ground_are_the_pages(made):
    page = "".join(made)
    assert "var(--ink, #222222)" in page
    assert "var(--ground, #ffffff)" in page
    assert "color-mix(in srgb, #B98D00 60%" in made[0]  # the name of FILT
    for literal in ("#222222", "#ffffff", "#000000"):
        assert not re.findall(rf"(?<!--ink, )(?<!--ground, ){literal}", page)


def test_colours_in_text_stay_as_they_are():
    (text,) = encode_panels([Panel("Red #222222", "of #FFFFFF", "y", (Line("a", X, X),))])
    assert "of #FFFFFF" in text
    assert ">Red #222222<" in text
    assert "stroke: var(--quiet, #767676)" in text


def test_the_same_panels_give_the_same_text(made):
    assert encode_panels(PANELS) == made
