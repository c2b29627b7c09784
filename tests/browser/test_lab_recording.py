"""A recorded run in a page of its own, opened as a file: stepped through without a server."""

import sys

import pytest
from tests.support.browser import Visit, scrolls_sideways, serious_problems
from tests.support.paths import ROOT

pytest.importorskip("sphinx", reason="the site is built with the extra 'docs'")
sys.path.insert(0, str(ROOT / "docs" / "_sphinx"))
import lab_recording


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "page.html"
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lab</title></head>'
    run = lab_recording.render("figure-2", 4)
    path.write_text(f"{head}<body><main><h1>Lab</h1>{run}</main></body></html>", encoding="utf-8")
    return path


@pytest.fixture
def visit(browser, page_file):
    opened = Visit(browser, page_file.as_uri())
    opened.page.wait_for_selector("[data-ready=true]")
    yield opened
    opened.close()
    assert opened.errors == []
    assert opened.foreign == []


def status(page, expected):
    page.wait_for_selector(f".status:has-text('{expected}')")
    return page.inner_text("[aria-label='The next step'] tbody")


def test_a_recorded_run_goes_forward_and_back(visit):
    page = visit.page
    start = status(page, "step 0")
    page.get_by_role("button", name="Step ▶").click()
    first = status(page, "step 1")
    assert first != start
    page.get_by_role("button", name="◀ Back").click()
    assert status(page, "step 0") == start
    page.get_by_role("button", name="DTA").click()
    page.wait_for_selector("[aria-label='The next step'] .head:has-text('DTA')")
    page.get_by_role("button", name="Play").click()
    status(page, "step 4")
    assert "right" in page.inner_text(".status")


def test_nothing_can_be_edited_in_it(visit):
    page = visit.page
    for name in ("Draw", "Undo", "Solve", "Copy link"):
        assert page.get_by_role("button", name=name).count() == 0
    before = page.inner_text("[aria-label='The next step'] tbody")
    page.locator("canvas").first.click(position={"x": 200, "y": 20})
    page.keyboard.press("n")
    page.wait_for_timeout(100)
    assert page.inner_text("[aria-label='The next step'] tbody") == before


def test_it_fits_and_can_be_used_by_all(visit):
    assert scrolls_sideways(visit.page) == []
    assert serious_problems(visit.page) == []
