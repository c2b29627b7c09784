"""The protocol of all rules: what a learning step receives and what it returns.

A step is a function

    step(step_input, parameters, weights, change, work) -> outcome

that reads the first three, writes the weight change to `change` and returns one of
`outcomes.OUTCOMES`. It may use `work` as it likes. It must not change anything else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.rows.windows import Window
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane


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

    Attributes
    ----------
    events : Events
        Input spikes of all patterns.
    p : int
        Number of the pattern.
    until : float
        Horizon of the response.
    constants : NeuronConstants
        The neuron.
    desired : array of float
        Desired times: given, or found by the dynamic threshold for a desired count.
    actual : array of float
        The response.
    k_desired, z_desired : array of float, (times, channels)
        PSP rows and window rows at the desired times.
    target_count : int
        Desired number of spikes, -1 if times are given.
    peak_drive_time : float
        Where |X(t)| is largest: where a pattern that no threshold makes fire is raised.
    """

    events: Events
    p: int
    until: float
    constants: NeuronConstants
    desired: Floats
    actual: Floats
    k_desired: Floats
    z_desired: Floats
    target_count: int
    peak_drive_time: float


class StepWorkspace(NamedTuple):
    """Work arrays of a step with up to n rows; allocated once per chain."""

    rows_k: Floats  # (n, channels), PSP rows
    rows_z: Floats  # (n, channels), window rows
    gram: Floats  # (n, n), their inner products
    factor: Floats  # (n, n), of the solver
    rhs: Floats  # (n,), right-hand sides of the constraints
    lower: Floats  # (n,), bounds of the multipliers
    upper: Floats  # (n,)
    unit: Floats  # (n,), unit of a multiplier
    multipliers: Floats  # (n,)
    times: Floats  # (n,), of the rows
    buffers: Floats  # (N_VECTORS, n), of the solver
    indices: npt.NDArray[np.int64]  # (n,)
