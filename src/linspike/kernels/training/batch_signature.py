"""The training of batches, compiled for the one signature that every compiled step has.

Apart from the chain's signature, so that single chains need not load it.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from linspike.kernels.jit import deferred
from linspike.kernels.simulation.batch import Block, Spikes
from linspike.kernels.training.batch import ChainBatch, train_batch
from linspike.kernels.training.signatures import CHAIN_SIGNATURE

_typeof: Any = numba.typeof
_ROW, _INTS = np.zeros(1), np.zeros(1, np.int64)
_BATCH = ChainBatch(
    block=Block(_ROW, _ROW, _INTS, np.zeros((1, 1))),
    found=Spikes(_ROW, np.zeros(1, np.int32)),
    runaway_patterns=_INTS,
)

BATCH_SIGNATURE = types.void(*CHAIN_SIGNATURE.args, _typeof(_BATCH))

run_batch = deferred(train_batch, BATCH_SIGNATURE, _nrt=False)
