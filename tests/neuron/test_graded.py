"""Graded counts, against their definition with critical thresholds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import strategies

import linspike as ls
from linspike.neuron import graded, responses

NEURON = ls.SRM()
rows = st.lists(strategies.weights, min_size=2, max_size=4).map(np.array)


def by_definition(neuron, weights, pattern, until=None):
    """The graded count, and how much of it a billionth of a threshold decides."""
    count = len(neuron.respond(weights, pattern, until=until))

    def critical(k):
        return neuron.critical_threshold(weights, pattern, k, until=until).value

    if count == 0:
        return critical(1) / neuron.threshold, 1e-9
    span = np.log(critical(count) / critical(count + 1))
    return count + np.log(critical(count) / neuron.threshold) / span, 4e-9 / span


@given(strategies.neurons(), strategies.weights, strategies.patterns(), strategies.horizons)
def test_definition(neuron, weights, pattern, until):
    patterns = ls.PatternSet.from_patterns([pattern])
    found = ls.graded_counts(neuron, [weights], patterns, until=until, threads=1)
    expected, tolerance = by_definition(neuron, weights, pattern, until)
    assert found[0, 0] == pytest.approx(expected, abs=1e-9 + tolerance)


def plain_case(seed, n_neurons=5, n_patterns=12):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(n_patterns, n_channels=40, duration=80.0, rate=0.02, rng=rng)
    return rng.normal(0.05, 0.15, (n_neurons, 40)), patterns


def test_definition_with_many_spikes():
    weights, patterns = plain_case(0)
    found = ls.graded_counts(NEURON, weights, patterns)
    counts = NEURON.respond_many(weights, patterns).counts
    assert (counts == 0).any()
    assert counts.max() > 5
    for neuron, p in np.ndindex(found.shape):
        expected, tolerance = by_definition(NEURON, weights[neuron], patterns[p])
        assert found[neuron, p] == pytest.approx(expected, abs=1e-9 + tolerance)
    assert (np.floor(found) == counts).all()


@given(strategies.neurons(), rows, st.lists(strategies.patterns(), min_size=1, max_size=3))
def test_grades_and_contests(neuron, weights, listed):
    patterns = ls.PatternSet.from_patterns(listed)
    counts = neuron.respond_many(weights, patterns, threads=1).counts
    graded = ls.graded_counts(neuron, weights, patterns, threads=1)
    assert ((graded >= counts) & (graded < counts + 1)).all()
    contested = ls.graded_counts(neuron, weights, patterns, contested=True, threads=1)
    assert (contested.argmax(axis=0) == graded.argmax(axis=0)).all()
    for p, column in enumerate(counts.T):
        shared = (column == column.max()) & ((column == column.max()).sum() > 1)
        assert np.array_equal(contested[:, p], np.where(shared, graded[:, p], column))


def test_equal_neurons_stay_equal_and_the_first_wins():
    weights, patterns = plain_case(1)
    graded = ls.graded_counts(NEURON, weights[[0, 0, 0]], patterns, contested=True)
    assert (graded == graded[0]).all()
    assert (graded.argmax(axis=0) == 0).all()


def test_no_jump_where_the_count_jumps():
    weights, patterns = plain_case(2, n_neurons=1)
    critical = NEURON.critical_threshold(weights[0], patterns[0], 3).value
    below, above = (
        ls.graded_counts(ls.SRM(threshold=critical * share), weights, patterns[:1]).item()
        for share in (1.0 - 1e-7, 1.0 + 1e-7)
    )
    assert below == pytest.approx(3.0, abs=1e-4)
    assert above == pytest.approx(3.0, abs=1e-4)
    assert above < 3.0 <= below


def test_silent_neurons():
    pattern = ls.PatternSet([1.0, 4.0], [0, 1], [0, 2], 2, 60.0)
    found = ls.graded_counts(NEURON, [[0.4, 0.0], [0.0, 0.0], [-1.0, -2.0]], pattern)
    assert found[:, 0].tolist() == pytest.approx([0.4, 0.0, 0.0])
    assert found[1, 0] == found[2, 0] == 0.0
    at_peak = ls.graded_counts(NEURON, [[1.0 - 1e-12, 0.0]], pattern).item()
    assert at_peak == 1.0 - 1e-9  # next to a spike, but none


def test_more_threads_give_the_same_bits():
    weights, patterns = plain_case(3)
    one = ls.graded_counts(NEURON, weights, patterns, threads=1)
    for threads in (2, 3, 50):
        assert (
            ls.graded_counts(NEURON, weights, patterns, threads=threads).tobytes() == one.tobytes()
        )
    few = ls.graded_counts(NEURON, weights, patterns[[4, 2]], threads=2)
    assert few.tobytes() == one[:, [4, 2]].tobytes()


def test_a_response_that_was_cut_off_has_no_grade():
    pattern = ls.PatternSet([1.0, 4.0], [0, 1], [0, 2], 2, 60.0)
    for large in (1e6, 1.7e308):
        message = "graded_counts cut a response off at 1000 spikes and 10 for every input: .* no gr"
        with pytest.warns(ls.RunawayWarning, match=message) as caught:
            found = ls.graded_counts(NEURON, [[large, large], [0.5, 0.0]], pattern)
        assert caught[0].filename == __file__
        assert found[0, 0] == np.floor(found[0, 0])
        assert found[1, 0] == pytest.approx(0.5)
    with pytest.warns(ls.RunawayWarning, match="graded_counts cut 2 responses off"):
        ls.graded_counts(NEURON, [[1e6, 1e6]] * 2, pattern)


def test_responses_are_cut_off_where_respond_many_cuts_them():
    pattern = ls.PatternSet([1.0, 4.0], [0, 1], [0, 2], 2, 60.0)
    with pytest.warns(ls.RunawayWarning, match="respond_many"):
        counts = NEURON.respond_many([[1e6, 1e6]], pattern).counts
    with pytest.warns(ls.RunawayWarning, match="graded_counts"):
        assert np.array_equal(ls.graded_counts(NEURON, [[1e6, 1e6]], pattern), counts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contested": 1}, "'contested' parameter of graded_counts must be True or False. Got 1"),
        ({"threads": 0}, "'threads' parameter of graded_counts must be a whole number"),
        ({"until": -1.0}, "'until' parameter of graded_counts must be at least 0"),
        ({"until": np.nan}, "'until' parameter of graded_counts must be at least 0"),
        ({"weights": [1.0, 2.0]}, r"must be of shape \(neurons, 2\)"),
        ({"weights": [[1.0, np.nan]]}, "'weights' parameter of graded_counts must be finite"),
        ({"patterns": [1.0]}, "'patterns' parameter of graded_counts must be a PatternSet"),
        (
            {"patterns": None},
            "'patterns' parameter of graded_counts must be a PatternSet. Got None",
        ),
        ({"neuron": None}, "'neuron' parameter of graded_counts must be an SRM. Got None"),
        ({"neuron": ls.SRM}, "'neuron' parameter of graded_counts must be an SRM"),
    ],
)
def test_refusals(change, message):
    pattern = ls.PatternSet([1.0, 4.0], [0, 1], [0, 2], 2, 60.0)
    good = {"neuron": NEURON, "weights": [[0.4, 0.2]], "patterns": pattern}
    with pytest.raises(ls.ParameterError, match=message):
        ls.graded_counts(**{**good, **change})


def test_the_size_of_jobs_decides_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    patterns = ls.poisson_patterns(9, n_channels=30, duration=200.0, rate=0.01, rng=rng)
    weights = rng.normal(0.1, 0.1, (5, 30))
    whole = ls.graded_counts(ls.SRM(), weights, patterns, threads=1)
    for module in (graded, responses):
        monkeypatch.setattr(module, "MOST_PER_JOB", 60)
    monkeypatch.setattr(responses, "EVENTS_PER_JOB", 5)
    calls = []
    original = responses._run_task
    monkeypatch.setattr(responses, "_run_task", lambda *given: calls.append(1) or original(*given))
    assert np.array_equal(ls.graded_counts(ls.SRM(), weights, patterns, threads=1), whole)
    assert len(calls) > 3
