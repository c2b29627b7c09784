"""What a learning rule is handed at one step, and what it hands back: the protocol of all rules.

A step is a function

    step(situation, parameters, weights, change, work) -> outcome

that reads the first three, writes the weight change to `change` and returns one of the outcomes
below. It may use `work` as it likes. It must not change anything else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.rows.windows import Window
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane

# Outcomes of a step. SOLVED: the rule did what it set out to do. FALLEN_BACK: it took its second
# choice. DEAD: no threshold gives the pattern a spike. UNCHANGED: nothing to do.
SOLVED, FALLBACK, DEAD, UNCHANGED = 0, 1, 2, 3
OUTCOMES = (SOLVED, FALLBACK, DEAD, UNCHANGED)


class NeuronConstants(NamedTuple):
    """The neuron, and what is the same for all patterns of a chain."""

    m: Membrane
    v_norm: float
    threshold: float
    window: Window  # the rule's learning window
    psp: Window
    mean_max_drive: float  # mean over patterns of max_t |X(t)|^2


class StepInput(NamedTuple):
    """One pattern at one moment of learning.

    desired are the times to be answered with, given or found by the dynamic threshold; actual is
    the response. k_wanted and z_wanted are the PSP and window rows (times, channels) at desired.
    goal is the desired number of spikes, -1 if times are given. loud_time is where |X(t)| is
    largest: the place to wake a neuron that no threshold makes fire.
    """

    events: Events
    p: int
    until: float
    constants: NeuronConstants
    desired: Floats
    actual: Floats
    k_desired: Floats
    z_desired: Floats
    goal: int
    peak_drive_time: float


class StepWorkspace(NamedTuple):
    """Room for a step with up to n rows; allocated once per chain."""

    rows_k: Floats  # (n, channels)
    rows_z: Floats  # (n, channels)
    gram: Floats  # (n, n)
    factor: Floats  # (n, n)
    vectors: Floats  # (n_vectors, n)
    indices: npt.NDArray[np.int64]  # (n,)
