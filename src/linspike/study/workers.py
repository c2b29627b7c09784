"""Who does the work: this process, processes of this machine, or a Dask cluster.

Whoever does it, a batch is the same pure function of (experiment, cell, seeds), so the records are
the same too.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from linspike.errors import ClusterError, MissingExtraError
from linspike.study.experiment import Cell, Record
from linspike.study.registry import experiment

Found = list[tuple[int, Record, float]]
CONNECT_SECONDS = 10


class Batch(NamedTuple):
    """Seeds of one cell for one worker."""

    experiment: str
    cell: Cell
    seeds: tuple[int, ...]


def do(batch: Batch) -> Found:
    """Run a batch: (seed, record, seconds) for each of its seeds."""
    started = time.perf_counter()
    records = experiment(batch.experiment).trials(batch.cell, batch.seeds)
    each = (time.perf_counter() - started) / max(1, len(batch.seeds))
    return [(seed, record, each) for seed, record in zip(batch.seeds, records, strict=True)]


class Workers(Protocol):
    """Anything that does batches and hands them back as they are finished."""

    def finished(self, batches: Sequence[Batch]) -> Iterator[tuple[Batch, Found]]:
        """Batches with what they found, in any order."""
        ...


class Here:
    """The calling process, one batch after another."""

    def finished(self, batches: Sequence[Batch]) -> Iterator[tuple[Batch, Found]]:
        """Batches with what they found, in order."""
        for batch in batches:
            yield batch, do(batch)


class Processes:
    """Processes of this machine, by loky; the machine code they need is on disk already."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor: Any = None

    def finished(self, batches: Sequence[Batch]) -> Iterator[tuple[Batch, Found]]:
        """Batches with what they found, in the order they are finished."""
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        from joblib.externals.loky import get_reusable_executor

        self._executor = get_reusable_executor(self._jobs, initializer=_leave_ctrl_c_to_the_parent)
        futures = {self._executor.submit(do, batch): batch for batch in batches}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise ClusterError(
                "A worker process died (killed, or out of memory). What was finished is safe; run "
                "the same command again, with fewer --jobs if memory is short."
            ) from None

    def close(self) -> None:
        """End the processes, whatever they are at."""
        if self._executor is None:
            return
        # Loky's own thread stumbles over workers that are gone, and would say so at length.
        before, threading.excepthook = threading.excepthook, lambda arguments: None
        try:
            for process in list(self._executor._processes.values()):
                process.terminate()
            with contextlib.suppress(Exception):
                self._executor.shutdown(wait=True, kill_workers=True)
        finally:
            threading.excepthook = before


def _leave_ctrl_c_to_the_parent() -> None:
    """A terminal sends Ctrl-C to all; the parent decides what becomes of the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Cluster:
    """Workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def finished(self, batches: Sequence[Batch]) -> Iterator[tuple[Batch, Found]]:
        """Batches with what they found, in the order they are finished."""
        from distributed import as_completed

        in_turn: Any = as_completed
        futures = {
            self._client.submit(do, batch, pure=False, retries=3): batch for batch in batches
        }
        try:
            for future in in_turn(list(futures)):
                yield futures[future], future.result()
        finally:
            self._client.cancel(list(futures))


@contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[Workers]:
    """The workers asked for; they are let go of at the end, whatever happens."""
    if cluster is not None:
        with _client(cluster, jobs) as client:
            yield Cluster(client)
    elif jobs <= 1:
        yield Here()
    else:
        pool = Processes(jobs)
        try:
            yield pool
        finally:
            pool.close()


@contextmanager
def _client(address: str, jobs: int) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError(
            "Running on a cluster needs Dask. Install it with: pip install 'linspike[cluster]'"
        ) from None
    make: Any = distributed.Client
    if address == "local":
        local: Any = distributed.LocalCluster
        with (
            local(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster,
            make(cluster) as client,
        ):
            yield client
        return
    try:
        client = make(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`, "
            "or use --cluster local."
        ) from None
    with client:
        yield client
