"""Figure 8: accuracy on Iris, epoch by epoch.

Shows the trials of table 3's first rows after every epoch: the paper's protocol, one step size for
all methods. The paper's sentences on speed compare with EMLC and MST; they are put to the test at
smaller steps of these too.
"""

from __future__ import annotations

from collections.abc import Sequence

from linspike.paper.common import iris
from linspike.paper.common.iris import BASELINES, METHODS, SIZES, IrisCell
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.tables.table3 import SMALL_STEPS, small_step_cells
from linspike.study.analysis.learning_curves import (
    Statistic,
    bootstrap_row,
    first_epoch,
    first_epoch_rows,
    mean_line,
    paired_curves,
)
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Mark, Panel
from linspike.study.rows import Row, RowKey

GOOD = 94.0  # percent; what the paper compares with multi-layer networks
TO_GOOD = f"epochs to {GOOD:g} %"
ROWS = [method.key() for method in METHODS]


def cells(scale: str, trials: Sequence[Trial]) -> list[IrisCell]:
    """Return every method at the common setting, and the baselines with smaller steps."""
    epochs = SIZES[scale].epochs
    common = [iris.make_cell(scale, method, epochs) for method in METHODS]
    return common if scale == "smoke" else [*common, *small_step_cells(scale)]


def seeds(scale: str, cell: IrisCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    return range(SIZES[scale].trials)


def epochs_to_good(name: str) -> Statistic:
    """Return the statistic that counts the epochs of a method to good accuracy."""
    return lambda means: first_epoch(means[name], GOOD)


def statistics(name: str) -> dict[str, Statistic]:
    """Return the paper's claims about DTA, by quantity, for one version of DTA."""
    return {
        "epochs of EMLC and MST to its first accuracy": lambda means: max(
            first_epoch(means[baseline], means[name][0]) for baseline in BASELINES
        ),
        "epochs to the last accuracy of EMLC and MST": lambda means: first_epoch(
            means[name], max(means[baseline][-1] for baseline in BASELINES)
        ),
        TO_GOOD: epochs_to_good(name),
    }


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return epochs of the paper's claims, and the curves, of trials that all methods have."""
    tests, trains = (paired_curves(trials, ROWS, part) for part in ("test", "train"))
    if not len(tests[LINEAR_PROGRAM]):
        raise NotEnoughTrials("There is no trial of figure 8 that every method has.")
    rows: list[Row] = []
    for name in (LINEAR_PROGRAM, PROJECTION):
        for quantity, statistic in statistics(name).items():
            rows.append(bootstrap_row(RowKey(method=name, quantity=quantity), statistic, tests))
    rows += _small_step_rows(trials)
    for name in BASELINES:
        key = RowKey(method=name, quantity=TO_GOOD)
        rows.append(bootstrap_row(key, epochs_to_good(name), tests))
    rows += first_epoch_rows(tests, ROWS)
    tested, trained = (
        Panel(
            title,
            "epoch",
            "accuracy (%)",
            tuple(mean_line(name, curve) for name, curve in curves.items()),
            marks=(Mark("y", GOOD, f"{GOOD:g} %"),),
        )
        for curves, title in ((tests, "Test half"), (trains, "Training half"))
    )
    program, projection, baseline, *_ = METHODS
    notes = (
        "Bars are standard deviations over trials, as in the paper.",
        f"All methods at one step size (eta {baseline.common:g}; bound {program.common:g} for the "
        f"linear program, {projection.common:g} thresholds for the projection); table 3 has each "
        "tuned.",
    )
    return Summary(tuple(rows), (tested,), notes, (trained,))


def _small_step_rows(trials: Sequence[Trial]) -> list[Row]:
    """Return the epochs of the claims that name the baselines, at smaller steps of these."""
    rows = []
    for variant in SMALL_STEPS:
        keys = [row.but(variant=variant if row.method in BASELINES else "") for row in ROWS]
        curves = paired_curves(trials, keys, "test")
        if not len(curves[LINEAR_PROGRAM]):
            continue
        for name in (LINEAR_PROGRAM, PROJECTION):
            claims = statistics(name)
            del claims[TO_GOOD]
            key = RowKey(method=name, variant=f"EMLC and MST at {variant}")
            rows += [
                bootstrap_row(key.but(quantity=quantity), statistic, curves)
                for quantity, statistic in claims.items()
            ]
    return rows


EXPERIMENT = Experiment(
    Heading("fig8", "Figure 8", "Iris: accuracy epoch by epoch"),
    Protocol(IrisCell, cells, seeds, iris.trials, summarise),
    source="table3",
    batch=5,
    cost=iris.cost,
)
