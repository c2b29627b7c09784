"""Bounds of weights in classifier and mapper, and in their files."""

import math

import numpy as np
import pytest
from sklearn.base import clone
from tests.support.estimator_kinds import numbers, spikes

import linspike as ls
from linspike.errors import ParameterError

X, Y = numbers()
PATTERNS, LABELS = spikes()
CHANNELS = PATTERNS.n_channels
DALE = (
    np.where(np.arange(CHANNELS) % 5 < 4, 0.0, -math.inf),
    np.where(np.arange(CHANNELS) % 5 < 4, math.inf, 0.0),
)
DESIRED = ls.SpikeTimes([[20.0]] * len(PATTERNS))


def classifier(**settings):
    return ls.SpikeClassifier(**{"max_iter": 3, "random_state": 0, **settings})


def test_weights_of_encoded_numbers_keep_to_the_bounds():
    free = classifier().fit(X, Y)
    assert free.weights_.min() < 0.0
    seen = []
    bounded = classifier(weight_bounds=(0.0, 0.3))
    bounded.fit(X, Y, on_epoch=lambda scores: seen.append(bounded.weights_))
    for weights in [*seen, bounded.weights_]:
        assert weights.min() == 0.0
        assert weights.max() <= 0.3
    before = bounded.weights_
    bounded.partial_fit(X, Y)
    assert (bounded.weights_ != before).any()
    assert bounded.weights_.min() >= 0.0


@pytest.mark.parametrize("kind", ["classifier", "mapper"])
def test_dale_holds_and_a_file_keeps_it(kind, tmp_path):
    if kind == "classifier":
        fitted = classifier(weight_bounds=DALE).fit(PATTERNS, LABELS)
    else:
        fitted = ls.SpikeMapper(max_iter=3, random_state=0, weight_bounds=DALE)
        fitted.fit(PATTERNS, DESIRED)
    assert ((fitted.weights_ >= DALE[0]) & (fitted.weights_ <= DALE[1])).all()
    assert fitted.weights_.any()
    fitted.save(tmp_path / "m.npz")
    loaded = ls.load_model(tmp_path / "m.npz")
    assert loaded.weight_bounds == tuple(tuple(side.tolist()) for side in DALE)
    assert loaded.weights_.tobytes() == fitted.weights_.tobytes()
    assert clone(loaded).weight_bounds == loaded.weight_bounds


def test_learning_goes_on_only_from_weights_within():
    fitted = classifier(warm_start=True).fit(PATTERNS, LABELS)
    fitted.set_params(weight_bounds=(0.0, 1.0))
    with pytest.raises(ParameterError, match="'weights_' parameter of SpikeClassifier must be wi"):
        fitted.fit(PATTERNS, LABELS)
    fitted.set_params(weight_bounds=(fitted.weights_.min(), fitted.weights_.max()))
    assert fitted.fit(PATTERNS, LABELS).n_iter_ > 3


def test_given_first_weights_must_be_within():
    shape = (len(np.unique(LABELS)), CHANNELS)
    init = np.full(shape, 0.02)
    init[1, 2] = 0.5
    within = (
        r"'init' parameter of SpikeClassifier .*\(0, 0.3\) there. Got 0.5 for neuron 1, channel 2"
    )
    with pytest.raises(ParameterError, match=within):
        classifier(init=init, weight_bounds=(0, 0.3)).fit(PATTERNS, LABELS)


@pytest.mark.parametrize("kind", [ls.SpikeClassifier, ls.SpikeMapper])
def test_refusals_name_the_estimator(kind):
    target = LABELS if kind is ls.SpikeClassifier else DESIRED
    with pytest.raises(ParameterError, match=f"'weight_bounds' parameter of {kind.__name__}"):
        kind(weight_bounds=(1.0, 0.0)).fit(PATTERNS, target)
    wrong = f"of {kind.__name__} .* Got 2 numbers for {CHANNELS} channels"
    with pytest.raises(ParameterError, match=wrong):
        kind(weight_bounds=([0.0, 0.0], 1.0)).fit(PATTERNS, target)


def test_bounds_of_other_channels_are_not_saved(tmp_path):
    fitted = classifier().fit(PATTERNS, LABELS)
    fitted.set_params(weight_bounds=([0.0, 0.0], 1.0))
    with pytest.raises(ParameterError, match=f"Got 2 numbers for {CHANNELS} channels"):
        fitted.save(tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())
