"""Delays learned together with the weights: what they add to a neuron's capacity.

Few inputs with one spike each, where many tasks can be tried: weights alone, weights and delays,
weights with random delays that stay as they are, and weights with the margin that DTA takes with
delays, on the same tasks. Then the tasks of tables 1 and 2: short patterns, one long pattern, and
counts in five classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.beyond.paired_loads import Grid, gain_rows, grid_cells, seed_capacities
from linspike.paper.common.capacity_cells import (
    LONG_MS,
    SHORT_MS,
    EncodingCell,
    train_chains,
)
from linspike.paper.common.capacity_rows import (
    capacity_row,
    group_trials,
    measured_rows,
    search_cells,
    share_line,
)
from linspike.paper.common.methods import ANNEALED, PROJECTION
from linspike.study.analysis.capacity import Search
from linspike.study.analysis.intervals import median_interval
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey
from linspike.study.tasks import Task, decoding, latency_encoding

FEW, SHORT, LONG, COUNTS = "few inputs", "short", "long", "five classes"
STRICT = "strict"
WEIGHTS, LEARNED, RANDOM, WIDE = "", "delays", "random delays", "margin 0.3"
NAMES = {
    WEIGHTS: "weights",
    LEARNED: "weights and delays",
    RANDOM: "weights, random delays",
    WIDE: "weights, margin 0.3",
}
WIDE_MARGIN = 0.3  # what DTA takes if it learns delays
MAX_DELAY = 20.0
DELAYS = 3  # kind of random stream, after those of `study.tasks`
EPOCHS = "epochs"  # quantity of the rows at one load
FACTOR = 1.5  # a gain that is tested apart


class Size(NamedTuple):
    """Trials a load and epochs of few inputs, their numbers; the same for N inputs."""

    trials: int
    epochs: int
    inputs: tuple[int, ...]
    n_channels: int
    many_trials: int
    many_epochs: int
    count_epochs: int
    epochs_at: int  # load of short patterns at which epochs are compared


SIZES = {
    "smoke": Size(2, 20, (20,), 60, 2, 30, 20, 2),
    "laptop": Size(10, 300, (50,), 500, 4, 500, 100, 45),
    "paper": Size(20, 300, (50, 100), 500, 20, 500, 100, 45),
}
# First loads for each input of the few, as shares of their number: at the least and at the most.
SHARES = {WEIGHTS: (0.08, 0.32), LEARNED: (0.16, 0.48), RANDOM: (0.08, 0.32)}
SHARES[WIDE] = SHARES[WEIGHTS]
# Where the searches begin, in milliseconds of input or patterns for each channel.
STARTS = {
    (SHORT, WEIGHTS): 50.0,
    (SHORT, LEARNED): 84.0,
    (LONG, WEIGHTS): 50.0,
    (LONG, LEARNED): 84.0,
    (COUNTS, WEIGHTS): 0.6,
    (COUNTS, LEARNED): 0.8,
}
LOAD_MS = {SHORT: SHORT_MS, LONG: LONG_MS}


@dataclass(frozen=True, kw_only=True)
class DelayCell(EncodingCell):
    """A task learned with or without delays.

    Parameters
    ----------
    task : str
        "few inputs" for patterns of one spike per input in 100 ms and two desired spikes, "short"
        and "long" as in table 1, "five classes" as in table 2.
    random_delays : float
        Longest of the random delays that stay as they are, in milliseconds; 0 for none.
    """

    random_delays: float = 0.0

    def make_task(self, seed: int) -> Task:
        """Return patterns with desired times or counts."""
        if self.task == FEW:
            return latency_encoding(seed, self.load, n_channels=self.n_channels)
        if self.task == COUNTS:
            return decoding(seed, self.load, n_channels=self.n_channels)
        return super().make_task(seed)

    def make_delays(self, seed: int) -> Floats | None:
        """Return random delays; learned ones start at 0."""
        if not self.random_delays:
            return None
        rng = np.random.default_rng([seed, DELAYS, 0])
        return rng.uniform(0.0, self.random_delays, self.n_channels)


def few_inputs(n_channels: int) -> str:
    """Return the scenario of so many inputs."""
    return f"{n_channels} inputs"


def rule_settings(variant: str, **more: Any) -> dict[str, Any]:
    """Return all settings of DTA with or without learned delays."""
    settings = {"bound": 0.4, "hold_tolerance": None, "schedule": ANNEALED, **more}
    settings["delays"] = variant == LEARNED
    if variant == LEARNED:
        settings["max_delay"] = MAX_DELAY
    if variant == WIDE:
        settings["margin"] = WIDE_MARGIN
    return settings


def _base(scale: str, task: str, variant: str, n_channels: int) -> DelayCell:
    """Return the cell of a row, at no load yet."""
    size = SIZES[scale]
    epochs = {FEW: size.epochs, COUNTS: size.count_epochs}.get(task, size.many_epochs)
    scenario = few_inputs(n_channels) if task == FEW else task
    criterion = "" if task == COUNTS else STRICT
    more = {"count_target": "auto"} if task == COUNTS else {}
    return DelayCell(
        scale=scale,
        row=RowKey(scenario, PROJECTION, criterion, variant),
        rule="dta",
        settings=rule_settings(variant, **more),
        n_channels=n_channels,
        max_epochs=epochs,
        criterion=criterion or "paper",
        task=task,
        random_delays=MAX_DELAY if variant == RANDOM else 0.0,
    )


def _grid(n_channels: int, variant: str) -> Grid:
    """Return the loads of few inputs that are tried at once."""
    low, high = SHARES[variant]
    step = max(1, round(0.04 * n_channels))
    first = max(step, step * round(low * n_channels / step))
    return Grid(first, first + step * round((high - low) * n_channels / step), step, n_channels)


def _search(scale: str, task: str, variant: str) -> Search:
    """Return the search of a task of tables 1 or 2."""
    n_channels = SIZES[scale].n_channels
    start = STARTS[task, variant] * n_channels
    if task == COUNTS:
        return Search(5 * max(1, round(start / 5)), 5, 5, 3 * n_channels)
    load = max(2, round(start / LOAD_MS[task]))
    return Search(load, 1, 2, 4 * load)


def cells(scale: str, trials: Sequence[Trial]) -> list[DelayCell]:
    """Return the loads of few inputs, then those that the searches ask for."""
    size = SIZES[scale]
    own = group_trials(trials)
    found: list[DelayCell] = []
    for n_channels in size.inputs:
        for variant in NAMES:
            base = _base(scale, FEW, variant, n_channels)
            found += grid_cells(base, _grid(n_channels, variant), own[base.row], size.trials)
    for variant in (WEIGHTS, LEARNED):
        base = _base(scale, SHORT, variant, size.n_channels)
        found.append(base.but(row=base.row.but(quantity=EPOCHS), load=size.epochs_at))
    for task, variant in STARTS:
        base = _base(scale, task, variant, size.n_channels)
        search = _search(scale, task, variant)
        found += search_cells(base, search, own[base.row], size.many_trials)
    return found


def seeds(scale: str, cell: DelayCell) -> Sequence[int]:
    """Return the seeds of a cell: the same with and without delays."""
    size = SIZES[scale]
    return range(size.trials if cell.task == FEW else size.many_trials)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return capacities, how many times weights alone, and median epochs at one load."""
    own = group_trials(trials)
    measured = {key: cell for key, cell in measured_rows(trials).items() if not key.quantity}
    rows = []
    for key, cell in measured.items():
        assert isinstance(cell, DelayCell)
        per_load, unit = LOAD_MS.get(cell.task, 1.0), "ms" if cell.task in LOAD_MS else "patterns"
        rows.append(capacity_row(key, own[key], unit, per_load))
    few = {
        key: seed_capacities(own[key], key)
        for key, cell in measured.items()
        if cell.task == FEW  # type: ignore[attr-defined]
    }
    for key in few:
        if key.variant != WEIGHTS:
            factors = (FACTOR,) if key.variant == LEARNED else ()
            rows += gain_rows(few, key, key.but(variant=WEIGHTS), NAMES[WEIGHTS], factors)
    rows += _epoch_rows(own)
    panels = [
        panel for scenario, task in _scenarios(scale) if (panel := _draw(scenario, task, own))
    ]
    return Summary(tuple(rows), tuple(panels), _notes(scale))


def _epoch_rows(own: Mapping[RowKey, list[Trial]]) -> list[Row]:
    """Return the median epochs at one load; a trial that did not learn counts with all of them."""
    rows = []
    for key, trials in own.items():
        if key.quantity != EPOCHS:
            continue
        used = [
            float(trial.record["epochs"] if trial.record["learned"] else trial.cell.max_epochs)
            for trial in trials
        ]
        load, learned = trials[0].cell.load, sum(trial.record["learned"] for trial in trials)
        note = f"median with {load} patterns; {learned} of {len(used)} learned"
        rows.append(Row(key, *median_interval(used), len(used), "epochs", note))
    return rows


def _scenarios(scale: str) -> list[tuple[str, str]]:
    """Return scenario and task of every panel."""
    few = [(few_inputs(n_channels), FEW) for n_channels in SIZES[scale].inputs]
    return [*few, *((task, task) for task in (SHORT, LONG, COUNTS))]


TITLES = {SHORT: "Short patterns", LONG: "One long pattern", COUNTS: "Five classes"}


def _draw(scenario: str, task: str, own: Mapping[RowKey, list[Trial]]) -> Panel | None:
    """Return the share of trials learned by load; None without trials."""
    lines: list[Line] = []
    for variant, name in NAMES.items():
        key = RowKey(scenario, PROJECTION, "" if task == COUNTS else STRICT, variant)
        if key in own:
            lines.append(share_line(name, own[key], key, LOAD_MS.get(task, 1.0), method=name))
    if not lines:
        return None
    x_label = "length of input (ms)" if task in LOAD_MS else "number of patterns"
    title = TITLES.get(task, f"{scenario}, one spike each")
    labels = (x_label, "share of trials learned")
    return Panel(title, *labels, tuple(lines), marks=(Mark("y", 0.5, "half"),), y_ends=(0.0, 1.0))


def _notes(scale: str) -> tuple[str, ...]:
    size = SIZES[scale]
    return (
        f"Few inputs: one spike each, uniform in 100 ms, two desired spikes, {size.trials} trials "
        f"a load, {size.epochs} epochs, strict criterion; capacities of the same tasks are "
        "compared seed by seed.",
        f"Short patterns, one long pattern and five classes: N = {size.n_channels}, rates 0.005, "
        f"{size.many_trials} trials a load, {size.many_epochs} epochs ({size.count_epochs} for "
        "classes), strict criterion for times.",
        f"Delays are between 0 and {MAX_DELAY:g} ms. Learned ones start at 0, random ones are "
        "uniform and stay as they are. With delays DTA takes three times its usual margin; weights "
        "alone have it in the rows 'margin 0.3'.",
    )


EXPERIMENT = Experiment(
    Heading("delays", "Beyond", "Capacity with delays learned together with the weights"),
    Protocol(DelayCell, cells, seeds, train_chains, summarise),
    batch=5,
    cost=lambda cell: 0.2 if cell.task == FEW else 10.0 if cell.row.variant == LEARNED else 0.8,
)
