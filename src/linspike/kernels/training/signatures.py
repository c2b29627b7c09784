"""The compiled trainer, and the one signature that every compiled step has.

Rules come in as first-class functions of one explicit signature. So the trainer compiles once, is
cached on disk across processes, and takes users' own compiled rules. A plain Python rule goes
through `chain.train_chain` itself: the same source, undecorated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config

from linspike.kernels.cache import RULE_MARK
from linspike.kernels.jit import compiled, deferred
from linspike.kernels.rows.windows import Window
from linspike.kernels.simulation.arrivals import make_sort_space
from linspike.kernels.simulation.batch import Block, Spikes
from linspike.kernels.simulation.events import Events, Presented, Span
from linspike.kernels.simulation.membrane import Interval, membrane
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.batch import ChainBatch, train_batch
from linspike.kernels.training.chain import train_chain
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.state import (
    ChainData,
    ChainState,
    ChainTask,
    Epochs,
    TrainOptions,
    Workspace,
)
from linspike.kernels.training.step_problem import make_step_workspace

_typeof: Any = numba.typeof
_config: Any = config

# Types are those of example values: a NamedTuple of arrays has no other way to be named.
_ROW, _TABLE = np.zeros(1), np.zeros((1, 1))
_INTS, _INT_TABLE = np.zeros(2, np.int64), np.zeros((1, 1), np.int64)
_EVENTS = Events(
    times=_ROW,
    channels=np.zeros(1, np.uint32),
    offsets=_INTS,
    durations=_ROW,
    decay_m=_ROW,
    decay_s=_ROW,
)
_SPAN = Span(first=0, stop=0, last=Interval(began=0.0, end=1.0, end_m=1.0, end_s=1.0))
_WINDOW = Window(m=1.0, s=-1.0, after=0.0, after_rate=0.0)
_CONSTANTS = NeuronConstants(
    m=membrane(20.0, 5.0),
    v_norm=1.0,
    threshold=1.0,
    window=_WINDOW,
    psp=_WINDOW,
    mean_max_drive=1.0,
    metric=_TABLE,
)
_SEARCH = CountSearch(_EVENTS, _SPAN, 1.0, _CONSTANTS.m, 1, True)
_STEP_INPUT = StepInput(
    events=_EVENTS,
    p=0,
    until=1.0,
    constants=_CONSTANTS,
    desired=_ROW,
    actual=_ROW,
    k_desired=_TABLE,
    z_desired=_TABLE,
    target_count=-1,
    peak_drive_time=0.0,
    weight_low=_ROW,
    weight_high=_ROW,
    progress=0.0,
    delays=_ROW,
    max_delay=0.0,
)
_STEP_WORKSPACE = make_step_workspace(1, 1)
_CHAIN_DATA = ChainData(
    events=_EVENTS,
    horizons=_ROW,
    times=_ROW,
    offsets=_INTS,
    counts=_INT_TABLE,
    bounds=_ROW,
    k_desired=_TABLE,
    z_desired=_TABLE,
    peak_drive_times=_ROW,
    step_factors=_ROW,
    weight_low=_ROW,
    weight_high=_ROW,
)
_OPTIONS = TrainOptions(
    criterion=0,
    skip_below=1.0,
    at_least=False,
    counts_as_times=True,
    momentum=0.0,
    track=False,
    max_delay=0.0,
    delay_step=0.0,
)
_TASK = ChainTask(data=_CHAIN_DATA, constants=_CONSTANTS, options=_OPTIONS, parameters=_ROW)
_EPOCHS = Epochs(
    begin=0,
    end=1,
    done_before=0,
    factors=_ROW,
    progress=_ROW,
    seed=0,
    stop=np.zeros(1, np.uint8),
)
_STATE = ChainState(
    weights=_TABLE,
    velocity=_TABLE,
    kept=np.zeros((2, 1, 1)),
    delays=_TABLE,
    kept_delays=_TABLE,
    runaway_epochs=_INTS,
    epochs=_INTS,
    status=_INTS,
    history=_TABLE,
)
_WORKSPACE = Workspace(
    actual=_ROW,
    desired=_ROW,
    change=_ROW,
    order=_INTS,
    outcomes=_INTS,
    rows_k=_TABLE,
    rows_z=_TABLE,
    work=_STEP_WORKSPACE,
    presented=Presented(_EVENTS, _INTS, make_sort_space(1), False),
)
_BATCH = ChainBatch(
    block=Block(a=_ROW, b=_ROW, counts=_INTS, weights=_TABLE),
    found=Spikes(times=_ROW, neurons=np.zeros(1, np.int32)),
    runaway_patterns=_INTS,
    full_in_row=_INTS,
    sums_before=_ROW,
)

STEP_SIGNATURE = types.int64(
    _typeof(_STEP_INPUT), _typeof(_ROW), _typeof(_ROW), _typeof(_ROW), _typeof(_STEP_WORKSPACE)
)
FINDER_SIGNATURE = types.int64(_typeof(_SEARCH), _typeof(_ROW), _typeof(_ROW))
CHAIN_SIGNATURE = types.void(
    types.FunctionType(STEP_SIGNATURE),
    types.FunctionType(FINDER_SIGNATURE),
    *map(_typeof, (_TASK, _EPOCHS, _STATE, _WORKSPACE)),
)
BATCH_SIGNATURE = types.void(*CHAIN_SIGNATURE.args, _typeof(_BATCH))


def rule_step(function: Callable[..., int]) -> Any:
    """Compile a rule's step to the protocol when it is first used.

    The trainer takes steps as functions of STEP_SIGNATURE, for which numba then compiles them. The
    machine code is kept on disk, unless the function was typed in and has no file.
    """
    setattr(function, RULE_MARK, True)
    return compiled(function)


def load_step(step: Any) -> None:
    """Compile a step for STEP_SIGNATURE, or load it; once is enough."""
    if hasattr(step, "get_compile_result"):  # not if compilation is switched off
        step.get_compile_result(STEP_SIGNATURE)


def borrowing_step(function: Callable[..., int]) -> Any:
    """Compile a step as `rule_step` does, without counts of references to its arrays.

    Such a step must not allocate, see `borrowing`.
    """
    setattr(function, RULE_MARK, True)
    return compiled(function, _nrt=False)


def is_compiled(step: Any) -> bool:
    """Return whether a step went through `rule_step`, or compilation is switched off."""
    return hasattr(step, "py_func") or bool(_config.DISABLE_JIT)


run_chain = deferred(train_chain, CHAIN_SIGNATURE, _nrt=False)
run_batch = deferred(train_batch, BATCH_SIGNATURE, _nrt=False)
