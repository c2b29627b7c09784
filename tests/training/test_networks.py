"""Training of networks: it learns more than its readout alone, in the ways of the trainer."""

import numpy as np
import pytest

import linspike as ls

N_PATTERNS, CHANNELS, HIDDEN = 6, 50, 40


def task(seed=0, n_patterns=N_PATTERNS):
    rng = np.random.default_rng(seed)
    inputs = ls.PatternSet.from_latencies(rng.uniform(0.0, 100.0, (n_patterns, CHANNELS)), 100.0)
    desired = [[rng.uniform(30.0, 50.0), rng.uniform(60.0, 95.0)] for _ in range(n_patterns)]
    return inputs, ls.SpikeTimes(desired)


NETWORK = ls.Network([ls.Layer(HIDDEN), ls.Layer(1)])
PATTERNS, TARGETS = task()
WEIGHTS = NETWORK.initial_weights(PATTERNS, 0)
TRAINER = ls.Trainer(NETWORK, max_epochs=200, criterion="strict")


def is_right(network, weights, patterns, targets, tolerance=1.0):
    """Whether all responses are right, by the network's own responses."""
    responses = network.respond(weights, patterns)
    return all(
        responses[0, p].times.size == len(train.times)
        and (np.abs(responses[0, p].times - train.times) <= tolerance).all()
        for p, train in enumerate(targets.trains)
    )


def test_it_learns_and_its_responses_say_so():
    before = WEIGHTS.flat()
    result = TRAINER.fit(WEIGHTS, PATTERNS, TARGETS, seed=1, history=True)
    assert result.converged
    assert result.reason == "all responses right"
    assert is_right(NETWORK, result.weights, PATTERNS, TARGETS)
    assert isinstance(result.weights, ls.NetworkWeights)
    assert np.array_equal(WEIGHTS.flat(), before)
    assert (result.weights.hidden != WEIGHTS.hidden).any()
    history = result.history
    assert len(history) == result.epochs
    assert history.accuracy[-1] == 1.0
    assert history.distance[-1] < history.distance[0]
    assert history.norm[-1] == pytest.approx(np.linalg.norm(result.weights.flat()))
    again = TRAINER.fit(result.weights, PATTERNS, TARGETS)
    assert (again.converged, again.epochs) == (True, 0)


def test_both_layers_learn_more_than_the_readout_alone():
    patterns, targets = task(2, 10)
    weights = NETWORK.initial_weights(patterns, 2)
    result = TRAINER.fit(weights, patterns, targets)
    assert result.converged
    hidden = NETWORK.hidden_patterns(weights, patterns)
    alone = ls.Trainer(ls.SRM(), max_epochs=200, criterion="strict")
    assert not alone.fit(weights.out[0], hidden, targets).converged


def test_the_paper_criterion_and_a_pattern_by_itself():
    trainer = ls.Trainer(NETWORK, ls.rules.JointDTA(), max_epochs=100)
    desired = ls.SpikeTimes([[40.0, 70.0]])
    result = trainer.fit(WEIGHTS, PATTERNS[0], desired)
    assert result.converged
    found = NETWORK.respond(result.weights, PATTERNS[0])[0, 0]
    assert ls.van_rossum(found, desired.trains[0], tau=100.0) < ls.vrd_bound(100.0)


def test_several_output_neurons_with_delays():
    rng = np.random.default_rng(5)
    late, late_out = rng.uniform(0.0, 10.0, (HIDDEN, CHANNELS)), rng.uniform(0.0, 5.0, (2, HIDDEN))
    network = ls.Network([ls.Layer(HIDDEN, delays=late), ls.Layer(2, delays=late_out)])
    targets = [TARGETS, ls.SpikeTimes([[55.0]] * 3 + [[]] * 3)]
    weights = network.initial_weights(PATTERNS, 0)
    trainer = ls.Trainer(network, max_epochs=300, criterion="strict")
    result = trainer.fit(weights, PATTERNS, targets)
    assert result.converged
    responses = network.respond(result.weights, PATTERNS)
    for k, target in enumerate(targets):
        for p, train in enumerate(target.trains):
            np.testing.assert_allclose(responses[k, p].times, train.times, atol=1.0)


def test_other_constants_and_the_law_of_scale():
    found = []
    for scale in (1.0, 8.0):
        neuron = ls.SRM(15.0, 4.0, scale)
        network = ls.Network([ls.Layer(HIDDEN, neuron), ls.Layer(1, ls.SRM(threshold=scale))])
        weights = ls.NetworkWeights(scale * WEIGHTS.hidden, scale * WEIGHTS.out)
        trainer = ls.Trainer(network, max_epochs=5, criterion="strict")
        found.append(trainer.fit(weights, PATTERNS, TARGETS).weights.flat() / scale)
    np.testing.assert_allclose(*found, rtol=1e-6, atol=1e-9)


def test_epoch_by_epoch_is_the_same():
    patterns, targets = task(2, 10)
    weights = NETWORK.initial_weights(patterns, 2)
    trainer = ls.Trainer(NETWORK, max_epochs=6, criterion="strict")
    whole = trainer.fit(weights, patterns, targets, seed=2)
    seen = []
    same = trainer.fit(weights, patterns, targets, seed=2, on_epoch=lambda end: seen.append(end))
    assert np.array_equal(same.weights.flat(), whole.weights.flat())
    assert [end.epochs for end in seen] == [1, 2, 3, 4, 5, 6]
    assert np.array_equal(seen[-1].weights[0], whole.weights.flat())
    stopped = trainer.fit(weights, patterns, targets, seed=2, on_epoch=lambda end: end.epochs == 3)
    assert stopped.epochs == 3
    assert stopped.reason == "stopped by on_epoch after 3 epochs"
    assert np.array_equal(stopped.weights.flat(), seen[2].weights[0])
    other = trainer.fit(weights, patterns, targets, seed=3)
    assert not np.array_equal(other.weights.flat(), whole.weights.flat())


def test_interrupts_keep_the_last_whole_epoch():
    patterns, targets = task(0, 60)  # too much to learn
    weights = NETWORK.initial_weights(patterns, 0)
    trainer = ls.Trainer(NETWORK, max_epochs=100_000, criterion="strict", schedule=(1.0, 1.0))
    trainer_of = {}

    def interrupt(done, most):
        trainer_of["most"] = most
        if done > 0:
            raise KeyboardInterrupt

    result = trainer.fit(weights, patterns, targets, progress=interrupt)
    assert result.interrupted
    assert trainer_of["most"] == 100_000
    again = ls.Trainer(NETWORK, max_epochs=result.epochs, criterion="strict", schedule=(1.0, 1.0))
    redone = again.fit(weights, patterns, targets)
    assert np.array_equal(redone.weights.flat(), result.weights.flat())


def test_hidden_neurons_that_fire_often_learn_too():
    weights = NETWORK.initial_weights(PATTERNS, 0, rate=20.0)
    result = ls.Trainer(NETWORK, max_epochs=8, criterion="strict").fit(weights, PATTERNS, TARGETS)
    assert result.epochs == 8 or result.converged


def silent():
    return ls.NetworkWeights(0.0 * WEIGHTS.hidden, WEIGHTS.out)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TRAINER.fit(silent(), PATTERNS, TARGETS), "'weights' .* silent on all patterns"),
        (
            lambda: TRAINER.fit(
                ls.NetworkWeights(20.0 * WEIGHTS.hidden, WEIGHTS.out), PATTERNS, TARGETS
            ),
            r"'weights' .* fires less than 64 times in a pattern. Got \d+ spikes of one instead",
        ),
        (
            lambda: TRAINER.fit(np.zeros(50), PATTERNS, TARGETS),
            r"'weights' .* must be NetworkWeights. Got an array of float64 with shape \(50,\) in",
        ),
        (
            lambda: TRAINER.fit(WEIGHTS, PATTERNS, TARGETS, delays=np.zeros(50)),
            "'delays' parameter of fit must be None for a network. Got .* Layers have delays",
        ),
        (
            lambda: TRAINER.check(PATTERNS, TARGETS, delays=np.zeros(50)),
            "'delays' parameter of check must be None for a network",
        ),
        (
            lambda: TRAINER.fit(
                ls.NetworkWeights(WEIGHTS.hidden[1:], WEIGHTS.out), PATTERNS, TARGETS
            ),
            r"'weights' .* of shapes \(40, 50\) and \(1, 40\) .* Got \(39, 50\) and \(1, 40\) instead",
        ),
        (
            lambda: TRAINER.fit(WEIGHTS, PATTERNS, ls.SpikeCounts([1] * 6)),
            "'targets' .* must be SpikeTimes, or a list .* A network learns times, not counts",
        ),
        (
            lambda: TRAINER.fit(WEIGHTS, PATTERNS, [TARGETS, TARGETS]),
            r"'targets' .* SpikeTimes for each output neuron \(1\). Got 2",
        ),
        (
            lambda: TRAINER.fit(WEIGHTS, PATTERNS[:3], TARGETS),
            r"'targets' .* one target per pattern \(3\). Got 6",
        ),
        (
            lambda: TRAINER.fit(WEIGHTS, PATTERNS, ls.SpikeTimes([[150.0]] * 6)),
            "'targets' .* times up to the horizon",
        ),
        (
            lambda: TRAINER.fit_many([WEIGHTS], PATTERNS, TARGETS, seeds=[0]),
            "an SRM for fit_many. G",
        ),
        (
            lambda: TRAINER.trajectory(WEIGHTS, PATTERNS, TARGETS, steps=1),
            "'neuron' parameter of Trainer must be an SRM for trajectory. Got a Network",
        ),
        (
            lambda: ls.Trainer(NETWORK, "mst"),
            "'rule' .* a rule for networks. Got MST.* Use ls.rules.JointDTA",
        ),
        (
            lambda: ls.Trainer(ls.SRM(), ls.rules.JointDTA()),
            "'rule' .* a rule for single neurons. Got JointDTA",
        ),
        (lambda: ls.Trainer(3.0), "'neuron' parameter of Trainer must be an SRM or a Network"),
        (
            lambda: ls.Trainer(NETWORK, until=50.0).fit(WEIGHTS, PATTERNS, TARGETS),
            "'until' parameter of Trainer must be None for a network. Got 50.0",
        ),
        (
            lambda: ls.Trainer(NETWORK, weight_bounds=(0.0, 1.0)).fit(WEIGHTS, PATTERNS, TARGETS),
            "'weight_bounds' parameter of Trainer must be None for a network",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ls.LinspikeError, match=message):
        call()


def test_desired_times_that_no_input_can_reach():
    late = np.full((HIDDEN, CHANNELS), 3.0)
    network = ls.Network([ls.Layer(HIDDEN, delays=late), ls.Layer(1, delays=[[2.0] * HIDDEN])])
    first = PATTERNS[1].times[0]
    desired = [[50.0]] * 6
    desired[1] = [first + 4.0, 50.0]
    trainer = ls.Trainer(network, max_epochs=3, criterion="strict")
    sentence = (
        f"pattern 1 has a desired spike at {first + 4.0} ms, but no input can reach an output"
    )
    assert [sentence in found for found in trainer.check(PATTERNS, ls.SpikeTimes(desired))] == [
        True
    ]
    result = trainer.fit(network.initial_weights(PATTERNS, 0), PATTERNS, ls.SpikeTimes(desired))
    assert sentence in result.reason
    empty = ls.PatternSet.from_patterns([*PATTERNS[:5], ls.Pattern([], [], CHANNELS, 100.0)])
    assert (
        "pattern 5 has no input before its end, but spikes are desired"
        in trainer.check(empty, TARGETS)[-1]
    )
    assert trainer.check(PATTERNS, ls.SpikeTimes([[50.0]] * 6)) == []
