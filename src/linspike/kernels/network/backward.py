"""How the potential of an output neuron depends on the weights of the hidden layer.

With fixed resets V0(t) = sum_j U_j lam(t - t_j) over hidden spikes t_j. These move with the weights
of the hidden layer by the implicit function theorem: V(t_j) = th stays true, and a spike that moves
takes its reset along. So dV0/dW of hidden neuron h is sum_j b_j X(t_j) over its spikes (79); the
coefficients b_j come from the last spike to the first. No row is formed: inner products of rows are
B Q B' with Q_jk = X(t_j) . X(t_k) for spikes of the same neuron (81).
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.network.forward import number_of
from linspike.kernels.network.protocol import HiddenConstants, HiddenSpikes
from linspike.kernels.rows.windows import NEGLIGIBLE, Window
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.training.step_problem import inner


@borrowing
def fill_row(
    events: Events,
    number: int,
    at: float,
    weights: Floats,
    hidden: HiddenConstants,
    row: Floats,
) -> float:
    """Fill row with X(at) and return the slow-to-come part of V0 there, B = Vn sum w exp(-s/tau_s).

    Cost: two exponentials and the events that still matter.
    """
    for c in range(row.size):
        row[c] = 0.0
    first, low = events.offsets[number], events.offsets[number]
    high = events.offsets[number + 1]
    while low < high:  # bisection for the first event after `at`
        middle = (low + high) // 2
        if events.times[middle] <= at:
            low = middle + 1
        else:
            high = middle
    part = 0.0
    if low == first:
        return part
    e = low - 1
    age = at - events.times[e]
    decay_m = math.exp(-age * hidden.m.rate_m)
    decay_s = math.exp(-age * hidden.m.rate_s)
    while decay_m >= NEGLIGIBLE:
        c = events.channels[e]
        row[c] += hidden.v_norm * (decay_m - decay_s)
        part += hidden.v_norm * decay_s * weights[c]
        e -= 1
        if e < first:
            break
        decay_m *= events.decay_m[e]
        decay_s *= events.decay_s[e]
    return part


@borrowing
def linearise(
    events: Events,
    p: int,
    is_delayed: bool,
    weights: Floats,
    hidden: HiddenConstants,
    spikes: HiddenSpikes,
) -> None:
    """Fill rows, slopes, decays and products of the hidden spikes of pattern p.

    At a spike a = b + th before the reset, so V' of (6) needs b alone. Cost: a walk over the input
    for each spike, and N operations for each pair of spikes of a neuron.
    """
    n_hidden = weights.shape[0]
    rate = hidden.m.rate_s - hidden.m.rate_m
    place = 0
    for h in range(n_hidden):
        first, stop = spikes.offsets[h], spikes.offsets[h + 1]
        number = number_of(p, h, n_hidden, is_delayed)
        spikes.blocks[h] = place
        for j in range(first, stop):
            row = spikes.rows[j]
            part = fill_row(events, number, spikes.times[j], weights[h], hidden, row)
            spikes.slopes[j] = part * rate - hidden.threshold * hidden.m.rate_m
            gap = spikes.times[j + 1] - spikes.times[j] if j + 1 < stop else 0.0
            spikes.decays[j] = math.exp(-gap * hidden.m.rate_m)
            for k in range(first, j + 1):
                product = inner(row, spikes.rows[k])
                spikes.products[place + (j - first) * (stop - first) + k - first] = product
                spikes.products[place + (k - first) * (stop - first) + j - first] = product
        place += (stop - first) * (stop - first)
    spikes.blocks[n_hidden] = place


@borrowing
def fill_arriving(
    spikes: HiddenSpikes, at: float, out: Floats, psp: Window, m: Membrane, arriving: Floats
) -> None:
    """Fill arriving with dV0(at)/dt_j = -U_j lam'(at - t_j) for all hidden spikes, (77).

    out are the weights of the output neuron; its arrivals are the events of `spikes`.
    """
    events = spikes.events
    e = events.offsets[1] - 1
    for j in range(events.offsets[1]):
        arriving[j] = 0.0
    while e >= 0 and events.times[e] > at:
        e -= 1
    if e < 0:
        return
    age = at - events.times[e]
    decay_m = math.exp(-age * m.rate_m)
    decay_s = math.exp(-age * m.rate_s)
    while decay_m >= NEGLIGIBLE:
        slope = -psp.m * m.rate_m * decay_m - psp.s * m.rate_s * decay_s
        arriving[spikes.spike_of[e]] = -out[events.channels[e]] * slope
        e -= 1
        if e < 0:
            break
        decay_m *= events.decay_m[e]
        decay_s *= events.decay_s[e]


@borrowing
def fill_shares(
    spikes: HiddenSpikes, arriving: Floats, hidden: HiddenConstants, least: float, shares: Floats
) -> None:
    """Fill shares with b_j of (79) from dV0/dt_j; slopes below `least` are taken for `least`.

    Backwards: a_j = g_j - (th/tau_m) sum_{i > j} b_i exp(-(t_i - t_j)/tau_m), b_j = -a_j/V'(t_j).
    """
    factor = hidden.threshold * hidden.m.rate_m
    for h in range(spikes.offsets.size - 1):
        later = 0.0
        for j in range(spikes.offsets[h + 1] - 1, spikes.offsets[h] - 1, -1):
            later *= spikes.decays[j]
            share = -(arriving[j] - factor * later) / max(spikes.slopes[j], least)
            shares[j] = share
            later += share


@borrowing
def mix(spikes: HiddenSpikes, shares: Floats, mixed: Floats) -> None:
    """Fill mixed with Q b: X(t_j) times the row of these shares, for every hidden spike."""
    for h in range(spikes.offsets.size - 1):
        first, count = spikes.offsets[h], spikes.offsets[h + 1] - spikes.offsets[h]
        for j in range(count):
            total = 0.0
            start = spikes.blocks[h] + j * count
            for k in range(count):
                total += spikes.products[start + k] * shares[first + k]
            mixed[first + j] = total


@borrowing
def fill_hidden_gram(spikes: HiddenSpikes, shares: Floats, mixed: Floats, gram: Floats) -> None:
    """Fill gram with B Q B' (81) for the rows whose shares are given."""
    n, count = shares.shape[0], spikes.offsets[spikes.offsets.size - 1]
    for i in range(n):
        mix(spikes, shares[i], mixed[i])
        for k in range(i + 1):
            total = inner(shares[k, :count], mixed[i, :count])
            gram[i, k] = total
            gram[k, i] = total


@borrowing
def fill_shifts(
    spikes: HiddenSpikes, moved: Floats, hidden: HiddenConstants, least: float, shifts: Floats
) -> None:
    """Fill shifts with dt_j of a change of weights for which moved[j] is X(t_j) . dW, (78)."""
    factor = hidden.threshold * hidden.m.rate_m
    for h in range(spikes.offsets.size - 1):
        earlier = 0.0
        for j in range(spikes.offsets[h], spikes.offsets[h + 1]):
            shifts[j] = (factor * earlier - moved[j]) / max(spikes.slopes[j], least)
            earlier = (earlier + shifts[j]) * spikes.decays[j]


@borrowing
def fill_hidden_change(spikes: HiddenSpikes, total: Floats, factor: float, change: Floats) -> None:
    """Fill change (hidden neurons, channels) with factor times sum_j total_j X(t_j)."""
    for h in range(change.shape[0]):
        for c in range(change.shape[1]):
            change[h, c] = 0.0
        for j in range(spikes.offsets[h], spikes.offsets[h + 1]):
            scaled = factor * total[j]
            if scaled != 0.0:
                row = spikes.rows[j]
                for c in range(row.size):
                    change[h, c] += scaled * row[c]
