"""Initial weights of estimators, and neurons that run away."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linspike as ls
from linspike.training import driven_weights, initial_weights

CLASSES = 10


def events(rate, n_patterns=30, n_channels=162, seed=0):
    """Patterns of this rate, and labels that go round."""
    rng = np.random.default_rng(seed)
    made = ls.poisson_patterns(
        n_patterns, n_channels=n_channels, duration=340.0, rate=rate, rng=rng
    )
    return made, np.arange(n_patterns) % CLASSES


def begin(patterns, labels, **how):
    """A classifier before its first step, as nearly as that can be had: with tiny steps."""
    return ls.SpikeClassifier(rule=ls.rules.MST(eta=1e-12), max_iter=1, random_state=0, **how).fit(
        patterns, labels
    )


@pytest.mark.parametrize("rate", [0.002, 0.005, 0.05, 0.15])
@pytest.mark.parametrize("spikes", [1, 3, 10])
def test_a_first_response_has_about_the_desired_number_of_spikes(rate, spikes):
    patterns, labels = events(rate)
    targets = [ls.SpikeCounts(spikes * (labels == place)) for place in range(CLASSES)]
    weights = driven_weights(ls.SRM(), patterns, targets, 0)
    own = ls.SRM().respond_many(weights, patterns).counts[labels, np.arange(len(patterns))]
    assert 0.5 * spikes <= np.median(own) <= 1.5 * spikes


def test_dense_input_does_not_run_away():
    patterns, labels = events(0.15)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ls.RunawayWarning)
        clf = ls.SpikeClassifier(max_iter=1, random_state=0).fit(patterns, labels)
    assert clf.neuron_.respond_many(clf.weights_, patterns).counts.max() < 68


def test_weights_that_are_too_large_are_named_after_one_epoch():
    patterns, labels = events(0.15)
    clf = ls.SpikeClassifier(init=(0.01, 0.01), max_iter=1, random_state=0)
    sentence = "10 of 10 neurons responded to most samples with far too many spikes in epoch 1"
    with pytest.warns(ls.RunawayWarning, match=sentence) as caught:
        clf.fit(patterns, labels)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_mapper_follows_the_drive_too():
    patterns, _ = events(0.15, n_patterns=4)
    desired = [[60.0, 160.0], [100.0, 200.0], [], [150.0, 300.0]]
    mapper = ls.SpikeMapper(rule=ls.rules.PSD(eta=1e-12), max_iter=1, random_state=0)
    first = mapper.fit(patterns, desired).predict(patterns)
    assert 1 <= np.median([len(first[p].times) for p in (0, 1, 3)]) <= 3


def test_given_weights_are_where_learning_starts():
    patterns, labels = events(0.005)
    given_weights = np.full((CLASSES, 162), 0.003)
    clf = begin(patterns, labels, init=given_weights)
    np.testing.assert_allclose(clf.weights_, given_weights, atol=1e-6)
    assert clf.weights_ is not given_weights


def test_a_pair_is_mean_and_deviation_in_thresholds():
    patterns, labels = events(0.005)
    neuron = ls.SRM(threshold=5.0)
    clf = begin(patterns, labels, init=(0.01, 0.0), neuron=neuron)
    np.testing.assert_allclose(clf.weights_, 0.05, atol=1e-6)


@pytest.mark.parametrize(
    "init",
    ["big", "paper", None, 0.01, (0.01,), (0.01, -0.01), (np.nan, 0.1), (1, 2, 3), [["a", "b"]]],
)
def test_what_is_no_start_is_refused(init):
    patterns, labels = events(0.005)
    with pytest.raises(ls.ParameterError, match="'init' parameter of SpikeClassifier must be"):
        ls.SpikeClassifier(init=init).fit(patterns, labels)


def test_weights_of_another_shape_are_refused():
    patterns, labels = events(0.005)
    with pytest.raises(ls.ParameterError, match=r"shape \(10, 162\), a row .* shape \(3, 5\)"):
        ls.SpikeClassifier(init=np.zeros((3, 5))).fit(patterns, labels)


@pytest.mark.parametrize("init", ["drive", (0.02, 0.01), [0.02, 0.01], np.full((10, 162), 0.01)])
def test_the_start_is_saved(init, tmp_path):
    patterns, labels = events(0.005)
    clf = begin(patterns, labels, init=init)
    clf.save(tmp_path / "model.npz")
    loaded = ls.load_model(tmp_path / "model.npz")
    assert np.array_equal(loaded.init, init)
    assert np.array_equal(loaded.fit(patterns, labels).weights_, clf.weights_)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31 - 1), st.sampled_from([1e-3, 1e-2, 0.1]), st.integers(1, 5))
def test_half_of_the_responses_have_enough_spikes(seed, rate, count):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(9, n_channels=40, duration=100.0, rate=rate, rng=rng)
    neuron, targets = ls.SRM(), [ls.SpikeCounts([count] * 9)] * 3
    found = driven_weights(neuron, patterns, targets, seed)
    plain = initial_weights(neuron, 3, 40, seed)
    for weights, start in zip(found, plain, strict=True):
        critical = [neuron.critical_threshold(weights, p, k=count).value for p in patterns]
        if np.array_equal(weights, start):
            assert np.median(critical) == 0.0
        else:
            assert np.median(critical) == pytest.approx(neuron.threshold, rel=1e-9)


def test_neurons_do_not_depend_on_each_other():
    patterns, _ = events(0.005, n_patterns=6)
    targets = [ls.SpikeCounts([count] * 6) for count in (1, 4, 8)]
    three = driven_weights(ls.SRM(), patterns, targets, 5)
    assert np.array_equal(driven_weights(ls.SRM(), patterns, targets[:1], 5), three[:1])


def test_a_neuron_of_which_no_spike_is_desired_starts_as_the_others():
    patterns, _ = events(0.15, n_patterns=6)
    targets = [ls.SpikeCounts([3] * 6), ls.SpikeCounts([0] * 6)]
    weights = driven_weights(ls.SRM(), patterns, targets, 0)
    assert np.median(ls.SRM().respond_many(weights, patterns).counts[1]) == pytest.approx(3, abs=1)


def test_classes_that_are_not_there_yet_do_not_run_away():
    patterns, labels = events(0.15)
    seen = np.flatnonzero(labels < 5)
    clf = ls.SpikeClassifier(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ls.RunawayWarning)
        clf.partial_fit(patterns[seen], labels[seen], classes=range(CLASSES))
    assert clf.neuron_.respond_many(clf.weights_, patterns).counts.max() < 40


def test_no_drive_gives_the_plain_start():
    empty = ls.PatternSet([], [], [0, 0, 0], 5, 100.0)
    plain = initial_weights(ls.SRM(), 1, 5, 3)
    for counts in ([0, 0], [1, 2]):
        found = driven_weights(ls.SRM(), empty, [ls.SpikeCounts(counts)], 3)
        assert np.array_equal(found, plain)
