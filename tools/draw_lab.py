"""Play the stories of docs/howto/lab.md in a browser, and draw the pictures of that page.

python -m tools.draw_lab

Needs the extra `lab`, Playwright and a Chromium; tests/browser/test_lab_stories.py plays the same.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SCREEN = {"width": 1280, "height": 900}
MOST_SECONDS = 120.0  # that a story may take
Keep = Callable[[str, str], None]  # takes a picture of an element


@contextmanager
def serving() -> Iterator[str]:
    """Yield the address of a lab in a process of its own."""
    command = [sys.executable, "-m", "linspike", "lab", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


class Story:
    """A page of the lab, used as a reader of the docs would use it.

    Parameters
    ----------
    page : playwright page
        Opened at the lab.
    keep : callable
        Called with a name and a selector where the docs have a picture.
    """

    def __init__(self, page: Any, keep: Keep) -> None:
        self.page, self.keep = page, keep
        page.wait_for_selector("[data-ready=true]")
        self.settle()

    def value(self, expression: str) -> Any:
        """Return what an expression of the page's lab is."""
        return self.page.evaluate(f"lab.{expression}")

    def settle(self) -> None:
        """Wait until nothing is under way."""
        self.wait("root.dataset.busy === 'false'")

    def wait(self, expression: str) -> None:
        """Wait until an expression of the lab is true."""
        for _ in range(4000):
            if self.value(expression):
                return
            self.page.wait_for_timeout(15)
        raise TimeoutError(expression)

    def example(self, title: str) -> None:
        """Choose an example by its title."""
        self.page.select_option("[aria-label=Example]", label=title)
        self.wait(f"doc.title === {title!r}")
        self.settle()

    def press(self, label: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=label, exact=True).first.click()
        self.page.wait_for_timeout(30)
        self.settle()

    def learn(self, steps: int) -> None:
        """Play up to a step."""
        self.page.select_option("[aria-label=Speed]", label="as fast as it goes")
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.wait(f"at >= {steps} || !lab.playing")
        self.page.evaluate("lab.pause()")
        self.settle()


def tell_first(story: Story) -> None:
    """Show the page as it opens."""
    story.keep("lab_screen", "body")


def tell_figure_2(story: Story) -> dict[str, Any]:
    """Play figure 2: one correction after the other, and both at once."""
    found: dict[str, Any] = {}
    story.example("Figure 2: correcting one spike moves the other")
    found["start"] = story.value("look.spikes")
    story.press("Step ▶")
    found["one step"] = story.value("look.spikes")
    story.press("Step ▶")
    found["two steps"] = story.value("look.spikes")
    story.learn(20)
    found["first error"] = story.value("runs[0].slice(1, 20).filter(f => f.right[0]).length")
    story.press("Reset")
    story.press("DTA")
    story.keep("lab_figure_2", "[aria-label=Interference]")
    story.press("Step ▶")
    found["dta"] = story.value("look.spikes")
    return found


def tell_figure_3(story: Story) -> dict[str, Any]:
    """Play figure 3: the same rule on near spikes and on spikes far apart."""
    found: dict[str, Any] = {}
    first = "frames => frames.findIndex(f => f.right[0])"
    for ms, name in ((25, "near"), (55, "far")):
        title = f"Figure 3: spikes {ms} ms apart"
        story.example(title)
        story.learn(150)
        found[name] = story.value(f"runs.map({first})")
        story.keep(f"lab_figure_3_{name}", "[aria-label='Error curves']")
    return found


MOST_BYTES = 55_000
COMMON, COVERING = 30, 50  # colours
STORIES = (tell_first, tell_figure_2, tell_figure_3)


def shrink(path: Path) -> None:
    """Keep the commonest colours of a large screenshot, and some that cover all the others."""
    from PIL import Image

    if path.stat().st_size < MOST_BYTES:
        return
    with Image.open(path) as picture:
        full = picture.convert("RGB")
    counted = sorted(full.getcolors(full.width * full.height), reverse=True)
    covering = full.quantize(COVERING, method=Image.Quantize.MAXCOVERAGE).getpalette()
    common = [part for _, colour in counted[:COMMON] for part in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette(common + covering[: 3 * COVERING])
    full.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def draw(folder: Path) -> None:
    """Play all stories and write their pictures."""
    from shutil import which

    from playwright.sync_api import sync_playwright
    from tests.support.browser import FLAGS, NAMES

    program = next(filter(None, map(which, NAMES)))
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        page = browser.new_page(viewport=SCREEN, color_scheme="light")
        page.goto(address)

        def keep(name: str, selector: str) -> None:
            page.mouse.move(5, 5)
            page.locator(selector).first.screenshot(path=folder / f"{name}.png")
            shrink(folder / f"{name}.png")
            print(f"docs/images/{name}.png")

        story = Story(page, keep)
        for tell in STORIES:
            tell(story)
        browser.close()


if __name__ == "__main__":
    draw(IMAGES)
