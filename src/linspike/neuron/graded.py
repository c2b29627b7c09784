"""Counts made continuous, so that two neurons with as many spikes can be told apart."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from linspike._threads import run_jobs, thread_count
from linspike._typing import Floats, Ints
from linspike._validation import check_flag
from linspike.errors import ParameterError, RunawayWarning
from linspike.kernels.simulation.batch import BatchInput
from linspike.kernels.threshold.graded import grade_patterns
from linspike.neuron.arguments import (
    FREE_SPIKES,
    SPIKES_PER_INPUT,
    checked_horizon,
    checked_weights,
)
from linspike.neuron.decay_tables import events_of
from linspike.neuron.responses import respond_all
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet

JOBS_PER_THREAD = 4


def graded_counts(
    neuron: SRM,
    weights: Any,
    patterns: PatternSet,
    *,
    until: float | None = None,
    contested: bool = False,
    threads: int | None = None,
) -> Floats:
    """Spike counts plus a grade in [0, 1): how near the neuron is to one spike more.

    With th_k the largest threshold at which there are k spikes, a neuron of threshold th that
    answers with k of them has the grade log(th_k/th) / log(th_k/th_(k+1)). It is 0 when the last
    spike is about to be lost and nearly 1 when the next is about to come, so the graded count
    hardly jumps where the count does. A silent neuron's grade is its highest potential, in
    thresholds. An answer of 1000 spikes and 10 for every input is cut off there, with a
    `RunawayWarning`, and has the grade 0.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float, (neurons, channels)
        One row per neuron.
    patterns : PatternSet
        The inputs.
    until : float, optional
        Horizon for all patterns; each one's duration unless given.
    contested : bool
        Whether to grade only where neurons share a pattern's largest count. That is all a
        decision needs, and much faster: a grade costs about fifteen simulations.
    threads : int, optional
        Number of threads; one per core unless given.

    Returns
    -------
    array of float, (neurons, patterns)
    """
    owner = "graded_counts"
    _check_kinds(neuron, patterns, owner)
    check_flag(contested, "contested", owner)
    count = thread_count(threads, owner)
    w = checked_weights(weights, patterns.n_channels, 2, owner)
    horizons = np.array(patterns.durations)
    if until is not None:
        horizons[:] = checked_horizon(until, 0.0, owner)
    caps: Ints = FREE_SPIKES + SPIKES_PER_INPUT * np.diff(patterns.offsets)
    m, scaled = neuron._membrane, neuron._scaled_threshold
    given = BatchInput(events_of(patterns._ragged, m), horizons, caps, scaled, m)
    responses = respond_all(given, w, count)
    counts, grades = np.array(responses.counts), np.zeros(responses.shape)
    desired = np.array(~responses.truncated)
    if not desired.all():
        _warn_runaway(int((~desired).sum()), owner)
    if contested:
        leading = counts == counts.max(axis=0)
        desired &= leading & (leading.sum(axis=0) > 1)
    most = int(counts.max(where=desired, initial=0))

    def do(stretch: tuple[int, int]) -> None:
        room = np.empty(most + 1)
        grade_patterns(given, stretch, w, counts, desired, grades, room)

    bounds = np.linspace(0, len(patterns), JOBS_PER_THREAD * count + 1).astype(int).tolist()
    run_jobs(do, pairwise(bounds), count)
    return counts + grades


def _check_kinds(neuron: Any, patterns: Any, owner: str) -> None:
    if not isinstance(neuron, SRM):
        raise ParameterError.of("neuron", owner, "an SRM", neuron)
    if not isinstance(patterns, PatternSet):
        remedy = "Join single patterns with PatternSet.from_patterns."
        raise ParameterError.of("patterns", owner, "a PatternSet", patterns, remedy)


def _warn_runaway(responses: int, owner: str) -> None:
    which = "an answer" if responses == 1 else f"{responses} answers"
    warnings.warn(
        f"{owner} cut {which} off at {FREE_SPIKES} spikes and {SPIKES_PER_INPUT} for every input: "
        "the weights are very large for this threshold. What was cut off has no grade.",
        RunawayWarning,
        stacklevel=3,
    )
