"""The lab in a browser: how fast it draws and plays large tasks, measured in the page."""

import numpy as np
import pytest

DRAG_MS, STEPS_PER_SECOND = 50.0, 20.0


def time_a_drag(visit, spike):
    """Drag a spike to and fro; return ms until the raster and until all was drawn, of each move."""
    visit.page.evaluate("performance.clearMeasures()")
    at, line = visit.lab(f"pattern.times[{spike}]"), visit.lab(f"pattern.channels[{spike}]")
    start = visit.point("raster", at, line)
    visit.page.mouse.move(*start)
    visit.page.mouse.down()
    for i in range(40):
        visit.page.mouse.move(start[0] + 3 * (i % 20), start[1])
        visit.page.wait_for_timeout(20)
    visit.page.mouse.up()
    visit.settle()
    measures = "n => performance.getEntriesByName(n).map(e => e.duration)"
    return [visit.page.evaluate(measures, name) for name in ("lab-raster", "lab-drag")]


def test_a_drag_among_500_inputs_redraws_in_time(lab_visit):
    lab_visit.example("large")
    lab_visit.settle()
    for spike in range(300, 306):  # until other programs leave us the processor for a while
        raster, whole = time_a_drag(lab_visit, spike)
        assert len(raster) >= 20
        assert len(whole) >= 5
        assert np.median(raster) < DRAG_MS
        if np.median(whole) < DRAG_MS:
            return
    pytest.fail(f"a drag took {np.median(whole):.0f} ms")


def time_play(visit):
    """Play 60 steps from the beginning; return the median of ms from one to the next."""
    visit.press("Play")
    visit.wait("lab.at >= 60")
    visit.press("Pause")
    visit.settle()
    visit.step("Reset")
    return np.median(visit.lab("intervals")[:60])


def test_play_is_fast_with_500_inputs(lab_visit):
    lab_visit.page.select_option("[aria-label=Speed]", "1000")
    for _ in range(3):  # until other programs leave us the processor for a while
        lab_visit.example("large")
        first, again = time_play(lab_visit), time_play(lab_visit)
        if max(first, again) <= 1e3 / STEPS_PER_SECOND:
            return
        lab_visit.example("interference")
    pytest.fail(f"a step took {first:.0f} ms, and {again:.0f} ms once more")


def test_200_lines_of_raster_stay_smooth(lab_visit):
    rng = np.random.default_rng(0)
    pattern = {
        "duration": 400.0,
        "times": rng.uniform(0, 400, 4000).round(2).tolist(),
        "channels": rng.integers(0, 200, 4000).tolist(),
    }
    document = {
        **lab_visit.lab("doc"),
        "n_channels": 200,
        "patterns": [pattern],
        "weights": [0.01] * 200,
    }
    lab_visit.page.evaluate("doc => lab.load(doc)", document)
    lab_visit.wait("lab.doc.n_channels === 200 && lab.look")
    took = lab_visit.page.evaluate(
        "() => Array.from({length: 20}, () => {"
        " const t = performance.now(); lab.drawRaster(); return performance.now() - t; })"
    )
    assert np.quantile(took, 0.25) < 16.0
