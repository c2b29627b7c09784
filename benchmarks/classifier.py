"""SpikeClassifier beside scikit-learn's MLPClassifier: both as they come, on the same halves."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

import linspike as ls
from benchmarks.timing import Report

ROUNDS = {"iris": 9, "digits": 3}
LEAST_SECONDS = 0.02  # per turn, as predictions are short
FIT_LIMIT = {"iris": 0.2, "digits": None}  # seconds


def measure(report: Report) -> None:
    """Fit on every second sample, predict the others: times, their ratios, accuracies."""
    # One thread each: the threads of MLPClassifier's BLAS only wait for each other on so few rows.
    with threadpool_limits(1):
        for table in ROUNDS:
            _table(report, table)


def _table(report: Report, table: str) -> None:
    X, y = getattr(datasets, f"load_{table}")(return_X_y=True)
    seen, unseen = slice(1, None, 2), slice(0, None, 2)
    models = {"ours": ls.SpikeClassifier(random_state=0), "MLP": MLPClassifier(random_state=0)}
    fits = {name: _fit(model, X[seen], y[seen]) for name, model in models.items()}
    seconds = {"fit": median_seconds(fits, ROUNDS[table])}
    predicts = {name: _predict(model, X[unseen]) for name, model in models.items()}
    seconds["predict"] = median_seconds(predicts, ROUNDS[table])

    accuracy = {name: model.score(X[unseen], y[unseen]) for name, model in models.items()}
    samples, epochs = (
        len(y[seen]),
        {name: model.n_iter_ for name, model in models.items()},
    )
    name = f"fit, {table}, {samples} samples, {epochs['ours']} epochs"
    report.add("classifier", name, seconds["fit"]["ours"], "s", FIT_LIMIT[table], "one thread")
    for what, found in seconds.items():
        note = f"ours {_time(found['ours'])}, MLP {_time(found['MLP'])}"
        if what == "fit":
            note += f", which does {epochs['MLP']} epochs"
        ratio = found["ours"] / found["MLP"]
        report.add("classifier", f"{what}, {table}, against MLP", ratio, "x MLP", note=note)
    note = f"MLP {accuracy['MLP']:.1%}; {len(y[unseen])} samples"
    report.add("classifier", f"accuracy, {table}, test", 100 * accuracy["ours"], "%", note=note)


def _fit(model: Any, X: Any, y: Any) -> Callable[[], object]:
    def call() -> None:
        with warnings.catch_warnings():
            # The defaults of MLPClassifier end before it has converged, and say so each time.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)

    return call


def _predict(model: Any, X: Any) -> Callable[[], object]:
    return lambda: model.predict(X)


def median_seconds(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median time of one call of each; they take turns, and the first call is not timed."""
    repeats = {}
    for name, call in calls.items():
        call()  # it may compile
        repeats[name] = max(1, round(LEAST_SECONDS / _seconds(call, 1)))
    turns: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            turns[name].append(_seconds(call, repeats[name]))
    return {name: median(found) for name, found in turns.items()}


def _seconds(call: Callable[[], object], repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - started) / repeats


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1.0 else f"{1e3 * seconds:.3g} ms"
