"""Implied step sizes: the step size at which a rule has the number that the paper prints for it.

The paper compares DTA with rules at one common step size, and most of their numbers do not come
out at it. Here the printed number is fixed and the step size is searched: at the printed load, the
one at which half of the trials learn; on Iris and MNIST, the one at which the mean accuracy is the
printed one. A rule learns too slowly with small steps and interferes with itself with large ones,
so there are up to two. If one step size explained a table, those of all its rules would agree.

A window that is defined up to a factor is the same as another step size. Other open questions are
variants: desired trains without gaps, the other filt window, a step also for patterns that are
learned, the other reading of EMLC, halves without regard to species.

Seeds are those of tuning; MNIST is tested on the last 10000 training images.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.datasets.mnist import mnist_missing
from linspike.paper.common import iris, mnist, mnist_trials
from linspike.paper.common.capacity_cells import DecodingCell, EncodingCell, train_chains
from linspike.paper.common.methods import tuning_seeds
from linspike.study.analysis.crossings import implied_steps
from linspike.study.analysis.intervals import paired
from linspike.study.cells import Record, RuleCell, Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey, Status

SHORT, LONG, COUNTS, IRIS, MNIST = "short", "long", "counts", "iris", "mnist"
# Tasks of each table, and the step size that the paper states for each; none is stated for Iris,
# where that of the tables before is taken.
TABLES = {
    "table 1": (SHORT, LONG),
    "table 2": (COUNTS,),
    "table 3": (IRIS,),
    "table 4": (MNIST,),
}
STATED = {SHORT: 0.01, LONG: 0.01, COUNTS: 0.01, IRIS: 0.01, MNIST: 0.001}
GRID = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
MNIST_GRID = (0.000003, 0.00001, 0.0001, 0.001)
FINE, MNIST_FINE = 1.5, 2.0  # neighbours of a crossing differ by no more than this factor
STEP, OTHER_STEP = "implied step size", "the other implied step size"


Changes = dict[str, tuple[dict[str, Any], dict[str, Any]]]  # of the rule, of the cell


class Case(NamedTuple):
    """One printed number: the task, the rule, and what is varied."""

    row: RowKey
    rule: str
    printed: float
    settings: dict[str, Any]
    changes: dict[str, Any]

    @property
    def level(self) -> float:
        """What a trial must have in the mean: half learned, or the printed accuracy."""
        return self.printed if self.row.scenario in (IRIS, MNIST) else 0.5


def _cases(task: str, name: str, printed: float, variants: Changes) -> list[Case]:
    """Return the plain case and its variants: (settings of the rule, fields of the cell)."""
    rule = name.lower()
    return [
        Case(RowKey(task, name, variant=variant), rule, printed, *changed)
        for variant, changed in {"": ({}, {}), **variants}.items()
    ]


NO_GAP: Changes = {"no gap": ({}, {"min_gap": 0.0, "min_onset": 0.0})}
ALWAYS: Changes = {"always a step": ({"skip_below": 0.0}, {})}
GARDNER: Changes = {
    "window of Gardner": ({"window": "filt-gardner"}, {}),
    "window of Gardner, no gap": ({"window": "filt-gardner"}, NO_GAP["no gap"][1]),
}
TIMES: Changes = {**NO_GAP, **ALWAYS}
CASES = (
    *_cases(SHORT, "FILT", 13000.0, {**TIMES, **GARDNER}),
    *_cases(SHORT, "ReSuMe", 7500.0, TIMES),
    *_cases(SHORT, "PSD", 5400.0, TIMES),
    *_cases(LONG, "FILT", 4800.0, {**TIMES, **GARDNER}),
    *_cases(LONG, "ReSuMe", 10900.0, TIMES),
    *_cases(LONG, "PSD", 7000.0, TIMES),
    *_cases(COUNTS, "MST", 110.0, {}),
    *_cases(COUNTS, "EMLC", 165.0, {"by peak": ({"weakest": "peak"}, {})}),
    *_cases(IRIS, "MST", 86.3, {"random halves": ({}, {"stratified": False})}),
    *_cases(IRIS, "EMLC", 84.8, {"random halves": ({}, {"stratified": False})}),
    *_cases(MNIST, "MST", 86.91, {}),
    *_cases(MNIST, "EMLC", 92.27, {}),
)


class Size(NamedTuple):
    """Trials of a setting, and of one on MNIST; channels, divisor of loads, images, epochs."""

    trials: int
    mnist_trials: int
    n_channels: int
    shrink: int
    images: int
    epochs: dict[str, int]


EPOCHS = {SHORT: 500, LONG: 500, COUNTS: 100, IRIS: 20, MNIST: 20}
SIZES = {
    "smoke": Size(2, 1, 60, 8, 300, dict.fromkeys(EPOCHS, 2)),
    "laptop": Size(5, 1, 500, 1, 5_000, EPOCHS),
    "paper": Size(30, 2, 500, 1, 50_000, EPOCHS),
}


@dataclass(frozen=True, kw_only=True)
class StepSizeCell(RuleCell):
    """A rule on one task, with one step size.

    Parameters
    ----------
    task : str
        "short", "long", "counts", "iris" or "mnist".
    size : int
        Load of the first three, images of the last.
    n_channels, epochs : int
        Inputs and epochs.
    changes : dict
        Fields of the cell of that task that are not the paper's protocol.
    """

    task: str
    size: int
    n_channels: int
    epochs: int
    changes: dict[str, Any]

    @property
    def eta(self) -> float:
        """Step size."""
        return float(self.settings["eta"])

    def task_cell(self) -> RuleCell:
        """Return the cell of the task itself."""
        rule: dict[str, Any] = {
            "scale": self.scale,
            "row": self.row,
            "rule": self.rule,
            "settings": self.settings,
        }
        if self.task == IRIS:
            return iris.IrisCell(epochs=self.epochs, **rule, **self.changes)
        if self.task == MNIST:
            return mnist.MnistCell(
                epochs=self.epochs,
                images=self.size,
                tests=mnist.VALIDATION,
                validation=True,
                **rule,
            )
        load: dict[str, Any] = {
            "load": self.size,
            "n_channels": self.n_channels,
            "max_epochs": self.epochs,
        }
        if self.task == COUNTS:
            return DecodingCell(**rule, **load)
        return EncodingCell(task=self.task, **rule, **load, **self.changes)


def _make_cell(scale: str, case: Case, eta: float) -> StepSizeCell:
    size, task = SIZES[scale], case.row.scenario
    per_load = {SHORT: 400.0, LONG: 100.0}.get(task, 1.0)
    load = max(2, round(case.printed / per_load) // size.shrink)
    return StepSizeCell(
        scale=scale,
        row=case.row,
        rule=case.rule,
        settings={**case.settings, "eta": eta},
        task=task,
        size={IRIS: 0, MNIST: size.images}.get(task, load),
        n_channels=size.n_channels,
        epochs=size.epochs[task],
        changes=case.changes,
    )


def cells(scale: str, trials: Sequence[Trial]) -> list[StepSizeCell]:
    """Return every case on its grid, and between neighbours with the level between them."""
    found = []
    for case in CASES:
        own = _by_step_size(case, trials)
        etas = {*(MNIST_GRID if case.row.scenario == MNIST else GRID), *own}
        done = [_make_cell(scale, case, eta) for eta in sorted(etas)]
        # Of a run that was cut off the rest comes first: few trials have their crossings elsewhere.
        whole = all(len(own.get(cell.eta, ())) >= len(seeds(scale, cell)) for cell in done)
        found += done
        if scale != "smoke" and whole:
            new = _between(case, _results(case, trials))
            found += [_make_cell(scale, case, eta) for eta in new]
    return found


def _between(case: Case, results: dict[float, Floats]) -> list[float]:
    """Return a step size between each pair of neighbours with the level between them."""
    etas = sorted(results)
    fine = MNIST_FINE if case.row.scenario == MNIST else FINE
    means = [results[eta].mean() - case.level for eta in etas]
    return [
        float(f"{np.sqrt(low * high):.3g}")
        for (low, before), (high, after) in pairwise(zip(etas, means, strict=True))
        if (before < 0.0) != (after < 0.0) and high / low > fine
    ]


def _by_step_size(case: Case, trials: Sequence[Trial]) -> dict[float, dict[int, float]]:
    """Return the results of a case by step size and seed."""
    found: dict[float, dict[int, float]] = {}
    for trial in trials:
        if trial.cell.row == case.row:
            found.setdefault(trial.cell.eta, {})[trial.seed] = trial.record["result"]
    return dict(sorted(found.items()))


def _results(case: Case, trials: Sequence[Trial]) -> dict[float, Floats]:
    """Return the results of a case by step size, of the seeds that all of these have."""
    found = _by_step_size(case, trials)
    table = paired(list(found.values())) if found else np.empty((0, 0))
    return {eta: table[:, number] for number, eta in enumerate(found)} if len(table) else {}


def seeds(scale: str, cell: StepSizeCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all step sizes."""
    size = SIZES[scale]
    return tuning_seeds(size.mnist_trials if cell.task == MNIST else size.trials)


def trials(cell: StepSizeCell, seeds: Sequence[int]) -> list[Record]:
    """Return whether each trial learned, as 0 or 1, or its last accuracy in percent."""
    inner = cell.task_cell()
    if isinstance(inner, iris.IrisCell):
        return [{"result": record["test"][-1]} for record in iris.trials(inner, seeds)]
    if isinstance(inner, mnist.MnistCell):
        return [{"result": record["test"][-1]} for record in mnist_trials.trials(inner, seeds)]
    assert isinstance(inner, EncodingCell | DecodingCell)
    return [{"result": float(record["learned"])} for record in train_chains(inner, seeds)]


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return implied step sizes with intervals, how far those of a table agree, and the curves."""
    rows: list[Row] = []
    plain: dict[str, list[Floats]] = {}
    for case in CASES:
        results = _results(case, trials)
        if len(results) < 2:
            continue
        task = case.row.scenario
        steps = implied_steps(results, case.level, STATED[task])
        rows += _step_rows(case, results, steps)
        if not case.row.variant and steps:
            plain.setdefault(task, []).append(steps[0])
    if not rows:
        raise NotEnoughTrials("No rule has trials at two step sizes.")
    rows += _agreement_rows(plain)
    panels = [_panel(task, trials) for task in STATED]
    return Summary(tuple(rows), (), NOTES, tuple(panel for panel in panels if panel.lines))


def _step_rows(case: Case, results: dict[float, Floats], steps: list[Floats]) -> list[Row]:
    stated, n = STATED[case.row.scenario], len(next(iter(results.values())))
    unit = "%" if case.row.scenario in (IRIS, MNIST) else "share learned"
    rows = []
    if stated in results:
        key = case.row.but(quantity="at the stated step size")
        rows.append(Row(key, float(results[stated].mean()), n=n, unit=unit, note=f"eta {stated:g}"))
    if not steps:
        means = [float(values.mean()) for values in results.values()]
        side = "below" if max(means) < case.level else "above"
        ends = f"from {min(results):g} to {max(results):g}"
        note = f"no step size {ends} gives it: always {side}"
        absent = Row(case.row.but(quantity=STEP), None, n=n, note=note, status=Status.NO_RESULT)
        return [*rows, absent]
    for quantity, (value, lo, hi) in zip((STEP, OTHER_STEP), steps, strict=False):
        rows.append(Row(case.row.but(quantity=quantity), float(value), float(lo), float(hi), n))
    return rows


def _agreement_rows(plain: dict[str, list[Floats]]) -> list[Row]:
    """Return, for each table, its largest implied step size over its smallest."""
    rows = []
    for table, tasks in TABLES.items():
        steps = [step for task in tasks for step in plain.get(task, [])]
        if len(steps) > 1:
            values = [step[0] for step in steps]
            common = max(step[1] for step in steps) <= min(step[2] for step in steps)
            note = "one step size lies in all intervals" if common else "none lies in all intervals"
            key = RowKey(table, quantity="largest over smallest implied step size")
            rows.append(Row(key, float(max(values) / min(values)), n=len(steps), note=note))
    return rows


def _panel(task: str, trials: Sequence[Trial]) -> Panel:
    """Return the result of each rule against the step size, its printed number as the level."""
    lines, marks = [], [Mark("x", STATED[task], "stated")]
    for case in CASES:
        results = _results(case, trials)
        if case.row.scenario == task and results and not case.row.variant:
            means = [float(values.mean()) for values in results.values()]
            lines.append(Line(case.row.method, list(results), means))
            if task in (IRIS, MNIST):
                marks.append(Mark("y", case.level, f"{case.row.method}, paper"))
    if task not in (IRIS, MNIST):
        marks.append(Mark("y", 0.5, "half"))
    titles = {
        SHORT: "Short patterns, at the printed loads",
        LONG: "One long pattern, at the printed loads",
        COUNTS: "Five classes, at the printed loads",
        IRIS: "Iris",
        MNIST: "MNIST, validation images",
    }
    label = "accuracy (%)" if task in (IRIS, MNIST) else "share of trials learned"
    return Panel(titles[task], "step size", label, tuple(lines), marks=tuple(marks), log_x=True)


NOTES = (
    "The implied step size nearest to the stated one comes first; the other lies on the other side "
    "of the best.",
    "A window with another factor is the same as a step size with that factor: V_norm is 2.117.",
    "Loads are the printed ones, rounded to whole patterns of 400 ms.",
)


EXPERIMENT = Experiment(
    Heading("step_sizes", "Readings", "Implied step sizes: where a rule has its printed number"),
    Protocol(StepSizeCell, cells, seeds, trials, summarise),
    unable=lambda cell: mnist_missing() if cell.task == MNIST else "",
    batch=5,
    cost=lambda cell: 200.0 if cell.task == MNIST else 0.3,
)
