"""Time Brian2 and NEST on the patterns linspike is timed on.

Each peer is run as one who knows it well would run it. All patterns are independent neurons of one
network, which is faster than a neuron a pattern at a time in both peers; inputs of all channels are
merged into one weighted stream per neuron beforehand. Only the simulation loop is timed: building,
code generation and compilation are not, and the best of several runs counts. One thread; a second
one made NEST slower. Brian2's cost is mostly one of steps, not of neurons, so the more patterns run
at once, the less each takes.
"""

import tempfile
import time
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

REPEATS = 5
NEST_DELAY = 1.0
# NEST takes no input at time 0, so every input comes this much later.
NEST_ONSET = 1.0
# Brian2 calls the report at the start and at the end; a long period keeps it from calling between.
NO_REPORT_SECONDS = 1e6

Pattern = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class PeerResult:
    """What a peer took for a pattern, and the spikes it found in each.

    Attributes
    ----------
    name
        The peer and its setting.
    version
        The peer's version.
    seconds_per_pattern
        Time of the simulation loop over the number of patterns, best of several runs.
    spikes
        Output spike times of each pattern, in milliseconds.
    note
        How the patterns were laid out and how exact the spikes are.
    """

    name: str
    version: str
    seconds_per_pattern: float
    spikes: list[np.ndarray]
    note: str


@dataclass(frozen=True)
class Workload:
    """Patterns, given as times and channels, and the neuron that responds to them."""

    patterns: list[Pattern]
    weights: np.ndarray
    duration: float
    tau_m: float
    tau_s: float
    threshold: float

    @property
    def psp_norm(self) -> float:
        """The factor that makes the peak of the post-synaptic potential 1."""
        ratio = self.tau_m / self.tau_s
        return float(ratio ** (ratio / (ratio - 1)) / (ratio - 1))

    @property
    def streams(self) -> list[Pattern]:
        """Times and weights of each pattern's inputs, in order of time."""
        orders = [np.argsort(times, kind="stable") for times, _ in self.patterns]
        pairs = zip(orders, self.patterns, strict=True)
        return [(times[order], self.weights[channels[order]]) for order, (times, channels) in pairs]


def run_brian2(workload: Workload, dt: float) -> PeerResult:
    """Time Brian2's runtime mode with Cython code generation, on a grid of `dt` milliseconds.

    Raises
    ------
    ImportError
        If Brian2 is missing or does not import.
    """
    brian2 = import_brian2()
    brian2.prefs.codegen.target = "cython"
    network, monitor = brian2_network(brian2, workload, dt)
    network.store()
    seconds = min(brian2_loop_seconds(brian2, network, workload.duration) for _ in range(REPEATS))
    return brian2_result(brian2, "Cython", workload, dt, seconds, monitor)


def run_brian2_standalone(workload: Workload, dt: float) -> PeerResult:
    """Time Brian2's C++ standalone mode, which needs a compiler and about a minute to build."""
    brian2 = import_brian2()
    with tempfile.TemporaryDirectory() as directory:
        brian2.set_device("cpp_standalone", directory=directory, build_on_run=False)
        try:
            network, monitor = brian2_network(brian2, workload, dt)
            network.run(workload.duration * brian2.ms, namespace={})
            brian2.device.build(directory=directory, run=False)
            seconds = min(brian2_binary_seconds(brian2) for _ in range(REPEATS))
            # The device reads the spikes from the directory, so before that goes.
            return brian2_result(brian2, "C++", workload, dt, seconds, monitor)
        finally:
            brian2.device.reinit()
            brian2.set_device("runtime")


def import_brian2() -> Any:
    """Return Brian2, with every way of its not importing told as an ImportError."""
    try:
        import brian2
    except AttributeError as error:
        # Brian2 2.9 asks numpy for `ndarray.ptp`, which is gone since 2.4.
        raise ImportError(f"Brian2 does not import with numpy {np.__version__}: {error}") from error
    return brian2


def brian2_network(brian2: Any, workload: Workload, dt: float) -> tuple[Any, Any]:
    """Return a network of one neuron per pattern, and its spike monitor."""
    ms = brian2.ms
    neurons = brian2.NeuronGroup(
        len(workload.patterns),
        "dv/dt = (g - v) / tau_m : 1\ndg/dt = -g / tau_s : 1",
        threshold="v >= threshold",
        reset="v = 0",
        method="exact",
        dt=dt * ms,
        namespace={
            "tau_m": workload.tau_m * ms,
            "tau_s": workload.tau_s * ms,
            "threshold": workload.threshold,
            "kick": brian2.TimedArray(binned_kicks(workload, dt), dt=dt * ms),
        },
    )
    # A table of summed inputs took two thirds of the time of a spike generator with synapses.
    operation = neurons.run_regularly("g += kick(t, i)", dt=dt * ms, when="synapses")
    monitor = brian2.SpikeMonitor(neurons)
    return brian2.Network(neurons, operation, monitor), monitor


def binned_kicks(workload: Workload, dt: float) -> np.ndarray:
    """Return what the inputs add to each neuron's current at each step, nearest step taken."""
    kicks = np.zeros((round(workload.duration / dt) + 1, len(workload.patterns)))
    jump = workload.psp_norm * (workload.tau_m - workload.tau_s) / workload.tau_s
    for neuron, (times, weights) in enumerate(workload.streams):
        np.add.at(kicks[:, neuron], np.rint(times / dt).astype(int), jump * weights)
    return kicks


def brian2_loop_seconds(brian2: Any, network: Any, duration: float) -> float:
    """Return the seconds Brian2's main loop takes from the stored state."""
    elapsed = []

    # Each `run` generates its code anew; what the report tells starts after that.
    def report(seconds: Any, _completed: float, _start: Any, _duration: Any) -> None:
        elapsed.append(float(seconds))

    network.restore()
    period = NO_REPORT_SECONDS * brian2.second
    network.run(duration * brian2.ms, report=report, report_period=period, namespace={})
    return elapsed[-1]


def brian2_binary_seconds(brian2: Any) -> float:
    """Return the seconds the compiled program spends in its main loop."""
    brian2.device.run()
    # Private, but the only figure without loading the tables and writing the results.
    return float(brian2.device._last_run_time)


def brian2_result(
    brian2: Any, mode: str, workload: Workload, dt: float, seconds: float, monitor: Any
) -> PeerResult:
    """Return the result of a Brian2 run."""
    trains = monitor.spike_trains()
    count = len(workload.patterns)
    return PeerResult(
        name=f"Brian2 {mode}, dt = {dt:g} ms",
        version=brian2.__version__,
        seconds_per_pattern=seconds / count,
        spikes=[np.sort(np.asarray(trains[neuron] / brian2.ms)) for neuron in range(count)],
        note=(
            f"{count} patterns at once, inputs binned beforehand; exact integration between "
            "steps, inputs and spikes on the grid"
        ),
    )


def run_nest(workload: Workload, resolution: float) -> PeerResult:
    """Time NEST's `iaf_psc_exp_ps_lossless`, which finds spikes off the grid.

    The resolution, in milliseconds, is the grid step and the refractory time, because NEST takes no
    shorter one.
    """
    import nest

    nest.verbosity = nest.VerbosityLevel.ERROR
    runs = [timed_nest_run(nest, workload, resolution) for _ in range(REPEATS)]
    count = len(workload.patterns)
    return PeerResult(
        name=f"NEST, resolution {resolution:g} ms",
        version=nest.__version__,
        seconds_per_pattern=min(seconds for seconds, _ in runs) / count,
        spikes=runs[0][1],
        note=(
            f"{count} patterns at once, one thread; first spikes exact, each later one of a burst "
            f"a further refractory time of {resolution:g} ms late"
        ),
    )


def timed_nest_run(
    nest: ModuleType, workload: Workload, resolution: float
) -> tuple[float, list[np.ndarray]]:
    """Return the seconds one NEST simulation takes and each pattern's spikes."""
    neurons, recorder = nest_network(nest, workload, resolution)
    nest.Prepare()
    start = time.perf_counter()
    nest.Run(workload.duration + NEST_ONSET + 2 * NEST_DELAY)
    seconds = time.perf_counter() - start
    nest.Cleanup()
    events = recorder.get("events")
    spikes = events["times"] - NEST_ONSET - NEST_DELAY
    within = spikes <= workload.duration
    trains = [np.sort(spikes[within & (events["senders"] == node)]) for node in neurons.tolist()]
    return seconds, trains


def nest_network(nest: ModuleType, workload: Workload, resolution: float) -> tuple[Any, Any]:
    """Return one NEST neuron per pattern, each with a generator of its own, and the recorder."""
    nest.ResetKernel()
    nest.set(resolution=resolution)
    neurons = nest.Create(
        "iaf_psc_exp_ps_lossless", len(workload.patterns), params=nest_neuron(workload, resolution)
    )
    sources = nest.Create("spike_generator", len(workload.patterns), params=nest_inputs(workload))
    recorder = nest.Create("spike_recorder")
    nest.Connect(sources, neurons, "one_to_one", syn_spec={"delay": NEST_DELAY})
    nest.Connect(neurons, recorder, syn_spec={"delay": NEST_DELAY})
    return neurons, recorder


def nest_neuron(workload: Workload, refractory: float) -> dict[str, float]:
    """Return the NEST parameters of the SRM neuron."""
    return {
        "tau_m": workload.tau_m,
        "tau_syn_ex": workload.tau_s,
        "tau_syn_in": workload.tau_s,
        "C_m": 1.0,
        "E_L": 0.0,
        "V_m": 0.0,
        "V_reset": 0.0,
        "V_th": workload.threshold,
        "t_ref": refractory,
    }


def nest_inputs(workload: Workload) -> list[dict[str, Any]]:
    """Return the settings of each pattern's generator."""
    tau_m, tau_s = workload.tau_m, workload.tau_s
    current = workload.psp_norm * (tau_m - tau_s) / (tau_m * tau_s)
    return [
        {
            "precise_times": True,
            "spike_times": times + NEST_ONSET,
            "spike_weights": current * weights,
        }
        for times, weights in workload.streams
    ]
