"""Graded counts: continuous, so that two neurons with as many spikes can be compared."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from linspike._threads import run_jobs, thread_count
from linspike._typing import Floats
from linspike._validation import check_flag
from linspike.errors import ParameterError
from linspike.kernels.threshold.graded import grade_patterns
from linspike.neuron.arguments import (
    FREE_SPIKES,
    SPIKES_PER_INPUT,
    check_patterns,
    check_weights,
    warn_runaway,
)
from linspike.neuron.arrivals import check_all_delays
from linspike.neuron.decay_tables import make_presented
from linspike.neuron.responses import delay_rows, make_batch_input, respond_all
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet

JOBS_PER_THREAD = 4  # at least
MOST_PER_JOB = 5_000_000  # events times neurons: a tenth of a second or so, in which Ctrl-C waits


def graded_counts(
    neuron: SRM,
    weights: Any,
    patterns: PatternSet,
    *,
    delays: Any = None,
    until: float | None = None,
    contested: bool = False,
    threads: int | None = None,
) -> Floats:
    """Return spike counts plus a grade in [0, 1): how near the neuron is to one spike more.

    With th_k the largest threshold at which there are k spikes, a neuron of threshold th that
    responds with k of them has the grade log(th_k/th) / log(th_k/th_(k+1)). It is 0 when the last
    spike is about to be lost and nearly 1 when the next is about to come, so the graded count
    hardly jumps where the count does. A silent neuron's grade is its highest potential, in
    thresholds. A response of 1000 spikes and 10 for every input is cut off there, with a
    `RunawayWarning`, and has the grade 0.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float, (neurons, channels)
        One row per neuron.
    patterns : PatternSet
        The inputs.
    delays : array of float, (channels,) or (neurons, channels), optional
        Delays, as for `SRM.respond_many`.
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
    if not isinstance(neuron, SRM):
        raise ParameterError.of("neuron", owner, "an SRM", neuron)
    check_patterns(patterns, owner)
    check_flag(contested, "contested", owner)
    count = thread_count(threads, owner)
    w = check_weights(weights, patterns.n_channels, 2, owner)
    late = check_all_delays(delays, w.shape, owner)
    given = make_batch_input(patterns, late, until, None, neuron, owner)
    responses = respond_all(given, w, late, count)
    counts, grades = np.array(responses.counts), np.zeros(responses.shape)
    selected = np.array(~responses.truncated)
    if not selected.all():
        cap = f"{FREE_SPIKES} spikes and {SPIKES_PER_INPUT} for every input"
        remedy = "What was cut off has no grade."
        warn_runaway(int((~selected).sum()), cap, remedy, owner)
    if contested:
        leading = counts == counts.max(axis=0)
        selected &= leading & (leading.sum(axis=0) > 1)
    most = int(counts.max(where=selected, initial=0))

    rows = delay_rows(late, len(w))

    def do(stretch: tuple[int, int]) -> None:
        buffer = np.empty(most + 1)
        presented = make_presented(given.events, delayed=rows.shape[1] > 0)
        grade_patterns(given, stretch, w, rows, presented, counts, selected, grades, buffer)

    n_jobs = max(JOBS_PER_THREAD * count, patterns.times.size * len(w) // MOST_PER_JOB)
    bounds = np.linspace(0, len(patterns), n_jobs + 1).astype(int).tolist()
    run_jobs(do, pairwise(bounds), count)
    return counts + grades
