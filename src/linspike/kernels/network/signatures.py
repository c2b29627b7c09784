"""The compiled training of networks, and the one signature that every step of a network has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linspike.kernels.cache import RULE_MARK
from linspike.kernels.jit import compiled, deferred
from linspike.kernels.network.chain import (
    NetworkState,
    NetworkTask,
    NetworkWorkspace,
    train_network,
)
from linspike.kernels.network.protocol import (
    HiddenConstants,
    LayerWeights,
    NetworkInput,
    make_network_work,
    make_spikes,
)
from linspike.kernels.training import signatures as neuron

_typeof: Any = numba.typeof
# Types are those of example values, as in `training.signatures`.
_ROW, _INTS, _TABLE = np.zeros(1), np.zeros(2, np.int64), np.zeros((1, 1))
_HIDDEN = HiddenConstants(neuron._CONSTANTS.m, 1.0, 1.0, neuron._WINDOW)
_SPIKES = make_spikes(1, 1, 1, 1)
_WEIGHTS = LayerWeights(_TABLE, _TABLE)
_WORK = make_network_work(1, 1, 1)
_INPUT = NetworkInput(
    events=neuron._EVENTS,
    p=0,
    is_delayed=False,
    hidden=_HIDDEN,
    spikes=_SPIKES,
    k=0,
    out=neuron._STEP_INPUT,
)
_TASK = NetworkTask(
    events=neuron._EVENTS,
    is_delayed=False,
    out_delays=_TABLE,
    horizons=_ROW,
    times=_ROW,
    offsets=_INTS,
    bounds=_ROW,
    step_factors=_ROW,
    hidden=_HIDDEN,
    constants=neuron._CONSTANTS,
    options=neuron._OPTIONS,
    parameters=_ROW,
)
_STATE = NetworkState(neuron._STATE, _WEIGHTS, _ROW)
_WORKSPACE = NetworkWorkspace(
    spikes=_SPIKES,
    actual=_ROW,
    flat_change=_ROW,
    change=_WEIGHTS,
    k_desired=_TABLE,
    order=_INTS,
    outcomes=_INTS,
    none=_ROW,
    work=_WORK,
)
NETWORK_STEP_SIGNATURE = types.int64(*map(_typeof, (_INPUT, _ROW, _WEIGHTS, _WEIGHTS, _ROW, _WORK)))
NETWORK_SIGNATURE = types.void(
    types.FunctionType(NETWORK_STEP_SIGNATURE),
    *map(_typeof, (_TASK, neuron._EPOCHS, _STATE, _WORKSPACE)),
)


def network_step(function: Callable[..., int]) -> Any:
    """Compile the step of a rule for networks; it must not allocate, see `jit.borrowing`."""
    setattr(function, RULE_MARK, True)
    return compiled(function, _nrt=False)


def load_network_step(step: Any) -> None:
    """Compile a step for its signature, or load it."""
    if hasattr(step, "get_compile_result"):  # not if compilation is switched off
        step.get_compile_result(NETWORK_STEP_SIGNATURE)


run_network = deferred(train_network, NETWORK_SIGNATURE, _nrt=False)
