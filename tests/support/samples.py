"""Something to encode, and how tests look at what came of it."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

NUMBERS = np.random.default_rng(0).uniform(0.0, 8.0, (12, 3))
RASTERS = (np.random.default_rng(1).random((5, 7, 4)) < 0.3).astype(np.uint8)


def latencies(patterns):
    """Time of the only spike of each channel, NaN for silence: patterns x channels."""
    matrix = np.full((len(patterns), patterns.n_channels), np.nan)
    for row, pattern in zip(matrix, patterns, strict=True):
        assert np.unique(pattern.channels).size == len(pattern)
        row[pattern.channels] = pattern.times
    return matrix


def is_drawn(ax, path):
    """Whether a saved picture has ink inside the axes."""
    ax.figure.savefig(path)
    assert path.read_bytes()[:4] == b"\x89PNG"
    canvas = FigureCanvasAgg(ax.figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3]
    box = ax.get_window_extent()
    inside = pixels[int(box.y0) + 4 : int(box.y1) - 4, int(box.x0) + 4 : int(box.x1) - 4]
    return inside.std() > 1.0
