"""Execution: chains on worker threads, epoch by epoch where a callback asks for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from linspike.errors import ParameterError
from linspike.kernels.jit import Deferred, load_deferred
from linspike.kernels.simulation.batch import BLOCK, Block, Spikes
from linspike.kernels.training import state as kernel
from linspike.kernels.training.batch import ChainBatch
from linspike.kernels.training.chain import train_chain
from linspike.kernels.training.signatures import load_step, run_batch, run_chain
from linspike.kernels.trains.distances import times_met
from linspike.spikes.targets import SpikeCounts
from linspike.training.prepare import (
    Chain,
    Run,
    bad_outcome,
    make_workspace,
    prepare,
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
# Weights of two close spikes in units of those of one. In trials DTA learned no pair above 50 and
# few above 20, but most below.
MOST_RISE = 20.0
MOST_SHOWN, DIGITS = 4, 4  # desired times in a sentence, and their decimals

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
        self.state = kernel.ChainState(
            weights, np.zeros_like(weights), runaway_epochs, epochs, status, history
        )
        self.obstacles: dict[int, str] = {}  # by the place of the chain in the job
        self._arrays: Any = None
        self.keep()

    @property
    def is_running(self) -> bool:
        """Whether any of the chains has not ended."""
        return bool((self.state.status == kernel.RUNNING).any())

    def train(self, begin: int, end: int, stop: Any, cache: dict[Any, Any]) -> None:
        """Train all chains from epoch `begin` up to `end`, or until they end."""
        run = self.run
        step, is_compiled = step_of(run.rule)
        if self._arrays is None:
            self._arrays = self._make_arrays(cache)
        task, workspace, batch = self._arrays
        find_times = time_finder_of(run.rule, counts=bool(task.data.counts[0, 0] >= 0))
        epochs = kernel.Epochs(begin, end, run.done_before, run.factors, self.chains[0].seed, stop)
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
        rows = epochs - (ending is Ending.NOT_FINITE)  # such an epoch has no row
        return FitResult(
            weights=self.state.weights[g].copy(),
            converged=ending is Ending.CONVERGED,
            epochs=epochs,
            reason=reason,
            interrupted=ending is Ending.INTERRUPTED,
            history=History.of(self.state.history[:rows]) if self.run.options.track else None,
        )

    def _make_arrays(self, cache: dict[Any, Any]) -> tuple[Any, Any, ChainBatch | None]:
        task = prepare(self.run, self.chains, cache)
        n, n_channels = self.state.weights.shape
        workspace = make_workspace(task.data, n_channels)
        if n == 1:
            return task, workspace, None
        block = Block(np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty((n_channels, n)))
        # One place more than all of them can fill: a full list would end a pass early.
        capacity = n * workspace.actual.size + 1
        found = Spikes(np.empty(capacity), np.empty(capacity, np.int32))
        return task, workspace, ChainBatch(block, found, np.zeros(n, np.int64))

    def _look_for_obstacles(self, task: kernel.ChainTask) -> None:
        failed = np.flatnonzero(self.state.status != kernel.CONVERGED)
        equal = find_equal_patterns(task.data) if failed.size else []
        for g in failed:
            for obstacle in find_obstacles(task, int(g), equal):
                self.obstacles[int(g)] = obstacle
                break


def find_obstacles(task: kernel.ChainTask, g: int, equal: list[list[int]]) -> Iterator[str]:
    """Yield a sentence for each target of chain g that no weights can meet, as far as is found.

    equal holds the groups of `find_equal_patterns`.
    """
    data = task.data
    begins, ends = data.events.offsets[:-1], data.events.offsets[1:]
    # The first input of each pattern; where there is none, one that never comes.
    first_input = np.full(begins.size, np.inf)
    driven = begins < ends
    first_input[driven] = data.events.times[begins[driven]]
    n_desired = np.diff(data.offsets)
    silent = (first_input >= data.horizons) & ((n_desired > 0) | (data.counts[g] > 0))
    for p in np.flatnonzero(silent):
        yield Ending.NO_INPUT.value.format(pattern=p)
    for p in np.flatnonzero(~silent & (n_desired > 0)):
        desired = data.times[data.offsets[p]]
        if desired <= first_input[p]:
            times = {"desired": desired, "first_input": first_input[p]}
            yield Ending.TOO_EARLY.value.format(pattern=p, **times)
    yield from _find_close_spikes(task)
    for first, *others in equal:
        for other in others:
            if not _may_both_be_met(task, g, first, other):
                yield Ending.SAME_INPUT.value.format(
                    pattern=first,
                    other=other,
                    desired=_describe_target(data, g, first),
                    other_desired=_describe_target(data, g, other),
                )
                break


def _find_close_spikes(task: kernel.ChainTask) -> Iterator[str]:
    """Yield a sentence for each two desired spikes that are too close.

    From t to the next spike at u, V0 rises by w (X(u) - X(t)), and must make up for the reset, of
    which exp(-(u - t)/tau_m) is left. So |w| is at least that over |X(u) - X(t)|, in thresholds.
    """
    data, constants = task.data, task.constants
    pattern_of = np.repeat(np.arange(data.offsets.size - 1), np.diff(data.offsets))
    for i in np.flatnonzero(np.diff(pattern_of) == 0):
        gap = data.times[i + 1] - data.times[i]
        names = {"pattern": pattern_of[i], "desired": round(float(data.times[i]), DIGITS)}
        if gap == 0.0:
            yield Ending.TWICE.value.format(**names)
            continue
        rise = float(np.linalg.norm(data.k_desired[i + 1] - data.k_desired[i]))
        needed = math.exp(-gap * constants.m.rate_m) * math.sqrt(constants.mean_max_drive)
        if needed > MOST_RISE * rise > 0.0:  # without any input before, it is too early
            following = round(float(data.times[i + 1]), DIGITS)
            names |= {"following": following, "factor": needed / rise}
            yield Ending.TOO_CLOSE.value.format(**names)


def find_equal_patterns(data: kernel.ChainData) -> list[list[int]]:
    """Return groups of two or more patterns with the same input and horizon."""
    events, sizes = data.events, np.diff(data.events.offsets)
    driven = np.flatnonzero(sizes)
    begins, last = events.offsets[driven], sizes[driven] - 1
    # A few times of each pattern distinguish almost all; the rest are compared in full.
    marks = [events.times[begins + part * last // 4] for part in range(5)]
    keys = np.stack([data.horizons[driven], sizes[driven], *marks], axis=1)
    _, of_key, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    groups: dict[Any, list[int]] = {}
    for p in driven[counts[of_key.ravel()] > 1]:
        spikes = slice(events.offsets[p], events.offsets[p + 1])
        key = data.horizons[p], events.times[spikes].tobytes(), events.channels[spikes].tobytes()
        groups.setdefault(key, []).append(int(p))
    return [group for group in groups.values() if len(group) > 1]


def _may_both_be_met(task: kernel.ChainTask, g: int, p: int, q: int) -> bool:
    """Return whether one response may be right for the targets of two equal patterns.

    If it is right for both times, these are no farther apart than both bounds together.
    """
    data, options = task.data, task.options
    counts = data.counts[g, [p, q]]
    if counts[0] >= 0:
        return bool(counts[0] == counts[1] or (options.at_least and counts.min() > 0))
    first, other = (data.times[data.offsets[each] : data.offsets[each + 1]] for each in (p, q))
    return times_met(first, other, data.bounds[p] + data.bounds[q], options.criterion, 1.0)


def _describe_target(data: kernel.ChainData, g: int, p: int) -> str:
    if data.counts[g, p] >= 0:
        return f"{data.counts[g, p]} spikes"
    times = data.times[data.offsets[p] : data.offsets[p + 1]].tolist()
    shown = ", ".join(f"{time:.6g}" for time in times[:MOST_SHOWN])
    more = ", ..." if len(times) > MOST_SHOWN else ""
    return f"spikes at {shown}{more} ms" if times else "no spikes"


def make_jobs(run: Run, chains: list[Chain], threads: int) -> list[Job]:
    """Return one job per chain, or batches, at least one per thread, where chains can be batched.

    Chains of a batch share patterns and order. They share the workspace too, whose size follows
    from the largest count.
    """
    can_batch = len(chains) >= LEAST_BATCH and not run.options.track and step_of(run.rule)[1]
    keys = {_batch_key(chain) for chain in chains} if can_batch else set()
    if len(keys) != 1 or keys.pop()[-1] == 0:
        return [Job(run, [chain]) for chain in chains]
    size = min(BLOCK, max(LEAST_BATCH, math.ceil(len(chains) / threads)))
    return [Job(run, chains[at : at + size]) for at in range(0, len(chains), size)]


def _batch_key(chain: Chain) -> tuple[int, int, int]:
    counts = isinstance(chain.targets, SpikeCounts)
    return id(chain.patterns), chain.seed, int(chain.targets.counts.max()) if counts else 0


def run_chains(
    run: Run,
    chains: list[Chain],
    *,
    threads: int,
    progress: Progress | None,
    on_epoch: OnEpoch | None,
) -> list[FitResult]:
    """Train all chains on worker threads; an interrupt ends them after their current epoch.

    With `on_epoch` an interrupt leaves all chains as they were after the last epoch that all of
    them had done. It is raised if none of them was cut short, so that a loop around ends too.
    """
    for name, function in (("progress", progress), ("on_epoch", on_epoch)):
        if function is not None and not callable(function):
            raise ParameterError.of(name, run.owner, "a function", function)
    jobs = make_jobs(run, chains, threads)
    step, is_compiled = step_of(run.rule)
    if is_compiled and isinstance(run_chain, Deferred):
        # Code is compiled here and not in a thread, so that Ctrl-C can end it.
        load_step(step)
        for job in jobs:
            load_deferred(run_chain if len(job.chains) == 1 else run_batch)
    interrupted = stopped = False
    with ThreadPoolExecutor(min(threads, len(jobs))) as pool:
        workers = Workers(pool, jobs, progress)
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
    if interrupted and on_epoch is not None:
        for job in jobs:
            job.restore()
    if_running = Ending.STOPPED if stopped else Ending.INTERRUPTED
    results = [result for job in jobs for result in job.results(if_running)]
    if interrupted and not any(one.interrupted for one in results):
        raise KeyboardInterrupt
    return results


class Workers:
    """A pool of threads with what its jobs share: the stop flag, prepared tasks, progress."""

    def __init__(
        self, pool: ThreadPoolExecutor, jobs: list[Job], progress: Progress | None
    ) -> None:
        self.pool, self.jobs, self.progress = pool, jobs, progress
        self.stop = np.zeros(1, np.uint8)
        self._cache: dict[Any, Any] = {}

    def train(self, jobs: list[Job], begin: int, end: int) -> None:
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
        if on_epoch(EpochEnd(epoch + 1, weights, status == kernel.CONVERGED)):
            return True
        if not (status == kernel.RUNNING).any():
            return False
    return False
