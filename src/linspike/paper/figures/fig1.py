"""Figure 1: the kernels of the neuron, and the windows that rules learn with.

No learning and no chance: the curves are what `SRM.design` sums over inputs, seen with one input,
so the picture shows the code that learns and not a second copy of its formulas.

Differs from the paper: its figure has the PSP and the reset alone; its windows stand in Figure 5A.
"filt-gardner", the window of Gardner and Gruening, is beside the paper's own coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.neuron.windows import WINDOWS
from linspike.spikes.pattern import Pattern
from linspike.study.experiment import (
    Cell,
    Experiment,
    Line,
    Mark,
    Panel,
    Record,
    Row,
    Summary,
    Trial,
    one_seed,
)

REACH = 100.0  # milliseconds shown to either side, five membrane time constants
STEP = 0.5


def window_curve(neuron: SRM, window: str, ages: Floats) -> Floats:
    """The window at these ages: positive for an input before the time, negative for one after."""
    pattern = Pattern([REACH], [0], n_channels=1, duration=2.0 * REACH)
    return neuron.design(pattern, REACH + ages, window=window)[:, 0]


def cells(scale: str, done: Sequence[Trial]) -> list[Cell]:
    """The paper's time constants; the same at every scale."""
    return [{"scale": scale, "tau_m": 20.0, "tau_s": 5.0}]


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """All curves on one grid. Its points avoid 0, where a window may jump."""
    neuron = SRM(tau_m=cell["tau_m"], tau_s=cell["tau_s"])
    ages = np.arange(-REACH + 0.5 * STEP, REACH, STEP)
    record: Record = {"ages": ages.tolist(), "peak_time": neuron.peak_time}
    record["reset"] = neuron.reset(ages).tolist()
    for window in WINDOWS:
        record[window] = window_curve(neuron, window, ages).tolist()
    return [dict(record) for _ in seeds]


def acausal_share(ages: Floats, curve: Floats) -> float:
    """Share of a window's area that belongs to inputs after the time."""
    return float(curve[ages < 0.0].sum() / curve.sum())


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Two panels of curves; rows say where the PSP peaks and how far windows look ahead."""
    record = done[0].record
    ages = np.array(record["ages"])
    rows = [Row("psp, time of peak", record["peak_time"], n=1, unit="ms")]
    rows += [
        Row(
            f"{window}, share of inputs after",
            acausal_share(ages, np.array(record[window])),
            n=1,
            note="of the area under the window",
        )
        for window in WINDOWS
    ]
    late = ages > 0.0
    kernels = tuple(
        Line(name, ages[late].tolist(), np.array(record[key])[late].tolist())
        for name, key in (("PSP", "psp"), ("reset", "reset"))
    )
    windows = tuple(Line(window, record["ages"], record[window]) for window in WINDOWS)
    since = "time since the input (ms)"
    panels = (
        Panel("Kernels of the neuron", "time since input or spike (ms)", "kernel", kernels),
        Panel("Learning windows", since, "window", windows, marks=(Mark("x", 0.0, "the time"),)),
    )
    note = "filt and filt-gardner also change weights of inputs that come after the time"
    return Summary(tuple(rows), panels, (note,))


EXPERIMENT = Experiment(
    id="fig1",
    title="Kernels of the neuron and learning windows",
    place="Figure 1",
    cells=cells,
    seeds=one_seed,
    trials=trials,
    summarise=summarise,
)
