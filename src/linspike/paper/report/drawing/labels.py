"""Names of series beside them instead of in a legend.

Every name may stand at many points of its series, in many directions. The place with the least
cost is taken: it covers nothing, touches no other series, and is near the end of its own. A name
that has no free place stands in a small key instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import fill
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.paper.report.drawing.cells import CELL, count, occupy, occupy_boxes
from linspike.paper.report.drawing.key import draw_key, find_room
from linspike.plotting import style

ANCHORS = 28  # points of a series beside which its name may stand
# Pixels between a point and a name; a thread bridges the larger ones.
GAPS = (4.0, 15.0, 34.0, 56.0)
MARKER = 6.0  # pixels that a point covers
PAD = 2.0  # pixels around a name that are to stay free
NEAR = 7.0  # pixels within which another series makes it unclear whose name it is
EDGE = 3.0  # pixels between a name and the axes
ROUNDS = 3  # each name is placed again when all others stand
WRAPPED = 14  # characters above which a name has two lines
BLOCKED = 1000.0  # of a thread on anything else; twice that of a name there, or outside
COVER, CLOSE, LATE, FAR = 3.0, 0.4, 4.0, 5.0


class Track(NamedTuple):
    """A series to be named: the pixels it goes through, in its order, and its look in a key.

    around are pixels that it covers besides: of intervals and bars.
    """

    name: str
    colour: str
    points: Floats
    look: Mapping[str, Any] = MappingProxyType({})
    around: Floats = np.empty((0, 2))


class Candidates(NamedTuple):
    """Places of a name: ends of boxes (left, low, right, high), anchors, sides, fixed cost."""

    boxes: Floats
    anchors: Floats
    gaps: Floats
    sides: Floats
    cost: Floats


def trace(ax: Any, x: Sequence[float], y: Sequence[float], *, joined: bool) -> Floats:
    """Return the pixels of markers, or of the straight lines between points if these are joined."""
    at = ax.transData.transform(np.column_stack([x, y]).astype(np.float64))
    at = at[np.isfinite(at).all(axis=1)]
    if not joined or len(at) < 2:
        size = np.array([-0.5, 0.0, 0.5]) * MARKER
        spread = np.array([(dx, dy) for dx in size for dy in size])
        return np.asarray((at[:, None] + spread).reshape(-1, 2))
    pieces = []
    for start, end in pairwise(at):
        steps = min(2000, int(np.hypot(*(end - start)) / CELL) + 1)
        pieces.append(start + (end - start) * np.linspace(0.0, 1.0, steps, endpoint=False)[:, None])
    return np.concatenate([*pieces, at[-1:]])


def draw_labels(ax: Any, tracks: Sequence[Track], size: float) -> None:
    """Write the name of every track; the axes must be where they will stay."""
    frame = ax.get_window_extent()
    ends = np.array([frame.x0, frame.y0, frame.x1, frame.y1])
    kept = []
    for track in tracks:
        inside = ((track.points >= ends[:2] - 1) & (track.points <= ends[2:] + 1)).all(axis=1)
        if inside.any():
            name = track.name
            if len(name) > WRAPPED:
                # Lines of about the same length, words whole.
                name = fill(name, len(name) // 2 + 3, break_long_words=False)
            kept.append(track._replace(name=name, points=track.points[inside]))
    kept.sort(key=lambda track: not track.name)  # those without a name are in the way alone
    named = [track for track in kept if track.name]
    if not named:
        return
    grids = [occupy(np.concatenate([track.points, track.around]), ends) for track in kept]
    extents = [_measure(ax, track.name, size) for track in named]
    options = [
        _list_candidates(track, extent, ends) for track, extent in zip(named, extents, strict=True)
    ]
    costs = _judge(options, grids, ends)
    threads = [_span_threads(option) for option in options]
    chosen = _choose(options, threads, costs)
    taken = [box[place] for i, place in chosen.items() for box in (options[i].boxes, threads[i])]
    left = [i for i in range(len(named)) if i not in chosen]
    if left:
        drawn = sum(grids) + occupy_boxes(taken, ends)
        room = find_room(drawn, [extents[i] for i in left], ends)
        if room is None:  # no place for a key either: the least bad places
            chosen = _choose(options, threads, costs, forced=True)
        else:
            entries = [(named[i].name, named[i].colour, named[i].look) for i in left]
            draw_key(ax, entries, room, size)
    for i, place in chosen.items():
        _write(ax, named[i], options[i], place, size)


def _measure(ax: Any, name: str, size: float) -> tuple[float, float]:
    """Return width and height of a name in pixels."""
    text = ax.text(0.0, 0.0, name, size=size)
    box = text.get_window_extent()
    text.remove()
    return box.width, box.height


def _list_candidates(track: Track, extent: tuple[float, float], ends: Floats) -> Candidates:
    """Return all places of one name."""
    number = len(track.points)
    picked = np.unique(np.linspace(0, number - 1, ANCHORS).round().astype(int))
    angles = np.arange(16) * np.pi / 8.0
    anchor, gap, angle = (
        grid.ravel() for grid in np.meshgrid(picked, np.array(GAPS), angles, indexing="ij")
    )
    # On the border of a box around the anchor, not on a circle: names are wider than high.
    direction = np.column_stack([np.cos(angle), np.sin(angle)])
    direction = direction / np.abs(direction).max(axis=1, keepdims=True)
    half = 0.5 * np.array(extent)
    middle = track.points[anchor] + direction * (half + gap[:, None])
    boxes = np.column_stack([middle - half, middle + half])
    over = np.maximum(ends[:2] + EDGE - boxes[:, :2], 0.0) + np.maximum(
        boxes[:, 2:] + EDGE - ends[2:], 0.0
    )
    outside = over.sum(axis=1)
    late = 1.0 - anchor / max(1, number - 1)
    cost = LATE * late + FAR * np.searchsorted(GAPS, gap) + 2.0 * BLOCKED * (outside > 0) + outside
    return Candidates(boxes, track.points[anchor], gap, direction[:, 0], cost)


def _judge(options: list[Candidates], grids: list[Floats], ends: Floats) -> list[Floats]:
    """Return the cost of every place of every name among the series."""
    everything = np.sum(grids, axis=0)
    costs = []
    for option, grid in zip(options, grids, strict=False):  # the last grids may have no names
        others = np.minimum(everything - grid, 1.0)
        covered = count(others, option.boxes, ends, PAD)
        close = count(others, option.boxes, ends, NEAR)
        covered = covered + count(grid, option.boxes, ends, 0.0)
        crossed = _count_on_thread(others, option, ends)
        blocked = BLOCKED * (2.0 * (covered > 0) + (crossed > 0))
        costs.append(option.cost + blocked + COVER * (covered + crossed) + CLOSE * close)
    return costs


def _choose(
    options: list[Candidates], threads: list[Floats], costs: list[Floats], *, forced: bool = False
) -> dict[int, int]:
    """Return the place of each name that has a free one; of every name if forced.

    One after the other, then each again among the others. The one with the worst place is left out,
    until all have good ones.
    """
    order = sorted(range(len(options)), key=lambda i: -float(costs[i].min()))
    chosen: dict[int, int] = {}
    while order:
        worst = dict.fromkeys(order, 0.0)
        for _ in range(ROUNDS):
            for i in order:
                total = costs[i].copy()
                for j, place in chosen.items():
                    if j != i:
                        box, thread = options[j].boxes[place], threads[j][place]
                        total += _overlap(options[i].boxes, box) + _overlap(threads[i], box)
                        total += _overlap(options[i].boxes, thread) + _overlap(threads[i], thread)
                chosen[i], worst[i] = int(np.argmin(total)), float(total.min())
        out = max(order, key=lambda i: worst[i])
        if forced or worst[out] < BLOCKED:
            break
        order.remove(out)
        del chosen[out]
    return chosen


def _count_on_thread(grid: Floats, option: Candidates, ends: Floats) -> Floats:
    """Return how many occupied cells lie between each anchor and its name."""
    nearest = np.clip(option.anchors, option.boxes[:, :2], option.boxes[:, 2:])
    crossed = np.zeros(len(nearest))
    for share in np.linspace(0.0, 1.0, int(GAPS[-1] / CELL)):  # no line falls between
        point = option.anchors + share * (nearest - option.anchors)
        at = np.clip(((point - ends[:2]) / CELL).astype(int), 0, np.array(grid.shape) - 1)
        crossed += grid[at[:, 0], at[:, 1]]
    return crossed


def _span_threads(option: Candidates) -> Floats:
    """Return boxes around the threads between anchors and names."""
    nearest = np.clip(option.anchors, option.boxes[:, :2], option.boxes[:, 2:])
    ends = np.minimum(option.anchors, nearest), np.maximum(option.anchors, nearest)
    return np.column_stack(ends)


def _overlap(boxes: Floats, box: Floats) -> Floats:
    """Return the cost of boxes that touch one that stands."""
    shared = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2]) + PAD
    area: Floats = np.maximum(shared, 0.0).prod(axis=1)
    return BLOCKED * (area > 0.0) + 0.1 * area


def _write(ax: Any, track: Track, option: Candidates, place: int, size: float) -> None:
    """Write one name where it was placed, and the thread to its series if it stands apart."""
    from matplotlib.patheffects import withStroke

    to_axes = ax.transAxes.inverted().transform
    left, low, right, high = option.boxes[place]
    side = option.sides[place]
    # Anchored on the side of its series: another font makes it longer on the other side.
    align, x = "center", 0.5 * (left + right)
    if abs(side) > 0.5:
        align, x = ("left", left) if side > 0.0 else ("right", right)
    ink = style.darken(track.colour)
    at = to_axes((x, 0.5 * (low + high)))
    text = ax.text(*at, track.name, ha=align, va="center", size=size, color=ink)
    text.set(transform=ax.transAxes, zorder=6, in_layout=False)
    text.set_path_effects([withStroke(linewidth=2.6, foreground=style.GROUND)])
    if option.gaps[place] > GAPS[0]:
        end = np.clip(option.anchors[place], (left, low), (right, high))
        (x0, y0), (x1, y1) = to_axes(option.anchors[place]), to_axes(end)
        thread = ax.plot([x0, x1], [y0, y1], color=ink, lw=0.6, transform=ax.transAxes)[0]
        thread.set(zorder=5, in_layout=False, gid="thread")
