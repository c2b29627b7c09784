"""Delays that are learned: their unit in a step, and the range in which they are held."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.step_problem import inner


@borrowing
def scale_delays(s: StepInput, share: float, n: int, work: StepWorkspace) -> float:
    """Measure delays in the unit of (75), in which their rows have a share of the weights' trace.

    Returns the unit in milliseconds, 0 if no delay matters. The second half of the first n rows of
    work is the gradient per millisecond before, and per unit afterwards.
    """
    width = s.delays.size
    trace_weights = 0.0
    trace_delays = 0.0
    for i in range(n):
        row = work.rows_k[i]
        trace_weights += inner(row[:width], row[:width])
        trace_delays += inner(row[width:], row[width:])
    unit = 0.0
    if trace_delays > 0.0:
        unit = math.sqrt(share * trace_weights / trace_delays)
    for i in range(n):
        late = work.rows_k[i, width:]
        for c in range(width):
            late[c] *= unit
    return unit


@borrowing
def recall_inputs(s: StepInput, n_equal: int, work: StepWorkspace, change: Floats) -> None:
    """Shorten delays where all inputs arrive after a desired time, though some were sent before.

    There the rows of both blocks are 0, and no step would ever bring the inputs back. Where a count
    is to rise and all arrive after the horizon, that is the desired time.
    """
    width = s.delays.size
    for i in range(n_equal):
        if work.unit[i] > 0.0:
            continue
        for e in range(s.events.offsets[s.p], s.events.offsets[s.p + 1]):
            c = s.events.channels[e]
            arrival = s.events.times[e]
            if arrival - s.delays[c] < work.times[i] <= arrival:
                change[width + c] = -s.max_delay


@borrowing
def move_delays(
    delays: Floats, change: Floats, scale: float, most_change: float, max_delay: float
) -> None:
    """Change delays by scale times the second half of change, by `most_change` at most.

    They stay in [0, max_delay]. A change that is not a number is none.
    """
    for c in range(delays.size):
        step = scale * change[delays.size + c]
        if math.isnan(step):
            continue
        step = min(max(step, -most_change), most_change)
        delays[c] = min(max(delays[c] + step, 0.0), max_delay)
