"""A headless Chromium, and what pages are asked: requests, errors, scrolling, accessibility."""

import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)
WIDTHS = (400, 800, 1280)
SCREEN = {"width": 1280, "height": 900}


@contextmanager
def open_browser():
    """Yield a browser; skip the test, with a reason, where there is none."""
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is on the path")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page that was opened; `foreign` has its requests to other places, `errors` its errors."""

    def __init__(self, browser, address, **settings):
        self.page = browser.new_page(**{"viewport": SCREEN, **settings})
        self.foreign, self.errors = [], []
        own = address.rsplit("/", 1)[0]
        self.page.on("request", lambda request: self._note_request(request.url, own))
        self.page.on("console", lambda line: self._note_line(line.type, line.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address)

    def _note_request(self, address, own):
        if not address.startswith((own, "data:")):
            self.foreign.append(address)

    def _note_line(self, kind, text):
        if kind in ("error", "warning"):
            self.errors.append(text)

    def close(self):
        """Close the page."""
        self.page.close()


def widest(page, width):
    """Return how wide a page is, in pixels, in a window of this width."""
    page.set_viewport_size({"width": width, "height": SCREEN["height"]})
    return page.evaluate("document.documentElement.scrollWidth")


def scrolls_sideways(page, widths=WIDTHS):
    """Return the widths of windows in which a page must be scrolled sideways."""
    return [width for width in widths if widest(page, width) > width]


def serious_problems(page, rules=()):
    """Return what axe calls serious or critical: the rule and the first elements that break it.

    All rules are tried unless some are named.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not there")
    # What is drawn inside a picture is no text of the page; the picture itself is looked at, and
    # contrast inside it by `faint_texts`, in less time.
    context, options = {"exclude": [["svg > *"]]}, {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    found = axe.Axe().run(page, context, options).response["violations"]
    return [
        (problem["id"], [node["html"][:120] for node in problem["nodes"][:3]])
        for problem in found
        if problem["impact"] in ("serious", "critical")
    ]


# Colours come back as rgb(...) or, where they were mixed, as color(srgb ...); text on a coloured
# cell of a map has a ground of its own and is left out by its fixed colours.
_TEXTS = """
() => [...document.querySelectorAll('figure svg text, header svg text')].map(each => {
    const numbers = colour => {
        const found = colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
        return colour.startsWith('color(') ? found : found.map(x => x / 255);
    };
    const light = colour => numbers(colour)
        .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
        .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
    const ink = getComputedStyle(each).fill;
    const pair = [light(ink), light(getComputedStyle(document.body).backgroundColor)];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    return [each.textContent, ink, ratio];
})
"""
ON_MAPS = ("rgb(254, 254, 254)", "rgb(1, 1, 1)")


def faint_texts(page, least=4.5):
    """Return texts of pictures, with their colours, whose contrast to the page is too small."""
    shown = page.evaluate(_TEXTS)
    assert shown
    return sorted(
        {
            (text, ink, round(ratio, 2))
            for text, ink, ratio in shown
            if ratio < least and ink not in ON_MAPS
        }
    )
