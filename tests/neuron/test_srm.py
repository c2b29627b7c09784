"""The neuron's parameters, its laws, and what it refuses."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support import strategies

import linspike as ls

PATTERN = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
PATTERNS = ls.PatternSet.from_patterns([PATTERN, PATTERN])


def test_kernel_has_its_peak_at_one():
    neuron = ls.SRM()
    assert neuron.psp(neuron.peak_time) == pytest.approx(1.0, rel=1e-14)
    assert neuron.psp(np.linspace(0.0, 100.0, 10_001)).max() <= 1.0 + 1e-15
    assert neuron.psp([-1.0, 0.0]).tolist() == [0.0, 0.0]
    assert neuron.reset([-1.0, 0.0, 20.0]).tolist() == [0.0, 1.0, math.exp(-1.0)]


def test_neurons_are_values():
    neuron = ls.SRM(10, 2, 3)
    assert repr(neuron) == "SRM(tau_m=10.0, tau_s=2.0, threshold=3.0)"
    assert eval(repr(neuron), {"SRM": ls.SRM}) == neuron
    assert hash(neuron) == hash(ls.SRM(10.0, 2.0, 3.0))
    assert pickle.loads(pickle.dumps(neuron)) == neuron
    with pytest.raises(AttributeError):
        neuron.tau_m = 5.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"tau_s": 25.0},
            r"The 'tau_s' parameter of SRM must be in \(0, tau_m\). Got 25.0 instead",
        ),
        ({"tau_s": 20.0}, r"'tau_s' parameter of SRM must be in \(0, tau_m\)"),
        ({"tau_s": 0.0}, r"'tau_s'"),
        ({"tau_m": -1.0}, r"'tau_m' parameter of SRM must be positive and finite"),
        ({"tau_m": np.inf}, r"'tau_m' parameter of SRM must be positive and finite"),
        ({"tau_m": "20"}, r"'tau_m' parameter.*Got '20' instead"),
        ({"threshold": 0.0}, r"'threshold' parameter of SRM must be positive and finite"),
        ({"threshold": np.nan}, r"'threshold'"),
        ({"threshold": None}, r"'threshold'"),
        ({"threshold": True}, r"'threshold'"),
        ({"threshold": np.True_}, r"'threshold'"),
        ({"threshold": b"2"}, r"'threshold'"),
        ({"tau_m": 10**400}, r"'tau_m'"),
        (
            {"tau_s": 19.9999999},
            r"'tau_s' parameter of SRM must be between 1e-09 and 0.999999 times",
        ),
        ({"tau_s": 1e-20}, r"'tau_s' parameter of SRM must be between"),
    ],
)
def test_bad_neurons(changes, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.SRM(**changes)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"'weights' parameter of \w+ must be of shape \(2,\).*Got shape \(1,\) instead"),
        ([[1.0, 2.0]], r"'weights' parameter of \w+ must be of shape \(2,\)"),
        (np.ones(3), r"The input has 2 channels, the weights are for 3\."),
        (np.ones((1, 2)), r"must be of shape \(2,\), one weight per channel. Got shape \(1, 2\)"),
        (
            [1.0, np.nan],
            r"'weights' parameter of \w+ must be finite. Got nan for channel 1 instead",
        ),
        ([np.inf, 1.0], r"Got inf for channel 0"),
        (["a", "b"], r"must be an array of numbers"),
        ([[1.0], [1.0, 2.0]], r"must be an array of numbers"),
    ],
)
@pytest.mark.parametrize("method", ["respond", "potential", "critical_threshold"])
def test_bad_weights(method, weights, message):
    arguments = {"respond": (), "potential": ([1.0],), "critical_threshold": (1,)}[method]
    with pytest.raises(ls.LinspikeError, match=message):
        getattr(ls.SRM(), method)(weights, PATTERN, *arguments)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones((3, 5)), r"must be of shape \(neurons, 2\).*Got shape \(3, 5\)"),
        (np.ones(2), r"must be of shape \(neurons, 2\)"),
        (np.ones((0, 2)), r"must be of shape \(neurons, 2\)"),
        (np.array([[1.0, 1.0], [np.nan, 1.0]]), r"Got nan for neuron 1, channel 0"),
    ],
)
def test_bad_weights_of_many(weights, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.SRM().respond_many(weights, PATTERNS)


def test_large_weights_are_not_mistaken_for_bad_ones():
    neuron = ls.SRM(threshold=1e200)
    assert len(neuron.respond([2e200, 0.0], PATTERN)) > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda n: n.respond([1.0, 1.0], PATTERNS), "must be a Pattern.*Use respond_many"),
        (
            lambda n: n.respond([1.0, 1.0], [1.0]),
            "'pattern' parameter of respond must be a Pattern",
        ),
        (lambda n: n.respond_many(np.ones((1, 2)), PATTERN), "must be a PatternSet"),
        (lambda n: n.respond([1.0, 1.0], PATTERN, until=-1.0), "'until' parameter of respond must"),
        (lambda n: n.respond([1.0, 1.0], PATTERN, until=np.nan), "'until'"),
        (lambda n: n.respond([1.0, 1.0], PATTERN, max_spikes=0), "'max_spikes'"),
        (lambda n: n.respond_many(np.ones((1, 2)), PATTERNS, threads=0), "'threads'"),
        (lambda n: n.potential([1.0, 1.0], PATTERN, [np.inf]), "'at' parameter of potential must"),
        (lambda n: n.potential([1.0, 1.0], PATTERN, ["x"]), "'at'"),
        (
            lambda n: n.design(PATTERN, [1.0], window="box"),
            "'window' parameter of design must be on",
        ),
        (lambda n: n.design(PATTERN, [[1.0]]), "a list of times"),
        (lambda n: n.critical_threshold([1.0, 1.0], PATTERN, 0), "'k' parameter of critical_thres"),
        (lambda n: n.critical_threshold([1.0, 1.0], PATTERN, 1.5), "'k'"),
        (lambda n: n.moving_threshold([2.0, 1.0], [3.0]), "ascending"),
        (lambda n: ls.van_rossum([1.0], [2.0], tau=0.0), "'tau' parameter of van_rossum"),
        (lambda n: ls.victor_purpura([1.0], [2.0], tau=np.inf), "'tau'"),
        (lambda n: ls.match_spikes([1.0], [2.0], tolerance=-1.0), "'tolerance'"),
        (lambda n: ls.vrd_bound(-1.0), "'duration'"),
        (lambda n: n.potential([1.0, 1.0], PATTERNS, 1.0), r"Use patterns\[i\]"),
        (lambda n: n.potential([1.0, 1.0], PATTERN, [True]), "'at'"),
        (lambda n: n.respond_many(np.ones((1, 2)), [PATTERN]), "PatternSet.from_patterns"),
        (lambda n: n.respond_many(np.ones((1, 2)), PATTERN), "PatternSet.from_patterns"),
        (lambda n: n.respond_many(np.ones((1, 2)), [[[1.0], []]]), "PatternSet.from_lists"),
        (lambda n: n.respond_many(np.ones((1, 2)), []), "PatternSet.from_lists"),
        (
            lambda n: n.respond_many(np.ones((1, 2)), PATTERNS, max_spikes=2**63 - 1),
            "at most 10000",
        ),
        (lambda n: n.respond(np.ma.masked_array([1.0, 1.0]), PATTERN), "Got a masked array"),
        (lambda n: n.critical_threshold([1.0, 1.0], PATTERN, 10**12), "'k'"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ls.ParameterError, match=message):
        call(ls.SRM())


case = (strategies.neurons(), strategies.weights, strategies.patterns())


@given(*case, st.sampled_from([2.0**-354, 2.0**-30, 4.0, 2.0**345]))
def test_scaling_weights_and_threshold_changes_nothing(neuron, weights, pattern, factor):
    # Powers of two: not even a rounding may differ.
    scaled = ls.SRM(neuron.tau_m, neuron.tau_s, neuron.threshold * factor)
    assert scaled.respond(weights * factor, pattern) == neuron.respond(weights, pattern)


@given(*case, st.sampled_from([1.0, 64.0, 1000.0]))
def test_moving_all_inputs_moves_all_outputs(neuron, weights, pattern, shift):
    here = neuron.respond(weights, pattern, until=300.0)
    moved = ls.Pattern(pattern.times + shift, pattern.channels, pattern.n_channels, 2000.0)
    there = neuron.respond(weights, moved, until=300.0 + shift)
    assume(not _grazes(neuron, weights, pattern))
    assert len(here) == len(there)
    assert np.allclose(there.times - shift, here.times, rtol=0.0, atol=1e-7)


def _grazes(neuron, weights, pattern):
    """Whether a relative change of the threshold by 1e-9 changes the count."""
    counts = {
        len(ls.SRM(neuron.tau_m, neuron.tau_s, neuron.threshold * f).respond(weights, pattern))
        for f in (1.0 - 1e-9, 1.0, 1.0 + 1e-9)
    }
    return len(counts) > 1


@given(*case, st.sampled_from([1.0 + 1e-6, 1.1, 2.0, 10.0]))
def test_a_higher_threshold_never_brings_a_spike_forward(neuron, weights, pattern, factor):
    low = neuron.respond(weights, pattern, until=np.inf).times
    higher = ls.SRM(neuron.tau_m, neuron.tau_s, neuron.threshold * factor)
    high = higher.respond(weights, pattern, until=np.inf).times
    assert high.size <= low.size
    assert (high >= low[: high.size] - 1e-9).all()


@given(*case)
def test_inhibition_alone_is_silent(neuron, weights, pattern):
    assert len(neuron.respond(-np.abs(weights), pattern, until=np.inf)) == 0


@given(*case, strategies.horizons)
def test_a_shorter_horizon_keeps_the_early_spikes_to_the_bit(neuron, weights, pattern, until):
    everything = neuron.respond(weights, pattern, until=np.inf).times
    some = neuron.respond(weights, pattern, until=until).times
    assert some.tolist() == everything[everything <= until].tolist()


@given(*case)
def test_a_spike_is_kept_by_a_horizon_at_its_very_time(neuron, weights, pattern):
    spikes = neuron.respond(weights, pattern).times
    for count, spike in enumerate(spikes[:3], start=1):
        assert len(neuron.respond(weights, pattern, until=spike)) >= count


@given(*case)
def test_potential_is_threshold_at_every_spike(neuron, weights, pattern):
    spikes = neuron.respond(weights, pattern)
    scale = neuron.threshold + np.abs(weights).sum()
    values = neuron.potential(weights, pattern, spikes.times)
    assert np.allclose(values, neuron.threshold, rtol=0.0, atol=1e-10 * scale)


def test_weights_may_be_lists_or_strided_or_read_only():
    neuron = ls.SRM()
    expected = neuron.respond(np.array([0.8, 0.6]), PATTERN)
    strided = np.array([0.8, 9.0, 0.6, 9.0])[::2]
    frozen = np.array([0.8, 0.6])
    frozen.flags.writeable = False
    for weights in ([0.8, 0.6], strided, frozen):
        assert neuron.respond(weights, PATTERN) == expected


def test_responses_container():
    many = ls.SRM().respond_many([[0.8, 0.6], [0.0, 0.0]], PATTERNS, until=30.0)
    assert len(many) == 2
    assert many[0, 1].duration == 30.0
    assert many.times.size == many.counts.sum()
    assert repr(many) == f"Responses(2 neurons, 2 patterns, {many.times.size} spikes)"
    with pytest.raises(ValueError, match="read-only"):
        many.counts[0, 0] = 3
    with pytest.raises(AttributeError, match="Responses is frozen"):
        many.counts = 3
    assert many[0] == [many[0, 0], many[0, 1]]
    assert [len(row) for row in many] == [2, 2]


def test_a_horizon_of_zero_gives_an_ordinary_empty_train():
    train = ls.SRM().respond([0.8, 0.6], PATTERN, until=-0.0)
    assert pickle.loads(pickle.dumps(train)) == train
    assert repr(train) == "SpikeTrain([], duration=0.0)"


def test_potential_of_runaway_weights_warns_for_itself():
    with pytest.warns(ls.RunawayWarning, match="potential cut a response off") as caught:
        ls.SRM().potential([1e9, 1e9], PATTERN, 50.0)
    assert caught[0].filename == __file__


def test_kernels_of_nan_are_nan():
    assert np.isnan(ls.SRM().psp(np.nan))
    assert np.isnan(ls.SRM().reset(np.nan))


@pytest.mark.parametrize("ratio", [1e-9, 1e-3, 0.25, 0.99, 0.99999])
def test_kernel_peak_at_extreme_ratios(ratio):
    neuron = ls.SRM(20.0, 20.0 * ratio)
    assert neuron.psp(neuron.peak_time) == pytest.approx(1.0, rel=1e-9)


def test_threads_may_share_a_pattern():
    pattern = ls.Pattern([1.0, 2.0, 3.0], [0, 0, 0], n_channels=1, duration=40.0)
    neurons = [ls.SRM(tau_m=tau) for tau in (10.0, 15.0, 20.0, 25.0)]
    expected = [neuron.respond([1.2], pattern) for neuron in neurons]

    def many_responses(_):
        return all(
            neuron.respond([1.2], pattern) == response
            for _ in range(50)
            for neuron, response in zip(neurons, expected, strict=True)
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(many_responses, range(8)))


def test_time_constants_share_the_patterns_small_table():
    pattern = ls.Pattern([1.0, 2.0], [0, 0], n_channels=1, duration=20.0)
    responses = [
        ls.SRM(tau_m=tau).respond([1.5], pattern) for tau in (10.0, 20.0, 30.0, 40.0, 50.0, 10.0)
    ]
    assert responses[0] == responses[-1]
    assert len(pattern._ragged.tables) <= 4


@pytest.mark.parametrize("seed", [1496, 10431, 24752])
def test_a_tiny_critical_threshold_has_its_time(seed):
    """V is thousands of times th*, so that its rounding is far above the last reach of the search."""
    pattern = ls.poisson_patterns(1, n_channels=10, duration=50.0, rate=0.05, rng=seed)[0]
    weights = np.random.default_rng(seed).normal(-0.1, 0.1, 10)
    found = ls.SRM().critical_threshold(weights, pattern, 2)
    assert 0.0 < found.value < 1e-4
    assert 0.0 <= found.time <= 50.0
    assert len(ls.SRM(threshold=found.value * (1.0 - 1e-9)).respond(weights, pattern)) >= 2
