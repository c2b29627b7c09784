"""The stories of docs/howto/lab.md, played as a reader plays them: what the page says is so."""

import time

import numpy as np
import pytest
from tests.support.browser import SCREEN
from tests.support.paths import ROOT
from tools.draw_lab import (
    IMAGES,
    MOST_SECONDS,
    Story,
    serving,
    tell_figure_2,
    tell_figure_3,
    tell_first,
)

pytest.importorskip("starlette", reason="the extra lab is not installed")
pytest.importorskip("uvicorn", reason="the extra lab is not installed")


@pytest.fixture(scope="module")
def address(browser):
    with serving() as found:
        yield found


@pytest.fixture
def play(browser, address):
    """Play a story: return what is found on the way, and the names of its pictures."""
    page = browser.new_page(viewport=SCREEN)
    page.goto(address)
    pictures = []

    def keep(name, selector):
        assert page.locator(selector).first.is_visible()
        pictures.append(name)

    def play_story(tell):
        began = time.monotonic()
        found = tell(Story(page, keep))
        assert time.monotonic() - began < MOST_SECONDS
        return found, pictures

    yield play_story
    page.close()


def test_figure_2_is_told(play):
    found, pictures = play(tell_figure_2)
    first, second = np.array(found["start"]) - (10.0, 25.0)
    assert abs(first) < 0.01
    assert second < -1.0
    # The correction of the second spike brings it, and makes the first late; the next undoes both.
    one, two = (np.subtract(found[name], (10.0, 25.0)) for name in ("one step", "two steps"))
    assert one[0] > 1.0
    assert abs(one[1]) < 1.0
    assert abs(two[0]) < 0.1
    assert two[1] < -1.0
    assert found["first error"] == 0
    assert np.allclose(found["dta"], [10.0, 25.0], atol=1e-6)
    assert pictures == ["lab_figure_2"]


def test_figure_3_is_told(play):
    found, pictures = play(tell_figure_3)
    assert found["near"][0] == -1
    assert 100 < found["far"][0] < 200
    assert 0 < found["near"][1] < 10
    assert 0 < found["far"][1] < 10
    assert pictures == ["lab_figure_3_near", "lab_figure_3_far"]


def test_the_page_has_the_pictures_that_the_stories_make(play):
    _, pictures = play(tell_first)
    page = (ROOT / "docs" / "howto" / "lab.md").read_text()
    for name in (*pictures, "lab_figure_2", "lab_figure_3_near", "lab_figure_3_far"):
        assert f"../images/{name}.png" in page
        assert (IMAGES / f"{name}.png").is_file()
