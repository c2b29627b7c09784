"""The lab in a browser: learn, compare rules, learn delays, solve."""

import json

import numpy as np
from tests.support.lab_page import downloaded


def test_steps_go_forward_and_back(lab_visit):
    start = lab_visit.lab("frame.weights")
    lab_visit.step()
    first = lab_visit.lab("frame.weights")
    assert first != start
    lab_visit.step()
    assert lab_visit.lab("at") == 2
    assert "step 2" in lab_visit.page.inner_text(".status")
    lab_visit.step("◀ Back")
    assert lab_visit.lab("frame.weights") == first
    lab_visit.step("Reset")
    assert lab_visit.lab("frame.weights") == start
    lab_visit.step()
    assert lab_visit.lab("frame.weights") == first


def test_play_learns_and_pauses(lab_visit):
    page = lab_visit.page
    page.select_option("[aria-label=Speed]", "1000")
    lab_visit.press("Play")
    lab_visit.wait("lab.at >= 30")
    lab_visit.press("Pause")
    at = lab_visit.lab("at")
    page.wait_for_timeout(300)
    assert lab_visit.lab("at") <= at + 1
    assert lab_visit.lab("runs[0].length") > 30
    assert lab_visit.lab("runs[1].length") > 30


def test_rules_are_compared_on_the_same_data(lab_visit):
    lab_visit.page.select_option("[aria-label='Compare with another rule']", "resume")
    lab_visit.wait("lab.doc.rules.length === 3 && lab.runs[2]")
    lab_visit.step()
    weights = [lab_visit.lab(f"runs[{i}][1].weights") for i in range(3)]
    assert weights[0] != weights[1] != weights[2]
    assert len({json.dumps(lab_visit.lab(f"runs[{i}][0].weights")) for i in range(3)}) == 1
    lab_visit.press("DTA")
    lab_visit.settle()
    assert lab_visit.lab("rule") == 1
    assert lab_visit.page.evaluate("document.activeElement.innerText") == "DTA"
    assert "DTA" in lab_visit.page.inner_text("[aria-label='The next step'] .head")
    assert lab_visit.page.locator(".legend > span").count() == 3
    lab_visit.page.get_by_role("button", name="Remove ReSuMe").click()
    lab_visit.wait("lab.doc.rules.length === 2")


def delays_drawn(visit):
    """Return how many pixels of the raster have the colour of delays, which is light."""
    return visit.page.evaluate("""() => {
        const canvas = lab.el.raster, pen = canvas.getContext('2d');
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        let n = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 40 && data[i + 3] < 120 && data[i + 2] > data[i] + 60) n++;
        return n;
    }""")


def test_delays_are_learned_shown_edited_and_kept(lab_visit):
    page = lab_visit.page
    page.select_option("[aria-label='Compare with another rule']", "dta")
    lab_visit.wait("lab.doc.rules.length === 3 && lab.runs[2]")
    lab_visit.page.locator(".chip button", has_text="DTA").nth(1).click()
    lab_visit.settle()
    page.get_by_text("Rule settings").click()
    assert page.get_by_label("longest delay (ms)").input_value() == "20"
    page.get_by_label("learn delays").check()
    lab_visit.wait("lab.doc.rules[2].settings.delays === true && lab.runs[2]")
    lab_visit.settle()
    page.keyboard.press("Escape")
    assert delays_drawn(lab_visit) == 0
    assert "DTA with delays" in page.inner_text("[aria-label='The next step'] .head")
    assert "delays move by up to" in page.inner_text(".numbers")
    after = lab_visit.lab("look.delays_after")
    lab_visit.step()
    assert lab_visit.lab("frame.delays") == after
    assert max(after) > 0.0
    assert delays_drawn(lab_visit) > 50
    assert page.inner_text("[title^='A light line']").startswith("delays up to ")
    assert "delays up to" in page.get_attribute("canvas", "aria-description")
    weights = [lab_visit.lab(f"runs[{i}][1].weights") for i in (1, 2)]
    assert weights[0] != weights[1]
    assert not lab_visit.lab("runs[1][1].delays")
    lab_visit.step("Reset")
    assert lab_visit.lab("frame.delays") == [0.0] * 4
    assert delays_drawn(lab_visit) == 0
    for _ in range(3):
        lab_visit.step()
    assert "3: right" in page.inner_text(".status")
    script = downloaded(lab_visit, "Python script").read_text()
    assert f"delays = np.array({list(map(float, lab_visit.lab('frame.delays')))})" in script
    with open(downloaded(lab_visit, "Model (npz)"), "rb") as stream:
        assert np.load(stream)["delays"].tolist() == [lab_visit.lab("frame.delays")]
    before = lab_visit.lab("saved"), lab_visit.lab("frame"), lab_visit.lab("look.spikes")
    lab_visit.saved()
    page.reload()
    page.wait_for_selector("[data-ready=true]")
    lab_visit.wait("lab.at === 3 && lab.look")
    assert (lab_visit.lab("saved"), lab_visit.lab("frame"), lab_visit.lab("look.spikes")) == before
    spikes, delays = lab_visit.lab("look.spikes"), lab_visit.lab("frame.delays")
    page.mouse.click(*lab_visit.point("raster", 79.0, 2))  # what was learned stays after an edit
    lab_visit.wait("lab.pattern.times.length === 9 && lab.at === 0")
    lab_visit.settle()
    assert lab_visit.lab("frame.delays") == delays
    assert lab_visit.lab("look.spikes") == spikes
    page.get_by_text("Rule settings").click()
    page.get_by_label("longest delay (ms)").fill("0.01")
    page.get_by_label("longest delay (ms)").press("Enter")
    page.wait_for_selector("text=must be at most max_delay = 0.01 ms")
    lab_visit.settle()
    assert page.get_by_label("longest delay (ms)").input_value() == "20"
    assert lab_visit.lab("frame.delays") == delays
    lab_visit.errors.clear()  # the browser's own line about the status 422


def test_counts_are_left_to_rules_that_learn_them(lab_visit):
    page = lab_visit.page
    off = "[...lab.el.add.options].filter(o => o.disabled).map(o => o.value)"
    assert page.evaluate(off) == ["mst", "eml", "emlc"]
    page.select_option("[aria-label='What is desired']", "counts")
    lab_visit.wait("lab.counts && lab.look")
    lab_visit.settle()
    assert page.evaluate(off) == []
    page.select_option("[aria-label='Compare with another rule']", "eml")
    lab_visit.wait("lab.doc.rules.at(-1).key === 'eml' && lab.runs.at(-1)")
    page.get_by_role("button", name="EML", exact=True).click()
    assert "V0 carries C thresholds" in page.locator(".update .noted").get_attribute("title")
    assert page.get_by_role("button", name="Solve").is_disabled()
    assert "a count leaves open where the spikes are" in page.inner_text(
        "[aria-label='The whole task']"
    )


def test_a_task_that_is_opened_during_a_step_stays_as_it_is(lab_visit):
    lab_visit.page.evaluate(
        "() => { lab.advance(400); const slow = lab.make.bind(lab); lab.make = async (...given) => {"
        " await lab.replaceDocument(async () => ({ ...lab.doc, title: 'other' })); await slow(...given); } }"
    )
    lab_visit.wait("lab.doc.title === 'other' && lab.look")
    lab_visit.settle()
    assert lab_visit.lab("at") == 0


def test_settings_and_counts(lab_visit):
    page = lab_visit.page
    page.get_by_text("Rule settings").click()
    page.get_by_label("eta").fill("0.2")
    page.get_by_label("eta").press("Enter")
    lab_visit.wait("lab.doc.rules[0].settings.eta === 0.2")
    lab_visit.settle()
    assert "0.200\xa0X(" in page.inner_text(".numbers")
    page.keyboard.press("Escape")
    page.select_option("[aria-label='What is desired']", "counts")
    lab_visit.wait("lab.doc.targets.kind === 'counts' && lab.look")
    page.get_by_label("Desired number of spikes").fill("4")
    page.get_by_label("Desired number of spikes").press("Enter")
    lab_visit.wait("lab.doc.targets.counts[0] === 4")
    lab_visit.example("figure-4")
    lab_visit.step()
    assert lab_visit.lab("look.spikes.length") == 3


def test_solve_finds_weights_or_says_why_not(lab_visit):
    lab_visit.press("Solve")
    lab_visit.page.wait_for_selector(
        "text=solvable: the simulated spikes are where they are desired"
    )
    lab_visit.press("Use these weights")
    lab_visit.wait("lab.frame && lab.frame.right[0]")
    lab_visit.page.wait_for_selector("text=Nothing is left to correct.")
    lab_visit.page.mouse.click(*lab_visit.point("strip", 2.0))
    lab_visit.wait("lab.desired.length === 3")
    lab_visit.page.wait_for_selector("text=before its first input")
    lab_visit.press("Solve")
    lab_visit.page.wait_for_selector("text=No weights can meet this constraint of pattern 1.")
    assert "The numbers prove it" in lab_visit.page.inner_text("[aria-label='The whole task']")
