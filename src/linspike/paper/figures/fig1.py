"""Figure 1: the kernels of the neuron, and the windows that rules learn with.

No learning and no chance: the curves are what `SRM.design` sums over inputs, seen with one input,
so the figure shows the code that learns and not a second copy of its formulas.

Differs from the paper: its figure has the PSP and the reset alone; its windows stand in Figure 5A.
"filt-gardner", the window of Gardner and Gruening, is beside the paper's own coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.neuron.windows import WINDOWS
from linspike.spikes.pattern import Pattern
from linspike.study.cells import Cell, Record, Trial, one_seed
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey

REACH = 100.0  # milliseconds shown to either side, five membrane time constants
STEP = 0.5


@dataclass(frozen=True, kw_only=True)
class KernelCell(Cell):
    """Time constants of a neuron, in ms."""

    tau_m: float
    tau_s: float


def window_curve(neuron: SRM, window: str, ages: Floats) -> Floats:
    """Return the window at these ages: positive for inputs before the time, negative after it."""
    pattern = Pattern([REACH], [0], n_channels=1, duration=2.0 * REACH)
    return neuron.design(pattern, REACH + ages, window=window)[:, 0]


def cells(scale: str, done: Sequence[Trial]) -> list[KernelCell]:
    """Return one cell with the paper's time constants; the same at every scale."""
    return [KernelCell(scale=scale, tau_m=20.0, tau_s=5.0)]


def trials(cell: KernelCell, seeds: Sequence[int]) -> list[Record]:
    """Return all curves on one grid. Its points avoid 0, where a window may jump."""
    neuron = SRM(tau_m=cell.tau_m, tau_s=cell.tau_s)
    ages = np.arange(-REACH + 0.5 * STEP, REACH, STEP)
    record: Record = {"ages": ages.tolist(), "peak_time": neuron.peak_time}
    record["reset"] = neuron.reset(ages).tolist()
    for window in WINDOWS:
        record[window] = window_curve(neuron, window, ages).tolist()
    return [dict(record) for _ in seeds]


def acausal_share(ages: Floats, curve: Floats) -> float:
    """Return the share of a window's area that belongs to inputs after the time."""
    return float(curve[ages < 0.0].sum() / curve.sum())


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Return two panels of curves; rows say where the PSP peaks and how far windows look ahead."""
    record = done[0].record
    ages = np.array(record["ages"])
    peak = RowKey(method="psp", quantity="time of peak")
    rows = [Row(peak, record["peak_time"], n=1, unit="ms")]
    rows += [
        Row(
            RowKey(method=window, quantity="share of inputs after"),
            acausal_share(ages, np.array(record[window])),
            n=1,
            note="of the area under the window",
        )
        for window in WINDOWS
    ]
    late = ages > 0.0
    # The grid avoids 0, where both kernels begin: the PSP at 0, the reset at a threshold.
    kernels = tuple(
        Line(name, [0.0, *ages[late].tolist()], [start, *np.array(record[key])[late].tolist()])
        for name, key, start in (("PSP", "psp", 0.0), ("reset", "reset", 1.0))
    )
    windows = tuple(Line(window, record["ages"], record[window]) for window in WINDOWS)
    since = "time since the input (ms)"
    panels = (
        Panel("Kernels of the neuron", "time since input or spike (ms)", "kernel", kernels),
        Panel(
            "Learning windows",
            since,
            "window",
            windows,
            marks=(Mark("x", 0.0, "time of the spike"),),
        ),
    )
    note = "filt and filt-gardner also change weights of inputs that come after the time"
    return Summary(tuple(rows), panels, (note,))


EXPERIMENT = Experiment(
    Heading("fig1", "Figure 1", "Kernels of the neuron and learning windows"),
    Protocol(KernelCell, cells, one_seed, trials, summarise),
)
