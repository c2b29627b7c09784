"""Responses on a grid of bins, as clocked simulators and chips compute them."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from linspike._threads import run_jobs, thread_count
from linspike._typing import Floats, Ints
from linspike.errors import ParameterError
from linspike.kernels.simulation.grid import Grid, simulate_bins
from linspike.neuron.arguments import (
    check_horizon,
    check_max_spikes,
    check_patterns,
    check_time_step,
    check_weights,
)
from linspike.neuron.arrivals import check_all_delays
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet

MOST_BINS = 10**8  # of one pattern: a quarter of a second for each neuron
ROUNDING = 1e-9  # bins; times that lie on the grid up to rounding belong to the bin they begin
PATTERNS_PER_JOB = 16
OWNER = "respond_on_grid"


def respond_on_grid(
    neuron: SRM,
    weights: Any,
    patterns: PatternSet,
    dt: float,
    *,
    delays: Any = None,
    until: float | None = None,
    threads: int | None = None,
) -> Responses:
    """Return the responses that a simulator with time step dt would give.

    The equations are those of a current-based leaky integrate-and-fire neuron, NIR's `CubaLIF`,
    by forward Euler. In every bin, in this order: the current I decays and takes in the spikes
    of the bin, I <- (1 - dt/tau_s) I + sum of W; the potential decays and takes in the current,
    V <- (1 - dt/tau_m) V + I; if V has reached the threshold the neuron spikes, and V <- 0. The
    current of a weight w is W = w Vn (tau_m - tau_s) dt/(tau_m tau_s), so that the responses
    become those of `SRM.respond_many` as dt goes to 0.

    Inputs of one channel in one bin add up. A spike has the time of the end of its bin. A neuron
    spikes once in a bin at most. No raster is made: memory is that of the spikes.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float, (neurons, channels)
        One row per neuron.
    patterns : PatternSet
        The inputs.
    dt : float
        Length of a bin in milliseconds, below tau_s.
    delays : array of float, (channels,) or (neurons, channels), optional
        Delays of the inputs in milliseconds; an input counts in the bin in which it arrives.
    until : float, optional
        Horizon for all patterns; each one's duration unless given. A bin that ends after it is
        not simulated.
    threads : int, optional
        Number of threads; one per core unless given.

    Returns
    -------
    Responses
        As from `SRM.respond_many`, with the same cap on spikes.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
    >>> patterns = ls.PatternSet.from_patterns([pattern])
    >>> ls.deploy.respond_on_grid(ls.SRM(), [[0.8, 0.6]], patterns, dt=0.5)[0, 0].times
    array([4.5, 7.5])
    """
    if not isinstance(neuron, SRM):
        raise ParameterError.of("neuron", OWNER, "an SRM", neuron)
    w = check_weights(weights, check_patterns(patterns, OWNER).n_channels, 2, OWNER)
    late = check_all_delays(delays, w.shape, OWNER)
    count = thread_count(threads, OWNER)
    return simulate_grid(neuron, w, patterns, dt, until, count, OWNER, delays=late)


class _Setup(NamedTuple):
    """What all responses of a set share."""

    weights: Floats
    delays: Floats | None  # (neurons, channels)
    patterns: PatternSet
    step: float
    lasts: Ints
    grid: Grid


def simulate_grid(
    neuron: SRM,
    weights: Floats,
    patterns: PatternSet,
    dt: Any,
    until: float | None,
    threads: int,
    owner: str,
    name: str = "dt",
    delays: Floats | None = None,
) -> Responses:
    """Return the responses on a grid; weights, delays and patterns are checked already."""
    step = check_time_step(dt, neuron.tau_s, name, owner)
    horizons = np.array(patterns.durations)
    if until is not None:
        horizons[:] = check_horizon(until, math.nan, owner)
    _check_bins(horizons, step, name, owner)
    lasts: Ints = np.floor(horizons / step + ROUNDING).astype(np.int64)
    late = None if delays is None else np.broadcast_to(delays, weights.shape)
    setup = _Setup(weights, late, patterns, step, lasts, _constants(neuron, step))
    jobs = range(0, len(patterns), PATTERNS_PER_JOB)
    pieces = run_jobs(functools.partial(_respond_to, setup), jobs, threads)
    return _join([response for piece in pieces for response in piece], step, setup, horizons)


def _check_bins(horizons: Floats, step: float, name: str, owner: str) -> None:
    longest = float(horizons.max(initial=0.0))
    if not math.isfinite(longest):
        raise ParameterError.of("until", owner, "finite on a grid", longest)
    if longest / step > MOST_BINS:
        most = f"{MOST_BINS:,} bins in a pattern of {longest:g} ms"
        domain = f"at least {longest / MOST_BINS:g} ms, which makes {most}"
        raise ParameterError.of(name, owner, domain, step)


def _constants(neuron: SRM, step: float) -> Grid:
    tau_m, tau_s = neuron.tau_m, neuron.tau_s
    gain = neuron.v_norm * (tau_m - tau_s) * step / (tau_m * tau_s)
    return Grid(1.0 - step / tau_m, 1.0 - step / tau_s, gain, neuron.threshold)


def _respond_to(setup: _Setup, first: int) -> list[tuple[Ints, bool]]:
    """Return the bins of all spikes, pattern by pattern, and whether they were cut off."""
    found = []
    offsets, channels = setup.patterns.offsets, setup.patterns._ragged.channels
    for p in range(first, min(first + PATTERNS_PER_JOB, len(setup.patterns))):
        part = slice(offsets[p], offsets[p + 1])
        inputs = _find_bins(setup.patterns.times[part], setup.step), channels[part]
        last, cap = int(setup.lasts[p]), check_max_spikes(None, part.stop - part.start, OWNER)
        out = np.empty(min(last, cap), np.int64)
        for neuron, row in enumerate(setup.weights):
            if setup.delays is not None:
                inputs = _arrive(setup, part, setup.delays[neuron])
            n = simulate_bins(*inputs, row, setup.grid, last, out)
            found.append((out[:n].copy(), n == cap))
    return found


def _find_bins(times: Floats, step: float) -> Ints:
    return np.asarray(np.floor(times / step + ROUNDING).astype(np.int64))


def _arrive(setup: _Setup, part: slice, delays: Floats) -> tuple[Ints, Any]:
    """Return the bins in which the inputs of a pattern arrive, ascending, and their channels."""
    channels = setup.patterns._ragged.channels[part]
    arrivals = setup.patterns.times[part] + delays[channels]
    order = np.argsort(arrivals, kind="stable")
    return _find_bins(arrivals[order], setup.step), channels[order]


def _join(
    found: list[tuple[Ints, bool]], step: float, setup: _Setup, horizons: Floats
) -> Responses:
    """Return responses of patterns x neurons as those of neurons x patterns."""
    shape = len(setup.patterns), len(setup.weights)
    counts = np.array([spikes.size for spikes, _ in found], np.int64).reshape(shape).T.copy()
    truncated = np.array([cut for _, cut in found], bool).reshape(shape).T.copy()
    by_neuron = [spikes for neuron in range(shape[1]) for spikes, _ in found[neuron :: shape[1]]]
    bins = np.concatenate(by_neuron)
    times: Floats = (bins + 1).astype(np.float64) * step
    return Responses(times, counts, truncated, horizons)
