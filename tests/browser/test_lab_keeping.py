"""The lab in a browser: nothing is lost, and all can be saved, shared and opened."""

import json

import numpy as np
from tests.support.lab_page import LabVisit, downloaded

import linspike as ls

NEEDED = ("version", "neuron", "n_channels", "patterns", "targets", "weights")


def test_nothing_is_lost_on_reload(lab_visit):
    lab_visit.step()
    lab_visit.step()
    lab_visit.page.mouse.click(*lab_visit.point("raster", 70.0, 2))
    lab_visit.wait("lab.pattern.times.length === 9 && lab.at === 0")
    lab_visit.step()
    before = lab_visit.lab("saved"), lab_visit.lab("frame.weights")
    lab_visit.saved()
    lab_visit.page.reload()
    lab_visit.page.wait_for_selector("[data-ready=true]")
    lab_visit.wait("lab.at === 1 && lab.look")
    assert (lab_visit.lab("saved"), lab_visit.lab("frame.weights")) == before
    lab_visit.press("Undo")
    lab_visit.wait("lab.pattern.times.length === 8 && lab.at === 2 && lab.look")
    lab_visit.press("Redo")
    lab_visit.wait("lab.pattern.times.length === 9 && lab.at === 1 && lab.look")
    assert (lab_visit.lab("saved"), lab_visit.lab("frame.weights")) == before


def test_a_link_carries_the_task(lab_visit, browser, lab_server):
    lab_visit.example("figure-2")
    lab_visit.step()
    lab_visit.press("Copy link")
    lab_visit.page.wait_for_selector(".lab[data-link]")
    link = lab_visit.page.get_attribute(".lab", "data-link")
    assert "token" not in link
    before = lab_visit.lab("saved"), lab_visit.lab("frame.weights")
    other = LabVisit(browser, lab_server)
    other.page.evaluate("link => lab.openLink(link)", link)
    other.wait("lab.doc.title.startsWith('Figure 2') && lab.at === 1 && lab.look")
    assert (other.lab("saved"), other.lab("frame.weights")) == before
    other.page.evaluate("lab.openLink('https://nowhere')")
    other.page.wait_for_selector("text=This link holds no task")
    other.page.evaluate("lab.openLink('x#d=AAAA')")
    other.page.wait_for_selector("text=This link is damaged")
    other.page.evaluate("lab.openLink('#d=' + 'A'.repeat(200000))")
    other.page.wait_for_selector("text=This link is damaged")
    other.close()
    assert other.errors == []


def link_to(page, saved):
    """Return a link that somebody else made."""
    return page.evaluate(
        "async saved => '#d=' + await (await import('/static/lab.js')).pack(saved)", saved
    )


def test_a_link_may_say_little_or_nonsense(lab_visit):
    document = {name: lab_visit.lab("doc")[name] for name in NEEDED} | {"rules": [{"key": "fp"}]}
    view = {"rule": "x", "pattern": -3, "at": None}
    link = link_to(lab_visit.page, {"doc": document, "view": view})
    lab_visit.page.evaluate("link => lab.openLink(link)", link)
    lab_visit.wait("lab.doc.rules[0].key === 'fp' && lab.look")
    lab_visit.step()
    assert lab_visit.lab("saved.view") == {"rule": 0, "pattern": 0, "at": 1}
    for nonsense in ({"doc": {}}, {"view": 3}, 5):
        link = link_to(lab_visit.page, nonsense)
        lab_visit.page.evaluate("link => lab.openLink(link)", link)
        lab_visit.page.wait_for_selector(".message:not(.hidden)")
        lab_visit.page.evaluate("lab.say('')")
    lab_visit.page.evaluate("link => { location.hash = link; location.reload(); }", link)
    lab_visit.page.wait_for_selector("[data-ready=true]")
    lab_visit.page.wait_for_selector(".message:not(.hidden)")
    assert lab_visit.lab("doc.title") == "Interference"
    lab_visit.errors.clear()  # the browser's own lines about the status 422


def test_a_link_finds_its_token_in_the_same_browser(lab_visit, browser, lab_server):
    link = f"{lab_server.address.partition('?')[0]}{lab_visit.saved()}"
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    page.wait_for_selector("text=This address lacks its token")
    page.goto(lab_server.address)
    page.wait_for_selector("[data-ready=true]")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("[data-ready=true]")
    assert page.evaluate("lab.doc.title") == "Interference"
    context.close()


def test_exports(lab_visit):
    lab_visit.step()
    document = json.loads(downloaded(lab_visit, "Document (JSON)").read_text())
    assert document == lab_visit.lab("doc")
    script = downloaded(lab_visit, "Python script").read_text()
    compile(script, "lab.py", "exec")
    assert "steps=1" in script
    with open(downloaded(lab_visit, "Model (npz)"), "rb") as stream:
        weights = np.load(stream)["weights"]
    assert weights.tolist() == [lab_visit.lab("frame.weights")]
    assert (
        downloaded(lab_visit, "Spikes (CSV)").read_text().splitlines()[1] == "pattern,channel,time"
    )
    assert downloaded(lab_visit, "Picture (SVG)").read_text().startswith("<svg ")
    assert downloaded(lab_visit, "Picture (PNG)").read_bytes().startswith(b"\x89PNG")


def test_files_are_opened_and_wrong_ones_refused(lab_visit, tmp_path):
    path = tmp_path / "three.npz"
    ls.poisson_patterns(3, n_channels=9, duration=60.0, rate=0.02, rng=1).save(path)
    chooser = lab_visit.page.locator("input[type=file]")
    chooser.set_input_files(path)
    lab_visit.wait("lab.doc.n_channels === 9 && lab.look")
    assert lab_visit.page.locator(".marks button").count() == 3
    wrong = tmp_path / "wrong.npz"
    wrong.write_bytes(b"nonsense")
    chooser.set_input_files(wrong)
    lab_visit.page.wait_for_selector("text=is no file of patterns, targets or a model")
    assert lab_visit.lab("doc.n_channels") == 9
    lab_visit.press("Undo")
    lab_visit.wait("lab.doc.title === 'Interference'")
    lab_visit.errors.clear()  # the browser's own line about the status 422
