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
    """The neuron, and what is the same for all patterns of a chain.

    Attributes
    ----------
    m : Membrane
        Rates of membrane and synapse.
    v_norm : float
        Factor that gives the PSP a peak of 1.
    threshold : float
        The threshold.
    window, psp : Window
        The rule's learning window, and the PSP as a window.
    mean_max_drive : float
        Mean over patterns of ``max_t |X(t)|^2``.
    metric : array of float, (channels, channels of a block)
        M of (66) for rules that ask for it (`Rule.whitens`), empty for others.
    """

    m: Membrane
    v_norm: float
    threshold: float
    window: Window
    psp: Window
    mean_max_drive: float
    metric: Floats


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
        Where ``|X(t)|`` is largest: where a pattern that no threshold makes fire is raised.
    weight_low, weight_high : array of float
        Bounds of the weights, one per channel; both empty if there are none. The trainer keeps
        them whatever the step returns.
    progress : float
        How far the schedule is from its first factor to its last, from 0 to 1; 0 if it is constant.
    delays : array of float
        Delays of the channels if the rule learns them, else empty. Rows at desired times are then
        empty too: they change with the delays.
    max_delay : float
        Longest delay of a rule that learns them.
    """

    events: Events
    p: int
    until: float
    constants: NeuronConstants
    desired: Floats  # d
    actual: Floats  # o
    k_desired: Floats  # K_d of (18)
    z_desired: Floats
    target_count: int
    peak_drive_time: float
    weight_low: Floats  # of (58)
    weight_high: Floats
    progress: float
    delays: Floats  # d of (72)
    max_delay: float


class StepWorkspace(NamedTuple):
    """Work arrays of a step with up to n rows; allocated once per chain.

    Attributes
    ----------
    rows_k, rows_z : array of float, (n, channels)
        PSP rows and window rows; twice as wide if delays are learned, rows of delays second.
    gram : array of float, (n, n)
        Their inner products.
    factor : array of float, (n, n)
        A matrix of the solver.
    rhs : array of float, (n,)
        Right-hand sides of the constraints.
    lower, upper : array of float, (n,)
        Bounds of the multipliers.
    unit : array of float, (n,)
        Unit of each multiplier.
    multipliers : array of float, (n,)
        The solution.
    times : array of float, (n,)
        Times of the rows.
    buffers : array of float, (N_VECTORS, n)
        Vectors of the solver.
    indices : array of int, (n,)
        Indices of the solver.
    """

    rows_k: Floats  # K of (18), (19)
    rows_z: Floats  # Z of (16)
    gram: Floats  # G = K Z'
    factor: Floats
    rhs: Floats  # r of (17)
    lower: Floats  # low of (20)
    upper: Floats  # high of (20)
    unit: Floats
    multipliers: Floats  # eta of (16)
    times: Floats
    buffers: Floats
    indices: npt.NDArray[np.int64]
