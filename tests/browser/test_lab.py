"""The lab in a browser: what it shows and says, to whom, and on which screens."""

import pytest
from tests.support.browser import scrolls_sideways, serious_problems
from tests.support.lab_page import LabVisit

WIDTHS = (800, 1280, 2560)


def test_it_begins_with_an_example_that_shows_interference(lab_visit):
    assert lab_visit.lab("doc.title") == "Interference"
    page = lab_visit.page
    assert page.get_by_role("heading", name="Interference", exact=True).is_visible()
    assert "That is interference." in page.inner_text("[aria-label=Interference]")
    assert page.locator("[aria-label='Constraints of the step'] tbody tr").count() >= 2
    assert "Δw = " in page.inner_text(".numbers")


def test_the_steps_of_dta_are_explained(lab_visit):
    lab_visit.press("DTA")
    lab_visit.settle()
    page = lab_visit.page
    assert "All goals are met at once" in page.inner_text("[aria-label='The next step']")
    assert "The multipliers take this into account" in page.inner_text("[aria-label=Interference]")
    lab_visit.step()
    assert "step 1: right" in page.inner_text(".status")
    assert "Nothing is left to correct." in page.inner_text("[aria-label=Interference]")


def test_hovering_links_plots_table_and_matrix(lab_visit):
    row = lab_visit.page.locator("[aria-label='Constraints of the step'] tbody tr").nth(1)
    row.hover()
    assert lab_visit.page.locator(".cross").is_visible()
    assert lab_visit.page.locator("tr.hot").count() == 2
    lab_visit.page.mouse.move(*lab_visit.point("raster", lab_visit.lab("look.rows[0].time"), 3))
    assert lab_visit.page.locator("tr.hot").count() == 2
    assert "V = " in lab_visit.page.inner_text(".readout")


def test_what_is_said_is_about_what_was_done_last(lab_visit):
    page = lab_visit.page
    start, end = lab_visit.point("strip", 51.0), lab_visit.point("strip", 60.0)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    assert page.inner_text(".readout").startswith("Desired spike at 60.")
    page.mouse.up()
    lab_visit.wait("lab.desired[1] > 59.0")
    lab_visit.settle()
    page.locator("canvas").nth(2).focus()
    page.keyboard.press("Delete")
    lab_visit.wait("lab.desired.length === 1 && lab.el.live.textContent === 'Removed.'")
    lab_visit.press("Undo")
    lab_visit.wait("lab.desired.length === 2")
    lab_visit.settle()
    assert "Removed." not in page.inner_text(".readout")
    page.evaluate("lab.openLink('https://nowhere')")
    page.wait_for_selector("text=This link holds no task")
    lab_visit.step()
    assert not page.locator(".message").is_visible()


def test_signs_are_explained_and_the_help_fits(lab_visit):
    page = lab_visit.page
    assert "X(t): what each input adds" in page.inner_text(".signs")
    lab_visit.press("DTA")
    lab_visit.settle()
    for sign in ("θ: moving threshold", "η: multipliers", "Kd: X at all desired times"):
        assert sign in page.inner_text(".signs")
    page.get_by_label("Keys and mouse").first.click()
    box = page.evaluate(
        "(() => { const d = lab.el.helpDialog; return [d.scrollWidth, d.clientWidth]; })()"
    )
    assert box[0] <= box[1]


def test_the_first_load_says_what_it_waits_for(browser, lab_server):
    page = browser.new_page()
    waiting = []

    def hold_first(route):
        if waiting:
            route.continue_()
        else:
            waiting.append(route)

    page.route("**/api/check", hold_first)
    page.goto(lab_server.address)
    page.wait_for_selector("text=Compiling for this machine, once, up to a minute")
    waiting[0].continue_()
    page.wait_for_selector("[data-ready=true]")
    assert "Compiling" not in page.inner_text("body")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser, lab_server, scheme):
    visit = LabVisit(browser, lab_server, color_scheme=scheme)
    visit.step()
    assert serious_problems(visit.page) == []
    if scheme == "light":
        visit.example("large")
        visit.page.get_by_text("Rule settings").click()
        assert serious_problems(visit.page) == []
    visit.close()


def test_no_width_has_to_be_scrolled_sideways(lab_visit):
    assert scrolls_sideways(lab_visit.page, WIDTHS) == []
    lab_visit.example("large")
    assert scrolls_sideways(lab_visit.page, WIDTHS) == []
