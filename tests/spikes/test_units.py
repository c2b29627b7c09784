"""Rates that look like hertz get a warning that names the remedy."""

import pytest

import linspike as ls


def test_a_rate_in_hertz_warns_before_the_spikes_are_drawn():
    message = r"5 spikes per millisecond in the mean, 5e\+03 hertz.*divide it by 1000: rate=0.005\."
    with pytest.warns(ls.UnitWarning, match=f"^poisson_patterns: channels fire {message}") as found:
        ls.poisson_patterns(2, n_channels=10, duration=100.0, rate=5.0, rng=0)
    assert found[0].filename == __file__
    with pytest.warns(ls.UnitWarning, match=rf"^poisson_trains: channels fire {message}") as found:
        ls.poisson_trains(2, duration=100.0, rate=5.0, rng=0)
    assert found[0].filename == __file__


@pytest.mark.parametrize("rate", [0.999, [0.0, 1.9]])
def test_usual_rates_do_not_warn(rate):
    ls.poisson_patterns(1, n_channels=2, duration=1000.0, rate=rate, rng=0)


def test_a_few_spikes_at_a_high_rate_do_not_warn():
    ls.poisson_patterns(1, n_channels=2, duration=100.0, rate=2.0, rng=0)
