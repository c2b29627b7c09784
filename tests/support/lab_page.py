"""The page of the lab in a browser, used as a person uses it."""

import time
from typing import NamedTuple

from tests.support.browser import Visit


class Served(NamedTuple):
    """A lab in a process of its own, as users have it."""

    address: str


class LabVisit(Visit):
    """A page of the lab; every test ends with a look at its errors and foreign requests."""

    def __init__(self, browser, server, address=None, **settings):
        super().__init__(browser, address or server.address, **settings)
        self.page.wait_for_selector("[data-ready=true]")

    def _note_request(self, address, own):
        if not address.startswith(f"blob:{own}"):
            super()._note_request(address, own)

    def wait(self, expression, given=None):
        """Wait until an expression is true; the page's policy forbids Playwright's own way."""
        end = time.monotonic() + 15.0
        while not self.page.evaluate(expression, given):
            assert time.monotonic() < end, expression
            self.page.wait_for_timeout(15)

    def lab(self, expression):
        """Return what an expression of the page's lab is."""
        return self.page.evaluate(f"lab.{expression}")

    def example(self, name):
        title = self.lab("doc.title")
        self.page.select_option("[aria-label=Example]", name)
        self.wait("title => lab.doc.title !== title", title)
        self.settle()

    def press(self, label):
        self.page.get_by_role("button", name=label, exact=True).first.click()

    def step(self, label="Step ▶"):
        before = self.lab("at")
        self.press(label)
        self.wait("before => lab.at !== before", before)
        self.settle()

    def settle(self):
        self.wait("lab.root.dataset.busy === 'false' && lab.look && !lab.looking && !lab.draft")

    def saved(self):
        """Wait until the address holds the present document; return it."""
        count = int(self.page.get_attribute(".lab", "data-saved") or 0)
        self.page.evaluate("lab.remember()")
        self.wait(f"Number(lab.root.dataset.saved) > {count}")
        return self.page.evaluate("location.hash")

    def point(self, lane, at, line=0):
        """Return where a time is on the page; line is an input of the raster."""
        box = self.page.evaluate(
            """([lane, time, line]) => {
                const box = lab.el[lane].getBoundingClientRect();
                const y = lane === 'raster' ? lab.yOf(line) : 14;
                return [box.left + lab.xOf(time), box.top + y];
            }""",
            [lane, at, line],
        )
        return tuple(box)

    def drag(self, start, end, steps=8):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=steps)
        self.page.mouse.up()
        self.page.wait_for_timeout(50)
        self.settle()


def downloaded(visit, label):
    """Return the path of a file that was exported."""
    visit.page.get_by_text("Export").first.click()
    with visit.page.expect_download() as caught:
        visit.press(label)
    return caught.value.path()
