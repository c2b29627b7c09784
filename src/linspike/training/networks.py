"""Training of networks: checks, preparation, and the job that a thread works on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import describe_value
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.kernels.jit import load_deferred
from linspike.kernels.network.chain import NetworkState, NetworkTask, NetworkWorkspace
from linspike.kernels.network.forward import MOST_SPIKES
from linspike.kernels.network.protocol import (
    HiddenConstants,
    LayerWeights,
    make_network_work,
    make_spikes,
)
from linspike.kernels.network.signatures import load_network_step, run_network
from linspike.kernels.training import state as kernel
from linspike.kernels.training.outcomes import OUTCOMES
from linspike.network.delays import delay_inputs
from linspike.network.network import Network, NetworkWeights
from linspike.neuron.arguments import check_patterns, warn_units
from linspike.neuron.decay_tables import events_of
from linspike.neuron.windows import window_of
from linspike.rules.network.base import NetworkRule
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeTimes
from linspike.training.execute import Job, OnEpoch, Progress, work_off
from linspike.training.prepare import (
    SPARE_SPIKES,
    Chain,
    Run,
    bad_outcome,
    bounds_of,
    check_step_factor,
    check_targets,
)
from linspike.training.result import Ending, FitResult

SPIKES_PER_NEURON, FREE_SPIKES = 16, 64  # room for hidden spikes of a pattern


@dataclass(frozen=True)
class NetworkChain:
    """A network that learns one sequence of patterns from some weights."""

    network: Network
    weights: Any  # NetworkWeights
    patterns: PatternSet
    targets: tuple[SpikeTimes, ...]  # one per output neuron
    seed: int
    most_hidden: int = 0  # hidden spikes of one pattern at the start, at most


def check_network_chain(
    run: Run, network: Network, weights: Any, patterns: Any, targets: Any, delays: Any, seed: int
) -> NetworkChain:
    """Return the chain, or refuse what does not fit."""
    owner = run.owner
    given = network.check_weights(weights, check_patterns(patterns, owner), owner)
    chain = check_network_targets(run, network, patterns, targets, delays)
    horizons = np.array(patterns.durations)
    check_step_factor(run.step_factor, horizons.size, owner)
    warn_units(patterns._ragged, horizons, network.hidden.neuron.tau_s, owner)
    hidden = network.hidden_patterns(given, patterns)
    _check_hidden(hidden, owner)
    most = int(np.diff(hidden.offsets).max())
    return replace(chain, weights=given, seed=seed, most_hidden=most)


def _check_hidden(hidden: PatternSet, owner: str) -> None:
    """Refuse weights with which hidden neurons are all silent, or one fires too often to learn."""
    pattern = np.repeat(np.arange(len(hidden)), np.diff(hidden.offsets))
    counts = np.bincount(pattern * hidden.n_channels + hidden.channels, minlength=1)
    if not counts.any():
        remedy = "network.initial_weights(patterns, rng) makes weights that are not."
        domain = "such that hidden neurons fire"
        got = Words("a hidden layer that is silent on all patterns")
        raise ParameterError.of("weights", owner, domain, got, remedy)
    if counts.max() >= MOST_SPIKES:
        remedy = "network.initial_weights(patterns, rng, rate=...) makes some for a lower rate."
        domain = f"such that a hidden neuron fires less than {MOST_SPIKES} times in a pattern"
        got = Words(f"{counts.max()} spikes of one")
        raise ParameterError.of("weights", owner, domain, got, remedy)


def check_network_targets(
    run: Run, network: Network, patterns: Any, targets: Any, delays: Any
) -> NetworkChain:
    """Return a chain without weights, or refuse settings, patterns or targets."""
    owner = run.owner
    for name in ("until", "weight_bounds"):
        if getattr(run, name) is not None:
            domain = "None for a network"
            raise ParameterError.of(name, "Trainer", domain, getattr(run, name))
    if delays is not None:
        got, remedy = describe_value(delays), "Layers have delays: ls.Layer(10, delays=...)."
        raise ParameterError.of("delays", owner, "None for a network", got, remedy)
    network.check_channels(check_patterns(patterns, owner), owner)
    listed = _list_targets(targets, network.out.n_neurons, owner)
    for target in listed:
        check_targets(target, np.array(patterns.durations), owner)
    return NetworkChain(network, None, patterns, listed, 0)


def _list_targets(targets: Any, n_out: int, owner: str) -> tuple[SpikeTimes, ...]:
    """Return one target per output neuron."""
    listed = tuple(targets) if isinstance(targets, (list, tuple)) else (targets,)
    if not listed or not all(isinstance(target, SpikeTimes) for target in listed):
        domain = "SpikeTimes, or a list with one for each output neuron"
        remedy = "A network learns times, not counts."
        raise ParameterError.of("targets", owner, domain, targets, remedy)
    if len(listed) != n_out:
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must hold SpikeTimes for each output neuron "
            f"({n_out}). Got {len(listed)} instead."
        )
    return listed


def find_early(chain: NetworkChain) -> list[str]:
    """Return a sentence for each desired time before any input can have arrived."""
    network, patterns = chain.network, chain.patterns
    late, late_out = network.hidden.delays, network.out.delays
    least = np.zeros(patterns.n_channels) if late is None else late.min(axis=0)
    fastest = np.zeros(network.out.n_neurons) if late_out is None else late_out.min(axis=1)
    found = []
    for p, pattern in enumerate(patterns):
        first = np.min(pattern.times + least[pattern.channels], initial=np.inf)
        for k, target in enumerate(chain.targets):
            desired = target._times[target._offsets[p] : target._offsets[p + 1]]
            if desired.size and first == np.inf:
                found.append(Ending.NO_INPUT.value.format(pattern=p))
            elif desired.size and desired[0] <= first + fastest[k]:
                names = {"pattern": p, "desired": desired[0], "arrival": first + fastest[k]}
                found.append(Ending.BEFORE_ARRIVAL.value.format(**names))
    return found


class NetworkJob(Job):
    """A network that one thread trains: its weights are one flat row of the chain's state."""

    def __init__(self, run: Run, chain: NetworkChain) -> None:
        first, *_ = chain.targets
        super().__init__(run, [Chain(chain.weights.flat(), chain.patterns, first, chain.seed)])
        self._chain = chain

    def load(self) -> None:
        """Compile what `train` needs, or load it."""
        load_network_step(self._rule.compiled())
        load_deferred(run_network)

    @property
    def _rule(self) -> NetworkRule:
        assert isinstance(self.run.rule, NetworkRule)
        return self.run.rule

    def _train(self, begin: int, end: int, stop: Any, cache: dict[Any, Any]) -> None:
        run = self.run
        if self._arrays is None:
            self._arrays = self._make_arrays(cache)
        task, state, workspace = self._arrays
        epochs = kernel.Epochs(
            begin=begin,
            end=end,
            done_before=run.done_before,
            factors=run.factors,
            progress=run.progress,
            seed=self._chain.seed,
            stop=stop,
        )
        run_network(self._rule.compiled(), task, epochs, state, workspace)
        if (self.state.status == kernel.BAD_OUTCOME).any():
            raise bad_outcome(run.rule)
        if self.state.status[0] != kernel.CONVERGED and (
            end == run.max_epochs or not self.is_running
        ):
            self.obstacles = dict(enumerate(find_early(self._chain)[:1]))

    def _result(self, g: int, if_running: Ending) -> FitResult:
        result = super()._result(g, if_running)
        views = self._split(result.weights)
        return replace(result, weights=NetworkWeights(views.hidden, views.out))

    def _split(self, flat: Floats) -> LayerWeights:
        """Return views of flat weights."""
        given = self._chain.weights
        size = given.hidden.size
        return LayerWeights(
            flat[:size].reshape(given.hidden.shape), flat[size:].reshape(given.out.shape)
        )

    def _make_arrays(self, cache: dict[Any, Any]) -> tuple[Any, Any, Any]:
        task = make_task(self.run, self._chain)
        flat = self.state.weights[0]
        memory = np.zeros(self._rule.memory_size(flat.size, len(self._chain.weights.hidden)))
        state = NetworkState(self.state, self._split(flat), memory)
        return task, state, self._make_workspace(task)

    def _make_workspace(self, task: NetworkTask) -> NetworkWorkspace:
        n_hidden, n_channels = self._chain.weights.hidden.shape
        most = max(SPIKES_PER_NEURON * n_hidden, 2 * self._chain.most_hidden) + FREE_SPIKES
        n_desired = max(1, int(np.diff(task.offsets).max()))
        n_actual = 4 * n_desired + SPARE_SPIKES
        change = np.zeros(self.state.weights.shape[1])
        return NetworkWorkspace(
            spikes=make_spikes(most, n_hidden, n_channels, MOST_SPIKES * most),
            actual=np.empty(n_actual),
            flat_change=change,
            change=self._split(change),
            k_desired=np.empty((n_desired, n_hidden)),
            order=np.zeros(task.horizons.size, np.int64),
            outcomes=np.zeros(len(OUTCOMES), np.int64),
            none=np.empty(0),
            work=make_network_work(n_desired + n_actual, most, n_hidden),
        )


def make_task(run: Run, chain: NetworkChain) -> NetworkTask:
    """Return what stays the same while a network learns."""
    hidden, out = chain.network.layers
    neuron, patterns = hidden.neuron, chain.patterns
    seen = patterns if hidden.delays is None else delay_inputs(patterns, hidden.delays)
    taus = (neuron.tau_m, neuron.tau_s, neuron.v_norm)
    psp = window_of("psp", *taus, "SRM")
    sizes = [np.diff(target._offsets) for target in chain.targets]
    horizons = np.array(patterns.durations)
    no_delays = np.zeros((out.n_neurons, 0))
    return NetworkTask(
        events=events_of(seen._ragged, neuron._membrane),
        is_delayed=hidden.delays is not None,
        out_delays=no_delays if out.delays is None else np.array(out.delays),
        horizons=horizons,
        times=np.concatenate([target._times for target in chain.targets]),
        offsets=np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
        bounds=bounds_of(horizons, run.tolerance),
        step_factors=check_step_factor(run.step_factor, horizons.size, run.owner),
        hidden=HiddenConstants(neuron._membrane, neuron.v_norm, neuron.threshold, psp),
        # Faint rows are those far below the drive of a single spike, which is 1.
        constants=run.constants._replace(mean_max_drive=1.0),
        options=run.options,
        parameters=run.parameters[0],
    )


def fit_network(
    run: Run, chain: NetworkChain, progress: Progress | None, on_epoch: OnEpoch | None
) -> FitResult:
    """Train a network; see `execute.run_chains`."""
    job = NetworkJob(run, chain)
    job.load()
    return work_off(run, [job], {}, threads=1, progress=progress, on_epoch=on_epoch)[0]
