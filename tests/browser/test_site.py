"""The built site in a browser: one page of each kind loads alone, fits, and can be used by all."""

from html.parser import HTMLParser

import pytest
from tests.support.browser import Visit, open_browser, scrolls_sideways, serious_problems
from tests.support.paths import ROOT

SITE = ROOT / "build" / "docs"
PAGES = (
    "index",
    "start",
    "guide",
    "howto/classify",
    "howto/command_line",
    "howto/lab",
    "which_rule",
    "plotting",
    "gallery/index",
    "gallery/learn_times",
    "api/index",
    "api/rules",
    "api/generated/linspike.DTA",
    "api/generated/linspike.SpikeClassifier",
    "theory",
    "reproduction",
    "results_table",
    "benchmarks",
    "adr/README",
    "changelog",
    "search",
)
LINKS = ("canonical", "author", "license", "next", "prev", "search", "index")  # load nothing
LOOKS = (("light", 1280), ("dark", 400))


@pytest.fixture(scope="module")
def browser():
    if not (SITE / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    with open_browser() as opened:
        yield opened


class Loaded(HTMLParser):
    """Addresses that a page loads by itself."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video", "audio", "embed"):
            self.found.append(given.get("src") or "")
        elif tag == "link" and given.get("rel") not in LINKS:
            self.found.append(given.get("href") or "")


def foreign_addresses(text):
    """Return what a page loads from other places."""
    return [each for each in Loaded(text).found if each.startswith(("http:", "https:", "//"))]


def test_no_page_loads_from_elsewhere():
    if not (SITE / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    pages = sorted(SITE.rglob("*.html"))
    found = {page.name: foreign_addresses(page.read_text()) for page in pages}
    assert {name: loaded for name, loaded in found.items() if loaded} == {}
    assert len(pages) > len(PAGES)
    assert not list(SITE.rglob("sg_execution_times.html"))


def test_foreign_addresses_are_found():
    page = """<script src="https://a.org/x.js"></script><link rel="stylesheet" href="//b.org/y.css">
    <a href="https://c.org">c</a><link rel="canonical" href="https://d.org"><img src="own.png"/>"""
    assert foreign_addresses(page) == ["https://a.org/x.js", "//b.org/y.css"]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_loads_alone_and_fits(name, browser):
    visit = Visit(browser, (SITE / f"{name}.html").as_uri())
    assert [address for address in visit.foreign if not address.startswith(SITE.as_uri())] == []
    assert visit.errors == []
    assert scrolls_sideways(visit.page) == []
    visit.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(name, scheme, width, browser):
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    visit = Visit(browser, (SITE / f"{name}.html").as_uri(), **look)
    assert serious_problems(visit.page) == []
    visit.close()


def test_equations_show_the_numbers_that_the_code_cites(browser):
    visit = Visit(browser, (SITE / "theory.html").as_uri())
    shown = visit.page.eval_on_selector_all(".eqno", "all => all.map(e => e.firstChild.data)")
    assert shown == [f"({number})" for number in range(1, len(shown) + 1)]
    assert len(shown) >= 57
    visit.close()


@pytest.mark.parametrize("name", ["reproduction", "results"])
def test_the_report_is_part_of_the_site(name, browser):
    visit = Visit(browser, (SITE / f"{name}.html").as_uri())
    visit.page.click("text=The report")
    assert visit.page.url == (SITE / "report.html").as_uri()
    visit.close()
