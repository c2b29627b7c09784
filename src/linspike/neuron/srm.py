"""The spike response model: its parameters and everything that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats
from linspike._validation import check_integer, check_real
from linspike.errors import ParameterError
from linspike.kernels.simulation.membrane import Membrane, membrane
from linspike.neuron.arguments import (
    check_horizon,
    check_pattern,
    check_patterns,
    check_times,
    check_weights,
    restore_order,
    sort_times,
    warn_runaway,
    warn_short,
    warn_units,
)
from linspike.neuron.arrivals import arrived_pattern, check_all_delays, check_delays
from linspike.neuron.critical_threshold import CriticalThreshold, find_critical_threshold
from linspike.neuron.potential import find_free_potential, make_design, sum_resets
from linspike.neuron.responses import Responses, make_batch_input, respond_all
from linspike.neuron.single_response import CAP, REMEDY, find_response
from linspike.neuron.windows import window_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain

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

    The neuron holds no weights and no delays: they are arguments of each method, one per channel.

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
        tau_m = check_real(self.tau_m, "tau_m", "SRM", above=0.0)
        threshold = check_real(self.threshold, "threshold", "SRM", above=0.0)
        tau_s = check_real(
            self.tau_s, "tau_s", "SRM", above=0.0, below=tau_m, domain="in (0, tau_m)"
        )
        if not LEAST_RATIO <= tau_s / tau_m <= MOST_RATIO:
            domain = f"between {LEAST_RATIO:g} and {MOST_RATIO:g} times tau_m"
            raise ParameterError.of("tau_s", "SRM", domain, self.tau_s)
        object.__setattr__(self, "tau_m", tau_m)
        object.__setattr__(self, "tau_s", tau_s)
        object.__setattr__(self, "threshold", threshold)

    def __getstate__(self) -> dict[str, float]:
        """Return the parameters alone, so that a copy does not depend on what was computed."""
        return {"tau_m": self.tau_m, "tau_s": self.tau_s, "threshold": self.threshold}

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
        """Return the post-synaptic potential of a unit weight, s milliseconds after the input."""
        s = np.asarray(s, dtype=np.float64)
        late = np.maximum(s, 0.0)
        kernel = self.v_norm * (np.exp(-late / self.tau_m) - np.exp(-late / self.tau_s))
        return np.where(s < 0.0, 0.0, kernel)

    def reset(self, s: Any) -> Floats:
        """Return what one spike subtracts, in thresholds, s milliseconds after it."""
        s = np.asarray(s, dtype=np.float64)
        return np.where(s < 0.0, 0.0, np.exp(-np.maximum(s, 0.0) / self.tau_m))

    def respond(
        self,
        weights: Any,
        pattern: Pattern,
        *,
        delays: Any = None,
        until: float | None = None,
        max_spikes: int | None = None,
    ) -> SpikeTrain:
        """Return the exact spike times of one neuron.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        delays : array of float, optional
            One delay per channel in milliseconds: an input at t arrives at t + delay. What arrives
            at the horizon or later has no effect.
        until : float, optional
            Horizon; the pattern's duration unless given. May be earlier, later, or infinite.
        max_spikes : int, optional
            Cap on the response, 1000 spikes plus 10 for every input unless given. A response that
            reaches it is cut off there, has `truncated` set and comes with a `RunawayWarning`.

        Returns
        -------
        SpikeTrain
            Its duration is the horizon.
        """
        w = check_weights(weights, check_pattern(pattern, "respond").n_channels, 1, "respond")
        pattern = arrived_pattern(pattern, check_delays(delays, w.size, "respond"))
        horizon = check_horizon(until, pattern.duration, "respond")
        warn_short(max(horizon, pattern.duration), self.tau_s, "respond")
        return self._respond(w, pattern, horizon, max_spikes, "respond")

    def _respond(
        self, w: Floats, pattern: Pattern, horizon: float, max_spikes: int | None, owner: str
    ) -> SpikeTrain:
        constants = (self._membrane, self._scaled_threshold)
        return find_response(*constants, w, pattern, horizon, max_spikes, owner)

    def respond_many(
        self,
        weights: Any,
        patterns: PatternSet,
        *,
        delays: Any = None,
        until: float | None = None,
        max_spikes: int | None = None,
        threads: int | None = None,
    ) -> Responses:
        """Return the exact spike times of many neurons for many patterns.

        Agrees with `respond` to the last bit, for any number of threads.

        Parameters
        ----------
        weights : array of float, (neurons, channels)
            One row per neuron.
        patterns : PatternSet
            The inputs.
        delays : array of float, (channels,) or (neurons, channels), optional
            Delays in milliseconds, shared by all neurons or a row per neuron.
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
        w = check_weights(weights, check_patterns(patterns, owner).n_channels, 2, owner)
        late = check_all_delays(delays, w.shape, owner)
        given = make_batch_input(patterns, late, until, max_spikes, self, owner)
        warn_units(patterns._ragged, given.horizons, self.tau_s, owner)
        responses = respond_all(given, w, late, thread_count(threads, owner))
        if responses.truncated.any():
            warn_runaway(int(responses.truncated.sum()), CAP, REMEDY, owner)
        return responses

    def potential(
        self,
        weights: Any,
        pattern: Pattern,
        at: Any,
        *,
        delays: Any = None,
        reset: bool = True,
        max_spikes: int | None = None,
    ) -> Floats:
        """Return the membrane potential V at given times, or without resets V0.

        At a spike time V is the threshold: a spike's own reset counts only after it.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        at : float or array of float
            Times, in any order and shape, also beyond the pattern's duration.
        delays : array of float, optional
            One delay per channel, as for `respond`.
        reset : bool
            Whether the neuron's own spikes reset it.
        max_spikes : int, optional
            Cap on the spikes that reset it, as for `respond`.
        """
        w = check_weights(weights, check_pattern(pattern, "potential").n_channels, 1, "potential")
        pattern = arrived_pattern(pattern, check_delays(delays, w.size, "potential"))
        times = check_times(at, "potential")
        flat, order = sort_times(times)
        value: Floats = self.v_norm * find_free_potential(self._membrane, w, pattern, flat)
        if reset and flat.size:
            horizon = max(float(flat[-1]), 0.0)
            spikes = self._respond(w, pattern, horizon, max_spikes, "potential")
            value -= self.threshold * sum_resets(self._membrane, spikes._times, flat)
        return restore_order(value, order, times.shape)

    def moving_threshold(self, resets: Any, at: Any) -> Floats:
        """Return the threshold that V0 must reach if the resets are moved to it.

        theta(t) = threshold (1 + sum of exp(-(t - t_r)/tau_m) over resets t_r < t).

        Parameters
        ----------
        resets : SpikeTrain or ascending times
            Times of the spikes.
        at : float or array of float
            Times, in any order and shape.
        """
        train = resets if isinstance(resets, SpikeTrain) else SpikeTrain(resets)
        times = check_times(at, "moving_threshold")
        flat, order = sort_times(times)
        value = self.threshold * (1.0 + sum_resets(self._membrane, train._times, flat))
        return restore_order(value, order, times.shape)

    def design(
        self, pattern: Pattern, at: Any, *, delays: Any = None, window: str = "psp"
    ) -> Floats:
        """Return the window sums of every channel at given times: the rows of a learning step.

        With the "psp" window, design(pattern, at) @ weights is the potential without resets.

        Parameters
        ----------
        pattern : Pattern
            The input.
        at : array of float
            Times in any order.
        delays : array of float, optional
            One delay per channel, as for `respond`.
        window : {"psp", "stdp", "filt", "filt-gardner"}
            The learning window; the last two also count inputs after a time.

        Returns
        -------
        array of float, (times, channels)
        """
        kappa = window_of(window, self.tau_m, self.tau_s, self.v_norm, "design")
        n_channels = check_pattern(pattern, "design").n_channels
        pattern = arrived_pattern(pattern, check_delays(delays, n_channels, "design"))
        return make_design(self._membrane, kappa, pattern, at, "design")

    def critical_threshold(
        self,
        weights: Any,
        pattern: Pattern,
        k: int = 1,
        *,
        delays: Any = None,
        until: float | None = None,
    ) -> CriticalThreshold:
        """Return the largest threshold, used for the reset too, with at least k spikes.

        It is well defined because raising the threshold never brings a spike forward. The
        neuron's own threshold does not matter.

        Parameters
        ----------
        weights : array of float
            One weight per channel.
        pattern : Pattern
            The input.
        k : int
            Number of spikes.
        delays : array of float, optional
            One delay per channel, as for `respond`.
        until : float, optional
            Horizon, as for `respond`.
        """
        owner = "critical_threshold"
        w = check_weights(weights, check_pattern(pattern, owner).n_channels, 1, owner)
        pattern = arrived_pattern(pattern, check_delays(delays, w.size, owner))
        if not math.isfinite(len(pattern) * float(np.abs(w).max())):
            domain = "small enough for the potential to stay finite"
            raise ParameterError.of("weights", owner, domain, float(np.abs(w).max()))
        count = check_integer(k, "k", owner, least=1, most=MOST_CRITICAL)
        horizon = check_horizon(until, pattern.duration, owner)
        return find_critical_threshold(self._membrane, self.v_norm, w, pattern, count, horizon)
