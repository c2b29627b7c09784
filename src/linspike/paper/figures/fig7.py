"""Figure 7: how many classes one neuron can tell apart by its count, one pattern each.

Class c is to be answered with c spikes. The capacity is drawn against nu tau, the input rate times
the correlation time sqrt(tau_m tau_s) of the PSP, for three time constants (panel A), and the nu
tau at which it peaks against the mean number of input spikes (panel B). tau_s is tau_m/4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from linspike.paper.common.capacity_rows import at_common, learn, ours, row_of, search_cells
from linspike.rules.dta import ANNEALED
from linspike.study.capacity import Search
from linspike.study.experiment import Cell, Experiment, Line, Panel, Record, Summary, Trial
from linspike.study.tasks import decoding

DURATION = 50.0
# With desired times, dozens of spikes at once run away: see docs/adr/0020.
OURS = ours("", count_target="gradient", schedule=ANNEALED)
TAUS = (10.0, 20.0, 40.0)
SIZES: dict[str, dict[str, Any]] = {
    "smoke": {"trials": 2, "n": (60,), "nu_tau": (0.05, 0.2), "taus": (20.0,), "epochs": 30},
    "laptop": {
        "trials": 3,
        "n": (500,),
        "nu_tau": (0.01, 0.05, 0.2, 0.4),
        "taus": TAUS,
        "epochs": 100,
    },
    "paper": {
        "trials": 50,
        "n": (500, 2000, 10000),
        "nu_tau": (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4),
        "taus": TAUS,
        "epochs": 100,
    },
}


def _name(n: int, tau_m: float, nu_tau: float) -> str:
    return f"N {n}, tau_m {tau_m:g}, nu tau {nu_tau:g}"


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """Every load that the searches ask for."""
    size = SIZES[scale]
    found: list[Cell] = []
    for n in size["n"]:
        search = Search(max(4, n // 40), 1, 2, 4 * n)
        for tau_m in size["taus"]:
            for nu_tau in size["nu_tau"]:
                tau_s = tau_m / 4.0
                base: Cell = {
                    "scale": scale,
                    "row": _name(n, tau_m, nu_tau),
                    "tuning": False,
                    "rule": "dta",
                    "settings": at_common(OURS),
                    "n": n,
                    "tau_m": tau_m,
                    "tau_s": tau_s,
                    "rate": nu_tau / math.sqrt(tau_m * tau_s),
                    "epochs": size["epochs"],
                }
                found += search_cells(base, search, trials, size["trials"])
    return found


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """Trials of a cell."""
    return range(SIZES[scale]["trials"])


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Chains of one number of classes."""
    shape = {"duration": DURATION, "n_channels": cell["n"], "rate": cell["rate"]}
    tasks = [decoding(seed, cell["load"], n_classes=cell["load"], **shape) for seed in seeds]
    return learn(cell, tasks, seeds)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Capacities in classes, and where they peak."""
    size = SIZES[scale]
    rows, upper, lower = [], [], []
    for n in size["n"]:
        peaks: list[tuple[float, float]] = []
        for tau_m in size["taus"]:
            mine = [
                (nu_tau, row_of(_name(n, tau_m, nu_tau), trials, "classes"))
                for nu_tau in size["nu_tau"]
            ]
            rows += [row for _, row in mine]
            known = [(x, row) for x, row in mine if row.value is not None]
            if not known:
                continue
            x = [nu_tau for nu_tau, _ in known]
            y = [float(row.value or 0.0) for _, row in known]
            lo, hi = (
                [float(row.lo or 0.0) for _, row in known],
                [float(row.hi or 0.0) for _, row in known],
            )
            upper.append(Line(f"N {n}, tau_m {tau_m:g}", x, y, lo, hi))
            best = x[y.index(max(y))]
            spikes = n * DURATION * best / math.sqrt(tau_m * tau_m / 4.0)
            peaks.append((spikes, best))
        if peaks:
            peaks.sort()
            lower.append(
                Line(f"N {n}", [a for a, _ in peaks], [b for _, b in peaks], style="points")
            )
    panels = (
        Panel("A", "nu tau", "classes", tuple(upper), log_x=True),
        Panel(
            "B",
            "input spikes a pattern",
            "nu tau of the peak",
            tuple(lower),
            log_x=True,
            log_y=True,
        ),
    )
    note = (
        f"T = 50, {size['trials']} trials a load, {size['epochs']} epochs, DTA along the gradient."
    )
    return Summary(tuple(rows), panels, (note,))


EXPERIMENT = Experiment(
    id="fig7",
    title="Number of classes one neuron can tell apart by its count",
    place="Figure 7",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 2e-6 * cell["n"] * cell["epochs"] * cell["load"] / 40.0,
)
