"""Names beside series: inside the axes, apart from each other, near their own."""

import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure

from linspike.paper.report.drawing.labels import Track, draw_labels, trace
from linspike.plotting import style

NAMES = ("first", "second rule", "third", "fourth rule", "fifth", "sixth", "seventh", "eighth")


def axes_with(lines):
    """Axes with named lines, each a pair of arrays, as they are labelled."""
    figure = Figure(figsize=(4.6, 3.1), layout="constrained")
    ax = figure.subplots()
    for x, y in lines.values():
        ax.plot(x, y)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    tracks = [
        Track(name, style.SERIES[0], trace(ax, *xy, joined=True)) for name, xy in lines.items()
    ]
    draw_labels(ax, tracks, 9.5)
    return ax, tracks


def falling(shift):
    """A share that falls from 1 to 0, as in the capacity tables."""
    x = np.linspace(0.0, 20.0, 9)
    return x, 1.0 / (1.0 + np.exp(2.0 * (x - shift)))


@pytest.mark.parametrize("gap", [0.4, 2.0])
def test_eight_names_do_not_overlap_and_stay_inside(gap):
    ax, _ = axes_with({name: falling(3.0 + gap * i) for i, name in enumerate(NAMES)})
    assert sorted(text.get_text() for text in ax.texts) == sorted(NAMES)
    boxes = [text.get_window_extent() for text in ax.texts]
    frame = ax.get_window_extent()
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
    assert all(frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_crowded_names_stand_in_a_key_and_nothing_covers_a_series():
    ax, tracks = axes_with({name: falling(3.0 + 0.4 * i) for i, name in enumerate(NAMES)})
    samples = [line for line in ax.lines if line.get_gid() == "sample"]
    threads = [line for line in ax.lines if line.get_gid() == "thread"]
    assert 0 < len(samples) < len(NAMES)
    points = np.concatenate([track.points for track in tracks])
    for text in ax.texts:
        box = text.get_window_extent()
        assert not any(box.contains(*point) for point in points)
    for thread in threads:
        (x0, y0), (x1, y1) = thread.get_transform().transform(thread.get_xydata())
        share = np.linspace(0.0, 1.0, 60)[:, None]
        on_thread = (1 - share) * (x0, y0) + share * (x1, y1)
        away = {
            track.name: np.hypot(*(track.points[:, None] - on_thread).T).min() for track in tracks
        }
        assert sum(distance < 1.0 for distance in away.values()) == 1  # its own alone


def test_names_keep_off_intervals_of_points():
    figure = Figure(figsize=(4.6, 3.1))
    ax = figure.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    bar = trace(ax, [0.9, 0.9], [0.1, 0.9], joined=True)
    point = trace(ax, [0.9], [0.5], joined=False)
    draw_labels(ax, [Track("a long name", style.INK, point, around=bar)], 9.5)
    box = ax.texts[0].get_window_extent()
    assert not any(box.contains(*each) for each in bar)


def test_long_names_have_two_lines():
    x = np.linspace(0.0, 1.0, 20)
    ax, _ = axes_with({"DTA projection, gradient": (x, x)})
    assert ax.texts[0].get_text() == "DTA projection,\ngradient"


def test_a_name_is_nearest_to_its_own_series():
    x = np.linspace(0.0, 1.0, 20)
    ax, tracks = axes_with(
        {"low": (x, 0.2 * x), "middle": (x, 0.5 + 0 * x), "high": (x, 1 - 0.2 * x)}
    )
    for text in ax.texts:
        box = text.get_window_extent()
        middle = np.array([0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)])
        away = {t.name: np.hypot(*(t.points - middle).T).min() for t in tracks}
        assert min(away, key=away.get) == text.get_text()
        assert box.x0 > ax.get_window_extent().x0 + 0.5 * ax.get_window_extent().width  # at the end


def test_series_without_a_name_or_outside_are_left_out():
    figure = Figure()
    ax = figure.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    away = Track("away", style.INK, trace(ax, [5, 6], [5, 6], joined=True))
    bare = Track("", style.INK, trace(ax, [0, 1], [0, 1], joined=False))
    draw_labels(ax, [away, bare], 9.0)
    assert not ax.texts


def test_points_that_are_not_finite_are_left_out():
    ax = Figure().subplots()
    assert len(trace(ax, [0.0, np.nan], [0.5, 0.5], joined=True)) > 0
    assert np.isfinite(trace(ax, [0.0, np.inf, 1.0], [0.5, 0.5, 0.5], joined=True)).all()
