"""Figure 7: how many classes one neuron can tell apart by its count, one pattern each.

Class c has c desired spikes. The capacity is drawn against nu tau, the input rate times the
correlation time sqrt(tau_m tau_s) of the PSP, for three time constants (panel A), and the nu tau at
which it peaks against the mean number of input spikes (panel B). tau_s is tau_m/4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linspike.neuron.srm import SRM
from linspike.paper.common.capacity_cells import CapacityCell, train_chains
from linspike.paper.common.capacity_rows import capacity_row, group_trials, search_cells
from linspike.paper.common.methods import ANNEALED, projection
from linspike.study.analysis.capacity import Search
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import Task, decoding

DURATION = 50.0
# With desired times, dozens of spikes at once run away: see docs/adr/0020.
METHOD = projection(count_target="gradient", schedule=ANNEALED)
TAUS = (10.0, 20.0, 40.0)


@dataclass(frozen=True, kw_only=True)
class ClassesCell(CapacityCell):
    """Cell with as many classes as the load, one pattern each.

    Parameters
    ----------
    tau_m, tau_s : float
        Time constants of the neuron (ms).
    rate : float
        Rate of the inputs (1/ms).
    """

    tau_m: float
    tau_s: float
    rate: float

    def make_neuron(self) -> SRM:
        """Return the neuron to be trained."""
        return SRM(tau_m=self.tau_m, tau_s=self.tau_s)

    def make_task(self, seed: int) -> Task:
        """Return one pattern for each class."""
        return decoding(
            seed,
            self.load,
            duration=DURATION,
            n_classes=self.load,
            n_channels=self.n_channels,
            rate=self.rate,
        )


class Size(NamedTuple):
    """Trials a load, numbers of inputs, values of nu tau and tau_m, and epochs."""

    trials: int
    n_channels: tuple[int, ...]
    nu_taus: tuple[float, ...]
    taus: tuple[float, ...]
    max_epochs: int


SIZES = {
    "smoke": Size(2, (60,), (0.05, 0.2), (20.0,), 30),
    "laptop": Size(3, (500,), (0.01, 0.05, 0.2, 0.4), TAUS, 100),
    "paper": Size(50, (500, 2000, 10000), (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4), TAUS, 100),
}


def _key(n_channels: int, tau_m: float, nu_tau: float) -> RowKey:
    return RowKey(f"N {n_channels}, tau_m {tau_m:g}, nu tau {nu_tau:g}")


def cells(scale: str, trials: Sequence[Trial]) -> list[ClassesCell]:
    """Return every load that the searches ask for."""
    size = SIZES[scale]
    given = group_trials(trials)
    found: list[ClassesCell] = []
    for n_channels in size.n_channels:
        search = Search(max(4, n_channels // 40), 1, 2, 4 * n_channels)
        for tau_m in size.taus:
            tau_s = tau_m / 4.0
            for nu_tau in size.nu_taus:
                base = ClassesCell(
                    scale=scale,
                    row=_key(n_channels, tau_m, nu_tau),
                    rule=METHOD.rule,
                    settings=METHOD.settings_at(),
                    n_channels=n_channels,
                    max_epochs=size.max_epochs,
                    tau_m=tau_m,
                    tau_s=tau_s,
                    rate=nu_tau / math.sqrt(tau_m * tau_s),
                )
                found += search_cells(base, search, given[base.row], size.trials)
    return found


def seeds(scale: str, cell: ClassesCell) -> Sequence[int]:
    """Return the seeds of a cell."""
    return range(SIZES[scale].trials)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return capacities in classes, and where they peak."""
    size = SIZES[scale]
    given = group_trials(trials)
    rows: list[Row] = []
    panels, lower = [], []
    for n_channels in size.n_channels:
        peaks, upper = [], []
        for tau_m in size.taus:
            keys = {nu_tau: _key(n_channels, tau_m, nu_tau) for nu_tau in size.nu_taus}
            own = {x: capacity_row(key, given[key], "classes") for x, key in keys.items()}
            rows += own.values()
            line = _capacity_line(f"tau_m {tau_m:g} ms", own)
            if line.x:
                upper.append(line)
                best = line.x[line.y.index(max(line.y))]
                spikes = n_channels * DURATION * best / math.sqrt(tau_m * tau_m / 4.0)
                peaks.append((spikes, best))
        if upper:
            title = f"A: classes, N = {n_channels}"
            panels.append(Panel(title, "nu tau", "classes", tuple(upper), log_x=True))
        if peaks:
            x, y = zip(*sorted(peaks), strict=True)
            lower.append(Line(f"N {n_channels}", x, y, style="points"))
    labels = ("input spikes a pattern", "nu tau of the peak")
    peak = Panel("B: where classes peak", *labels, tuple(lower), log_x=True, log_y=True)
    note = f"T = 50, {size.trials} trials a load, {size.max_epochs} epochs, DTA along the gradient."
    if len(lower) < 2:  # a few dots do not show how the peak moves
        return Summary(tuple(rows), tuple(panels), (note,), (peak,))
    return Summary(tuple(rows), (*panels, peak), (note,))


def _capacity_line(name: str, rows: dict[float, Row]) -> Line:
    """Return the capacities there are, with their intervals, against nu tau."""
    known = [(x, row) for x, row in rows.items() if row.value is not None]
    return Line(
        name,
        [x for x, _ in known],
        [row.value or 0.0 for _, row in known],
        [row.lo or 0.0 for _, row in known],
        [row.hi or 0.0 for _, row in known],
    )


EXPERIMENT = Experiment(
    Heading("fig7", "Figure 7", "Number of classes one neuron can tell apart by its count"),
    Protocol(ClassesCell, cells, seeds, train_chains, summarise),
    batch=5,
    cost=lambda cell: 2e-6 * cell.n_channels * cell.max_epochs * cell.load / 40.0,
)
