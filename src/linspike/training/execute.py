"""Execution: chains on worker threads, epoch by epoch where a callback asks for it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError
from linspike.kernels.jit import Deferred, load_deferred
from linspike.kernels.simulation.batch import BLOCK, Block, Spikes
from linspike.kernels.training import state as kernel
from linspike.kernels.training.batch import ChainBatch
from linspike.kernels.training.chain import train_chain
from linspike.kernels.training.signatures import load_step, run_batch, run_chain
from linspike.spikes.targets import SpikeCounts
from linspike.training.obstacles import first_obstacles
from linspike.training.prepare import (
    Chain,
    Run,
    bad_outcome,
    fixed_delays,
    horizons_of,
    make_workspace,
    max_drives,
    parameters_of,
    prepare,
    prepare_large,
    start_of,
    step_of,
    time_finder_of,
)
from linspike.training.result import Ending, EpochEnd, FitResult, History

POLL_SECONDS = 0.1
LEAST_BATCH = 4  # for fewer chains a pass for all is no faster than one for each
ENDINGS = {
    kernel.CONVERGED: Ending.CONVERGED,
    kernel.NOT_FINITE: Ending.NOT_FINITE,
    kernel.RAN_AWAY: Ending.RAN_AWAY,
}
FAILED = (Ending.NOT_FINITE, Ending.RAN_AWAY)

Progress = Callable[[int, int], None]
OnEpoch = Callable[[EpochEnd], bool | None]


class Job:
    """Chains that one thread trains together: a single one, or a batch."""

    def __init__(self, run: Run, chains: Sequence[Chain]) -> None:
        self.run, self.chains = run, list(chains)
        weights = np.array([chain.weights for chain in chains])
        rows = run.max_epochs if run.options.track else 1
        history = np.zeros((rows, kernel.N_COLUMNS))
        runaway_epochs, epochs, status = np.zeros((3, len(chains)), np.int64)
        delays = np.empty((len(chains), 0))
        if run.rule.learns_delays:
            delays = np.array([start_of(chain) for chain in chains])
        self.state = kernel.ChainState(
            weights,
            np.zeros_like(weights),
            np.zeros((2, *weights.shape)),
            delays,
            delays.copy(),
            runaway_epochs,
            epochs,
            status,
            history,
        )
        self.obstacles: dict[int, str] = {}  # by the place of the chain in the job
        self._arrays: Any = None
        self._working = threading.Lock()
        self.keep()

    @property
    def is_running(self) -> bool:
        """Whether any of the chains has not ended."""
        return bool((self.state.status == kernel.RUNNING).any())

    def train(self, begin: int, end: int, stop: Any, cache: dict[Any, Any]) -> None:
        """Train all chains from epoch `begin` up to `end`, or until they end."""
        with self._working:
            self._train(begin, end, stop, cache)

    def wait(self) -> None:
        """Wait until no thread trains the chains.

        Its pool may not know of a thread that was about to start when an interrupt came.
        """
        with self._working:
            pass

    def _train(self, begin: int, end: int, stop: Any, cache: dict[Any, Any]) -> None:
        run = self.run
        step, is_compiled = step_of(run.rule)
        if self._arrays is None:
            self._arrays = self._make_arrays(cache)
        task, workspace, batch = self._arrays
        find_times = time_finder_of(run.rule, counts=bool(task.data.counts[0, 0] >= 0))
        epochs = kernel.Epochs(
            begin=begin,
            end=end,
            done_before=run.done_before,
            factors=run.factors,
            progress=run.progress,
            seed=self.chains[0].seed,
            stop=stop,
        )
        if batch is not None:
            run_batch(step, find_times, task, epochs, self.state, workspace, batch)
        elif is_compiled:
            run_chain(step, find_times, task, epochs, self.state, workspace)
        else:
            # Uncompiled, the shuffling's wrap-around of 64-bit numbers would warn.
            with np.errstate(over="ignore"):
                train_chain(step, find_times, task, epochs, self.state, workspace)
        if (self.state.status == kernel.BAD_OUTCOME).any():
            raise bad_outcome(run.rule)
        if end == run.max_epochs or not self.is_running:
            self._arrays = None  # large sets need not outlive the last chain that uses them
            self._look_for_obstacles(task)

    def load(self) -> None:
        """Compile what the job runs, or load it; once is enough."""
        step, is_compiled = step_of(self.run.rule)
        if is_compiled:
            load_step(step)
            load_deferred(run_chain if len(self.chains) == 1 else run_batch)

    def keep(self) -> None:
        """Remember the state of this moment for `restore`."""
        self._kept = [part.copy() for part in self.state[:-1]]

    def restore(self) -> None:
        """Go back to the state that was kept last."""
        for part, kept in zip(self.state[:-1], self._kept, strict=True):
            part[:] = kept

    def results(self, if_running: Ending) -> list[FitResult]:
        """Return the results of all chains; `if_running` is how those that have not ended end."""
        return [self._result(g, if_running) for g in range(len(self.chains))]

    def _result(self, g: int, if_running: Ending) -> FitResult:
        status, epochs = int(self.state.status[g]), int(self.state.epochs[g])
        ending = ENDINGS.get(status, if_running)
        if status == kernel.RUNNING and epochs == self.run.max_epochs:
            ending = Ending.NOT_CONVERGED
        reason = ending.value.format(epochs=epochs, max_epochs=self.run.max_epochs)
        if ending is Ending.NOT_CONVERGED:
            reason = self.obstacles.get(g, reason)
        elif ending in FAILED and g in self.obstacles:
            reason = f"{reason}; {self.obstacles[g]}"
        delays = self.delays()
        rows = epochs - (ending is Ending.NOT_FINITE)  # such an epoch has no row
        return FitResult(
            weights=self.state.weights[g].copy(),
            converged=ending is Ending.CONVERGED,
            epochs=epochs,
            reason=reason,
            interrupted=ending is Ending.INTERRUPTED,
            history=History.of(self.state.history[:rows]) if self.run.options.track else None,
            delays=None if delays is None else delays[g].copy(),
        )

    def delays(self) -> Floats | None:
        """Return the delays of all chains, (chains, channels), or None if they have none."""
        if self.run.rule.learns_delays:
            return self.state.delays
        given = [chain.delays for chain in self.chains]
        return None if given[0] is None else np.array(given)

    def _make_arrays(self, cache: dict[Any, Any]) -> tuple[Any, Any, ChainBatch | None]:
        task = prepare(self.run, self.chains, cache)
        n, n_channels = self.state.weights.shape
        workspace = make_workspace(task.data, n_channels, learns_delays=self.run.rule.learns_delays)
        if n == 1:
            return task, workspace, None
        block = Block(np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty((n_channels, n)))
        # One place more than all of them can fill: a full list would end a pass early.
        capacity = n * workspace.actual.size + 1
        found = Spikes(np.empty(capacity), np.empty(capacity, np.int32))
        patterns, in_row = np.zeros((2, n), np.int64)
        return task, workspace, ChainBatch(block, found, patterns, in_row, np.zeros(n))

    def _look_for_obstacles(self, task: kernel.ChainTask) -> None:
        failed = np.flatnonzero(self.state.status != kernel.CONVERGED)
        if failed.size:
            self.obstacles = first_obstacles(
                task, [int(g) for g in failed], self.run.pattern_numbers
            )


def choose_rule(run: Run, chain: Chain) -> Run:
    """Return the run with what its rule chooses for the patterns and targets of a chain."""
    if not isinstance(chain.targets, SpikeCounts):
        return run

    def measure() -> float:
        from linspike.training.measures import independence_of  # seldom needed

        ragged = chain.patterns._ragged
        _, times = max_drives(ragged, run.constants, horizons_of(ragged, run.until))
        return independence_of(chain.patterns, run.constants, times)

    rule = run.rule.for_patterns(measure, chain.targets.counts.size)
    if rule is run.rule:
        return run
    return replace(
        run,
        rule=rule,
        parameters=(parameters_of(rule, counts=False), parameters_of(rule, counts=True)),
        options=run.options._replace(counts_as_times=bool(rule.counts_as_times)),
    )


def make_jobs(run: Run, chains: list[Chain], threads: int) -> list[Job]:
    """Return one job per chain, or batches, at least one per thread, where chains can be batched.

    Chains of a batch share patterns and order. They share the workspace too, whose size follows
    from the largest count.
    """
    can_batch = len(chains) >= LEAST_BATCH and not run.options.track and step_of(run.rule)[1]
    can_batch = can_batch and not run.rule.learns_delays  # inputs arrive at each in another order
    keys = {_batch_key(run, chain) for chain in chains} if can_batch else set()
    if len(keys) != 1 or keys.pop()[-1] == 0:
        return [Job(choose_rule(run, chain), [chain]) for chain in chains]
    run = choose_rule(run, chains[0])
    size = min(BLOCK, max(LEAST_BATCH, math.ceil(len(chains) / threads)))
    return [Job(run, chains[at : at + size]) for at in range(0, len(chains), size)]


def _batch_key(run: Run, chain: Chain) -> tuple[int, int, bytes, int]:
    counts = isinstance(chain.targets, SpikeCounts)
    most = int(chain.targets.counts.max()) if counts else 0
    return id(chain.patterns), chain.seed, fixed_delays(run, chain), most


def run_chains(
    run: Run,
    chains: list[Chain],
    *,
    threads: int,
    progress: Progress | None,
    on_epoch: OnEpoch | None,
) -> list[FitResult]:
    """Train all chains on worker threads; see `work_off`."""
    jobs = make_jobs(run, chains, threads)
    if isinstance(run_chain, Deferred):
        # Code is compiled here and not in a thread, so that Ctrl-C can end it.
        for job in jobs:
            job.load()
    cache: dict[Any, Any] = {}
    for job in jobs:
        prepare_large(job.run, job.chains, cache)
    return work_off(run, jobs, cache, threads=threads, progress=progress, on_epoch=on_epoch)


def work_off(
    run: Run,
    jobs: Sequence[Job],
    cache: dict[Any, Any],
    *,
    threads: int,
    progress: Progress | None,
    on_epoch: OnEpoch | None,
) -> list[FitResult]:
    """Work off jobs on threads; code is compiled already, and cache has what is prepared.

    An interrupt returns each chain to its last whole epoch; with `on_epoch`, to the last one that
    all of them had done. It is raised if none of them was cut short, so that a loop around ends
    too.
    """
    for name, function in (("progress", progress), ("on_epoch", on_epoch)):
        if function is not None and not callable(function):
            raise ParameterError.of(name, run.owner, "a function", function)
    interrupted = stopped = False
    with ThreadPoolExecutor(min(threads, len(jobs))) as pool:
        workers = Workers(pool, jobs, progress, cache)
        try:
            if on_epoch is None:
                workers.train(jobs, 0, run.max_epochs)
            else:
                stopped = train_by_epoch(workers, run.max_epochs, on_epoch)
        except BaseException as error:  # whatever it is, no chain must run on for hours
            workers.stop[0] = interrupted = True
            pool.shutdown(cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
    if interrupted:
        for job in jobs:
            job.wait()
            if on_epoch is not None:
                job.restore()
    if_running = Ending.STOPPED if stopped else Ending.INTERRUPTED
    results = [result for job in jobs for result in job.results(if_running)]
    if interrupted and not any(one.interrupted for one in results):
        raise KeyboardInterrupt
    return results


class Workers:
    """A pool of threads with what its jobs share: the stop flag, prepared tasks, progress."""

    def __init__(
        self,
        pool: ThreadPoolExecutor,
        jobs: Sequence[Job],
        progress: Progress | None,
        cache: dict[Any, Any],
    ) -> None:
        self.pool, self.jobs, self.progress = pool, jobs, progress
        self.stop = np.zeros(1, np.uint8)
        self._cache = cache

    def train(self, jobs: Sequence[Job], begin: int, end: int) -> None:
        """Run jobs for a range of epochs; wait in slices short enough for Ctrl-C and progress."""
        left = {self.pool.submit(job.train, begin, end, self.stop, self._cache) for job in jobs}
        most = sum(job.run.max_epochs * len(job.chains) for job in self.jobs)
        while left:
            done, left = wait(left, timeout=POLL_SECONDS)
            for future in done:
                future.result()
            if self.progress is not None:
                self.progress(sum(int(job.state.epochs.sum()) for job in self.jobs), most)


def train_by_epoch(workers: Workers, max_epochs: int, on_epoch: OnEpoch) -> bool:
    """Train all chains one epoch at a time; return whether the callback stopped them."""
    jobs = workers.jobs
    for epoch in range(max_epochs):
        workers.train([job for job in jobs if job.is_running], epoch, epoch + 1)
        for job in jobs:
            job.keep()
        if epoch == 0 and not any(job.state.epochs.any() for job in jobs):
            return False  # every response was right before the first step
        weights = np.concatenate([job.state.weights for job in jobs])
        status = np.concatenate([job.state.status for job in jobs])
        runaway = np.concatenate([job.state.runaway_epochs for job in jobs]) > 0
        runaway |= status == kernel.RAN_AWAY
        delays = [found.copy() for job in jobs if (found := job.delays()) is not None]
        end = EpochEnd(
            epoch + 1,
            weights,
            status == kernel.CONVERGED,
            runaway,
            np.concatenate(delays) if delays else None,
        )
        if on_epoch(end):
            return True
        if not (status == kernel.RUNNING).any():
            return False
    return False
