"""Tuning of rules: the same number of settings for every rule, on seeds of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from linspike._validation import check_integer
from linspike.errors import ParameterError
from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.rules.dta import DTA
from linspike.study.tasks import Task
from linspike.training.result import raise_if_interrupted
from linspike.training.trainer import Trainer

# Seeds of trials count from 0: no rule is measured on the tasks that it was tuned on.
TUNING_SEEDS = range(1_000_000, 1_000_010)

# Seven settings for every rule; the tables try each of them with two schedules.
ETAS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
BOUNDS = (0.05, 0.1, 0.2, 0.3, 0.4, 1.0, 3.0)  # DTA's bound, in thresholds
ABSOLUTE_BOUNDS = (0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.3)  # of its linear program


class Grid(NamedTuple):
    """The values to try of one parameter."""

    parameter: str
    values: tuple[float, ...]


class Setting(NamedTuple):
    """Result of one setting of a grid.

    Attributes
    ----------
    value : float
        Value of the parameter.
    learned, trials : int
        Number of trials that met the criterion, and of all.
    accuracy : float
        Mean share of patterns that were right at the end.
    epochs : float
        Mean number of epochs; a trial that did not learn counts all of them.
    """

    value: float
    learned: int
    trials: int
    accuracy: float
    epochs: float


@dataclass(frozen=True)
class Sweep:
    """Outcome of `tune`: every setting, and the rule at its best one.

    Best is the setting with most trials learned, then the most patterns right, then the fewest
    epochs, then the earliest in the grid.
    """

    rule: Rule
    parameter: str
    settings: tuple[Setting, ...]

    @property
    def winner(self) -> Setting:
        """The best setting."""
        return max(self.settings, key=lambda s: (s.learned, s.accuracy, -s.epochs))

    @property
    def best(self) -> Rule:
        """The rule with the best setting."""
        return _change(self.rule, self.parameter, self.winner.value)

    def __str__(self) -> str:
        name = type(self.rule).__name__
        lines = [f"{name}: best {self.parameter} = {_format(self.winner.value)}"]
        lines += [
            f"  {self.parameter} {_format(s.value):<7} {s.learned:3d} of {s.trials} learned, "
            f"{100.0 * s.accuracy:5.1f} % right, {s.epochs:.0f} epochs"
            for s in self.settings
        ]
        return "\n".join(lines)


def _format(value: Any) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def grid_of(rule: Rule) -> Grid:
    """Return the pre-declared settings of a rule: its step size, or DTA's bound."""
    if rule.key == "dta_lp" or (isinstance(rule, DTA) and rule.absolute):
        return Grid("bound", ABSOLUTE_BOUNDS)
    if isinstance(rule, DTA):
        return Grid("bound", BOUNDS)
    if "eta" not in rule.settings():
        remedy = "Pass a Grid of one of its parameters."
        raise ParameterError.of("rule", "tune", "DTA or a rule with a step size eta", rule, remedy)
    return Grid("eta", ETAS)


def tune(
    trainer: Trainer,
    make_task: Callable[[int], Task],
    *,
    grid: Grid | None = None,
    seeds: Sequence[int] = TUNING_SEEDS,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Try every setting of a grid on the same tasks; return what each achieved.

    Parameters
    ----------
    trainer : Trainer
        Trains every setting; its rule is the one to tune, whose other settings stay as they are.
    make_task : callable
        Data of one trial from its seed: ``lambda seed: encoding(seed, n_patterns=20)``.
    grid : Grid, optional
        Parameter and values; `grid_of` the rule unless given.
    seeds : list of int
        Seeds of the trials; keep them apart from those the rule is then measured on.
    threads : int, optional
        As for `Trainer.fit_many`.
    progress : callable, optional
        Called with the settings done and their number.

    Examples
    --------
    >>> import linspike as ls
    >>> from linspike.study import encoding, tune
    >>> trainer = ls.Trainer(ls.SRM(), "resume", max_epochs=50)
    >>> sweep = tune(trainer, lambda seed: encoding(seed, 3), seeds=[7, 8])
    >>> len(sweep.settings), sweep.parameter, sweep.winner.learned
    (7, 'eta', 2)
    """
    if not isinstance(trainer, Trainer):
        raise ParameterError.of("trainer", "tune", "a Trainer", trainer)
    rule = rule_of(trainer.rule, "tune")
    grid = _check_grid(grid_of(rule) if grid is None else grid, trainer)
    rules = [_change(rule, grid.parameter, value) for value in grid.values]
    data = _make_data(make_task, seeds)
    settings = []
    for number, variant in enumerate(rules):
        changed = replace(trainer, rule=variant)
        results = changed.fit_many(*data, seeds=list(seeds), history=True, threads=threads)
        settings.append(
            _summarise(grid.values[number], raise_if_interrupted(results), trainer.max_epochs)
        )
        if progress is not None:
            progress(number + 1, len(rules))
    return Sweep(rule, grid.parameter, tuple(settings))


def _check_grid(grid: Any, trainer: Trainer) -> Grid:
    usable = isinstance(grid, Grid) and isinstance(grid.values, (list, tuple)) and grid.values
    if not usable:
        domain = "a Grid(parameter, values) with one value at least"
        raise ParameterError.of("grid", "tune", domain, grid)
    if grid.parameter == "schedule" and trainer.schedule is not None:
        domain = "one without a schedule of its own, which would replace every value of the grid"
        raise ParameterError.of("trainer", "tune", domain, trainer)
    checked: Grid = grid
    return checked


def _make_data(make_task: Any, seeds: Any) -> tuple[Any, Any, Any]:
    """Return weights, patterns and targets of all trials."""
    if not callable(make_task):
        domain = "a function from a seed to a task"
        raise ParameterError.of("make_task", "tune", domain, make_task)
    if not isinstance(seeds, Sequence) or isinstance(seeds, str) or len(seeds) == 0:
        raise ParameterError.of("seeds", "tune", "a list of one seed at least", seeds)
    tasks = [make_task(check_integer(seed, "seeds", "tune", least=0)) for seed in seeds]
    for task in tasks:
        if not (isinstance(task, tuple) and len(task) == 3):
            domain = "a function that returns (weights, patterns, targets)"
            raise ParameterError.of("make_task", "tune", domain, make_task)
    weights, patterns, targets = zip(*tasks, strict=True)
    if len({len(w) for w in weights}) > 1:
        domain = "a function whose tasks all have as many channels"
        raise ParameterError.of("make_task", "tune", domain, make_task)
    return np.array(weights), patterns, targets


def _change(rule: Rule, parameter: str, value: float) -> Rule:
    if parameter not in rule.settings():
        domain = f"one of {tuple(rule.settings())}"
        raise ParameterError.of("grid", "tune", domain, parameter)
    changed: Rule = replace(rule, **{parameter: value})  # type: ignore[type-var]
    return changed


def _summarise(value: float, results: list[Any], max_epochs: int) -> Setting:
    learned = [result.converged for result in results]
    last = [1.0 if r.converged else float(r.history.accuracy[-1:].sum()) for r in results]
    epochs = [result.epochs if result.converged else max_epochs for result in results]
    return Setting(value, sum(learned), len(results), float(np.mean(last)), float(np.mean(epochs)))
