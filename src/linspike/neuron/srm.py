"""The spike response model: its parameters and everything that follows from them."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats, Ints
from linspike._validation import check_integer, check_real
from linspike.errors import ParameterError, RunawayWarning, Words
from linspike.kernels.rows import windows as rows
from linspike.kernels.rows.resets import fill_reset_sums
from linspike.kernels.simulation.batch import BatchInput
from linspike.kernels.simulation.membrane import Membrane, membrane
from linspike.kernels.simulation.single import respond_one
from linspike.kernels.threshold import critical
from linspike.neuron.arguments import (
    FREE_SPIKES,
    SPIKES_PER_INPUT,
    ascending,
    checked_horizon,
    checked_moments,
    checked_weights,
    in_place,
    spike_cap,
)
from linspike.neuron.critical_threshold import KINDS, CriticalThreshold
from linspike.neuron.decay_tables import events_of
from linspike.neuron.responses import Responses, respond_all
from linspike.neuron.windows import window_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

FIRST_ROOM = 256
# Outside, the two exponentials cancel or one vanishes. Within, spike times are good to about
# 1e-15 tau_m/(1 - ratio)^2 ms: 1e-9 up to a ratio of 0.99.
LEAST_RATIO, MOST_RATIO = 1e-9, 0.999999
MOST_CRITICAL = 10**8


@dataclass(frozen=True)
class SRM:
    """Spike response neuron: double-exponential PSPs, reset by subtraction, exact spike times.

    An input of weight w at time t_i adds w * psp(t - t_i) to the potential V, where psp has its
    peak, 1, at `peak_time`. When V reaches the threshold from below the neuron spikes, and
    threshold * exp(-(t - t_o)/tau_m) is subtracted from then on, which takes V to exactly 0.
    A maximum that only touches the threshold counts as reaching it, and so does a crossing
    exactly at the horizon; this makes `critical_threshold` a maximum that is attained.

    The neuron holds no weights: they are handed to each method, one per channel.

    Parameters
    ----------
    tau_m : float
        Membrane time constant in milliseconds.
    tau_s : float
        Synaptic time constant, in (0, tau_m). Spike times are exact to rounding up to about
        0.95 tau_m; beyond, the difference of two nearly equal exponentials costs digits
        (1e-9 ms at 0.995 tau_m, 2e-8 at 0.99995), and from 0.999999 tau_m on it is refused.
    threshold : float
        Potential at which the neuron spikes, and size of the reset.

    Examples
    --------
    >>> import linspike as ls
    >>> neuron = ls.SRM(tau_m=20.0, tau_s=5.0, threshold=1.0)
    >>> pattern = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
    >>> len(neuron.respond([0.8, 0.6], pattern))
    2
    """

    tau_m: float = 20.0
    tau_s: float = 5.0
    threshold: float = 1.0

    def __post_init__(self) -> None:
        domain = "positive and finite"
        tau_m = check_real(self.tau_m, "tau_m", "SRM", above=0.0, domain=domain)
        threshold = check_real(self.threshold, "threshold", "SRM", above=0.0, domain=domain)
        tau_s = check_real(
            self.tau_s, "tau_s", "SRM", above=0.0, below=tau_m, domain="in (0, tau_m)"
        )
        if not LEAST_RATIO <= tau_s / tau_m <= MOST_RATIO:
            domain = f"between {LEAST_RATIO:g} and {MOST_RATIO:g} times tau_m"
            raise ParameterError.of("tau_s", "SRM", domain, self.tau_s)
        object.__setattr__(self, "tau_m", tau_m)
        object.__setattr__(self, "tau_s", tau_s)
        object.__setattr__(self, "threshold", threshold)

    @cached_property
    def v_norm(self) -> float:
        """Factor Vn that gives the PSP a peak of 1."""
        d = (self.tau_m - self.tau_s) / self.tau_s  # xi - 1, without cancellation
        return math.exp(math.log1p(d) / d) * (1.0 + 1.0 / d)

    @cached_property
    def peak_time(self) -> float:
        """Time from an input to the peak of its PSP."""
        d = (self.tau_m - self.tau_s) / self.tau_s
        return self.tau_m * math.log1p(d) / d

    @cached_property
    def _membrane(self) -> Membrane:
        return membrane(self.tau_m, self.tau_s)

    @cached_property
    def _scaled_threshold(self) -> float:
        return self.threshold / self.v_norm

    def psp(self, s: Any) -> Floats:
        """Post-synaptic potential of a unit weight, s milliseconds after the input."""
        s = np.asarray(s, dtype=np.float64)
        late = np.maximum(s, 0.0)
        kernel = self.v_norm * (np.exp(-late / self.tau_m) - np.exp(-late / self.tau_s))
        return np.where(s < 0.0, 0.0, kernel)

    def reset(self, s: Any) -> Floats:
        """What one spike subtracts, in thresholds, s milliseconds after it."""
        s = np.asarray(s, dtype=np.float64)
        return np.where(s < 0.0, 0.0, np.exp(-np.maximum(s, 0.0) / self.tau_m))

    def respond(
        self,
        weights: Any,
        pattern: Pattern,
        *,
        until: float | None = None,
        max_spikes: int | None = None,
    ) -> SpikeTrain:
        """Exact spike times of one neuron.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        until : float, optional
            Horizon; the pattern's duration unless given. May be earlier, later, or infinite.
        max_spikes : int, optional
            Cap on the answer, 1000 spikes plus 10 for every input unless given. An answer that
            reaches it is cut there, has `truncated` set and comes with a `RunawayWarning`.

        Returns
        -------
        SpikeTrain
            Its duration is the horizon.
        """
        w = checked_weights(weights, _of_pattern(pattern, "respond").n_channels, 1, "respond")
        horizon = checked_horizon(until, pattern.duration, "respond")
        return self._respond(w, pattern, horizon, max_spikes, "respond")

    def _respond(
        self, w: Floats, pattern: Pattern, horizon: float, max_spikes: int | None, owner: str
    ) -> SpikeTrain:
        cap = spike_cap(max_spikes, len(pattern), owner)
        events = events_of(pattern._ragged, self._membrane)
        room = min(cap, FIRST_ROOM + len(pattern) // 8)
        while True:
            out = np.empty(room)
            n, finite = respond_one(
                events,
                pattern._index,
                horizon,
                w,
                self._scaled_threshold,
                self._membrane,
                out,
            )
            if n < room or room == cap:
                break
            room = min(4 * room, cap)
        truncated = n == cap or not finite
        if truncated:
            _warn_runaway(1, owner)
        return SpikeTrain._trusted(out[:n].copy(), horizon, truncated)

    def respond_many(
        self,
        weights: Any,
        patterns: PatternSet,
        *,
        until: float | None = None,
        max_spikes: int | None = None,
        threads: int | None = None,
    ) -> Responses:
        """Exact spike times of many neurons for many patterns.

        Agrees with `respond` to the last bit, for any number of threads.

        Parameters
        ----------
        weights : array of float, (neurons, channels)
            One row per neuron.
        patterns : PatternSet
            The inputs.
        until : float, optional
            Horizon for all patterns; each one's duration unless given.
        max_spikes : int, optional
            Cap per neuron and pattern, as for `respond`.
        threads : int, optional
            Number of threads; one per core unless given.

        Returns
        -------
        Responses
            responses[i, p] is the train of neuron i for pattern p; responses.counts all counts.
        """
        owner = "respond_many"
        if not isinstance(patterns, PatternSet):
            remedy = "Join single patterns with PatternSet.from_patterns."
            raise ParameterError.of("patterns", owner, "a PatternSet", patterns, remedy)
        w = checked_weights(weights, patterns.n_channels, 2, owner)
        horizons = np.array(patterns.durations)
        if until is not None:
            horizons[:] = checked_horizon(until, math.nan, owner)
        inputs = np.diff(patterns.offsets)
        caps: Ints = FREE_SPIKES + SPIKES_PER_INPUT * inputs
        if max_spikes is not None:
            caps[:] = spike_cap(max_spikes, 0, owner)
        events = events_of(patterns._ragged, self._membrane)
        given = BatchInput(events, horizons, caps, self._scaled_threshold, self._membrane)
        responses = respond_all(given, w, thread_count(threads, owner))
        if responses.truncated.any():
            _warn_runaway(int(responses.truncated.sum()), owner)
        return responses

    def potential(
        self,
        weights: Any,
        pattern: Pattern,
        at: Any,
        *,
        reset: bool = True,
        max_spikes: int | None = None,
    ) -> Floats:
        """Membrane potential V at given times, or without resets V0.

        At a spike time V is the threshold: a spike's own reset counts only after it.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        at : float or array of float
            Times, in any order and shape, also beyond the pattern's duration.
        reset : bool
            Whether the neuron's own spikes reset it.
        max_spikes : int, optional
            Cap on the spikes that reset it, as for `respond`.
        """
        w = checked_weights(weights, _of_pattern(pattern, "potential").n_channels, 1, "potential")
        moments = checked_moments(at, "potential")
        flat, order = ascending(moments)
        parts = np.empty((2, flat.size))
        events = events_of(pattern._ragged, self._membrane)
        rows.free_parts(events, pattern._index, w, flat, self._membrane, parts)
        value: Floats = self.v_norm * (parts[0] - parts[1])
        if reset and flat.size:
            horizon = max(float(flat[-1]), 0.0)
            spikes = self._respond(w, pattern, horizon, max_spikes, "potential")
            value -= self.threshold * self._decayed(spikes._times, flat)
        return in_place(value, order, moments.shape)

    def moving_threshold(self, resets: Any, at: Any) -> Floats:
        """Threshold that V0 has to reach if it, not V, takes the resets.

        theta(t) = threshold (1 + sum of exp(-(t - t_r)/tau_m) over resets t_r < t).

        Parameters
        ----------
        resets : SpikeTrain or ascending times
            Times of the spikes.
        at : float or array of float
            Times, in any order and shape.
        """
        train = resets if isinstance(resets, SpikeTrain) else SpikeTrain(resets)
        moments = checked_moments(at, "moving_threshold")
        flat, order = ascending(moments)
        value = self.threshold * (1.0 + self._decayed(train._times, flat))
        return in_place(value, order, moments.shape)

    def design(self, pattern: Pattern, at: Any, *, window: str = "psp") -> Floats:
        """Window sums of every channel at given times, the rows of the learning problem.

        With the "psp" window, design(pattern, at) @ weights is the potential without resets.

        Parameters
        ----------
        pattern : Pattern
            The input.
        at : array of float
            Times in any order.
        window : {"psp", "stdp", "filt", "filt-gardner"}
            The learning window; the last two also count inputs after a time.

        Returns
        -------
        array of float, (times, channels)
        """
        kappa = window_of(window, self.tau_m, self.tau_s, self.v_norm, "design")
        _of_pattern(pattern, "design")
        moments = np.ascontiguousarray(np.atleast_1d(checked_moments(at, "design")))
        if moments.ndim != 1:
            raise ParameterError.of(
                "at", "design", "a list of times", Words(f"shape {moments.shape}")
            )
        matrix = np.empty((moments.size, pattern.n_channels))
        events = events_of(pattern._ragged, self._membrane)
        rows.fill_rows(events, pattern._index, moments, kappa, self._membrane, matrix)
        return matrix

    def critical_threshold(
        self, weights: Any, pattern: Pattern, k: int = 1, *, until: float | None = None
    ) -> CriticalThreshold:
        """Largest threshold, used for the reset too, at which there are at least k spikes.

        It is well defined because raising the threshold never brings a spike forward. The
        neuron's own threshold plays no part.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        k : int
            Number of spikes asked for.
        until : float, optional
            Horizon, as for `respond`.
        """
        owner = "critical_threshold"
        w = checked_weights(weights, _of_pattern(pattern, owner).n_channels, 1, owner)
        if not math.isfinite(len(pattern) * float(np.abs(w).max())):
            domain = "small enough for the potential to stay finite"
            raise ParameterError.of("weights", owner, domain, float(np.abs(w).max()))
        spikes = np.empty(check_integer(k, "k", owner, least=1, most=MOST_CRITICAL))
        horizon = checked_horizon(until, pattern.duration, owner)
        m = self._membrane
        where = (events_of(pattern._ragged, m), pattern._index, horizon)
        value, which, time, kind = critical.critical_until(*where, w, m, spikes)
        if value <= 0.0:
            return CriticalThreshold(
                0.0, math.nan, SpikeTrain._trusted(np.empty(0), horizon), "none"
            )
        before = SpikeTrain._trusted(spikes[:which].copy(), horizon)
        threshold, less = value * self.v_norm, 1e-16
        # As a threshold it must give k spikes itself; a rounding or two may keep it from that.
        while respond_one(*where, w, threshold / self.v_norm, m, spikes)[0] < spikes.size:
            threshold *= 1.0 - less
            less *= 2.0
        return CriticalThreshold(threshold, time, before, KINDS[kind])

    def _decayed(self, spikes: Floats, flat: Floats) -> Floats:
        sums = np.empty_like(flat)
        fill_reset_sums(spikes, flat, self._membrane.rate_m, sums)
        return sums


def _of_pattern(pattern: Any, owner: str) -> Pattern:
    if isinstance(pattern, Pattern):
        return pattern
    remedy = ""
    if isinstance(pattern, PatternSet):
        remedy = "Use respond_many, or patterns[i]." if owner == "respond" else "Use patterns[i]."
    raise ParameterError.of("pattern", owner, "a Pattern", pattern, remedy)


def _warn_runaway(responses: int, owner: str) -> None:
    which = "an answer" if responses == 1 else f"{responses} answers"
    warnings.warn(
        f"{owner} cut {which} off at the cap on spikes: the weights are very large for this "
        "threshold. See 'truncated' in the result; raise 'max_spikes' if this is desired.",
        RunawayWarning,
        stacklevel=4 if owner != "respond_many" else 3,
    )
