"""The report in a browser: the published one, and one made here at smoke scale."""

import pytest
from tests.support.browser import SCREEN, Visit, faint_texts, scrolls_sideways, serious_problems
from tests.support.paths import ROOT
from tests.support.report_pages import published_sections

from linspike.paper.report.html import write_report

PUBLISHED = ROOT / "results" / "paper" / "report.html"
MOST_SCREENS = 15


@pytest.fixture(scope="module", params=["published", "smoke"])
def visit(request, browser, tmp_path_factory):
    path = PUBLISHED
    if request.param == "smoke":
        path = tmp_path_factory.mktemp("page") / "report.html"
        write_report(path, published_sections("smoke"), {"scale": "smoke"})
    elif not path.is_file():
        pytest.skip("the published report is not part of this copy")
    opened = Visit(browser, path.as_uri())
    yield opened
    opened.close()


@pytest.fixture
def page(visit):
    visit.page.set_viewport_size(SCREEN)
    return visit.page


def bottom(page, selector):
    """Return where the last of these elements ends, in pixels from the top."""
    boxes = [each.bounding_box() for each in page.query_selector_all(selector)]
    return max(box["y"] + box["height"] for box in boxes)


def test_loading_asks_nobody_and_complains_of_nothing(visit):
    assert visit.foreign == []
    assert visit.errors == []


@pytest.mark.parametrize("unfolded", [False, True])
def test_no_window_has_to_be_scrolled_sideways(page, unfolded):
    folds = "document.querySelectorAll('main details').forEach(each => each.open = {})"
    page.evaluate(folds.format(str(unfolded).lower()))
    assert scrolls_sideways(page) == []
    page.evaluate(folds.format("false"))


def test_the_first_screen_holds_the_plot_and_three_sentences(page):
    assert page.locator(".opening li").count() == 3
    assert bottom(page, ".opening li") < SCREEN["height"]
    assert page.locator("header svg").count() == 4
    assert bottom(page, "header svg") < SCREEN["height"]


def test_folded_the_page_is_short(page):
    assert page.locator("details[open]").count() == 0
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= MOST_SCREENS * SCREEN["height"]


def test_axe_finds_no_serious_problem(page, request):
    if "smoke" in request.node.name:
        pytest.skip("the published page has all that this one has, and axe takes seconds")
    page.emulate_media(color_scheme="light")
    assert serious_problems(page) == []


def test_axe_finds_enough_contrast_in_the_dark(page):
    page.emulate_media(color_scheme="dark")
    assert serious_problems(page, rules=["color-contrast"]) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_in_pictures_shows_on_the_page(page, scheme):
    page.emulate_media(color_scheme=scheme)
    assert faint_texts(page) == []


def test_everything_folded_opens_by_keyboard(page):
    summary = page.locator("main summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("main details").first.get_attribute("open") is not None
    assert page.locator("main details table").first.is_visible()
    page.keyboard.press("Enter")


def test_the_first_tab_skips_the_contents(page):
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"


def test_contents_are_a_side_bar_or_a_folded_menu(page):
    assert page.locator("nav.side").is_visible()
    assert not page.locator(".menu").is_visible()
    page.set_viewport_size({"width": 400, "height": 900})
    assert not page.locator("nav.side").is_visible()
    assert page.locator(".menu summary").is_visible()


def test_print_leaves_out_what_paper_cannot_use(page):
    page.emulate_media(media="print")
    assert not page.locator("nav.side").is_visible()
    assert not page.locator("main details table").first.is_visible()
    page.emulate_media(media="screen")
