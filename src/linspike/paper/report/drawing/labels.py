"""Names of series beside them instead of in a legend.

Every name may stand at many points of its series, in many directions. The place with the least
cost is taken: it covers nothing, touches no other series, and is near the end of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.plotting import style

CELL = 2.0  # pixels; a series is known by the cells of a grid that it goes through
ANCHORS = 28  # points of a series beside which its name may stand
GAPS = (4.0, 15.0, 34.0)  # pixels between a point and a name; a thread bridges the larger ones
MARKER = 6.0  # pixels that a point covers
PAD = 2.0  # pixels around a name that are to stay free
NEAR = 7.0  # pixels within which another series makes it unclear whose name it is
ROUNDS = 3  # each name is placed again when all others stand
COVER, THREAD, CLOSE, OWN, OVERLAP, OUTSIDE, LATE, FAR = 3.0, 2.0, 0.4, 3.0, 30.0, 60.0, 4.0, 5.0


class Track(NamedTuple):
    """A series to be named: the pixels it goes through, in its order."""

    name: str
    colour: str
    points: Floats


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
        count = min(2000, int(np.hypot(*(end - start)) / CELL) + 1)
        pieces.append(start + (end - start) * np.linspace(0.0, 1.0, count, endpoint=False)[:, None])
    return np.concatenate([*pieces, at[-1:]])


def draw_labels(ax: Any, tracks: Sequence[Track], size: float) -> None:
    """Write the name of every track; the axes must be where they will stay."""
    frame = ax.get_window_extent()
    ends = np.array([frame.x0, frame.y0, frame.x1, frame.y1])
    kept = []
    for track in tracks:
        inside = ((track.points >= ends[:2] - 1) & (track.points <= ends[2:] + 1)).all(axis=1)
        if inside.any():
            kept.append(track._replace(points=track.points[inside]))
    kept.sort(key=lambda track: not track.name)  # those without a name are in the way alone
    named = [track for track in kept if track.name]
    if not named:
        return
    grids = [_occupy(track.points, ends) for track in kept]
    options = [_list_candidates(track, _measure(ax, track.name, size), ends) for track in named]
    chosen = _choose(options, grids, ends)
    for track, option, place in zip(named, options, chosen, strict=True):
        _write(ax, track, option, place, size)


def _measure(ax: Any, name: str, size: float) -> tuple[float, float]:
    """Return width and height of a name in pixels."""
    text = ax.text(0.0, 0.0, name, size=size)
    box = text.get_window_extent()
    text.remove()
    return box.width, box.height


def _occupy(points: Floats, ends: Floats) -> Floats:
    """Return the cells of the axes that a series goes through, as 1.0 in a grid of rows of x."""
    shape = np.ceil((ends[2:] - ends[:2]) / CELL).astype(int) + 1
    grid = np.zeros(shape)
    at = np.clip(((points - ends[:2]) / CELL).astype(int), 0, shape - 1)
    grid[at[:, 0], at[:, 1]] = 1.0
    return grid


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
    over = np.maximum(ends[:2] + 1.0 - boxes[:, :2], 0.0) + np.maximum(
        boxes[:, 2:] + 1.0 - ends[2:], 0.0
    )
    outside = over.sum(axis=1)
    late = 1.0 - anchor / max(1, number - 1)
    cost = LATE * late + FAR * np.searchsorted(GAPS, gap) + OUTSIDE * (outside > 0) + outside
    return Candidates(boxes, track.points[anchor], gap, direction[:, 0], cost)


def _choose(options: list[Candidates], grids: list[Floats], ends: Floats) -> list[int]:
    """Return the place of every name: one after the other, then each again among the others."""
    everything = np.sum(grids, axis=0)
    costs = []
    for option, grid in zip(options, grids, strict=False):  # the last grids may have no names
        others = np.minimum(everything - grid, 1.0)
        covered = _count(others, option.boxes, ends, PAD)
        close = _count(others, option.boxes, ends, NEAR)
        own = _count(grid, option.boxes, ends, 0.0)
        crossed = _count_on_thread(others, option, ends)
        costs.append(option.cost + COVER * covered + CLOSE * close + OWN * own + THREAD * crossed)
    threads = [_span_threads(option) for option in options]
    order = sorted(range(len(options)), key=lambda i: -float(costs[i].min()))
    chosen: dict[int, int] = {}
    for _ in range(ROUNDS):
        for i in order:
            total = costs[i].copy()
            for j, place in chosen.items():
                if j != i:
                    box, thread = (part[place] for part in (options[j].boxes, threads[j]))
                    total += _overlap(options[i].boxes, box) + _overlap(threads[i], box)
                    total += _overlap(options[i].boxes, thread)
            chosen[i] = int(np.argmin(total))
    return [chosen[i] for i in range(len(options))]


def _count(grid: Floats, boxes: Floats, ends: Floats, pad: float) -> Floats:
    """Return how many occupied cells each box covers, by sums over the grid from its corner."""
    sums = np.pad(grid.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    low = np.floor((boxes[:, :2] - pad - ends[:2]) / CELL).astype(int)
    high = np.ceil((boxes[:, 2:] + pad - ends[:2]) / CELL).astype(int)
    low, high = (np.clip(corner, 0, np.array(grid.shape)) for corner in (low, high))
    found: Floats = (
        sums[high[:, 0], high[:, 1]]
        - sums[low[:, 0], high[:, 1]]
        - sums[high[:, 0], low[:, 1]]
        + sums[low[:, 0], low[:, 1]]
    )
    return found


def _count_on_thread(grid: Floats, option: Candidates, ends: Floats) -> Floats:
    """Return how many occupied cells lie between each anchor and its name."""
    nearest = np.clip(option.anchors, option.boxes[:, :2], option.boxes[:, 2:])
    crossed = np.zeros(len(nearest))
    for share in np.linspace(0.2, 0.9, 8):
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
    return OVERLAP * (area > 0.0) + 0.1 * area


def _write(ax: Any, track: Track, option: Candidates, place: int, size: float) -> None:
    """Write one name where it was placed, and the thread to its series if it stands apart."""
    from matplotlib.patheffects import withStroke

    to_axes = ax.transAxes.inverted().transform
    left, low, right, high = option.boxes[place]
    side = option.sides[place]
    # Anchored on the side of its series: another font makes it longer on the other side.
    align, x = ("left", left) if side > 0.5 else ("right", right) if side < -0.5 else (
        "center", 0.5 * (left + right))  # fmt: skip
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
