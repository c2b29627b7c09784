"""Remarks of the compiler on stderr: each once per process, none from worker processes."""

from __future__ import annotations

import os
import sys

QUIET = "LINSPIKE_QUIET"  # set to 1: no remarks

_said: set[str] = set()


def say_once(text: str) -> None:
    """Write a line to stderr, unless it was written before, is not asked for, or has no reader."""
    if text in _said or os.environ.get(QUIET, "0") not in ("", "0"):
        return
    _said.add(text)
    if sys.stderr is not None and not _in_worker():
        print(f"linspike: {text}", file=sys.stderr, flush=True)


def _in_worker() -> bool:
    """Return whether another Python process started this one as a worker (joblib, Dask, pools)."""
    from multiprocessing import parent_process  # loaded only where something is to be said

    return parent_process() is not None
