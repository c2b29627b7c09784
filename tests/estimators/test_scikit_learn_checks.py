"""scikit-learn's own checks of estimators, for encoders, rules and codes of several kinds."""

import warnings

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

import linspike as ls

ORDER = (
    "Samples are learned one after the other, and a step that meets its constraints leaves nothing "
    "for a second one: a weight of 2 scales steps and is not the same as two samples."
)
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}
NEGATIVE = "The check passes negative numbers although the tag positive_only is set."
EXPECTED_OF_LATENCIES = {
    "check_class_weight_classifiers": NEGATIVE,
    "check_decision_proba_consistency": NEGATIVE,
    "check_classifiers_train": "Two channels, each earlier for larger numbers, cannot tell blobs.",
}
MAY_BE_SKIPPED = {"check_array_api_input"}  # needs SCIPY_ARRAY_API


class OneSpike(ls.SpikeMapper):
    """A mapper from numbers to one spike, as scikit-learn's checks of arrays can use it."""

    def fit(self, X, y, sample_weight=None):
        y = None if y is None else np.asarray(y, float)
        trains = None if y is None else [[5.0 + np.tanh(t)] for t in np.atleast_1d(y).ravel()]
        return super().fit(X, trains, sample_weight)

    def predict(self, X):
        return np.array([train.times[0] if len(train) else np.inf for train in super().predict(X)])

    def score(self, X, y, sample_weight=None):
        return super().score(X, [[5.0 + np.tanh(t)] for t in np.asarray(y, float)], sample_weight)


def as_table(patterns):
    """Return spike times, (patterns, channels), with the end of a pattern where there is none."""
    table = np.repeat(patterns.durations[:, np.newaxis], patterns.n_channels, axis=1)
    samples = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
    table[samples, patterns.channels] = patterns.times
    return table


class Fields(ls.PopulationEncoder):
    """Receptive fields whose output is an array, as scikit-learn's checks need it."""

    def transform(self, X):
        return as_table(super().transform(X))


class Latencies(ls.LatencyEncoder):
    """Latencies whose output is an array."""

    def transform(self, X):
        return as_table(super().transform(X))


def complement(values):
    """Two columns for each, one that grows and one that falls with it."""
    return np.hstack([values, 1.0 - values])


COMPLEMENT = make_pipeline(
    MinMaxScaler(clip=True), FunctionTransformer(complement), ls.LatencyEncoder(20.0)
)
CASES = {
    "default": ls.SpikeClassifier(),
    "latencies": ls.SpikeClassifier(ls.LatencyEncoder(), spikes=3),
    "MST": ls.SpikeClassifier(COMPLEMENT, "mst", spikes=3),
    "bounds": ls.SpikeClassifier(weight_bounds=(-0.5, np.inf)),
    "times": ls.SpikeClassifier(code="times", spikes=5),
    "EMLC, exact counts": ls.SpikeClassifier(
        ls.PopulationEncoder(5, silent_below=0.1), "emlc", target="exact", ties="paper"
    ),
    "all options": ls.SpikeClassifier(
        COMPLEMENT,
        ls.DTA(count_target="gradient"),
        neuron=ls.SRM(10.0),
        early_stopping=True,
        validation_fraction=0.3,
        schedule=(1.0, 0.5),
    ),
    "mapper": OneSpike(max_iter=5),
    "mapper, latencies and ReSuMe": OneSpike(ls.LatencyEncoder(), "resume", max_iter=5),
    "encoder of fields": Fields(),
    "encoder of latencies": Latencies(),
}


@pytest.mark.parametrize("case", CASES)
def test_scikit_learn_checks(case):
    estimator = CASES[case]
    expected = EXPECTED | (EXPECTED_OF_LATENCIES if case == "latencies" else {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks look at those that matter
        results = check_estimator(
            estimator, on_fail=None, on_skip=None, expected_failed_checks=expected
        )
    of = {}
    for result in results:
        of.setdefault(result["status"], {})[result["check_name"]] = repr(result["exception"])
    assert of.keys() <= {"passed", "skipped", "xfail"}, of.get("failed")
    assert of.get("xfail", {}).keys() <= expected.keys()
    assert of.get("skipped", {}).keys() <= MAY_BE_SKIPPED
    assert len(of["passed"]) >= 40
