"""Potential without resets, reset sums and window rows of one pattern at given times."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError, Words
from linspike.kernels.rows.resets import fill_reset_sums
from linspike.kernels.rows.windows import Window, fill_rows, free_parts
from linspike.kernels.simulation.membrane import Membrane
from linspike.neuron.arguments import check_times
from linspike.neuron.decay_tables import events_of
from linspike.spikes.pattern import Pattern


def find_free_potential(m: Membrane, weights: Floats, pattern: Pattern, at: Floats) -> Floats:
    """Return V0 at ascending times, in units of Vn."""
    parts = np.empty((2, at.size))
    free_parts(events_of(pattern._ragged, m), pattern._index, weights, at, m, parts)
    value: Floats = parts[0] - parts[1]
    return value


def sum_resets(m: Membrane, resets: Floats, at: Floats) -> Floats:
    """Return the decayed resets before each of the ascending times, in thresholds."""
    sums = np.empty_like(at)
    fill_reset_sums(resets, at, m.rate_m, sums)
    return sums


def make_design(m: Membrane, window: Window, pattern: Pattern, at: Any, owner: str) -> Floats:
    """Return the window rows at a list of times, (times, channels)."""
    times = np.ascontiguousarray(np.atleast_1d(check_times(at, owner)))
    if times.ndim != 1:
        raise ParameterError.of("at", owner, "a list of times", Words(f"shape {times.shape}"))
    matrix = np.empty((times.size, pattern.n_channels))
    fill_rows(events_of(pattern._ragged, m), pattern._index, times, window, m, matrix)
    return matrix
