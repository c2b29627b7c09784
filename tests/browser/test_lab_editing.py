"""The lab in a browser: draw, drag and remove spikes, by mouse and by keyboard."""

import pytest


def test_spikes_are_drawn_dragged_and_removed(lab_visit):
    lab_visit.page.mouse.click(*lab_visit.point("raster", 70.0, 2))
    lab_visit.wait("lab.pattern.times.length === 9")
    assert lab_visit.lab("pattern.times[8]") == pytest.approx(70.0, abs=0.3)
    assert lab_visit.lab("pattern.channels[8]") == 2
    lab_visit.drag(
        lab_visit.point("raster", lab_visit.lab("pattern.times[8]"), 2),
        lab_visit.point("raster", 40.0, 3),
    )
    assert lab_visit.lab("pattern.times[8]") == pytest.approx(40.0, abs=0.5)
    assert lab_visit.lab("pattern.channels[8]") == 3
    lab_visit.page.mouse.click(*lab_visit.point("strip", 70.0))
    lab_visit.wait("lab.desired.length === 3")
    lab_visit.drag(
        lab_visit.point("strip", lab_visit.lab("desired[2]")), lab_visit.point("strip", 65.0)
    )
    assert lab_visit.lab("desired[2]") == pytest.approx(65.0, abs=0.5)
    lab_visit.page.keyboard.press("Delete")
    lab_visit.wait("lab.desired.length === 2")
    for length in (9, 8):  # undo: removal, then the moves and additions
        while lab_visit.lab("pattern.times.length") > length or lab_visit.lab("desired.length") > 2:
            lab_visit.press("Undo")
            lab_visit.page.wait_for_timeout(60)
    lab_visit.press("Redo")
    lab_visit.settle()
    assert lab_visit.lab("undo.length") > 0


def test_the_keyboard_does_what_the_mouse_does(lab_visit):
    page = lab_visit.page
    page.locator("canvas").first.focus()
    page.keyboard.press(".")
    assert lab_visit.lab("selected[0].index") == 0
    first = lab_visit.lab("pattern.times[0]")
    page.keyboard.press("ArrowRight")
    lab_visit.wait("time => lab.pattern.times[0] === time + 1", first)
    page.keyboard.press("ArrowDown")
    lab_visit.wait("lab.pattern.channels[0] === 1")
    lab_visit.wait("lab.el.live.textContent.includes('Input 2, spike at')")
    page.keyboard.press("n")
    lab_visit.wait("lab.pattern.times.length === 9")
    page.keyboard.press("Delete")
    lab_visit.wait("lab.pattern.times.length === 8")
    page.keyboard.press("Control+z")
    lab_visit.wait("lab.pattern.times.length === 9")
    page.get_by_role("application", name="Desired spikes").focus()
    page.keyboard.press("n")
    lab_visit.wait("lab.desired.length === 3")
    page.keyboard.press("s")
    lab_visit.wait("lab.at === 1")
    page.keyboard.press("b")
    lab_visit.wait("lab.at === 0")


def test_every_control_is_reached_by_tab(lab_visit):
    page = lab_visit.page
    names = set()
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    for _ in range(60):
        page.keyboard.press("Tab")
        names.add(
            page.evaluate(
                "(document.activeElement.ariaLabel || document.activeElement.innerText || '').trim()"
            )
        )
    for name in ("Example", "Step ▶", "Play", "Solve", "Draw", "Error measure"):
        assert name in names
    assert any(name.startswith("Input spikes") for name in names)


def test_help_shows_beside_what_has_the_focus(lab_visit):
    page = lab_visit.page
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.inner_text(".tip") == "A link that holds the whole task"
    tip, button = (page.locator(each).first.bounding_box() for each in (".tip", "text=Copy link"))
    assert 0 < tip["y"] - button["y"] - button["height"] < 20
    page.get_by_text("Rule settings").focus()
    page.keyboard.press("Enter")
    page.get_by_label("eta").focus()
    page.keyboard.press("Escape")
    assert not page.get_by_label("eta").is_visible()
    assert page.evaluate("document.activeElement.innerText").startswith("Rule settings")


def test_the_brush_and_jitter(lab_visit):
    lab_visit.press("Poisson brush")
    lab_visit.page.get_by_label("Rate of the brush").fill("300")
    lab_visit.drag(lab_visit.point("raster", 5.0, 0), lab_visit.point("raster", 78.0, 3))
    lab_visit.wait("lab.pattern.times.length > 40")
    times = lab_visit.lab("pattern.times")
    lab_visit.press("Jitter")
    lab_visit.wait("times => lab.pattern.times.join() !== times", ",".join(map(str, times)))
    assert lab_visit.lab("pattern.times.length") == len(times)


def test_a_wrong_setting_is_explained_and_taken_back(lab_visit):
    page = lab_visit.page
    page.get_by_text("Rule settings").click()
    page.get_by_label("eta").fill("-1")
    page.get_by_label("eta").press("Enter")
    page.wait_for_selector(".message:not(.hidden)")
    assert "The 'eta' parameter of PSD must be finite and positive" in page.inner_text(".message")
    lab_visit.settle()
    assert lab_visit.lab("doc.rules[0].settings.eta") == 0.02  # taken back
    assert page.get_by_label("eta").input_value() == "0.02"
    assert page.evaluate("document.activeElement.value") == "0.02"
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert page.get_by_role("button", name="Redo").is_disabled()
    lab_visit.errors.clear()  # the browser's own line about the status 422


def test_an_edit_says_that_steps_start_again(lab_visit):
    page = lab_visit.page
    notice = page.locator(".notice")
    page.mouse.click(*lab_visit.point("raster", 70.0, 2))
    lab_visit.wait("lab.pattern.times.length === 9")
    assert not notice.is_visible()
    lab_visit.step()
    page.mouse.click(*lab_visit.point("raster", 75.0, 1))
    lab_visit.wait("lab.pattern.times.length === 10 && lab.at === 0")
    assert "steps start again from the present weights" in notice.inner_text()
    lab_visit.settle()
    lab_visit.step()
    assert not notice.is_visible()
