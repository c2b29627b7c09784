"""Inputs that look as if they were in seconds get a warning that names the remedy."""

import numpy as np
import pytest
from tests.support.tasks import NEURON

import linspike as ls

# A recording of half a second and one of 12 s, both in seconds.
SHORT = ls.poisson_patterns(2, n_channels=4, duration=0.4, rate=2.0, rng=0)
RNG = np.random.default_rng(0)
LONG = ls.PatternSet.sorted(
    RNG.uniform(0.0, 12.0, 3600), RNG.integers(0, 20, 3600), [0, 3600], 20, 12.0
)
REMEDY = r"multiply them by 1000, or name the unit: PatternSet.from_events\(.*time_unit='s'\)"
SHORT_FOR = rf"the patterns are at most 0.4 ms long.*tau_s = 5 ms\. .*{REMEDY}"
HIGH = rf"channels fire 15 spikes per millisecond in the mean, 1.5e\+04 hertz\. .*{REMEDY}"


def fit(patterns):
    weights = np.zeros(patterns.n_channels)
    counts = ls.SpikeCounts(np.zeros(len(patterns), int))
    return ls.Trainer(NEURON).fit(weights, patterns, counts)


def fit_many(patterns):
    weights = np.zeros((2, patterns.n_channels))
    counts = ls.SpikeCounts(np.zeros(len(patterns), int))
    return ls.Trainer(NEURON).fit_many(weights, patterns, counts, seeds=[0, 1])


def respond_many(patterns):
    return NEURON.respond_many(np.zeros((1, patterns.n_channels)), patterns)


@pytest.mark.parametrize("use", [fit, fit_many, respond_many])
@pytest.mark.parametrize(("patterns", "message"), [(SHORT, SHORT_FOR), (LONG, HIGH)])
def test_times_in_seconds(use, patterns, message):
    with pytest.warns(ls.UnitWarning, match=f"^{use.__name__}: {message}") as found:
        use(patterns)
    assert [warning.filename for warning in found] == [__file__]


def test_a_single_pattern_in_seconds():
    with pytest.warns(ls.UnitWarning, match=f"^respond: {SHORT_FOR}") as found:
        NEURON.respond(np.zeros(4), SHORT[0])
    assert found[0].filename == __file__


def test_one_warning_from_an_estimator():
    with pytest.warns(ls.UnitWarning, match=SHORT_FOR):
        ls.SpikeClassifier(random_state=0, max_iter=1).fit(SHORT, [0, 1])


def test_no_warning_where_the_horizon_is_later_or_one_pattern_longer():
    NEURON.respond(np.zeros(4), SHORT[0], until=50.0)
    NEURON.respond_many(np.zeros((1, 4)), SHORT, until=50.0)
    longer = ls.PatternSet([], [], [0, 0], 4, 0.5)
    NEURON.respond_many(np.zeros((1, 4)), ls.PatternSet.concatenate([SHORT, longer]))
    ls.SRM(tau_m=1.0, tau_s=0.2).respond_many(np.zeros((1, 4)), SHORT)


def test_seconds_in_a_long_window_are_recognised_by_their_last_spike():
    rng = np.random.default_rng(0)
    seconds = rng.uniform(0.0, 0.2, 400)
    patterns = ls.PatternSet.from_events(
        seconds, rng.integers(0, 5, 400), np.arange(400) % 10, time_unit="ms", window=200.0
    )
    with pytest.warns(ls.UnitWarning, match=r"all spikes come within 0.19\d* ms.*time_unit='s'"):
        ls.SRM().respond_many(np.full((1, 5), 0.1), patterns)
    with pytest.warns(ls.UnitWarning, match="all spikes come within") as found:
        ls.SpikeClassifier(max_iter=1).fit(patterns, np.arange(10) % 2)
    assert {warning.filename for warning in found} == {__file__}
