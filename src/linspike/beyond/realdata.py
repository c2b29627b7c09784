"""Beyond the paper: tables and tactile recordings, with the usual classifiers as references.

Wine, breast cancer and digits as scikit-learn has them, half to learn from and half for testing,
drawn with the same mix of classes; Braille letters under a fingertip of twelve taxels (Mueller-
Cleve et al. 2022), with the published division. Every method gets four settings and chooses among
them inside its training part alone: by three-fold cross-validation, or on the published validation
part. Then it learns all of the training part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.datasets.braille import BRAILLE, braille7, braille7_missing
from linspike.paper.common.methods import PROJECTION
from linspike.study.analysis.intervals import mean_interval, paired, percent_interval
from linspike.study.cells import Record, RowCell, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey, Status

TABLES = ("wine", "breast cancer", "digits")
DATA = (*TABLES, BRAILLE)
METHODS = {  # key of the model by name
    PROJECTION: "dta",
    "EMLC": "emlc",
    "logistic regression": "logistic",
    "RBF SVM": "svm",
    "random forest": "forest",
}
SPIKING = {"dta": ("bound", (0.1, 0.3)), "emlc": ("eta", (0.003, 0.01))}
REFERENCES = [name for name, model in METHODS.items() if model not in SPIKING]
TRIALS = {"smoke": 1, "laptop": 10, "paper": 50}
SMOKE_SAMPLES = 70  # of each table: enough to run everything, too few to say anything
SMOKE_TREES, TREES = 20, 200
FOLDS, BIN_MS, BINS = 16, 5.0, 16  # of a Braille recording of 256 steps


@dataclass(frozen=True, kw_only=True)
class DataCell(RowCell):
    """A method on a data set.

    Parameters
    ----------
    data : str
        Name of the data set.
    model : str
        Key of the method.
    small : bool
        Whether to learn a few samples only, to see that everything runs.
    """

    data: str
    model: str
    small: bool = False


class Samples(NamedTuple):
    """Samples of one trial; `folds` divide the training part to choose settings in."""

    X: Any
    y: Ints
    folds: Any
    X_test: Any
    y_test: Ints


def cells(scale: str, trials: Sequence[Trial]) -> list[DataCell]:
    """Return every method on every data set."""
    return [
        DataCell(
            scale=scale,
            row=RowKey(scenario=data, method=method),
            data=data,
            model=model,
            small=scale == "smoke",
        )
        for data in DATA
        for method, model in METHODS.items()
    ]


def seeds(scale: str, cell: DataCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    return range(TRIALS[scale])


@cache
def _table(name: str) -> tuple[Floats, Ints]:
    from sklearn import datasets

    load = {
        "wine": datasets.load_wine,
        "breast cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
    }[name]
    values, labels = load(return_X_y=True)
    return values, labels


def draw_samples(cell: DataCell, seed: int) -> Samples:
    """Return the samples of a trial: the same for all methods."""
    from sklearn.model_selection import PredefinedSplit, StratifiedKFold, train_test_split

    if cell.data == BRAILLE:
        rasters, letters, (learn, choose) = braille7()
        step = 10 if cell.small else 1
        fold = np.repeat([-1, 0], [learn, choose - learn])[::step]
        train, test = slice(0, choose, step), slice(choose, None)
        return Samples(
            rasters[train], letters[train], PredefinedSplit(fold), rasters[test], letters[test]
        )
    values, labels = _table(cell.data)
    train, test = train_test_split(
        np.arange(len(labels)), test_size=0.5, stratify=labels, random_state=seed
    )
    if cell.small:
        few = {"train_size": SMOKE_SAMPLES, "stratify": labels[train], "random_state": seed}
        train, _ = train_test_split(train, **few)
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    return Samples(values[train], labels[train], folds, values[test], labels[test])


def make_spiking(data: str, rule: str, seed: int) -> tuple[Any, dict[str, list[Any]]]:
    """Return a classifier of spiking neurons, and four settings.

    Two step sizes, the default and the next smaller of those that tables are tuned over; and two
    numbers of fields, or for Braille two membrane times.
    """
    from linspike.encoders import PopulationEncoder, RasterEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.neuron.srm import SRM
    from linspike.rules import rule_of

    name, values = SPIKING[rule]
    rules = [rule_of(rule, "realdata", **{name: value}) for value in values]
    # All rules start as in the paper's tables.
    model = SpikeClassifier(init=(0.01, 0.01), random_state=seed, n_jobs=1)
    if data != BRAILLE:
        encoders = [PopulationEncoder(n_fields=fields) for fields in (5, 10)]
        return model, {"encoder": encoders, "rule": rules}
    # Delay lines bring a second of touch together; a slow membrane sums over a stretch of it.
    neurons = [SRM(tau_m=tau, tau_s=tau / 5.0) for tau in (50.0, 100.0)]
    model.set_params(encoder=RasterEncoder(BIN_MS, folds=FOLDS))
    return model, {"neuron": neurons, "rule": rules}


def make_reference(model: str, seed: int, trees: int) -> tuple[Any, dict[str, list[Any]]]:
    """Return a classifier of scikit-learn, and four settings."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    strengths = [0.1, 1.0, 10.0, 100.0]
    if model == "svm":
        return make_pipeline(StandardScaler(), SVC()), {"svc__C": strengths}
    if model == "forest":
        forest = RandomForestClassifier(trees, random_state=seed)
        return forest, {"max_features": ["sqrt", "log2", 0.3, 0.6]}
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
    return logistic, {"logisticregression__C": [0.01, *strengths[:3]]}


def count_spikes(rasters: Any) -> Floats:
    """Return the spikes of each taxel in each of sixteen stretches of a recording."""
    n, steps, taxels = rasters.shape
    stretches = rasters.reshape(n, BINS, steps // BINS, taxels)
    counts: Floats = stretches.sum(axis=2, dtype=np.float64).reshape(n, -1)
    return counts


def trials(cell: DataCell, seeds: Sequence[int]) -> list[Record]:
    """Choose a setting, learn, and test."""
    from sklearn.model_selection import GridSearchCV

    from linspike.estimators.monitor import raising_interrupts

    records = []
    for seed in seeds:
        samples = draw_samples(cell, seed)
        extract: Callable[[Any], Any] = np.asarray
        if cell.model in SPIKING:
            model, settings = make_spiking(cell.data, cell.model, seed)
        else:
            trees = SMOKE_TREES if cell.small else TREES
            model, settings = make_reference(cell.model, seed, trees)
            extract = count_spikes if cell.data == BRAILLE else np.asarray
        search = GridSearchCV(model, settings, cv=samples.folds, error_score="raise")
        with raising_interrupts():
            search.fit(extract(samples.X), samples.y)
        records.append(
            {
                "train": 100.0 * float(search.score(extract(samples.X), samples.y)),
                "test": 100.0 * float(search.score(extract(samples.X_test), samples.y_test)),
                "setting": int(search.best_index_),
            }
        )
    return records


def _accuracies(trials: Sequence[Trial], data: str, method: str) -> dict[int, float]:
    """Return the test accuracy of each seed."""
    row = RowKey(scenario=data, method=method)
    return {trial.seed: trial.record["test"] for trial in trials if trial.cell.row == row}


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return test accuracies, and the gains of the projection, trial by trial."""
    rows: list[Row] = []
    for data in DATA:
        found = {method: _accuracies(trials, data, method) for method in METHODS}
        for method, of_seed in found.items():
            if of_seed:
                mean = percent_interval(list(of_seed.values()))
                key = RowKey(scenario=data, method=method)
                rows.append(Row(key, *mean, n=len(of_seed), unit="%"))
        key = RowKey(scenario=data, method=PROJECTION)
        for reference in REFERENCES:
            both = paired([found[PROJECTION], found[reference]])
            if len(both):
                gain = mean_interval(both[:, 0] - both[:, 1])
                quantity = f"gain over {reference}"
                rows.append(Row(key.but(quantity=quantity), *gain, n=len(both), unit="points"))
    missing = braille7_missing()
    if missing and not any(row.key.scenario == BRAILLE for row in rows):
        key = RowKey(scenario=BRAILLE, method=PROJECTION)
        rows.append(Row(key, None, note=missing, status=Status.SKIPPED))
    return Summary(tuple(rows), (_panel(trials),), REMARKS)


REMARKS = (
    "Every method chooses among four settings inside its training part. Logistic regression "
    "and the SVM get standardised features.",
    "Braille: the published division (1260 recordings to learn, 140 for testing) is the "
    "same in every trial, so intervals show only the chance inside a method; the references "
    "get spike counts in 16 stretches of 80 ms.",
)


def _panel(trials: Sequence[Trial]) -> Panel:
    """Return all methods on all data sets, a little apart from each other."""
    shown = tuple(data for data in DATA if _accuracies(trials, data, PROJECTION))
    lines = []
    for number, method in enumerate(METHODS):
        found = [(place, _accuracies(trials, data, method)) for place, data in enumerate(shown, 1)]
        points = [
            (place, *percent_interval(list(of_seed.values())))
            for place, of_seed in found
            if of_seed
        ]
        if points:
            places, y, lo, hi = (list(column) for column in zip(*points, strict=True))
            x = [place + 0.12 * (number - 0.5 * (len(METHODS) - 1)) for place in places]
            lines.append(Line(method, x, y, lo, hi, "points"))
    names = tuple("Braille letters" if data == BRAILLE else data for data in shown)
    return Panel("Test accuracy", "", "test accuracy (%)", tuple(lines), x_names=names)


EXPERIMENT = Experiment(
    Heading(
        "realdata",
        "Beyond",
        "Tables and tactile recordings, with the usual classifiers as references",
    ),
    Protocol(DataCell, cells, seeds, trials, summarise),
    unable=lambda cell: braille7_missing() if cell.data == BRAILLE else "",
    batch=2,
    cost=lambda cell: 20.0 if cell.data in ("digits", BRAILLE) else 3.0,
)
