"""The built site in a browser: one page of each kind loads alone, fits, and can be used by all."""

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
LOOKS = (("light", 1280), ("dark", 400))


@pytest.fixture(scope="module")
def browser():
    if not (SITE / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    with open_browser() as opened:
        yield opened


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
