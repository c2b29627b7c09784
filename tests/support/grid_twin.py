"""A NIR graph on a time grid, as frameworks run it: forward Euler in plain NumPy."""

from typing import NamedTuple

import nir
import numpy as np


class GridError(NamedTuple):
    """Share of trains with another count, and errors of the times of the others."""

    count_changed: float
    median: float
    largest: float


def bin_inputs(patterns, dt):
    """Inputs (steps, patterns, channels): how many spikes fall to each step, dt in ms."""
    n_steps = int(np.ceil(patterns.durations.max() / dt)) + 1
    inputs = np.zeros((n_steps, len(patterns), patterns.n_channels))
    samples = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
    steps = np.rint(patterns.times / dt).astype(int)
    np.add.at(inputs, (steps, samples, patterns.channels), 1.0)
    return inputs


def run_graph(path, inputs, dt):
    """Spikes (steps, patterns, neurons) of a graph Input, Linear, CubaLIF; dt in its unit.

    tau_syn I' = -I + w_in S and tau_mem v' = v_leak - v + r I, one Euler step each per dt. The
    spikes of a step are S for the whole of it.
    """
    graph = nir.read(path)
    linear, cells = graph.nodes["linear"], graph.nodes["cubalif"]
    current = np.zeros((inputs.shape[1], linear.weight.shape[0]))
    v = np.zeros_like(current)
    spikes = np.zeros((inputs.shape[0], *current.shape), bool)
    for step, row in enumerate(inputs):
        current = current + dt / cells.tau_syn * (-current + cells.w_in * (row @ linear.weight.T))
        v = v + dt / cells.tau_mem * (cells.v_leak - v + cells.r * current)
        spikes[step] = v > cells.v_threshold
        v = np.where(spikes[step], cells.v_reset, v)
    return spikes


def compare(spikes, responses, patterns, dt):
    """Errors against exact responses; step n is time n dt, in ms."""
    errors, changed, trains = [np.empty(0)], 0, 0
    for i in range(spikes.shape[2]):
        for p, end in enumerate(patterns.durations):
            times = np.flatnonzero(spikes[:, p, i]) * dt
            times, exact = times[times <= end], responses[i, p].times
            trains += 1
            if times.size != exact.size:
                changed += 1
            else:
                errors.append(np.abs(times - exact))
    flat = np.concatenate(errors)
    return GridError(changed / trains, float(np.median(flat)), float(flat.max()))
