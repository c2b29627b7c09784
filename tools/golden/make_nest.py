"""Make nest.json: spike trains of the SRM neuron as NEST's `iaf_psc_exp_ps_lossless` gives them.

NEST is no test dependency. To make the file again, install it and run

    python -m tools.golden.make_nest

The mapping is exact but for one thing. With E_L = V_reset = I_e = 0 and C_m = 1, an input that
makes the current jump by j adds j tm ts / (tm - ts) (exp(-s/tm) - exp(-s/ts)) to the potential, so
j = w Vn (tm - ts) / (tm ts) is the post-synaptic potential of weight w; a reset to 0 that leaves
the current alone is the subtraction of threshold * exp(-s/tm). What differs is the refractory time,
which NEST wants to be at least one grid step: it moves every spike but the first.

No single grid will do. A coarse one gives the first spike to rounding, but its refractory time
spoils the rest; a fine one has next to no refractory time, but its millions of multiplications by
exp(-h/tau) cost the first spike four digits. So the first spike comes from the coarse grid and the
others from the fine one. Both steps are powers of two, so that grid times carry no rounding.

In a burst each spike inherits the delay of those before it, so the refractory time can move late
spikes by fifty times its length. A second run with twice the refractory time measures that, and
gives a train extrapolated to none.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import nest
import numpy as np
from tools.golden.cases import make_rng, write_cases

SEED = 20210323
COARSE_TICS_PER_MS = 2**3
FINE_TICS_PER_MS = 2**16
REFRACTORY = 1 / FINE_TICS_PER_MS
DELAY = 1.0
# NEST's root search stops at an absolute error of the potential, so a small threshold would cost
# digits; weights and threshold scale together.
NEST_THRESHOLD = 16.0
FIRST_TOLERANCE = 1e-12
LATER_TOLERANCE = 10 * REFRACTORY
LIMIT_TOLERANCE = 1e-5
DECIMALS = 6

UNITS = (
    "Times in ms; a weight of 1 gives a post-synaptic potential of peak 1. 'spikes' is NEST's "
    "train: the first spike is good to 1e-12 ms, later ones to the case's 'later_tolerance': ten "
    "times the refractory time, or more in a burst, where each spike inherits the delay of those "
    "before. 'limit' is that train extrapolated linearly to a refractory time of zero: the first "
    "spike is good to 1e-12 ms, later ones to 1e-5 ms."
)


@dataclass(frozen=True)
class Problem:
    """A neuron, an input pattern and its weights."""

    name: str
    tau_m: float
    tau_s: float
    threshold: float
    duration: float
    times: np.ndarray
    channels: np.ndarray
    n_channels: int
    weights: np.ndarray


def psp_norm(tau_m: float, tau_s: float) -> float:
    """Return the factor that makes the peak of the post-synaptic potential 1."""
    ratio = tau_m / tau_s
    return float(ratio ** (ratio / (ratio - 1)) / (ratio - 1))


def nest_spikes(problem: Problem, tics_per_ms: int, refractory: float) -> np.ndarray:
    """Return the output spikes NEST finds within the duration, on a grid of one tic."""
    nest.ResetKernel()
    nest.set(tics_per_ms=tics_per_ms, resolution=1 / tics_per_ms)
    neuron = nest.Create("iaf_psc_exp_ps_lossless", params=neuron_parameters(problem, refractory))
    source = nest.Create("spike_generator", params=input_parameters(problem))
    recorder = nest.Create("spike_recorder")
    nest.Connect(source, neuron, syn_spec={"delay": DELAY})
    nest.Connect(neuron, recorder, syn_spec={"delay": DELAY})
    # One delay for the input to arrive, one for the output to be recorded.
    nest.Simulate(problem.duration + 2 * DELAY)
    spikes = np.sort(recorder.get("events", "times")) - DELAY
    return spikes[spikes <= problem.duration]


def neuron_parameters(problem: Problem, refractory: float) -> dict[str, float]:
    """Return the NEST parameters of the SRM neuron."""
    return {
        "tau_m": problem.tau_m,
        "tau_syn_ex": problem.tau_s,
        "tau_syn_in": problem.tau_s,
        "C_m": 1.0,
        "E_L": 0.0,
        "V_m": 0.0,
        "V_reset": 0.0,
        "V_th": NEST_THRESHOLD,
        "I_e": 0.0,
        "t_ref": refractory,
    }


def input_parameters(problem: Problem) -> dict[str, object]:
    """Return the settings of one generator that sends every input with its channel's weight."""
    tau_m, tau_s = problem.tau_m, problem.tau_s
    current = psp_norm(tau_m, tau_s) * (tau_m - tau_s) / (tau_m * tau_s)
    current *= NEST_THRESHOLD / problem.threshold
    return {
        "precise_times": True,
        "spike_times": problem.times,
        "spike_weights": current * problem.weights[problem.channels],
    }


def golden(problem: Problem) -> dict[str, object]:
    """Return the problem with its output spikes, as it goes into the file."""
    # Refractory to the end: NEST may stop with an error where a burst outpaces the coarse grid.
    first = nest_spikes(problem, COARSE_TICS_PER_MS, problem.duration)
    spikes = nest_spikes(problem, FINE_TICS_PER_MS, REFRACTORY)
    delayed = nest_spikes(problem, FINE_TICS_PER_MS, 2 * REFRACTORY)
    require_same_count(problem.name, first, spikes, delayed)
    limit = 2 * spikes - delayed
    fields = {key: as_json(value) for key, value in asdict(problem).items()}
    return fields | {
        "refractory": REFRACTORY,
        "later_tolerance": max(LATER_TOLERANCE, 2 * np.abs(delayed - spikes).max(initial=0.0)),
        "spikes": [*first.tolist(), *spikes[1:].tolist()],
        "limit": [*first.tolist(), *limit[1:].tolist()],
    }


def require_same_count(
    name: str, first: np.ndarray, spikes: np.ndarray, delayed: np.ndarray
) -> None:
    """Raise if the refractory time or the grid decides how many spikes there are."""
    if first.size != min(spikes.size, 1) or spikes.size != delayed.size:
        raise ValueError(f"{name}: the number of spikes depends on the refractory time")


def as_json(value: object) -> object:
    """Return arrays as lists and everything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def poisson_pattern(
    rng: np.random.Generator, n_channels: int, duration: float, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and channels of a Poisson pattern, in order of time."""
    channels = np.repeat(np.arange(n_channels), rng.poisson(rate * duration, n_channels))
    # Six decimals keep the file small and still lie on no grid of NEST's, which takes no time 0.
    times = np.round(rng.uniform(0.001, duration, channels.size), DECIMALS)
    order = np.argsort(times, kind="stable")
    return times[order], channels[order]


def poisson_problem(
    rng: np.random.Generator,
    name: str,
    n_channels: int,
    duration: float,
    rate: float,
    *,
    drive: float = 1.2,
    spread: float = 1.5,
    tau_m: float = 20.0,
    tau_s: float = 5.0,
    threshold: float = 1.0,
) -> Problem:
    """Return Poisson input through normal weights.

    Parameters
    ----------
    drive
        The mean potential without resets, in thresholds.
    spread
        The standard deviation of the weights, in units of their absolute mean.
    """
    times, channels = poisson_pattern(rng, n_channels, duration, rate)
    area = psp_norm(tau_m, tau_s) * (tau_m - tau_s)
    mean = drive * threshold / (n_channels * rate * area)
    weights = np.round(rng.normal(mean, spread * abs(mean), n_channels), DECIMALS)
    return Problem(name, tau_m, tau_s, threshold, duration, times, channels, n_channels, weights)


def plain_problems(rng: np.random.Generator) -> Iterator[Problem]:
    """Yield Poisson patterns of many sizes, with weights of both signs."""
    sizes = [
        (20, 50.0, 0.05),
        (20, 100.0, 0.02),
        (20, 400.0, 0.01),
        (50, 100.0, 0.05),
        (50, 400.0, 0.01),
        (100, 50.0, 0.02),
        (100, 200.0, 0.02),
        (200, 150.0, 0.01),
        (300, 400.0, 0.005),
        (500, 50.0, 0.02),
        (500, 100.0, 0.005),
        (500, 400.0, 0.005),
    ]
    for n_channels, duration, rate in sizes:
        name = f"plain-{n_channels}-{duration:g}-{rate:g}"
        yield poisson_problem(rng, name, n_channels, duration, rate)


def neuron_problems(rng: np.random.Generator) -> Iterator[Problem]:
    """Yield other time constants and thresholds, up to nearly equal time constants."""
    neurons = [
        (10.0, 5.0, 1.0),
        (10.0, 1.0, 2.0),
        (15.0, 3.0, 0.5),
        (20.0, 5.0, 0.01),
        (20.0, 5.0, 15.0),
        (30.0, 25.0, 1.0),
        (40.0, 2.0, 1.0),
        (50.0, 10.0, 3.0),
    ]
    for tau_m, tau_s, threshold in neurons:
        name = f"neuron-{tau_m:g}-{tau_s:g}-{threshold:g}"
        neuron = {"tau_m": tau_m, "tau_s": tau_s, "threshold": threshold}
        yield poisson_problem(rng, name, 60, 200.0, 0.02, drive=1.6, **neuron)


def regime_problems(rng: np.random.Generator) -> Iterator[Problem]:
    """Yield inhibition that outweighs excitation, strong weights and subthreshold input."""
    for spread in (5.0, 8.0, 12.0):
        name = f"inhibited-{spread:g}"
        yield poisson_problem(rng, name, 20, 400.0, 0.02, drive=-1.0, spread=spread)
    for drive in (2.0, 3.0, 5.0):
        name = f"strong-{drive:g}"
        yield poisson_problem(rng, name, 30, 100.0, 0.02, drive=drive, spread=3.0)
    for rate in (0.002, 0.004):
        name = f"burst-{rate:g}"
        yield poisson_problem(rng, name, 20, 300.0, rate, drive=2.0, spread=1.0)
    yield poisson_problem(rng, "silent-weak", 100, 100.0, 0.01, drive=0.1, spread=1.0)
    yield poisson_problem(rng, "silent-inhibited", 100, 100.0, 0.01, drive=-1.0, spread=0.3)


def volley_problems(rng: np.random.Generator) -> Iterator[Problem]:
    """Yield inputs that arrive at the very same time, on the grid and off it."""
    for spacing in (10.0, 12.3456):
        for n_channels in (8, 40):
            times = np.repeat(np.round(spacing * np.arange(1, 9), DECIMALS), n_channels)
            channels = np.tile(np.arange(n_channels), 8)
            weights = np.round(rng.normal(1.2, 2.0, n_channels) / n_channels, DECIMALS)
            name = f"volley-{spacing:g}-{n_channels}"
            yield Problem(name, 20.0, 5.0, 1.0, 120.0, times, channels, n_channels, weights)


def single_problems() -> Iterator[Problem]:
    """Yield one channel: no input, one input of several weights, the same input twice."""
    inputs = {
        "empty": ([], 1.0),
        "single-subthreshold": ([3.7], 0.99),
        "single-spike": ([3.7], 1.01),
        "single-pair": ([3.7], 2.5),
        "single-burst": ([3.7], 6.0),
        "single-inhibitory": ([3.7], -6.0),
        "single-twice": ([3.7, 3.7], 0.7),
    }
    for name, (times, weight) in inputs.items():
        channels = np.zeros(len(times), dtype=np.int64)
        pattern = np.array(times, dtype=float), channels
        yield Problem(name, 20.0, 5.0, 1.0, 50.0, *pattern, 1, np.array([weight]))


def problems(rng: np.random.Generator) -> Iterator[Problem]:
    """Yield every problem of the file, in order."""
    yield from plain_problems(rng)
    yield from neuron_problems(rng)
    yield from regime_problems(rng)
    yield from volley_problems(rng)
    yield from single_problems()


def main() -> None:
    """Simulate every problem and write the file."""
    nest.verbosity = nest.VerbosityLevel.ERROR
    versions = {"nest": nest.__version__, "numpy": np.__version__}
    settings = {
        "model": "iaf_psc_exp_ps_lossless",
        "seed": SEED,
        "units": UNITS,
        "first_tolerance": FIRST_TOLERANCE,
        "limit_tolerance": LIMIT_TOLERANCE,
    }
    write_cases("nest", versions, settings, [golden(each) for each in problems(make_rng(SEED))])


if __name__ == "__main__":
    main()
