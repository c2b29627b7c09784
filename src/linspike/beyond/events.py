"""Beyond the paper: events of a simulated camera and of a fingertip, at the defaults for events.

Digits of MNIST in front of a simulated moving sensor, raw and with pixels pooled 2 x 2 and 4 x 4:
in each trial 2000 images to learn from and 1000 of the test part. Braille letters with the
published division. The spiking classifier is `make_event_classifier` as it comes, with nothing
tuned to a data set. Its settings were found on other images of the training part and on the
Braille recordings to learn and choose by. Logistic regression on square roots of spike counts, of
the whole recording or of the same eight stretches, chooses scaling and penalty by three-fold
cross-validation in each trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.datasets.braille import BRAILLE, braille7, braille7_missing
from linspike.datasets.mnist import load_mnist, mnist_missing
from linspike.datasets.moving_sensor import moving_sensor_events
from linspike.paper.common.methods import PROJECTION
from linspike.spikes.pattern_set import PatternSet
from linspike.study.analysis.intervals import mean_interval, paired, percent_interval
from linspike.study.cells import Record, RowCell, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey, Status

POOLS = {"digits, 4 x 4": 4, "digits, 2 x 2": 2, "digits, raw": 1}
DATA = (*POOLS, BRAILLE)
LOGISTIC = "logistic regression"
WHOLE, STRETCHES = "", "8 stretches"
ONE_FOLD, ALL_EVENTS = "no delay lines", "all events"
METHODS = (
    (PROJECTION, ""),
    (LOGISTIC, WHOLE),
    (PROJECTION, ONE_FOLD),
    (PROJECTION, ALL_EVENTS),
    (LOGISTIC, STRETCHES),
)
COSTLY = (ALL_EVENTS, STRETCHES)  # many spikes or features: where channels are few
TRIALS = {"smoke": 1, "laptop": 3, "paper": 5}
SIZES = {"smoke": (100, 50), "laptop": (2000, 1000), "paper": (2000, 1000)}
TUNED_ON = slice(50_000, 53_000)  # images of the training part that the defaults were found on
SENSOR = (34, 34, 2)
FOLDS = 8
STEP_MS = 5.0  # of a Braille recording
PENALTIES = [0.001, 0.01, 0.1]


@dataclass(frozen=True, kw_only=True)
class EventCell(RowCell):
    """A method on a set of events; its variant is part of the row.

    Parameters
    ----------
    data : str
        Name of the data set.
    """

    data: str


class Samples(NamedTuple):
    """Events of one trial."""

    X: PatternSet
    y: Ints
    X_test: PatternSet
    y_test: Ints


def cells(scale: str, trials: Sequence[Trial]) -> list[EventCell]:
    """Return every method on every set of events, the costly ones where channels are few."""
    return [
        EventCell(
            scale=scale,
            row=RowKey(scenario=data, method=method, variant=variant),
            data=data,
        )
        for method, variant in METHODS
        for data in DATA
        if variant not in COSTLY or POOLS.get(data, 4) == 4
    ]


def seeds(scale: str, cell: EventCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    return range(TRIALS[scale])


@lru_cache(maxsize=max(TRIALS.values()))
def record_digits(scale: str, seed: int) -> Samples:
    """Return the events of some digits, drawn for this trial; they are kept for other cells."""
    rng = np.random.default_rng(seed)
    train, test = load_mnist("train"), load_mnist("test")
    left = np.delete(np.arange(len(train.digits)), TUNED_ON)
    sizes = SIZES[scale]
    learned = rng.choice(left, sizes[0], replace=False)
    tested = rng.choice(len(test.digits), sizes[1], replace=False)
    images = np.concatenate([train.images[learned], test.images[tested]])
    events = moving_sensor_events(images, rng=rng)
    return Samples(
        events[: sizes[0]], train.digits[learned], events[sizes[0] :], test.digits[tested]
    )


def draw_samples(cell: EventCell, seed: int) -> Samples:
    """Return the samples of a trial: the same for all methods."""
    from linspike.encoders import PoolEvents

    if cell.data == BRAILLE:
        rasters, letters, (_, choose) = braille7()
        step = 10 if cell.scale == "smoke" else 1
        learned, tested = rasters[:choose:step], rasters[choose:]
        make = PatternSet.from_raster
        return Samples(
            make(learned, STEP_MS, order="time_channel"),
            letters[:choose:step],
            make(tested, STEP_MS, order="time_channel"),
            letters[choose:],
        )
    events = record_digits(cell.scale, seed)
    if POOLS[cell.data] == 1:
        return events
    pool = PoolEvents(SENSOR, POOLS[cell.data]).fit(events.X)
    return events._replace(X=pool.transform(events.X), X_test=pool.transform(events.X_test))


def make_spiking(variant: str, duration: float, seed: int) -> Any:
    """Return the classifier for events, or one without a part of it."""
    from linspike.encoders import DelayLines
    from linspike.estimators import make_event_classifier

    how: dict[str, Any] = {"random_state": seed, "n_jobs": 1}
    if variant == ONE_FOLD:
        return make_event_classifier(duration, folds=1, **how)
    if variant == ALL_EVENTS:
        how["encoder"] = DelayLines(FOLDS)
    return make_event_classifier(duration, **how)


def make_logistic(seed: int) -> Any:
    """Return logistic regression that chooses scaling and penalty in its training part."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    settings = {
        "standardscaler__with_std": [False, True],
        "logisticregression__C": PENALTIES,
    }
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    return GridSearchCV(model, settings, cv=folds, error_score="raise")


def count_roots(patterns: PatternSet, folds: int) -> Floats:
    """Return the square roots of the spike counts of each channel in each stretch."""
    from linspike.encoders import DelayLines

    folded = DelayLines(folds).fit_transform(patterns)
    sample = np.repeat(np.arange(len(folded)), np.diff(folded.offsets))
    counts = np.zeros((len(folded), folded.n_channels))
    np.add.at(counts, (sample, folded.channels), 1.0)
    return np.sqrt(counts)


def trials(cell: EventCell, seeds: Sequence[int]) -> list[Record]:
    """Learn and test."""
    from linspike.estimators.monitor import raising_interrupts

    records = []
    for seed in seeds:
        samples = draw_samples(cell, seed)
        extract: Callable[[PatternSet], Any] = lambda patterns: patterns  # noqa: E731
        if cell.row.method == PROJECTION:
            duration = float(samples.X.durations.max())
            model = make_spiking(cell.row.variant, duration, seed)
        else:
            model, folds = make_logistic(seed), FOLDS if cell.row.variant == STRETCHES else 1
            extract = lambda patterns, folds=folds: count_roots(patterns, folds)  # type: ignore[misc]  # noqa: E731
        learned, tested = extract(samples.X), extract(samples.X_test)
        with raising_interrupts():
            model.fit(learned, samples.y)
        records.append(
            {
                "train": 100.0 * float(model.score(learned, samples.y)),
                "test": 100.0 * float(model.score(tested, samples.y_test)),
            }
        )
    return records


def _accuracies(trials: Sequence[Trial], key: RowKey) -> dict[int, float]:
    """Return the test accuracy of each seed."""
    return {trial.seed: trial.record["test"] for trial in trials if trial.cell.row == key}


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return test accuracies, and the gains over logistic regression, trial by trial."""
    rows: list[Row] = []
    for data in DATA:
        found = {
            (method, variant): _accuracies(trials, RowKey(data, method, variant=variant))
            for method, variant in METHODS
        }
        for (method, variant), of_seed in found.items():
            if of_seed:
                mean = percent_interval(list(of_seed.values()))
                key = RowKey(data, method, variant=variant)
                rows.append(Row(key, *mean, n=len(of_seed), unit="%"))
        for reference in (WHOLE, STRETCHES):
            both = paired([found[PROJECTION, ""], found[LOGISTIC, reference]])
            if len(both):
                gain = mean_interval(both[:, 0] - both[:, 1])
                name = ", ".join(filter(None, (LOGISTIC, reference)))
                key = RowKey(data, PROJECTION, quantity=f"gain over {name}")
                rows.append(Row(key, *gain, n=len(both), unit="points"))
        reason = _missing(data)
        if reason and not any(found.values()):
            key = RowKey(data, PROJECTION)
            rows.append(Row(key, None, note=reason, status=Status.SKIPPED))
    return Summary(tuple(rows), (_panel(trials),), REMARKS)


REMARKS = (
    "Logistic regression gets square roots of spike counts: of each channel, or of each channel "
    "in each of eight stretches, the same as the delay lines of the spiking classifier. It "
    "chooses scaling and penalty in each trial; the spiking classifier has nothing to choose.",
    "All events and eight stretches are run where channels are few, pooled 4 x 4 and Braille.",
    "Braille: the division is the same in every trial, so intervals show only the chance inside "
    "a method; logistic regression has none but its folds.",
)


def _panel(trials: Sequence[Trial]) -> Panel:
    """Return all methods on all sets of events, a little apart from each other."""
    lines = []
    for number, (method, variant) in enumerate(METHODS):
        shift = 0.12 * (number - 0.5 * (len(METHODS) - 1))
        found = [_accuracies(trials, RowKey(data, method, variant=variant)) for data in DATA]
        points = [
            (place + shift, *percent_interval(list(of_seed.values())))
            for place, of_seed in enumerate(found, 1)
            if of_seed
        ]
        if points:
            x, y, lo, hi = (list(column) for column in zip(*points, strict=True))
            name = ", ".join(filter(None, (method, variant)))
            lines.append(Line(name, x, y, lo, hi, "points"))
    names = tuple("Braille letters" if data == BRAILLE else data for data in DATA)
    return Panel("Test accuracy", "", "test accuracy (%)", tuple(lines), x_names=names)


def _missing(data: str) -> str:
    """Return why a set of events cannot be used; empty if it can."""
    return braille7_missing() if data == BRAILLE else mnist_missing()


EXPERIMENT = Experiment(
    Heading("events", "Beyond", "Events of a simulated camera and of a fingertip"),
    Protocol(EventCell, cells, seeds, trials, summarise),
    needs=lambda: mnist_missing() and braille7_missing(),
    unable=lambda cell: _missing(cell.data),
    batch=1,
    cost=lambda cell: 5.0 if cell.data == BRAILLE else 60.0,
)
