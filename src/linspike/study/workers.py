"""Places where batches run: this process, processes of this machine, or a Dask cluster.

A batch is the same pure function of (cell, seeds) everywhere, so the records are the same too.
"""

from __future__ import annotations

import signal
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, Protocol

from linspike.errors import ClusterError, MissingExtraError
from linspike.study.cells import Cell, Record

Results = list[tuple[int, Record, float]]  # seed, record, seconds
CONNECT_SECONDS = 10


class Batch(NamedTuple):
    """Seeds of one cell for one worker.

    `trials` is the experiment's function. It is pickled by reference, as module and name, so that
    another process loads the experiment's file and nothing else.
    """

    trials: Callable[[Any, Sequence[int]], list[Record]]
    cell: Cell
    seeds: tuple[int, ...]


def run_batch(batch: Batch) -> Results:
    """Run a batch; return (seed, record, seconds) for each of its seeds."""
    started = time.perf_counter()
    records = batch.trials(batch.cell, batch.seeds)
    each = (time.perf_counter() - started) / max(1, len(batch.seeds))
    return [(seed, record, each) for seed, record in zip(batch.seeds, records, strict=True)]


def _run_numbered(number: int, batch: Batch) -> tuple[int, Results]:
    return number, run_batch(batch)


class Workers(Protocol):
    """Anything that runs batches and returns their results as they are finished."""

    def run(self, batches: Sequence[Batch]) -> Generator[tuple[Batch, Results]]:
        """Yield batches with their results, in any order."""
        ...


class Serial:
    """The calling process, one batch after another."""

    def run(self, batches: Sequence[Batch]) -> Generator[tuple[Batch, Results]]:
        """Yield batches with their results, in order."""
        for batch in batches:
            yield batch, run_batch(batch)


class Processes:
    """Processes of this machine; the machine code they need is on disk already."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, batches: Sequence[Batch]) -> Generator[tuple[Batch, Results]]:
        """Yield batches with their results, in the order they are finished.

        If the caller stops asking, the processes end, whatever they are doing.
        """
        from joblib import Parallel, delayed, parallel_config

        jobs = [delayed(_run_numbered)(number, batch) for number, batch in enumerate(batches)]
        try:
            # One thread each for linear algebra: the cores are taken by the other processes.
            with parallel_config(
                "loky",
                n_jobs=self._jobs,
                inner_max_num_threads=1,
                initializer=_ignore_ctrl_c,
            ):
                # Batches of one: a result is stored as soon as it is there.
                found = Parallel(return_as="generator_unordered", batch_size=1)(jobs)
            with _quiet_close(found):
                for number, results in found:
                    yield batches[number], results
        except BrokenProcessPool:
            raise ClusterError(
                "A worker process died (killed, or out of memory). What was finished is safe; run "
                "the same command again, with fewer --jobs if memory is short."
            ) from None


@contextmanager
def _quiet_close(generator: Any) -> Iterator[None]:
    """Close a generator of joblib at the end, without its advice about cancelled tasks."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            generator.close()


class Cluster:
    """Workers of a Dask cluster. Not by joblib: see docs/adr/0028-dask-without-joblib.md."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, batches: Sequence[Batch]) -> Generator[tuple[Batch, Results]]:
        """Yield batches with their results, in the order they are finished."""
        from distributed import KilledWorker, as_completed

        in_turn: Any = as_completed
        # Dask runs a batch again whose worker died, until four of them have.
        futures = {self.client.submit(run_batch, batch, pure=False): batch for batch in batches}
        try:
            for future in in_turn(list(futures)):
                yield futures[future], future.result()
        except KilledWorker:
            raise ClusterError(
                "Several workers of the cluster died at the same batch (killed, or out of memory). "
                "What was finished is safe; run the same command again, with more memory for each "
                "worker if that is short."
            ) from None
        finally:
            self.client.cancel(list(futures))


def _ignore_ctrl_c() -> None:
    """Leave Ctrl-C, which a terminal sends to every process, to the parent alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def open_workers(jobs: int, cluster: str | None) -> Iterator[Workers]:
    """Yield the workers asked for; they are released at the end, whatever happens."""
    if cluster is not None:
        with _connect(cluster, jobs) as client:
            yield Cluster(client)
    else:
        yield Serial() if jobs <= 1 else Processes(jobs)


@contextmanager
def _connect(address: str, jobs: int) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError(
            "Running on a cluster needs Dask. Install it with: pip install 'linspike[cluster]'"
        ) from None
    make: Any = distributed.Client
    if address == "local":
        local: Any = distributed.LocalCluster
        cluster = local(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
        client = make(cluster)
        try:
            yield client
        finally:
            # Where workers have died, closing may fail too, and would hide the error that says so.
            for part in (client, cluster):
                with suppress(Exception):
                    part.close()
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
