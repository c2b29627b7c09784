"""A layer of neurons with random weights: its spikes, its rate, and what it lets a neuron learn."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import linspike as ls
from linspike import _threads

PATTERNS = ls.poisson_patterns(15, n_channels=8, duration=100.0, rate=0.03, rng=0)


def test_channels_are_neurons_and_their_spikes_are_responses():
    neuron = ls.SRM(12.0, 4.0, 2.5)
    layer = ls.RandomLayer(70, 2.0, random_state=1, neuron=neuron)
    hidden = layer.fit_transform(PATTERNS)
    assert layer.neuron_ == neuron
    assert np.array_equal(hidden.durations, PATTERNS.durations)
    for p, pattern in enumerate(PATTERNS):
        assert (np.diff(hidden[p].times) >= 0.0).all()
        for i in range(70):
            train = neuron.respond(layer.weights_[i], pattern)
            assert np.array_equal(hidden[p].times[hidden[p].channels == i], train.times)
    counts = np.bincount(hidden.channels, minlength=70)
    assert (counts == 30).all()


def test_the_same_bits_for_any_number_of_threads():
    found = []
    for threads in (1, 2, 3):
        with _threads.at_most(threads):
            layer = ls.RandomLayer(130, random_state=0)
            found.append((layer.fit_transform(PATTERNS), layer.weights_.tobytes()))
    assert found[0] == found[1] == found[2]


def test_new_patterns_see_the_weights_of_fit():
    layer = ls.RandomLayer(10, random_state=0).fit(PATTERNS[:10])
    assert layer.transform(PATTERNS[3:9]) == layer.transform(PATTERNS)[3:9]
    again = ls.RandomLayer(10, random_state=np.random.RandomState(0)).fit(PATTERNS[:10])
    assert np.array_equal(again.weights_, layer.weights_)
    other = ls.RandomLayer(10, random_state=1).fit(PATTERNS[:10])
    assert not np.isclose(other.weights_, layer.weights_).any()


def test_silent_input():
    empty = ls.PatternSet([], [], [0, 0, 0], 3, 50.0)
    with pytest.raises(ls.SpikeDataError, match="RandomLayer.fit needs input spikes, but its patt"):
        ls.RandomLayer(4).fit(empty)
    late = ls.PatternSet([50.0], [0], [0, 1], 3, 50.0)
    with pytest.raises(ls.SpikeDataError, match="RandomLayer.fit: 4 of 4 neurons stay silent on"):
        ls.RandomLayer(4).fit(late)
    # What is silent after fit is no error: it is what these patterns are.
    silent = ls.PatternSet([], [], [0, 0], 8, 9.0)
    assert not ls.RandomLayer(4).fit(PATTERNS).transform(silent).times.size


def test_saved_with_its_neuron(tmp_path):
    labels = np.arange(15) % 3
    neuron = ls.SRM(12.0, 4.0)
    state = np.random.RandomState(3)
    layer = make_pipeline(ls.PopulationEncoder(), ls.RandomLayer(20, 1.5, state, neuron=neuron))
    X = np.random.default_rng(0).random((15, 4))
    model = ls.SpikeClassifier(layer, max_iter=2, random_state=0).fit(X, labels)
    model.save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    step = back.encoder_[-1]
    assert step.random_state is None
    assert step.neuron_ == step.neuron == neuron
    assert step.weights_.tobytes() == model.encoder_[-1].weights_.tobytes()
    assert np.array_equal(back.decision_function(X), model.decision_function(X))


def test_in_front_of_a_mapper(tmp_path):
    desired = ls.SpikeTimes([[40.0, 70.0]] * 15)
    mapper = ls.SpikeMapper(ls.RandomLayer(120, random_state=0), max_iter=50, random_state=0)
    plain = ls.SpikeMapper(max_iter=50, random_state=0).fit(PATTERNS, desired)
    mapper.fit(PATTERNS, desired)
    assert mapper.score(PATTERNS, desired) > plain.score(PATTERNS, desired)
    mapper.save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").predict(PATTERNS) == mapper.predict(PATTERNS)


def random_task(seed, n_patterns, n_channels=50):
    """One spike per channel and two desired spikes in 100 ms."""
    rng = np.random.default_rng(seed)
    times = rng.uniform(0.0, 100.0, (n_patterns, n_channels))
    desired = np.sort(rng.uniform(0.0, 1.0, (n_patterns, 2)), axis=1) * 85.0 + [10.0, 15.0]
    return ls.PatternSet.from_latencies(times, 100.0), ls.SpikeTimes(desired.tolist())


def test_a_neuron_learns_several_times_as_many_patterns():
    patterns, targets = random_task(0, 30)
    trainer = ls.Trainer(ls.SRM(), max_epochs=300, criterion="strict")
    hidden = ls.RandomLayer(400, random_state=0).fit_transform(patterns)
    weights = np.random.default_rng(0).normal(0.01, 0.01, 400)
    assert trainer.fit(weights, hidden, targets).converged
    assert not trainer.fit(weights[:50], patterns, targets).converged
