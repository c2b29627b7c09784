"""The check: rows, their laws, classes, and every kind of bad input."""

import json
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from tests.support.strategies import neurons, patterns, weights

import linspike as ls
from linspike.deploy import DeployReport, DeployRow, quantise, respond_on_grid

PATTERNS = ls.poisson_patterns(30, n_channels=40, duration=150.0, rate=0.02, rng=3)
MODEL = ls.Model(ls.SRM(), np.random.default_rng(0).normal(0.05, 0.12, (3, 40)))
X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def flowers():
    encoder = ls.PopulationEncoder(duration=50.0)
    return ls.SpikeClassifier(encoder, spikes=4, max_iter=3, random_state=0).fit(X, Y)


def row_of(report, dt, bits):
    (row,) = [row for row in report.rows if (row.dt, row.bits) == (dt, bits)]
    return row


def compare_slowly(found, exact):
    """Share of changed patterns and all displacements, train by train."""
    n_neurons, n_patterns = exact.shape
    changed, errors = 0, []
    for p in range(n_patterns):
        counts = [(len(found[i, p]), len(exact[i, p])) for i in range(n_neurons)]
        changed += any(a != b for a, b in counts)
        for i, (a, b) in enumerate(counts):
            if a == b:
                errors += np.abs(found[i, p].times - exact[i, p].times).tolist()
    return changed / n_patterns, errors


def test_rows_are_those_of_a_slow_comparison():
    report = ls.deploy_check(MODEL, PATTERNS, dts=[1.0, 0.1], bits=[8, 3])
    combinations = [(row.dt, row.bits) for row in report.rows]
    assert combinations == [
        (dt, bits) for bits in (None, 8, 3) for dt in (None, 1.0, 0.1) if dt or bits
    ]
    exact = MODEL.respond(PATTERNS)
    assert report.n_spikes == len(exact.times) > 100
    assert (report.n_patterns, report.n_neurons) == (30, 3)
    for dt, bits in combinations:
        w = MODEL.weights if bits is None else quantise(MODEL.weights, bits).weights
        neuron = MODEL.neuron
        found = (
            neuron.respond_many(w, PATTERNS)
            if dt is None
            else respond_on_grid(neuron, w, PATTERNS, dt)
        )
        share, errors = compare_slowly(found, exact)
        row = row_of(report, dt, bits)
        assert row.count_changed == pytest.approx(share)
        assert row.median_error == pytest.approx(np.median(errors))
        assert row.max_error == max(errors)
        assert row.accuracy is None
    assert 0.0 < row_of(report, 1.0, None).count_changed < 1.0


@given(neurons(), weights, patterns(), st.sampled_from([2, 5, 24]))
def test_any_model_and_pattern(neuron, w, pattern, bits):
    inputs = ls.PatternSet.from_patterns([pattern, pattern])
    model = ls.Model(neuron, [w, -w])
    step = 0.99 * neuron.tau_s
    report = ls.deploy_check(model, inputs, labels=[0, 1], dts=[step], bits=[bits])
    assert report.reference.count_changed == 0.0
    assert report.n_spikes == model.respond(inputs).counts.sum()
    for row in (report.reference, *report.rows):
        assert 0.0 <= row.count_changed <= 1.0
        assert row.accuracy == 0.5  # equal patterns, different labels
        assert math.isnan(row.median_error) or 0.0 <= row.median_error <= row.max_error
    json.loads(report.to_json())
    assert str(report).count("\n") == 4


@given(st.integers(0, 10**6))
def test_finer_steps_and_more_bits_come_nearer(seed):
    rng = np.random.default_rng(seed)
    inputs = ls.poisson_patterns(10, n_channels=30, duration=100.0, rate=0.02, rng=rng)
    model = ls.Model(ls.SRM(), rng.normal(0.1, 0.1, (2, 30)))
    report = ls.deploy_check(model, inputs, dts=[1.0, 0.001], bits=[4, 24])
    coarse, fine = row_of(report, 1.0, None), row_of(report, 0.001, None)
    assert fine.count_changed <= max(coarse.count_changed, 0.2)
    assert not fine.median_error > 0.01
    assert row_of(report, None, 24).count_changed <= 0.1
    assert not row_of(report, None, 24).median_error > 1e-3
    assert report.n_spikes > 0


def test_accuracy_of_a_model_is_by_most_spikes():
    even = MODEL.weights - MODEL.weights.mean(axis=1, keepdims=True) + 0.05
    model = ls.Model(ls.SRM(), even)
    truth = model.respond(PATTERNS).counts.argmax(axis=0)
    assert set(truth) == {0, 1, 2}
    report = ls.deploy_check(model, PATTERNS, labels=truth, dts=[1.0], bits=[2])
    assert report.reference.accuracy == 1.0
    few = quantise(even, 2).weights
    found = respond_on_grid(model.neuron, few, PATTERNS, 1.0).counts.argmax(axis=0)
    accuracy = row_of(report, 1.0, 2).accuracy
    assert accuracy == pytest.approx((found == truth).mean())
    assert accuracy < 1.0


def test_a_classifier_names_classes_by_bare_counts(flowers):
    report = ls.deploy_check(flowers, X, labels=Y, dts=[0.1])
    spikes = flowers.encoder_.transform(X)
    counts = flowers.neuron_.respond_many(flowers.weights_, spikes).counts
    assert report.reference.accuracy == pytest.approx((counts.argmax(axis=0) == Y).mean())
    again = ls.deploy_check(flowers, spikes, labels=Y, dts=0.1)
    assert again == report


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.SpikeClassifier(ls.FirstEvents(1), max_iter=3, random_state=0),
        lambda: ls.SpikeClassifier(ls.ThinEvents(2), max_iter=3, random_state=0),
        lambda: ls.make_event_classifier(150.0, folds=3, max_iter=3, random_state=0),
    ],
    ids=["first", "thinned", "events"],
)
def test_an_encoder_of_spikes_acts_as_in_predict(make):
    labels = np.arange(len(PATTERNS)) % 3
    clf = make().fit(PATTERNS, labels)
    report = ls.deploy_check(clf, PATTERNS, labels=labels, dts=[0.5])
    encoded = clf.encoder_.transform(PATTERNS)
    assert encoded.times.size < PATTERNS.times.size
    own = clf.neuron_.respond_many(clf.weights_, encoded).counts
    assert report.n_spikes == own.sum() > 0
    assert report.reference.accuracy == pytest.approx((own.argmax(axis=0) == labels).mean())
    with pytest.raises(ls.SpikeDataError, match="X has 7 channels, .* expecting 40 as in fit"):
        ls.deploy_check(clf, ls.poisson_patterns(2, n_channels=7, duration=9.0, rate=0.1, rng=0))


def test_a_time_code_is_read_by_its_trains():
    encoder = ls.PopulationEncoder(duration=50.0)
    clf = ls.SpikeClassifier(encoder, code="times", spikes=2, max_iter=5, random_state=0)
    clf.fit(X, Y)
    report = ls.deploy_check(clf, X, labels=Y, dts=[0.01], bits=[2])
    assert report.reference.accuracy == pytest.approx(clf.score(X, Y))
    assert row_of(report, 0.01, None).accuracy == pytest.approx(clf.score(X, Y), abs=0.05)
    assert row_of(report, None, 2).accuracy < report.reference.accuracy


def test_labels_may_be_texts():
    names = np.array(["a", "b", "c"])[Y]
    clf = ls.SpikeClassifier(max_iter=2, random_state=0).fit(X, names)
    report = ls.deploy_check(clf, X, labels=names, dts=[0.01])
    assert report.reference.accuracy > 0.8
    with pytest.raises(ls.ParameterError, match=r"'labels' .* must be among \['a', 'b', 'c'\]"):
        ls.deploy_check(clf, X, labels=Y)


def test_the_horizon_of_an_estimator_counts():
    clf = ls.SpikeClassifier(spikes=3, until=7.0, max_iter=2, random_state=0).fit(X, Y)
    report = ls.deploy_check(clf, X, dts=[0.5])
    neuron, spikes = clf.neuron_, clf.encoder_.transform(X)
    assert report.n_spikes == neuron.respond_many(clf.weights_, spikes, until=7.0).counts.sum()
    endless = clf.set_params(until=np.inf)
    with pytest.raises(ls.ParameterError, match="'until' .* must be finite on a grid"):
        ls.deploy_check(endless, X)


def test_a_mapper_without_labels():
    mapper = ls.SpikeMapper(max_iter=2, random_state=0).fit(PATTERNS[:4], [[50.0]] * 4)
    assert ls.deploy_check(mapper, PATTERNS, dts=[1.0]).rows[0].accuracy is None
    with pytest.raises(ls.ParameterError, match="'labels' .* None for a SpikeMapper"):
        ls.deploy_check(mapper, PATTERNS, labels=[0] * 30)


def test_table_and_json():
    lost = DeployRow(1.0, 4, 1.0, math.nan, math.nan, 0.25)
    report = DeployReport(DeployRow(None, None, 0.0, 0.0, 0.0, 0.5), (lost,), 2, 1, 3)
    assert str(report).splitlines() == [
        "dt (ms)  bits  changed  median (ms)  max (ms)  accuracy",
        "  exact  full    0.0 %            0         0    50.0 %",
        "      1     4  100.0 %            -         -    25.0 %",
    ]
    read = json.loads(report.to_json())
    assert read == report.to_dict()
    assert read["rows"] == [
        {"dt": 1.0, "bits": 4, "count_changed": 1.0, "median_error": None, "max_error": None,
         "accuracy": 0.25}
    ]  # fmt: skip
    assert (read["n_patterns"], read["n_neurons"], read["n_spikes"]) == (2, 1, 3)


@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan, math.inf, "1", None])
def test_bad_time_steps(dt):
    with pytest.raises(ls.ParameterError, match="'dts' .* deploy_check must be positive"):
        ls.deploy_check(MODEL, PATTERNS, dts=[0.1, dt])


def test_time_steps_that_are_too_long_or_too_short():
    with pytest.raises(
        ls.ParameterError, match="positive and below tau_s = 5 ms. Got 5.1 .*millis"
    ):
        ls.deploy_check(MODEL, PATTERNS, dts=[5.1])
    with pytest.raises(
        ls.ParameterError,
        match=r"'dts' .* at least 1.5e-06 ms, which makes 100,000,000 bins in a pattern of 150 ms",
    ):
        ls.deploy_check(MODEL, PATTERNS, dts=[1e-9])
    for values in ("1", [[1.0]], {1.0: 2}, [1.0, [2.0]], [[1.0], [1.0, 2.0]]):
        with pytest.raises(ls.ParameterError, match="'dts' .* a number or a list of numbers"):
            ls.deploy_check(MODEL, PATTERNS, dts=values)
    with pytest.raises(ls.ParameterError, match="'dts' .* one time step at least if bits is empty"):
        ls.deploy_check(MODEL, PATTERNS, dts=[])
    assert len(ls.deploy_check(MODEL, PATTERNS, dts=[], bits=8).rows) == 1


@pytest.mark.parametrize("bits", [1, 25, 4.5, "8", None])
def test_bad_bits(bits):
    with pytest.raises(ls.ParameterError, match="'bits' .* deploy_check must be a whole number"):
        ls.deploy_check(MODEL, PATTERNS, bits=[bits])


def test_bad_models_and_patterns(flowers):
    with pytest.raises(ls.ParameterError, match="'model' .* deploy_check must be a Model or"):
        ls.deploy_check(MODEL.weights, PATTERNS)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        ls.deploy_check(ls.SpikeClassifier(), PATTERNS)
    with pytest.raises(ls.ParameterError, match="'patterns' .* must be a PatternSet.*from_patt"):
        ls.deploy_check(MODEL, PATTERNS[0])
    other = ls.poisson_patterns(2, n_channels=7, duration=50.0, rate=0.1, rng=0)
    with pytest.raises(ls.SpikeDataError, match="over the 40 channels that the model .* Got 7 "):
        ls.deploy_check(MODEL, other)
    with pytest.raises(ValueError, match="4 features"):
        ls.deploy_check(flowers, X[:, :2])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "deploy_check needs a label for each of the 30 patterns. Got 2 instead"),
        ([0] * 29 + [3], "'labels' .* must be from 0 to 2, one number for each neuron.* Got 3"),
        ([-1] * 30, "'labels' .* must be from 0 to 2"),
        ([0.5] * 30, "'labels' .* must be a 1-D array of integers"),
        (["a"] * 30, "'labels' .* must be a 1-D array of integers"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises((ls.ParameterError, ls.SpikeDataError), match=message):
        ls.deploy_check(MODEL, PATTERNS, labels=labels)


def test_a_single_neuron_names_no_classes():
    single = ls.Model(ls.SRM(), MODEL.weights[:1])
    with pytest.raises(ls.ParameterError, match="'labels' .* None for a single neuron"):
        ls.deploy_check(single, PATTERNS, labels=[0] * 30)


def test_as_many_labels_as_samples(flowers):
    with pytest.raises(ls.SpikeDataError, match="a label for each of the 150 patterns. Got 7"):
        ls.deploy_check(flowers, X, labels=Y[:7])
    with pytest.raises(ls.ParameterError, match="'labels' .* must be one label per pattern"):
        ls.deploy_check(flowers, X, labels=[[1], [1, 2]])


def test_bad_arguments_of_the_grid():
    with pytest.raises(ls.ParameterError, match="'neuron' .* respond_on_grid must be an SRM"):
        respond_on_grid(20.0, MODEL.weights, PATTERNS, 1.0)
    with pytest.raises(ls.ParameterError, match="'weights' .* respond_on_grid"):
        respond_on_grid(ls.SRM(), MODEL.weights[:, :3], PATTERNS, 1.0)
    with pytest.raises(ls.ParameterError, match="'dt' .* respond_on_grid must be positive"):
        respond_on_grid(ls.SRM(), MODEL.weights, PATTERNS, 0.0)


def test_fine_steps_take_seconds_at_most():
    inputs = ls.poisson_patterns(100, n_channels=500, duration=400.0, rate=0.005, rng=0)
    model = ls.Model(ls.SRM(), np.random.default_rng(0).normal(0.014, 0.02, (10, 500)))
    ls.deploy_check(model, inputs[:1], dts=[0.01])  # compiles
    started = time.perf_counter()
    report = ls.deploy_check(model, inputs, dts=[0.01])
    assert time.perf_counter() - started < 10.0  # a fifth of a second on a quiet core
    assert report.rows[0].count_changed <= 0.05
