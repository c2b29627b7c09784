"""From patterns, targets and a rule to the arrays a chain works on."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike.errors import ParameterError, SpikeDataError
from linspike.kernels.rows.drive import fill_max_drives
from linspike.kernels.rows.windows import Window, fill_desired_rows
from linspike.kernels.solvers.newton import N_VECTORS
from linspike.kernels.training.chain import ChainData, Workspace
from linspike.kernels.training.protocol import NeuronConstants, StepWorkspace
from linspike.neuron.decay_tables import events_of, remember
from linspike.neuron.srm import SRM
from linspike.neuron.windows import window_of
from linspike.rules.base import Rule
from linspike.spikes.distances import VRD_PER_DURATION, VRD_PER_MS
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes

MOST_COUNT = 1000  # work arrays grow with its square
SPARE_SPIKES = 64  # beside four for every desired one: what an untrained neuron may fire

Targets = SpikeTimes | SpikeCounts


def check_targets(targets: Any, patterns: PatternSet, horizons: Floats, owner: str) -> Targets:
    """Targets that fit the patterns: as many, and with times inside the simulated stretch."""
    if not isinstance(targets, (SpikeTimes, SpikeCounts)):
        raise ParameterError.of("targets", owner, "SpikeTimes or SpikeCounts", targets)
    if len(targets) != len(patterns):
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must hold one target per pattern "
            f"({len(patterns)}). Got {len(targets)} instead."
        )
    if isinstance(targets, SpikeCounts) and targets.counts.max() > MOST_COUNT:
        p = int(targets.counts.argmax())
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must ask for at most {MOST_COUNT} spikes. "
            f"Got {targets.counts[p]} for pattern {p} instead."
        )
    if isinstance(targets, SpikeTimes):
        for p, (train, end) in enumerate(zip(targets, horizons, strict=True)):
            if len(train) and train.times[-1] > end:
                raise SpikeDataError(
                    f"The 'targets' parameter of {owner} must ask for times up to the horizon "
                    f"({end} ms). Got {train.times[-1]} for pattern {p} instead."
                )
    return targets


def check_scales(scales: Any, n_patterns: int, owner: str) -> Floats:
    """Factors of the steps, one a pattern; all 1 unless given."""
    if scales is None:
        return np.ones(n_patterns)
    array = np.array(scales, dtype=np.float64)
    if array.shape != (n_patterns,) or not (np.isfinite(array).all() and (array >= 0.0).all()):
        domain = f"finite, at least 0 and one per pattern ({n_patterns})"
        raise ParameterError.of("step_scale", owner, domain, scales)
    return array


def max_drives(patterns: PatternSet, neuron: SRM, horizons: Floats) -> tuple[Floats, Floats]:
    """Max |X(t)|^2 of each pattern and its time, kept with the set."""
    key = ("peak drive", neuron._membrane, horizons.tobytes())
    kept = patterns._ragged.tables.get(key)
    if kept is not None:
        return kept  # type: ignore[no-any-return]
    events = events_of(patterns._ragged, neuron._membrane)
    parts = np.empty((3, patterns.n_channels))
    values, times = np.empty(len(patterns)), np.empty(len(patterns))
    fill_max_drives(events, horizons, neuron._membrane, parts, values, times)
    values *= neuron.v_norm**2
    remember(patterns._ragged, key, (values, times))
    return values, times


def make_constants(
    patterns: PatternSet, neuron: SRM, rule: Rule, horizons: Floats
) -> NeuronConstants:
    """The neuron as the rule sees it."""
    values, _ = max_drives(patterns, neuron, horizons)
    constants = (neuron.tau_m, neuron.tau_s, neuron.v_norm)
    psp = window_of("psp", *constants, "Trainer")
    window = window_of(rule.window, *constants, "Trainer")
    mean = float(values.mean())
    return NeuronConstants(neuron._membrane, neuron.v_norm, neuron.threshold, window, psp, mean)


def make_chain_data(
    patterns: PatternSet,
    targets: Targets,
    neuron: SRM,
    constants: NeuronConstants,
    horizons: Floats,
    scales: Floats,
) -> ChainData:
    """Everything about patterns and targets that does not change while learning."""
    events = events_of(patterns._ragged, neuron._membrane)
    _, peak_drive_times = max_drives(patterns, neuron, horizons)
    bounds = VRD_PER_MS + VRD_PER_DURATION * np.array(patterns.durations)
    if isinstance(targets, SpikeCounts):
        nothing = np.empty((0, patterns.n_channels))
        offsets = np.zeros(len(patterns) + 1, np.int64)
        counts = np.array(targets.counts)
        rows = (nothing, nothing)
        return ChainData(
            events, horizons, np.empty(0), offsets, counts, bounds, *rows, peak_drive_times, scales
        )
    times = np.concatenate([train.times for train in targets])
    offsets = np.concatenate([[0], np.cumsum(targets.counts)])
    counts = np.full(len(patterns), -1, np.int64)
    k_desired = _desired_rows(events, times, offsets, constants.psp, constants, patterns.n_channels)
    z_desired = k_desired
    if constants.window != constants.psp:
        z_desired = _desired_rows(
            events, times, offsets, constants.window, constants, patterns.n_channels
        )
    rows = (k_desired, z_desired)
    return ChainData(
        events, horizons, times, offsets, counts, bounds, *rows, peak_drive_times, scales
    )


def _desired_rows(
    events: Any,
    times: Floats,
    offsets: Ints,
    window: Window,
    constants: NeuronConstants,
    n_channels: int,
) -> Floats:
    rows = np.empty((times.size, n_channels))
    fill_desired_rows(events, times, offsets, window, constants.m, rows)
    return rows


def make_workspace(data: ChainData, rule: Rule, n_channels: int) -> Workspace:
    """Work arrays of one chain, with room for four times the desired spikes and some more."""
    most = int(max(np.diff(data.offsets).max(), data.counts.max(), 1))
    n_actual = 4 * most + SPARE_SPIKES
    # Given times have rows of their own; times found for a count are one more than there were.
    n_found = n_actual + 2 if data.counts[0] >= 0 else 1
    n = max(most, n_found) + n_actual + rule.extra_rows
    work = StepWorkspace(
        np.empty((n, n_channels)),
        np.empty((n, n_channels)),
        np.empty((n, n)),
        np.empty((n, n)),
        np.empty((8 + N_VECTORS, n)),
        np.empty(n, np.int64),
    )
    return Workspace(
        np.empty(n_actual),
        np.empty(n_found),
        np.empty(n_channels),
        np.empty(n_channels),
        np.empty(data.counts.size, np.int64),
        np.empty((n_found, n_channels)),
        np.empty((n_found, n_channels)),
        work,
    )
