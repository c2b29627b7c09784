"""Targets that no weights can meet are named, before training and after it."""

import numpy as np
import pytest
from tests.support.tasks import NEURON

import linspike as ls
from linspike.training.obstacles import find_equal_patterns
from linspike.training.prepare import make_chain_data, make_constants

A = ls.poisson_patterns(1, n_channels=30, duration=100.0, rate=0.05, rng=0)
B = ls.poisson_patterns(1, n_channels=30, duration=100.0, rate=0.05, rng=1)
ABA = ls.PatternSet.concatenate([A, B, A])
SAME = "impossible: patterns 0 and 2 have the same input, but different targets: "
START = np.full(30, 0.05)


def found(patterns, targets, **settings):
    """The sentences before training; the first must be the reason after it."""
    trainer = ls.Trainer(NEURON, max_epochs=3, **settings)
    sentences = trainer.check(patterns, targets)
    result = trainer.fit(START[: patterns.n_channels], patterns, targets)
    if sentences:
        assert not result.converged
        assert result.reason.endswith(sentences[0])
    else:
        assert "impossible" not in result.reason
    return sentences


@pytest.mark.parametrize(
    ("trains", "differ"),
    [
        ([[50.0], [], [60.0]], "spikes at 50 ms and spikes at 60 ms"),
        ([[50.0], [], []], "spikes at 50 ms and no spikes"),
        (
            [[20.0], [], [20.0, 30.0, 40.0, 50.0, 60.0]],
            "spikes at 20 ms and spikes at 20, 30, 40, 50, ... ms",
        ),
    ],
)
@pytest.mark.parametrize("criterion", ["paper", "strict"])
def test_equal_patterns_with_different_times(trains, differ, criterion):
    assert found(ABA, ls.SpikeTimes(trains), criterion=criterion) == [SAME + differ]


def test_equal_patterns_with_different_counts():
    assert found(ABA, ls.SpikeCounts([2, 1, 0])) == [SAME + "2 spikes and 0 spikes"]
    assert found(ABA, ls.SpikeCounts([2, 1, 1])) == [SAME + "2 spikes and 1 spike"]
    assert found(ABA, ls.SpikeCounts([2, 1, 3])) == [SAME + "2 spikes and 3 spikes"]
    assert found(ABA, ls.SpikeCounts([2, 1, 3]), at_least=True) == []
    assert found(ABA, ls.SpikeCounts([2, 1, 0]), at_least=True) != []


def test_targets_that_one_response_can_meet_are_no_obstacle():
    assert found(ABA, ls.SpikeTimes([[50.0], [], [51.9]]), criterion="strict") == []
    assert found(ABA, ls.SpikeTimes([[50.0], [], [52.1]]), criterion="strict") != []
    near = {"criterion": "strict", "tolerance": 0.5}
    assert found(ABA, ls.SpikeTimes([[50.0], [], [51.9]]), **near) != []
    # van Rossum's distance of a shift D is sqrt(1 - exp(-D/100)); the bound of 100 ms is 0.09
    assert found(ABA, ls.SpikeTimes([[50.0], [], [53.0]])) == []
    assert found(ABA, ls.SpikeTimes([[50.0], [], [53.5]])) != []


def test_patterns_that_differ_a_little_are_not_equal():
    times = np.array(A.times)
    times[times.size // 3] += 1e-9
    moved = ls.PatternSet.sorted(times, A.channels, A.offsets, 30, 100.0)
    longer = ls.PatternSet(A.times, A.channels, A.offsets, 30, 101.0)
    channels = np.array(A.channels)
    channels[1] = (channels[1] + 1) % 30
    rewired = ls.PatternSet(A.times, channels, A.offsets, 30, 100.0)
    patterns = ls.PatternSet.concatenate([A, moved, longer, rewired])
    assert found(patterns, ls.SpikeTimes([[50.0], [60.0], [70.0], [80.0]])) == []


def test_equal_patterns_are_grouped():
    empty = ls.PatternSet([], [], [0, 0, 0], 30, 100.0)
    patterns = ls.PatternSet.concatenate([empty, B, A, B, A, A, empty])
    targets = ls.SpikeCounts([0] * len(patterns))
    constants = make_constants(NEURON, ls.DTA())
    data = make_chain_data(patterns._ragged, targets, constants, patterns.durations)
    assert find_equal_patterns(data) == [[2, 4], [3, 5, 6]]


def test_spikes_long_after_the_input():
    patterns = ls.PatternSet.from_lists([[[10.0], [12.0]], [[10.0], [380.0]]], duration=400.0)
    sentences = found(patterns, ls.SpikeTimes([[390.0], [390.0]]))
    assert sentences == [
        "nearly impossible: pattern 0 has a desired spike at 390.0 ms, long after its input: "
        "it would take weights of about 5.7e+07 thresholds"
    ]
    weights = np.linalg.pinv(NEURON.design(patterns[0], [390.0]))  # the least that reach it
    assert f"{np.linalg.norm(weights):.2g}" == "5.7e+07"
    assert found(patterns, ls.SpikeTimes([[60.0], [60.0]])) == []


def test_spikes_closer_than_the_neuron_can_fire():
    sentences = found(A, ls.SpikeTimes([[50.0, 50.1]]), criterion="strict")
    assert len(sentences) == 1
    assert sentences[0].startswith(
        "nearly impossible: pattern 0 has desired spikes at 50.0 and 50.1 ms, closer than the "
        "neuron can fire: it would take weights about "
    )
    assert found(A, ls.SpikeTimes([[50.0, 55.0]]), criterion="strict") == []
    assert found(ABA, ls.SpikeTimes([[50.0], [50.1], [50.0]])) == []  # in other patterns


@pytest.mark.parametrize("strong", [50.0, 200.0, 500.0])
def test_the_factor_is_a_lower_bound_of_the_weights(strong):
    patterns = ls.PatternSet.from_lists([[[10.0], [19.9]]], duration=60.0)
    weights = np.array([1.0001, strong])
    pair = NEURON.respond(weights, patterns[0], until=20.0).times[:2]
    (sentence,) = ls.Trainer(NEURON).check(patterns, ls.SpikeTimes([pair]))
    factor = float(sentence.split("about ")[1].split(" times")[0])
    peak = max(np.linalg.norm(NEURON.design(patterns[0], [t])) for t in np.arange(0.0, 60.0, 0.1))
    assert factor <= 1.01 * np.linalg.norm(weights) * peak


def test_all_of_them_are_listed():
    inputs = [[[10.0], []], [[], []], [[5.0], []]]
    patterns = ls.PatternSet.from_lists(inputs, 50.0)
    trains = ls.SpikeTimes([[5.0], [20.0], [30.0, 30.0, 40.0]])
    assert found(patterns, trains) == [
        "impossible: pattern 1 has no input before its end, but spikes are desired",
        "impossible: pattern 0 has a desired spike at 5.0 ms, before its first input comes at 10.0 ms",
        "impossible: pattern 2 has two desired spikes at the same time, 30.0 ms",
    ]


def test_other_endings_name_the_obstacle_too():
    trainer = ls.Trainer(NEURON, ls.rules.PSD(eta=1e308), max_epochs=5)
    result = trainer.fit(START, ABA, ls.SpikeTimes([[50.0], [], [60.0]]))
    assert result.reason.startswith(
        f"weights no longer finite after {result.epochs} epochs; {SAME}"
    )


def test_a_single_pattern_can_be_checked_and_bad_input_is_refused():
    trainer = ls.Trainer(NEURON)
    assert trainer.check(A[0], ls.SpikeTimes([[50.0]])) == []
    with pytest.raises(ls.ParameterError, match="'patterns' parameter of check must be a Pattern"):
        trainer.check([1.0], ls.SpikeTimes([[50.0]]))
    with pytest.raises(ls.SpikeDataError, match="one target per pattern"):
        trainer.check(ABA, ls.SpikeTimes([[50.0]]))
