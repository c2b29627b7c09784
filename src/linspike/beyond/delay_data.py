"""Delays learned on data: tables, tables coded in times, and events.

Iris and digits as scikit-learn has them, half to learn from; digits in population codes and as one
latency per pixel. Digits of MNIST in front of a simulated moving sensor and Braille letters, with
the classifier for events. Both variants have the same samples, first weights and order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.beyond import events
from linspike.beyond.delays import LEARNED, WEIGHTS
from linspike.datasets.braille import BRAILLE, braille7_missing
from linspike.datasets.mnist import mnist_missing
from linspike.paper.common.methods import PROJECTION
from linspike.rules.dta import DTA
from linspike.study.analysis.intervals import mean_interval, paired, percent_interval
from linspike.study.analysis.statistics import paired_difference
from linspike.study.cells import Record, RuleCell, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey, Status

IRIS, FIELDS, LATENCIES, EVENTS = "Iris", "digits", "digits, latencies", "events"
TABLES = {IRIS: "load_iris", FIELDS: "load_digits", LATENCIES: "load_digits"}
DATA = (*TABLES, EVENTS, BRAILLE)
NAMES = {
    IRIS: "Iris",
    FIELDS: "digits, population code",
    LATENCIES: "digits, latencies",
    EVENTS: "digits, events",
    BRAILLE: "Braille letters",
}
VARIANTS = {WEIGHTS: "weights", LEARNED: "weights and delays"}
TRIALS = {
    "smoke": dict.fromkeys(DATA, 1),
    "laptop": {IRIS: 20, FIELDS: 3, LATENCIES: 3, EVENTS: 1, BRAILLE: 2},
    "paper": {IRIS: 50, FIELDS: 10, LATENCIES: 10, EVENTS: 3, BRAILLE: 5},
}
SMOKE_SAMPLES = 60
EPOCHS = 20
EVENT_POOL = "digits, 4 x 4"  # of the study of events
LATENCY_MS = 50.0


@dataclass(frozen=True, kw_only=True)
class DelayDataCell(RuleCell):
    """A data set learned with or without delays.

    Parameters
    ----------
    data : str
        Name of the data set.
    max_iter : int
        Epochs, at most.
    longest : float
        Longest delay, in membrane time constants of the neuron; 0 for none.
    """

    data: str
    max_iter: int = EPOCHS
    longest: float

    def make_delayed(self, tau_m: float) -> DTA:
        """Return the rule for a neuron with this time constant."""
        rule = self.make_rule()
        assert isinstance(rule, DTA)
        return replace(rule, max_delay=self.longest * tau_m) if self.longest else rule


class Samples(NamedTuple):
    """Samples of one trial."""

    X: Any
    y: Ints
    X_test: Any
    y_test: Ints


def cells(scale: str, trials: Sequence[Trial]) -> list[DelayDataCell]:
    """Return both variants on every data set."""
    found = []
    for data in DATA:
        target = "halving" if data in TABLES else "gradient"  # as the classifiers have them
        for variant in VARIANTS:
            delays = variant == LEARNED
            cell = DelayDataCell(
                scale=scale,
                row=RowKey(data, PROJECTION, variant=variant),
                rule="dta",
                settings={"bound": 0.4, "count_target": target, "delays": delays},
                data=data,
                longest=1.0 if delays else 0.0,
            )
            found.append(cell)
    return found


def seeds(scale: str, cell: DelayDataCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for both variants."""
    return range(TRIALS[scale][cell.data])


@cache
def _table(data: str) -> tuple[Floats, Ints]:
    from sklearn import datasets

    values, labels = getattr(datasets, TABLES[data])(return_X_y=True)
    return values, labels


def draw_samples(cell: DelayDataCell, seed: int) -> Samples:
    """Return the samples of a trial: the same for both variants."""
    if cell.data in TABLES:
        from sklearn.model_selection import train_test_split

        values, labels = _table(cell.data)
        few = SMOKE_SAMPLES if cell.scale == "smoke" else 0.5
        sizes: dict[str, Any] = {"train_size": few, "test_size": 0.5}
        learned, tested = train_test_split(
            np.arange(len(labels)), **sizes, stratify=labels, random_state=seed
        )
        return Samples(values[learned], labels[learned], values[tested], labels[tested])
    name = BRAILLE if cell.data == BRAILLE else EVENT_POOL
    scenario = RowKey(name, PROJECTION)
    return Samples(
        *events.draw_samples(events.EventCell(scale=cell.scale, row=scenario, data=name), seed)
    )


def make_classifier(cell: DelayDataCell, seed: int, samples: Samples) -> Any:
    """Return the classifier of a data set, with the cell's rule."""
    from linspike.encoders import LatencyEncoder, PopulationEncoder
    from linspike.estimators import SpikeClassifier, make_event_classifier

    how: dict[str, Any] = {"max_iter": cell.max_iter, "random_state": seed, "n_jobs": 1}
    if cell.data not in TABLES:
        model = make_event_classifier(float(samples.X.durations.max()), **how)
        assert model.neuron is not None
        return model.set_params(rule=cell.make_delayed(model.neuron.tau_m))
    encoder = PopulationEncoder(n_fields=5)
    if cell.data == LATENCIES:
        encoder = LatencyEncoder(LATENCY_MS, scale=16.0)
    rule = cell.make_delayed(20.0)
    return SpikeClassifier(encoder, rule, spikes=3, init=(0.01, 0.01), **how)


def trials(cell: DelayDataCell, seeds: Sequence[int]) -> list[Record]:
    """Learn and test."""
    from linspike.estimators.monitor import raising_interrupts

    records = []
    for seed in seeds:
        samples = draw_samples(cell, seed)
        model = make_classifier(cell, seed, samples)
        with raising_interrupts():
            model.fit(samples.X, samples.y)
        delays = 0.0 if model.delays_ is None else float(model.delays_.mean())
        records.append(
            {
                "train": 100.0 * float(model.score(samples.X, samples.y)),
                "test": 100.0 * float(model.score(samples.X_test, samples.y_test)),
                "epochs": int(model.n_iter_),
                "mean_delay": delays,
            }
        )
    return records


def _accuracies(trials: Sequence[Trial], data: str, variant: str) -> dict[int, float]:
    """Return the test accuracy of each seed."""
    row = RowKey(data, PROJECTION, variant=variant)
    return {trial.seed: trial.record["test"] for trial in trials if trial.cell.row == row}


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return test accuracies, and what delays bring, trial by trial."""
    rows: list[Row] = []
    for data in DATA:
        found = [_accuracies(trials, data, variant) for variant in VARIANTS]
        for variant, of_seed in zip(VARIANTS, found, strict=True):
            if of_seed:
                mean = percent_interval(list(of_seed.values()))
                key = RowKey(data, PROJECTION, variant=variant)
                rows.append(Row(key, *mean, n=len(of_seed), unit="%", note=_note(trials, key)))
        rows += _gain_rows(data, found)
        reason = _missing(data)
        if reason and not any(found):
            key = RowKey(data, PROJECTION)
            rows.append(Row(key, None, note=reason, status=Status.SKIPPED))
    return Summary(tuple(rows), (_panel(trials),), REMARKS)


def _gain_rows(data: str, found: Sequence[dict[int, float]]) -> list[Row]:
    """Return the gain of delays and p of a paired test."""
    both = paired(list(found))
    if not len(both):
        return []
    gain = both[:, 1] - both[:, 0]
    key = RowKey(data, PROJECTION, variant=LEARNED)
    title = f"gain over {VARIANTS[WEIGHTS]}"
    rows = [Row(key.but(quantity=title), *mean_interval(gain), n=len(both), unit="points")]
    if len(both) > 1:
        p = paired_difference(both[:, 1], both[:, 0]).p
        title = f"Wilcoxon p to {VARIANTS[WEIGHTS]}"
        rows.append(Row(key.but(quantity=title), p, n=len(both)))
    return rows


def _note(trials: Sequence[Trial], key: RowKey) -> str:
    own = [trial.record for trial in trials if trial.cell.row == key]
    train = np.mean([record["train"] for record in own])
    late = np.mean([record["mean_delay"] for record in own])
    learned = f"; mean delay {late:.3g} ms" if late else ""
    return f"training {train:.1f} %{learned}"


REMARKS = (
    "Nothing is tuned: both variants have the settings of weights alone. Delays go up to one "
    "membrane time constant.",
    "Halves of Iris and digits are drawn anew in every trial; the division of Braille letters is "
    "the published one, so that its intervals show only the chance inside a method.",
)


def _panel(trials: Sequence[Trial]) -> Panel:
    """Return both variants on all data sets, side by side."""
    shown = [data for data in DATA if any(_accuracies(trials, data, each) for each in VARIANTS)]
    lines = []
    for number, (variant, name) in enumerate(VARIANTS.items()):
        found = [(place, _accuracies(trials, data, variant)) for place, data in enumerate(shown, 1)]
        points = [
            (place + 0.16 * (number - 0.5), *percent_interval(list(of_seed.values())))
            for place, of_seed in found
            if of_seed
        ]
        if points:
            x, y, lo, hi = (list(column) for column in zip(*points, strict=True))
            lines.append(Line(name, x, y, lo, hi, "points"))
    names = tuple(NAMES[data] for data in shown)
    return Panel("Test accuracy", "", "test accuracy (%)", tuple(lines), x_names=names)


def _missing(data: str) -> str:
    """Return why a data set cannot be used; empty if it can."""
    if data in TABLES:
        return ""
    return braille7_missing() if data == BRAILLE else mnist_missing()


EXPERIMENT = Experiment(
    Heading("delay_data", "Beyond", "Delays learned on tables and on events"),
    Protocol(DelayDataCell, cells, seeds, trials, summarise),
    unable=lambda cell: _missing(cell.data),
    batch=1,
    cost=lambda cell: 2.0 if cell.data == IRIS else 60.0,
)
