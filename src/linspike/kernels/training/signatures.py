"""The compiled trainer, and the one signature that every compiled step has.

Rules come in as first-class functions of one explicit signature. So the trainer compiles once, is
cached on disk across processes, and takes users' own compiled rules. A plain Python rule goes
through `chain.chain` itself: the same source, undecorated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config

from linspike.kernels.cache import RULE_MARK
from linspike.kernels.jit import Deferred
from linspike.kernels.rows.windows import Window
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import membrane
from linspike.kernels.training.chain import ChainData, TrainOptions, Workspace, chain
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace

_FLOATS = types.Array(types.float64, 1, "C")
_TABLE = types.Array(types.float64, 2, "C")
_ONE, _INTS, _TABLES = np.zeros(1), np.zeros(2, np.int64), np.zeros((1, 1))
_EVENTS = Events(_ONE, np.zeros(1, np.uint32), _INTS, _ONE, _ONE, _ONE)
_WINDOW = Window(1.0, -1.0, 0.0, 0.0)
_CONSTANTS = NeuronConstants(membrane(20.0, 5.0), 1.0, 1.0, _WINDOW, _WINDOW, 1.0)
_STEP_INPUT = StepInput(_EVENTS, 0, 1.0, _CONSTANTS, _ONE, _ONE, _TABLES, _TABLES, -1, 0.0)
_STEP_WORKSPACE = StepWorkspace(_TABLES, _TABLES, _TABLES, _TABLES, _TABLES, _INTS)
_CHAIN_DATA = ChainData(_EVENTS, _ONE, _ONE, _INTS, _INTS, _ONE, _TABLES, _TABLES, _ONE, _ONE)
_OPTIONS = TrainOptions(0, 1, 0, 1.0, False, 0, False, 0.0, 1.0, 1.0, False)
_WORKSPACE = Workspace(_ONE, _ONE, _ONE, _ONE, _INTS, _TABLES, _TABLES, _STEP_WORKSPACE)

_typeof: Any = numba.typeof
_unituple: Any = types.UniTuple
_config: Any = config

STEP_SIGNATURE = types.int64(
    _typeof(_STEP_INPUT), _FLOATS, _FLOATS, _FLOATS, _typeof(_STEP_WORKSPACE)
)
CHAIN_SIGNATURE = _unituple(types.int64, 2)(
    types.FunctionType(STEP_SIGNATURE),
    _typeof(_CHAIN_DATA),
    _typeof(_OPTIONS),
    _typeof(_CONSTANTS),
    _FLOATS,
    _FLOATS,
    types.int64,
    types.Array(types.uint8, 1, "C"),
    _typeof(_INTS),
    _TABLE,
    _typeof(_WORKSPACE),
)


def rule_step(function: Callable[..., int]) -> Any:
    """Compile a rule's step to the protocol (see `kernels.protocol`), when it is first used.

    The machine code is kept on disk, unless the function was typed in and has no file.
    """
    setattr(function, RULE_MARK, True)
    return function if _config.DISABLE_JIT else Deferred(function, STEP_SIGNATURE)


def is_compiled(step: Any) -> bool:
    """Whether a step went through `rule_step`, or compilation is switched off."""
    return hasattr(step, "py_func") or bool(_config.DISABLE_JIT)


run_chain = Deferred(chain, CHAIN_SIGNATURE)
