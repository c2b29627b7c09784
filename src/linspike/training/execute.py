"""Chains on worker threads: prepare, run, watch, report."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training import chain as chains
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.training.signatures import run_chain
from linspike.rules.base import Rule
from linspike.training.prepare import make_workspace
from linspike.training.result import FitResult, History
from linspike.training.steps import bad_outcome, parameters_of, step_of

POLL_SECONDS = 0.1

Progress = Callable[[int, int], None]
Prepared = tuple[chains.ChainData, NeuronConstants]


class Kind(NamedTuple):
    """What chains must have in common to be run as a team: patterns, and the size of a desk."""

    patterns: int  # identity of the set
    counts: int  # the largest count desired; 0 where times are


class Preparation:
    """What chains on the same patterns and targets share, made by whichever needs it first."""

    def __init__(self, make: Callable[[], Prepared], kind: Kind) -> None:
        self._make, self._lock = make, threading.Lock()
        self.kind = kind
        self._made: Prepared | None = None

    def __call__(self) -> Prepared:
        """The arrays, made once."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


class Chain:
    """One chain: its arrays, and a call that runs it."""

    def __init__(
        self,
        rule: Rule,
        prepare: Preparation,
        options: chains.TrainOptions,
        weights: Floats,
        seed: int,
        stop: Any,
    ) -> None:
        self.rule, self.options, self.kind = rule, options, prepare.kind
        self.prepare: Preparation | None = prepare
        self.weights, self.seed, self.stop = weights, seed, stop
        self.progress = np.zeros(1, np.int64)
        rows = options.max_epochs if options.track else 1
        self.history = np.zeros((rows, chains.N_COLUMNS))
        self.epochs, self.ending, self.obstacle = 0, chains.NOT_CONVERGED, ""

    def __call__(self) -> None:
        """Prepare, learn, and let go of everything but what was learned."""
        data, constants = self.prepared()
        workspace = make_workspace(data, self.rule, self.weights.size)
        compiled, step = step_of(self.rule)
        run: Any = run_chain if compiled else chains.chain
        # Uncompiled, the shuffling's wrap-around of 64-bit numbers would warn.
        with contextlib.nullcontext() if compiled else np.errstate(over="ignore"):
            epochs, ending = run(
                step,
                data,
                self.options,
                constants,
                parameters_of(self.rule, bool(data.counts[0] >= 0)),
                self.weights,
                self.seed,
                self.stop,
                self.progress,
                self.history,
                workspace,
            )
        self.ended(self.weights, epochs, ending, data)

    def prepared(self) -> Prepared:
        """The arrays, for the one who runs it; large sets need not outlive the last who do."""
        assert self.prepare is not None
        made, self.prepare = self.prepare(), None
        return made

    def ended(self, weights: Floats, epochs: int, ending: int, data: chains.ChainData) -> None:
        """Take down what was learned and how it ended."""
        self.weights, self.epochs, self.ending = weights, epochs, ending
        if ending == chains.NOT_CONVERGED:
            self.obstacle = _impossible(data)
        if ending == chains.BAD_OUTCOME:
            raise bad_outcome(self.rule)

    def result(self, stopped: bool) -> FitResult:
        """What was learned; a chain that was stopped says so."""
        done = self.ending == chains.CONVERGED
        interrupted = stopped and not done and self.epochs < self.options.max_epochs
        told = self.epochs - (self.ending == chains.NOT_FINITE)  # the last has nothing to tell
        history = History.of(self.history[:told]) if self.options.track else None
        reason = self._reason(interrupted)
        return FitResult(
            self.weights, done, int(self.epochs), reason, interrupted, history, stopped
        )

    def _reason(self, interrupted: bool) -> str:
        if self.ending == chains.CONVERGED:
            return "all answers right"
        if self.ending == chains.NOT_FINITE:
            return f"weights no longer finite after {self.epochs} epochs"
        if self.ending == chains.RAN_AWAY:
            return f"ran away: far too many spikes for most patterns, {self.epochs} epochs on"
        if interrupted:
            return f"interrupted after {self.epochs} epochs"
        return self.obstacle or f"not converged within {self.options.max_epochs} epochs"


def _impossible(data: chains.ChainData) -> str:
    """What no weights can do, in words; empty if nothing of the kind is seen."""
    begins, ends = data.events.offsets[:-1], data.events.offsets[1:]
    # The first input of each pattern; where there is none, one that never comes.
    first_input = np.full(begins.size, np.inf)
    heard = begins < ends
    first_input[heard] = data.events.times[begins[heard]]
    n_desired = np.diff(data.offsets)
    silent = (first_input >= data.untils) & ((n_desired > 0) | (data.counts > 0))
    if silent.any():
        p = int(np.argmax(silent))
        return f"impossible: pattern {p} has no input and is to be answered with spikes"
    asked = np.flatnonzero(n_desired)
    first_desired = data.times[data.offsets[asked]]
    early = first_desired <= first_input[asked]
    if early.any():
        at = int(np.argmax(early))
        p = int(asked[at])
        return (
            f"impossible: pattern {p} wants a spike at {first_desired[at]} ms, "
            f"before its first input at {first_input[p]} ms"
        )
    pattern_of = np.repeat(np.arange(n_desired.size), n_desired)
    twice = (np.diff(data.times) == 0.0) & (np.diff(pattern_of) == 0)
    if twice.any():
        p = int(pattern_of[np.argmax(twice)])
        return f"impossible: pattern {p} wants two spikes at the same time"
    return ""


def run_chains(
    prepared: list[Chain],
    jobs: Sequence[Callable[[], None]],
    threads: int,
    stop: Any,
    progress: Progress | None,
) -> list[FitResult]:
    """Run all chains, by jobs on worker threads; an interrupt ends them at their next epoch."""
    if step_of(prepared[0].rule)[0]:
        _ = run_chain.dispatcher  # compiled here and not in a thread, so that Ctrl-C can end it
    with ThreadPoolExecutor(min(threads, len(jobs))) as pool:
        futures: list[Future[None]] = []
        try:
            futures += [pool.submit(job) for job in jobs]
            _watch(futures, prepared, progress)
        except BaseException as error:  # whatever it is, no chain must run on for hours
            stop[0] = 1
            for future in futures:
                future.cancel()
            if not isinstance(error, KeyboardInterrupt):
                raise
    return [chain.result(bool(stop[0])) for chain in prepared]


def _watch(futures: list[Future[None]], prepared: list[Chain], progress: Progress | None) -> None:
    """Wait for all chains, in slices short enough for Ctrl-C and for progress."""
    left = set(futures)
    most = sum(chain.options.max_epochs for chain in prepared)
    while left:
        done, left = wait(left, timeout=POLL_SECONDS)
        for future in done:
            future.result()
        if progress is not None:
            progress(sum(int(chain.progress[0]) for chain in prepared), most)
