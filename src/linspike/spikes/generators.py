"""Random patterns and trains, and noise on them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_float_array, check_integer, check_real
from linspike.errors import ParameterError
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.units import warn_high_rate

MOST_SPIKES = 10**10

Seed = np.random.Generator | int
Spikes = TypeVar("Spikes", SpikeTrain, Pattern, PatternSet)


def poisson_patterns(
    n_patterns: int, *, n_channels: int, duration: float, rate: float | Floats, rng: Seed
) -> PatternSet:
    """Return patterns of independent homogeneous Poisson spikes on every channel.

    Parameters
    ----------
    n_patterns, n_channels : int
        Size of the set.
    duration : float
        Length of each pattern in milliseconds.
    rate : float or array of float
        Spikes per millisecond of every channel, or of each.
    rng : numpy.random.Generator or int
        Source of randomness, or a seed.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.poisson_patterns(20, n_channels=500, duration=400.0, rate=0.005, rng=0)
    PatternSet(20 patterns, 20146 spikes, 500 channels, 400.0 ms)
    """
    owner = "poisson_patterns"
    count = check_integer(n_patterns, "n_patterns", owner, least=1)
    width = check_integer(n_channels, "n_channels", owner, least=1)
    length = check_real(duration, "duration", owner, above=0.0)
    rates = _rates(rate, width, owner)
    if count * rates.sum() * length > MOST_SPIKES:
        domain = f"low enough for {MOST_SPIKES:.0e} spikes in all"
        raise ParameterError.of("rate", owner, domain, rate)
    _warn_hertz(rates.mean(), count * width * length, owner)
    random = check_generator(rng, owner)
    sizes = random.poisson(rates.sum() * length, size=count)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    total = int(offsets[-1])
    times = random.uniform(0.0, length, size=total)
    if rates.min() == rates.max():
        channels = random.integers(0, width, size=total)
    else:
        channels = random.choice(width, size=total, p=rates / rates.sum())
    return PatternSet.sorted(times, channels, offsets, width, length)


def _rates(rate: Any, width: int, owner: str) -> Floats:
    if np.ndim(rate) == 0:
        one = check_real(rate, "rate", owner, least=0.0)
        return np.full(width, one)
    rates = check_float_array(rate, "rate", owner)
    if rates.size != width or not (np.isfinite(rates).all() and (rates >= 0.0).all()):
        domain = f"one number, or {width} of them, finite and at least 0"
        raise ParameterError.of("rate", owner, domain, rate)
    return rates


def _warn_hertz(rate: float, channel_ms: float, owner: str) -> None:
    """Warn of a rate that looks like hertz, before as many spikes are drawn."""
    remedy = f"If the rate is in hertz, divide it by 1000: rate={rate / 1e3:.3g}."
    warn_high_rate(rate * channel_ms, channel_ms, owner, remedy)


def poisson_trains(
    n_trains: int,
    *,
    duration: float,
    rate: float,
    min_gap: float = 0.0,
    min_onset: float = 0.0,
    rng: Seed,
) -> list[SpikeTrain]:
    """Return Poisson trains with a dead time, whose mean count is still rate * duration.

    Two desired spikes in quick succession, or one before any input, are beyond any weights. So
    spikes keep `min_gap` apart and none comes before `min_onset`. The process is a stationary
    renewal process on [min_onset, duration], its rate raised to make up for the lost onset:
    plain rejection of bad trains would lower the rate.

    Parameters
    ----------
    n_trains : int
        How many trains.
    duration : float
        Length of each train in milliseconds.
    rate : float
        Mean number of spikes per millisecond over the whole duration.
    min_gap, min_onset : float
        Shortest interval between spikes, earliest first spike. With both 0 the trains are
        plainly Poisson.
    rng : numpy.random.Generator or int
        Source of randomness, or a seed.

    Examples
    --------
    >>> import linspike as ls
    >>> trains = ls.poisson_trains(2, duration=400.0, rate=0.01, min_gap=5.0, rng=1)
    >>> [len(train) for train in trains]
    [1, 5]
    """
    owner = "poisson_trains"
    count = check_integer(n_trains, "n_trains", owner, least=1)
    length = check_real(duration, "duration", owner, above=0.0)
    nominal = check_real(rate, "rate", owner, least=0.0)
    gap = check_real(min_gap, "min_gap", owner, least=0.0)
    onset = check_real(
        min_onset, "min_onset", owner, least=0.0, below=length, domain="in [0, duration)"
    )
    raised = nominal * length / (length - onset)
    if raised * gap >= 1.0:
        limit = (length - onset) / (length * gap)
        remedy = f"With this min_gap and min_onset the rate must stay below {limit:.6g}."
        raise ParameterError.of("rate", owner, "low enough to fit the gaps", rate, remedy)
    _warn_hertz(nominal, count * length, owner)
    random = check_generator(rng, owner)
    return [
        SpikeTrain(onset + _dead_time_process(length - onset, raised, gap, random), length)
        for _ in range(count)
    ]


def _dead_time_process(
    length: float, rate: float, gap: float, random: np.random.Generator
) -> Floats:
    """Draw a stationary renewal process on [0, length] with intervals gap + Exponential."""
    if rate == 0.0:
        return np.empty(0)
    mean_wait = 1.0 / rate - gap
    # Seen from an arbitrary moment, the next spike is within `gap` with probability rate * gap,
    # and then uniformly so; otherwise it is an exponential wait beyond it.
    now = random.uniform(0.0, gap)
    if random.uniform() >= rate * gap:
        now = gap + random.exponential(mean_wait)
    times = []
    while now <= length:
        times.append(now)
        now += gap + random.exponential(mean_wait)
    return np.array(times)


def jitter(spikes: Spikes, sd: float, *, rng: Seed) -> Spikes:
    """Return the same spikes, each moved by Gaussian noise of this standard deviation.

    Spikes that would leave [0, duration] are reflected at its ends, so none is lost; the result
    is sorted anew.

    Parameters
    ----------
    spikes : SpikeTrain, Pattern or PatternSet
        What to disturb; the result is of the same kind.
    sd : float
        Standard deviation in milliseconds.
    rng : numpy.random.Generator or int
        Source of randomness, or a seed.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.jitter(ls.SpikeTrain([10.0, 20.0], duration=50.0), 0.0, rng=0)
    SpikeTrain([10.0, 20.0], duration=50.0)
    """
    scale = check_real(sd, "sd", "jitter", least=0.0)
    if not isinstance(spikes, (SpikeTrain, Pattern, PatternSet)):
        domain = "a SpikeTrain, a Pattern or a PatternSet"
        raise ParameterError.of("spikes", "jitter", domain, spikes)
    random = check_generator(rng, "jitter")
    moved = spikes.times + scale * random.standard_normal(spikes.times.size)
    if isinstance(spikes, SpikeTrain):
        return SpikeTrain(np.sort(_reflect(moved, spikes.duration)), spikes.duration)
    if isinstance(spikes, Pattern):
        times = _reflect(moved, spikes.duration)
        return Pattern.sorted(times, spikes.channels, spikes.n_channels, spikes.duration)
    ends = np.repeat(spikes.durations, np.diff(spikes.offsets))
    return PatternSet.sorted(
        _reflect(moved, ends),
        spikes.channels,
        spikes.offsets,
        spikes.n_channels,
        spikes.durations,
    )


def _reflect(times: Floats, end: float | Floats) -> Floats:
    times = np.abs(times)
    if np.ndim(end) == 0 and np.isinf(end):
        return times
    folded = np.mod(times, 2.0 * np.asarray(end))
    return np.minimum(folded, 2.0 * np.asarray(end) - folded)


def check_generator(rng: Any, owner: str) -> np.random.Generator:
    """Return a generator as it is, or a new one of a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    raise ParameterError.of("rng", owner, "a numpy.random.Generator or a seed of at least 0", rng)
