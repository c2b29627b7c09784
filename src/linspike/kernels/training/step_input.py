"""What a rule takes for one pattern: desired times, given or found, and their rows."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, jitable, passed
from linspike.kernels.rows.windows import add_row, copy_row
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.state import ChainData, ChainTask, TimeFinder, Workspace


@passed
def find_no_times(search: CountSearch, weights: Floats, out: Floats) -> int:
    """Find nothing: the time finder where no desired times are to be found."""
    return 0


@jitable
def find_desired_times(
    find_times: TimeFinder,
    task: ChainTask,
    p: int,
    weights: Floats,
    n_actual: int,
    count: int,
    out: Floats,
) -> int:
    """Write desired times for a wrong count to out; return how many, 0 for a dead pattern.

    They are the spikes at another threshold, one that gives one spike more, or fewer: the spikes
    that the neuron is nearest to on the way to its count.
    """
    data, constants = task.data, task.constants
    more = n_actual < count
    target_count = n_actual + 1 if more else n_actual - 1
    if target_count == 0:
        return 0
    span = span_until(data.events, p, data.horizons[p], constants.m)
    scaled = constants.threshold / constants.v_norm
    search = CountSearch(data.events, span, scaled, constants.m, target_count, more)
    return find_times(search, weights, out)


@borrowing
def fill_found_rows(
    data: ChainData, p: int, constants: NeuronConstants, desired: Floats, workspace: Workspace
) -> None:
    """Fill the PSP rows X(t) and window rows of desired times that were found, not given."""
    first, stop = data.events.offsets[p], data.events.offsets[p + 1]
    for i in range(desired.size):
        row_k, row_z = workspace.rows_k[i], workspace.rows_z[i]
        row_k[:] = 0.0
        add_row(data.events, first, stop, desired[i], constants.psp, constants.m, row_k)
        if constants.window == constants.psp:
            copy_row(row_k, row_z)
        else:
            row_z[:] = 0.0
            add_row(data.events, first, stop, desired[i], constants.window, constants.m, row_z)


@jitable
def make_step_input(
    find_times: TimeFinder,
    task: ChainTask,
    g: int,
    p: int,
    weights: Floats,
    n_actual: int,
    workspace: Workspace,
) -> tuple[StepInput, bool]:
    """Return what the rule takes for pattern p of chain g, and whether the pattern is dead."""
    data, constants = task.data, task.constants
    count = data.counts[g, p]
    dead = False
    if count < 0:
        lo, hi = data.offsets[p], data.offsets[p + 1]
        desired = data.times[lo:hi]
        k_desired, z_desired = data.k_desired[lo:hi], data.z_desired[lo:hi]
    else:
        n = 0
        if task.options.counts_as_times:
            out = workspace.desired
            n = find_desired_times(find_times, task, p, weights, n_actual, count, out)
            # No threshold above 0 gives a spike: V is raised where the input drives it most.
            if n == 0 and n_actual < count:
                dead = True
                workspace.desired[0] = data.peak_drive_times[p]
                n = 1
        desired = workspace.desired[:n]
        fill_found_rows(data, p, constants, desired, workspace)
        k_desired, z_desired = workspace.rows_k[:n], workspace.rows_z[:n]
    step_input = StepInput(
        events=data.events,
        p=p,
        until=data.horizons[p],
        constants=constants,
        desired=desired,
        actual=workspace.actual[:n_actual],
        k_desired=k_desired,
        z_desired=z_desired,
        target_count=count,
        peak_drive_time=data.peak_drive_times[p],
    )
    return step_input, dead
