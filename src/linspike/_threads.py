"""Jobs on threads: for kernels that release the GIL, in pieces of a millisecond or more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

from linspike._validation import check_integer

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


_limits: list[int] = []


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return min([cores, *_limits])


@contextmanager
def at_most(threads: int | None) -> Iterator[None]:
    """Use at most so many cores within the block."""
    if threads is not None:
        _limits.append(threads)
    try:
        yield
    finally:
        if threads is not None:
            _limits.pop()


def thread_count(threads: Any, owner: str) -> int:
    """Return the number of threads to use: as asked, or one per core."""
    if threads is None:
        return available_cores()
    return check_integer(threads, "threads", owner, least=1)


def run_jobs(
    function: Callable[[Job], Outcome], jobs: Iterable[Job], threads: int
) -> list[Outcome]:
    """Return the outcomes in the order of the jobs, whatever thread did which."""
    listed = list(jobs)
    workers = min(threads, len(listed))
    if workers <= 1:
        return [function(job) for job in listed]
    return list(_pool(workers).map(function, listed))


@lru_cache(maxsize=4)
def _pool(workers: int) -> ThreadPoolExecutor:
    """Return a pool that is kept: starting one anew costs as much as a small job."""
    return ThreadPoolExecutor(workers, thread_name_prefix="linspike")


if hasattr(os, "register_at_fork"):  # a forked child has the pools, but not their threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
