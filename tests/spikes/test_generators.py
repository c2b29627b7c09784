"""Random spikes: rates, dead times, reproducibility, jitter."""

import numpy as np
import pytest

import linspike as ls


def test_poisson_patterns_have_the_rate():
    patterns = ls.poisson_patterns(200, n_channels=50, duration=100.0, rate=0.02, rng=0)
    counts = np.diff(patterns.offsets)
    assert counts.mean() == pytest.approx(100.0, abs=4 * 10.0 / np.sqrt(200))
    assert counts.var() == pytest.approx(100.0, rel=0.4)  # Poisson: variance is the mean
    per_channel = np.bincount(patterns.channels, minlength=50)
    assert per_channel.min() > 300
    assert patterns.times.mean() == pytest.approx(50.0, abs=1.0)


def test_rates_per_channel():
    patterns = ls.poisson_patterns(
        100, n_channels=3, duration=100.0, rate=np.array([0.0, 0.1, 0.3]), rng=0
    )
    per_channel = np.bincount(patterns.channels, minlength=3)
    assert per_channel[0] == 0
    assert per_channel[1] == pytest.approx(1000, abs=150)
    assert per_channel[2] == pytest.approx(3000, abs=250)


def test_same_seed_same_spikes():
    first = ls.poisson_patterns(3, n_channels=5, duration=10.0, rate=0.1, rng=7)
    again = ls.poisson_patterns(
        3, n_channels=5, duration=10.0, rate=0.1, rng=np.random.default_rng(7)
    )
    assert first == again


def test_rate_zero_is_silence():
    assert ls.poisson_patterns(2, n_channels=5, duration=10.0, rate=0.0, rng=0).times.size == 0
    assert len(ls.poisson_trains(1, duration=10.0, rate=0.0, rng=0)[0]) == 0


@pytest.mark.parametrize(("gap", "onset"), [(0.0, 0.0), (5.0, 0.0), (5.0, 10.0), (40.0, 100.0)])
def test_dead_time_keeps_the_rate(gap, onset):
    trains = ls.poisson_trains(
        20_000, duration=400.0, rate=0.005, min_gap=gap, min_onset=onset, rng=1
    )
    counts = np.array([len(train) for train in trains])
    assert counts.mean() == pytest.approx(2.0, abs=5 * counts.std() / np.sqrt(20_000))
    gaps = np.concatenate([np.diff(train.times) for train in trains])
    assert gaps.min() >= gap
    times = np.concatenate([train.times for train in trains])
    assert times.min() >= onset
    assert times.max() <= 400.0
    # Stationary: no stretch of time is favoured.
    shares = np.histogram(times, bins=5, range=(onset, 400.0))[0] / times.size
    assert np.abs(shares - 0.2).max() < 0.015


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 0.3}, r"low enough to fit the gaps.*rate must stay below 0.1"),
        ({"rate": -1.0}, r"'rate' parameter of poisson_trains must be finite and at least 0"),
        (
            {"min_onset": 50.0},
            r"'min_onset' parameter of poisson_trains must be in \[0, duration\)",
        ),
        ({"min_gap": -1.0}, r"'min_gap'"),
        ({"duration": 0.0}, r"'duration'"),
        ({"rng": None}, r"'rng' parameter of poisson_trains must be a numpy.random.Generator or a"),
        ({"rng": -1}, r"seed of at least 0"),
        ({"n_trains": 0}, r"'n_trains'"),
    ],
)
def test_bad_trains(changes, message):
    good = {"n_trains": 1, "duration": 50.0, "rate": 0.01, "min_gap": 10.0, "rng": 0}
    good |= changes
    with pytest.raises(ls.ParameterError, match=message):
        ls.poisson_trains(good.pop("n_trains"), **good)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_patterns": 0}, r"'n_patterns' parameter of poisson_patterns must be a whole number"),
        ({"n_channels": 0}, r"'n_channels'"),
        ({"duration": -5.0}, r"'duration'"),
        ({"rate": np.nan}, r"'rate'"),
        ({"rate": 1e30}, r"'rate' parameter of poisson_patterns must be low enough"),
        ({"rate": [0.1, 0.2]}, r"one number, or 5 of them"),
        ({"rng": 1.5}, r"'rng'"),
    ],
)
def test_bad_patterns(changes, message):
    good = {"n_patterns": 1, "n_channels": 5, "duration": 50.0, "rate": 0.01, "rng": 0} | changes
    with pytest.raises(ls.ParameterError, match=message):
        ls.poisson_patterns(good.pop("n_patterns"), **good)


def test_jitter_moves_by_the_given_deviation_and_loses_nothing():
    train = ls.poisson_trains(1, duration=1e5, rate=0.1, rng=0)[0]
    moved = ls.jitter(train, 0.01, rng=1)
    assert len(moved) == len(train)
    assert (moved.times - train.times).std() == pytest.approx(0.01, rel=0.1)
    patterns = ls.poisson_patterns(3, n_channels=4, duration=10.0, rate=0.5, rng=2)
    wild = ls.jitter(patterns, 30.0, rng=3)
    assert np.diff(wild.offsets).tolist() == np.diff(patterns.offsets).tolist()
    assert sorted(wild[1].channels) == sorted(patterns[1].channels)
    assert isinstance(ls.jitter(patterns[0], 1.0, rng=0), ls.Pattern)


def test_jitter_reflects_at_the_ends():
    train = ls.SpikeTrain([0.0] * 2000 + [10.0] * 2000, duration=10.0)
    moved = ls.jitter(train, 1.0, rng=0).times
    assert moved.min() >= 0.0
    assert moved.max() <= 10.0
    # Clipping would leave half of them at the ends; reflected, they spread like |noise|.
    assert moved[:2000].mean() == pytest.approx(np.sqrt(2.0 / np.pi), abs=0.05)
    assert (10.0 - moved[2000:]).mean() == pytest.approx(np.sqrt(2.0 / np.pi), abs=0.05)


def test_jitter_of_an_unbounded_train_stays_positive():
    moved = ls.jitter(ls.SpikeTrain([0.0, 0.1, 5.0]), 3.0, rng=0)
    assert moved.times.min() >= 0.0


def test_jitter_of_something_else():
    with pytest.raises(ls.ParameterError, match="a SpikeTrain, a Pattern or a PatternSet"):
        ls.jitter([1.0, 2.0], 1.0, rng=0)
    with pytest.raises(ls.ParameterError, match="'sd'"):
        ls.jitter(ls.SpikeTrain([1.0]), -1.0, rng=0)
