"""SpikeMapper: trains in, trains out."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils import get_tags
from tests.support.estimator_kinds import numbers

import linspike as ls

PATTERNS = ls.poisson_patterns(3, n_channels=100, duration=200.0, rate=0.01, rng=0)
DESIRED = [[50.0, 120.0], [80.0], [60.0, 150.0]]
OTHER = [[], [40.0, 90.0, 170.0], [100.0]]


def made(**settings):
    return ls.SpikeMapper(**{"random_state": 0, "criterion": "strict", **settings})


def test_defaults():
    assert ls.SpikeMapper().get_params(deep=False) == {
        "encoder": None,
        "rule": "dta",
        "criterion": "paper",
        "tolerance": None,
        "neuron": None,
        "until": None,
        "init": "drive",
        "weight_bounds": None,
        "jitter": 0.0,
        "max_iter": 200,
        "warm_start": False,
        "n_jobs": None,
        "random_state": None,
        "verbose": 0,
    }


@pytest.mark.parametrize("criterion", ["paper", "strict"])
@pytest.mark.parametrize("form", [list, tuple, ls.SpikeTimes])
def test_learns_trains(criterion, form):
    mapper = made(criterion=criterion)
    assert mapper.fit(PATTERNS, form(DESIRED)) is mapper
    assert mapper.score(PATTERNS, DESIRED) == 1.0
    assert mapper.converged_
    assert mapper.n_outputs_ == 1
    responses = mapper.predict(list(PATTERNS))
    assert all(isinstance(train, ls.SpikeTrain) for train in responses)
    if criterion == "strict":
        for train, desired in zip(responses, DESIRED, strict=True):
            assert train.times == pytest.approx(desired, abs=1.0)
    history = mapper.history_
    assert history["learned"].size == history["distance"].size == mapper.n_iter_
    assert history["learned"][-1] == 1.0
    distances = [
        ls.van_rossum(*pair) for pair in zip(responses, ls.SpikeTimes(DESIRED), strict=True)
    ]
    assert history["distance"][-1] == pytest.approx(np.mean(distances))


def test_several_outputs():
    targets = [ls.SpikeTimes(DESIRED), ls.SpikeTimes(OTHER)]
    mapper = made().fit(PATTERNS, targets)
    assert mapper.score(PATTERNS, targets) == 1.0
    assert mapper.weights_.shape == (2, 100)
    first, second = mapper.predict(PATTERNS)
    assert [len(train) for train in first] == [2, 1, 2]
    assert [len(train) for train in second] == [0, 3, 1]
    assert mapper.score(PATTERNS, targets[::-1]) == 0.0
    half = made().fit(PATTERNS, targets).score(PATTERNS, [targets[0], targets[0]])
    assert half == 0.5


def test_numbers_through_an_encoder():
    data, _ = numbers(n_samples=4)
    desired = [[30.0], [35.0], [], [38.0]]
    mapper = made(encoder=ls.PopulationEncoder(20, duration=40.0)).fit(data, desired)
    assert mapper.score(data, desired) == 1.0
    assert mapper.n_features_in_ == 3
    with pytest.raises(ls.ParameterError, match="'X' parameter of SpikeMapper must be numbers"):
        mapper.predict(PATTERNS)


def test_a_horizon_of_ones_own():
    mapper = made(until=100.0).fit(PATTERNS, [[50.0], [80.0], []])
    assert all(train.duration == 100.0 for train in mapper.predict(PATTERNS))


def test_answers_that_were_cut_off_are_not_right():
    mapper = made(max_iter=1).fit(PATTERNS, DESIRED)
    mapper.weights_ = np.full_like(mapper.weights_, 1e6)
    with pytest.warns(ls.RunawayWarning, match="cut 3 responses off"):
        responses = mapper.predict(PATTERNS)
    with pytest.warns(ls.RunawayWarning, match="cut 3 responses off"):
        assert mapper.score(PATTERNS, responses) == 0.0


def test_warm_start_jobs_and_copies():
    whole = made(max_iter=6).fit(PATTERNS, DESIRED)
    parts = (
        made(max_iter=3, warm_start=True, n_jobs=2).fit(PATTERNS, DESIRED).fit(PATTERNS, DESIRED)
    )
    assert whole.n_iter_ == parts.n_iter_ == 6
    assert np.array_equal(parts.weights_, whole.weights_)
    assert parts.history_["learned"].size == 3
    for twin in (pickle.loads(pickle.dumps(whole)), clone(whole).fit(PATTERNS, DESIRED)):
        assert twin.predict(PATTERNS) == whole.predict(PATTERNS)
    assert get_tags(whole).target_tags.required
    assert not np.array_equal(
        made(max_iter=6, random_state=1).fit(PATTERNS, DESIRED).weights_, whole.weights_
    )


def test_interrupted_and_verbose(capsys):
    two = made(max_iter=2).fit(PATTERNS, DESIRED)

    def interrupt(epoch):
        if epoch.epoch == 2:
            raise KeyboardInterrupt

    with pytest.warns(ConvergenceWarning, match="SpikeMapper was interrupted"):
        mapper = made(verbose=True).fit(PATTERNS, DESIRED, on_epoch=interrupt)
    assert np.array_equal(mapper.weights_, two.weights_)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("[SpikeMapper] epoch 1 of 200: learned 0.")
    assert ", distance " in lines[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"criterion": "lax"}, "'criterion' parameter of SpikeMapper must be one of"),
        ({"rule": "mst"}, "'rule' parameter of SpikeMapper must be one that learns times"),
        ({"rule": "none"}, "'rule' parameter of SpikeMapper must be a Rule or one of"),
        ({"neuron": 3}, "'neuron' parameter of SpikeMapper must be None or an SRM"),
        ({"until": -2.0}, "'until' parameter of SpikeMapper must be positive"),
        ({"until": 0.0}, "'until' parameter of SpikeMapper must be positive. Got 0.0"),
        ({"until": 100.0}, r"up to the horizon \(100.0 ms\). Got 120.0 for pattern 0"),
        ({"max_iter": 0}, "'max_iter' parameter of SpikeMapper"),
        ({"warm_start": 1}, "'warm_start' parameter of SpikeMapper must be True or False"),
        ({"n_jobs": 0}, "'n_jobs' parameter of SpikeMapper"),
        ({"verbose": "loud"}, "'verbose' parameter of SpikeMapper"),
        (
            {"encoder": ls.PopulationEncoder()},
            "'encoder' parameter of SpikeMapper must be None or a transformer of spikes",
        ),
    ],
)
def test_bad_parameters(settings, message):
    with pytest.raises(ls.LinspikeError, match=message):
        made(**settings).fit(PATTERNS, DESIRED)


@pytest.mark.parametrize(
    ("desired", "message"),
    [
        (None, "SpikeMapper requires y to be passed, but the target y is None"),
        (DESIRED[:2], "a desired train for each of the 3 samples. Got 2"),
        ([ls.SpikeTimes(DESIRED), DESIRED], "'y' .* SpikeTimes for every neuron. Got list"),
        ([ls.SpikeTimes(DESIRED), ls.SpikeTimes(DESIRED[:1])], "each of the 3 samples. Got 1"),
        ([[2.0, 1.0], [], []], "Desired train 0: .* ascending"),
        (5.0, "'trains' parameter of SpikeTimes must be a list of trains"),
    ],
)
def test_bad_targets(desired, message):
    with pytest.raises(ls.LinspikeError, match=message):
        made().fit(PATTERNS, desired)
    with pytest.raises(ls.LinspikeError, match=message):
        made(max_iter=1).fit(PATTERNS, DESIRED).score(PATTERNS, desired)


def test_another_number_of_neurons():
    mapper = made(max_iter=1, warm_start=True).fit(PATTERNS, DESIRED)
    both = [ls.SpikeTimes(DESIRED), ls.SpikeTimes(OTHER)]
    for method in (mapper.fit, mapper.score):
        with pytest.raises(ls.SpikeDataError, match="trains for 1 neurons, as in fit. Got 2"):
            method(PATTERNS, both)
    mapper = made(max_iter=1).fit(PATTERNS, both)
    with pytest.raises(ls.SpikeDataError, match="trains for 2 neurons, as in fit. Got 1"):
        mapper.score(PATTERNS, DESIRED)


def test_not_fitted():
    for method, parts in (("predict", (PATTERNS,)), ("score", (PATTERNS, DESIRED))):
        with pytest.raises(NotFittedError, match="This SpikeMapper instance is not fitted"):
            getattr(made(), method)(*parts)
