"""Figure 8: accuracy on Iris, epoch by epoch.

The trials of table 3's first rows, looked at after every epoch: the paper's protocol, one step
size for all. An epoch of a claim is the first at which the mean over trials has come so far; its
interval is found by drawing trials anew, the same for all rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linspike.experiments import iris
from linspike.experiments.base import (
    Cell,
    Experiment,
    Line,
    Mark,
    Panel,
    Row,
    Summary,
    Trial,
    paired,
    percent_interval,
)
from linspike.experiments.iris import CONTENDERS, EPOCHS, LP, OURS, RIVALS
from linspike.spikes.ragged import Floats

SIZES = {
    "smoke": {"trials": 2, "epochs": 3},
    "laptop": {"trials": 50, "epochs": EPOCHS},
    "paper": {"trials": 50, "epochs": EPOCHS},
}
GOOD = 94.0  # percent; what the paper compares with multi-layer networks
DRAWS = 500
Curves = dict[str, Floats]  # (trials, epochs) of each rule


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """Every rule at the common setting."""
    epochs = SIZES[scale]["epochs"]
    return [iris.base(scale, who, who.common, who.name, epochs) for who in CONTENDERS]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """The same for all rules."""
    return range(SIZES[scale]["trials"])


def _first(means: Floats, goal: float) -> float:
    """First epoch, from 1, at which the mean reaches the goal; infinite if none does."""
    there = np.flatnonzero(means >= goal - 1e-9)
    return float(there[0] + 1) if there.size else np.inf


def _questions(mine: str) -> dict[str, Callable[[dict[str, Floats]], float]]:
    """Claims about one version of DTA, as functions of the mean curves."""
    return {
        "epochs of EMLC and MST to DTA's first": lambda m: max(
            _first(m[rival], m[mine][0]) for rival in RIVALS
        ),
        "epochs of DTA to their last": lambda m: _first(
            m[mine], max(m[rival][-1] for rival in RIVALS)
        ),
        f"epochs to {GOOD:g} %, DTA": lambda m: _first(m[mine], GOOD),
    }


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Epochs of the paper's claims, and the curves; of trials that all rules have."""
    tests, trains = (_curves(trials, part) for part in ("test", "train"))
    if not len(tests[OURS]):
        return Summary(notes=("No trial is there for every rule yet.",))
    rows = []
    for mine, variant in ((LP, ""), (OURS, ", ours")):
        for name, question in _questions(mine).items():
            rows.append(_row(f"{name}{variant}", question, tests))
    for rival in RIVALS:
        question = _questions(rival)[f"epochs to {GOOD:g} %, DTA"]
        rows.append(_row(f"epochs to {GOOD:g} %, {rival}", question, tests))
    for who, curve in tests.items():
        about = percent_interval(curve[:, 0])
        rows.append(Row(f"first epoch, {who}", *about, n=len(curve), unit="%"))
    panels = tuple(
        Panel(
            title,
            "epoch",
            "accuracy (%)",
            tuple(_line(who, curve) for who, curve in curves.items()),
            marks=(Mark("y", GOOD, f"{GOOD:g} %"),),
        )
        for curves, title in ((tests, "Test half"), (trains, "Training half"))
    )
    notes = (
        "Bars are standard deviations over trials, as in the paper.",
        "All rules at one step size (eta 0.01; bound 0.02 for the paper's programme, 0.3 "
        "thresholds for ours); table 3 has each at its best.",
    )
    return Summary(tuple(rows), panels, notes)


def _curves(trials: Sequence[Trial], part: str) -> Curves:
    """Accuracy over epochs of each rule, (trials, epochs), for the same trials in each."""
    names = [who.name for who in CONTENDERS]
    of = [{t.seed: t.record[part] for t in trials if t.cell["row"] == name} for name in names]
    found = paired(of)
    return {name: found[:, number] for number, name in enumerate(names)}


def _row(name: str, question: Callable[[dict[str, Floats]], float], curves: Curves) -> Row:
    """The answer for all trials, and its interval over trials drawn anew."""
    n, epochs = next(iter(curves.values())).shape
    value = question({who: curve.mean(axis=0) for who, curve in curves.items()})
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        chosen = rng.integers(n, size=n)
        draws.append(question({who: curve[chosen].mean(axis=0) for who, curve in curves.items()}))
    lo, hi = np.quantile(draws, [0.025, 0.975], method="inverted_cdf")
    never = f"not within {epochs} epochs"
    return Row(
        name,
        value if np.isfinite(value) else None,
        lo=float(lo) if np.isfinite(lo) else float(epochs),
        hi=float(hi) if np.isfinite(hi) else None,
        n=n,
        unit="epochs",
        note="" if np.isfinite(value) else never,
    )


def _line(name: str, curve: Floats) -> Line:
    mean = curve.mean(axis=0)
    spread = curve.std(axis=0, ddof=1) if len(curve) > 1 else np.zeros_like(mean)
    epochs = np.arange(1, mean.size + 1).tolist()
    lo, hi = (mean - spread).tolist(), np.minimum(mean + spread, 100.0).tolist()
    return Line(name, epochs, mean.tolist(), lo, hi)


EXPERIMENT = Experiment(
    id="fig8",
    title="Iris: accuracy epoch by epoch",
    place="Figure 8",
    cells=cells,
    seeds=seeds,
    trials=iris.trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 4.0 if cell["settings"].get("objective") == "feasible" else 0.5,
)
