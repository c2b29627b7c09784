"""Figure 8: accuracy on Iris, epoch by epoch.

The trials of table 3's first rows, looked at after every epoch: the paper's protocol, one step
size for all.
"""

from __future__ import annotations

from collections.abc import Sequence

from linspike.paper.common import iris
from linspike.paper.common.iris import CONTENDERS, LP, OURS, RIVALS, SIZES
from linspike.study.experiment import (
    Cell,
    Experiment,
    Mark,
    Panel,
    Row,
    Summary,
    Trial,
    percent_interval,
)
from linspike.study.analysis.learning_curves import (
    Question,
    answered,
    curves_of,
    first_epoch,
    line_of,
)

GOOD = 94.0  # percent; what the paper compares with multi-layer networks


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """Every rule at the common setting."""
    epochs = SIZES[scale]["epochs"]
    return [iris.base(scale, who, who.common, who.name, epochs) for who in CONTENDERS]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """The same for all rules."""
    return range(SIZES[scale]["trials"])


def _questions(mine: str) -> dict[str, Question]:
    """Claims about one version of DTA, as functions of the mean curves."""
    return {
        "epochs of EMLC and MST to DTA's first": lambda m: max(
            first_epoch(m[rival], m[mine][0]) for rival in RIVALS
        ),
        "epochs of DTA to their last": lambda m: first_epoch(
            m[mine], max(m[rival][-1] for rival in RIVALS)
        ),
        f"epochs to {GOOD:g} %, DTA": lambda m: first_epoch(m[mine], GOOD),
    }


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Epochs of the paper's claims, and the curves; of trials that all rules have."""
    names = [who.name for who in CONTENDERS]
    tests, trains = (curves_of(trials, names, part) for part in ("test", "train"))
    if not len(tests[OURS]):
        return Summary(notes=("No trial is there for every rule yet.",))
    rows = []
    for mine, variant in ((LP, ""), (OURS, ", ours")):
        for name, question in _questions(mine).items():
            rows.append(answered(f"{name}{variant}", question, tests))
    for rival in RIVALS:
        question = _questions(rival)[f"epochs to {GOOD:g} %, DTA"]
        rows.append(answered(f"epochs to {GOOD:g} %, {rival}", question, tests))
    for who, curve in tests.items():
        about = percent_interval(curve[:, 0])
        rows.append(Row(f"first epoch, {who}", *about, n=len(curve), unit="%"))
    panels = tuple(
        Panel(
            title,
            "epoch",
            "accuracy (%)",
            tuple(line_of(who, curve) for who, curve in curves.items()),
            marks=(Mark("y", GOOD, f"{GOOD:g} %"),),
        )
        for curves, title in ((tests, "Test half"), (trains, "Training half"))
    )
    program, own, other, *_ = CONTENDERS
    notes = (
        "Bars are standard deviations over trials, as in the paper.",
        f"All rules at one step size (eta {other.common:g}; bound {program.common:g} for the "
        f"paper's program, {own.common:g} thresholds for ours); table 3 has each at its best.",
    )
    return Summary(tuple(rows), panels, notes)


EXPERIMENT = Experiment(
    id="fig8",
    title="Iris: accuracy epoch by epoch",
    place="Figure 8",
    cells=cells,
    seeds=seeds,
    trials=iris.trials,
    summarise=summarise,
    source="table3",
    batch=5,
    cost=lambda cell: 4.0 if cell["settings"].get("objective") == "feasible" else 0.5,
)
