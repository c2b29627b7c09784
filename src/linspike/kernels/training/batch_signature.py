"""The team compiled for the one signature that every compiled step has.

Apart from the chain's, so that those who teach single neurons need not load it.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from linspike.kernels.jit import Deferred
from linspike.kernels.simulation.batch import Block, Spikes
from linspike.kernels.training.batch import Members, team
from linspike.kernels.training.signatures import CHAIN_SIGNATURE

_ROW, _TABLE, _INTS = np.zeros(1), np.zeros((1, 1)), np.zeros(1, np.int64)
_MEMBERS = Members(
    np.zeros((1, 1), np.int64),
    _TABLE,
    _TABLE,
    Block(_ROW, _ROW, _INTS, _TABLE),
    Spikes(_ROW, np.zeros(1, np.int32)),
    _INTS,
    _INTS,
    _INTS,
    _INTS,
    np.zeros(1, np.bool_),
)
(
    _step,
    _data_type,
    _options,
    _constants_type,
    _parameters,
    _,
    _seed,
    _stop,
    _,
    _,
    _workspace_type,
) = CHAIN_SIGNATURE.args
_typeof: Any = numba.typeof

TEAM_SIGNATURE = types.void(
    _step,
    _data_type,
    _options,
    _constants_type,
    _parameters,
    _seed,
    _stop,
    _workspace_type,
    _typeof(_MEMBERS),
)

run_team = Deferred(team, TEAM_SIGNATURE)
