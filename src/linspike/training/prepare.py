"""Preparation: from patterns, targets and a rule to the arrays that chains work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_integer
from linspike.errors import ParameterError, SpikeDataError
from linspike.kernels.rows.drive import fill_max_drives
from linspike.kernels.rows.windows import Window, fill_desired_rows
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.dynamic import times_at_critical, times_by_halving
from linspike.kernels.training.chain import find_no_times
from linspike.kernels.training.outcomes import OUTCOMES
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.training.state import (
    NO_OUTCOME,
    ChainData,
    ChainTask,
    TrainOptions,
    Workspace,
)
from linspike.kernels.training.step_problem import make_step_workspace
from linspike.neuron.arguments import check_patterns, check_weight_bounds, warn_units
from linspike.neuron.arrivals import arrived_set
from linspike.neuron.decay_tables import (
    bare_events,
    events_of,
    events_to_learn,
    has_tables,
    iter_blocks,
    iter_calls,
    make_presented,
    remember,
)
from linspike.neuron.srm import SRM
from linspike.neuron.windows import window_of
from linspike.rules.base import Rule
from linspike.spikes.distances import VRD_PER_DURATION, VRD_PER_MS
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.ragged import Ragged
from linspike.spikes.targets import SpikeCounts, SpikeTimes

MOST_COUNT = 1000  # work arrays grow with its square
MOST_SEED = 2**62 - 1
SPARE_SPIKES = 64  # beside four for every desired one: what an untrained neuron may fire
NO_METRIC = np.empty((0, 0))
# "auto" is halving where nothing else was chosen.
TIME_FINDERS = {
    "auto": times_by_halving,
    "halving": times_by_halving,
    "critical": times_at_critical,
}

Targets = SpikeTimes | SpikeCounts


class Chain(NamedTuple):
    """One chain as it was asked for."""

    weights: Floats  # where it starts
    patterns: PatternSet
    targets: Targets
    seed: int
    delays: Floats | None = None  # where they start if the rule learns them


@dataclass(frozen=True)
class Run:
    """Everything that the chains of one call share."""

    owner: str  # the call, for messages
    rule: Rule
    parameters: tuple[Floats, Floats]  # of the rule's step, for times and for counts
    constants: NeuronConstants  # without the mean drive, which depends on the patterns
    options: TrainOptions
    tolerance: float | None  # of the strict criterion, in milliseconds
    until: float | None
    step_factor: Any  # one factor per pattern, or None
    factors: Floats  # (epochs,), of the schedule
    weight_bounds: Any  # of the trainer, checked without the number of channels; or None
    progress: Floats  # (epochs,), how far the schedule is
    done_before: int  # epochs of earlier calls
    pattern_numbers: Ints | None = None  # in messages; 0, 1, ... unless given

    @property
    def max_epochs(self) -> int:
        """Number of epochs that a chain may take."""
        return self.factors.size


def check_chain(run: Run, chain: Chain) -> None:
    """Refuse a chain whose parts do not fit each other or the rule."""
    owner, targets = run.owner, chain.targets
    n_channels = check_patterns(chain.patterns, owner)._ragged.n_channels
    if n_channels != chain.weights.size:
        raise SpikeDataError(
            f"The 'patterns' parameter of {owner} must have {chain.weights.size} channels, as the "
            f"weights. Got {n_channels} instead."
        )
    if isinstance(targets, SpikeTimes) and "times" not in run.rule.targets:
        domain = f"SpikeCounts for {type(run.rule).__name__}, which cannot learn times"
        raise ParameterError.of("targets", owner, domain, targets)
    horizons = horizons_of(chain.patterns._ragged, run.until)
    check_targets(targets, horizons, owner)
    check_step_factor(run.step_factor, horizons.size, owner)
    warn_units(chain.patterns._ragged, horizons, 1.0 / run.constants.m.rate_s, owner)


def check_seed(seed: Any, owner: str) -> int:
    """Return the seed of a chain as an int."""
    return check_integer(seed, "seed", owner, least=0, most=MOST_SEED)


def check_targets(targets: Any, horizons: Floats, owner: str) -> None:
    """Refuse targets that do not fit the patterns."""
    if not isinstance(targets, (SpikeTimes, SpikeCounts)):
        remedy = "Use SpikeTimes([[30.0, 70.0], [], ...]) or SpikeCounts([2, 0, ...])."
        raise ParameterError.of("targets", owner, "SpikeTimes or SpikeCounts", targets, remedy)
    times, offsets, counts = flatten_targets(targets)
    if counts.size != horizons.size:
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must hold one target per pattern "
            f"({horizons.size}). Got {counts.size} instead."
        )
    if counts.max() > MOST_COUNT:
        p = int(counts.argmax())
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must ask for at most {MOST_COUNT} spikes. "
            f"Got {counts[p]} for pattern {p} instead."
        )
    late = times > np.repeat(horizons, np.diff(offsets))
    if late.any():
        p = int(np.searchsorted(offsets, np.argmax(late), side="right")) - 1
        raise SpikeDataError(
            f"The 'targets' parameter of {owner} must ask for times up to the horizon "
            f"({horizons[p]} ms). Got {times[offsets[p + 1] - 1]} for pattern {p} instead."
        )


def flatten_targets(targets: Targets) -> tuple[Floats, Ints, Ints]:
    """Return desired times of all patterns, where those of each begin, and desired counts.

    Without times all trains are empty; without counts all counts are -1.
    """
    if isinstance(targets, SpikeCounts):
        counts = np.array(targets.counts)
        return np.empty(0), np.zeros(counts.size + 1, np.int64), counts
    offsets = targets._offsets
    return targets._times, offsets, np.full(offsets.size - 1, -1, np.int64)


def check_step_factor(factors: Any, n_patterns: int, owner: str) -> Floats:
    """Return one factor per pattern, 1 unless given, or raise."""
    if factors is None:
        return np.ones(n_patterns)
    array = np.array(factors, dtype=np.float64)
    if array.shape != (n_patterns,) or not (np.isfinite(array).all() and (array >= 0.0).all()):
        domain = f"finite, at least 0 and one per pattern ({n_patterns})"
        raise ParameterError.of("step_factor", owner, domain, factors)
    return array


def horizons_of(ragged: Ragged, until: float | None) -> Floats:
    """Return the horizon of each pattern: `until`, or its duration."""
    horizons = ragged.durations.copy()
    if until is not None:
        horizons[:] = until
    return horizons


def prepare(run: Run, chains: list[Chain], cache: dict[Any, ChainTask]) -> ChainTask:
    """Return the task of one chain, or of a batch that differs in its counts alone.

    cache holds the tasks of this call by the identity of patterns and targets. Two threads may
    prepare the same task at once; they find the same.
    """
    first = chains[0]
    key = id(first.patterns), id(first.targets), fixed_delays(run, first)
    if key not in cache:
        cache[key] = _make_task(run, first)
    task = cache[key]
    if len(chains) == 1:
        return task
    counts = np.array([chain.targets.counts for chain in chains])
    return task._replace(data=task.data._replace(counts=counts))


def prepare_large(run: Run, chains: list[Chain], cache: dict[Any, ChainTask]) -> None:
    """Put the task of chains into the cache if their set is large.

    That takes seconds. Here, and not in a thread, Ctrl-C can end it between two calls of a kernel.
    """
    if not has_tables(chains[0].patterns._ragged, run.constants.m):
        prepare(run, chains, cache)


def fixed_delays(run: Run, chain: Chain) -> bytes:
    """Return the delays that a chain keeps, to compare; empty if there are none or they learn."""
    given = chain.delays
    return b"" if given is None or run.rule.learns_delays else given.tobytes()


def start_of(chain: Chain) -> Floats:
    """Return the delays at which a chain starts: those given, or none at all."""
    return np.zeros_like(chain.weights) if chain.delays is None else chain.delays


def _make_task(run: Run, chain: Chain) -> ChainTask:
    patterns, targets = chain.patterns, chain.targets
    if fixed_delays(run, chain):
        assert chain.delays is not None
        patterns = arrived_set(patterns, chain.delays)
    ragged = patterns._ragged
    horizons = horizons_of(ragged, run.until)
    counts = isinstance(targets, SpikeCounts)
    constants = complete_constants(run.constants, run.rule, ragged, horizons, counts=counts)
    factors = check_step_factor(run.step_factor, horizons.size, run.owner)
    low, high = make_weight_bounds(run.weight_bounds, ragged.n_channels, run.owner)
    learns_delays = run.rule.learns_delays
    data = make_chain_data(
        ragged, targets, constants, horizons, learns_delays=learns_delays
    )._replace(
        step_factors=factors,
        bounds=bounds_of(ragged.durations, run.tolerance),
        weight_low=low,
        weight_high=high,
    )
    return ChainTask(data, constants, run.options, run.parameters[counts])


def make_constants(neuron: SRM, rule: Rule) -> NeuronConstants:
    """Return the constants of a neuron and the rule's window; see `complete_constants`."""
    taus = (neuron.tau_m, neuron.tau_s, neuron.v_norm)
    return NeuronConstants(
        m=neuron._membrane,
        v_norm=neuron.v_norm,
        threshold=neuron.threshold,
        window=window_of(rule.window, *taus, type(rule).__name__),
        psp=window_of("psp", *taus, "SRM"),
        mean_max_drive=np.nan,
        metric=NO_METRIC,
    )


def complete_constants(
    constants: NeuronConstants, rule: Rule, ragged: Ragged, horizons: Floats, *, counts: bool
) -> NeuronConstants:
    """Return the constants with what depends on the patterns."""
    values, times = max_drives(ragged, constants, horizons)
    constants = constants._replace(mean_max_drive=float(values.mean()))
    if counts and rule.whitens:
        from linspike.training.measures import metric_of  # seldom needed

        return constants._replace(metric=metric_of(ragged, constants, horizons, times))
    return constants


def max_drives(
    ragged: Ragged, constants: NeuronConstants, horizons: Floats
) -> tuple[Floats, Floats]:
    """Return max |X(t)|^2 of each pattern and its time; they are kept with the set."""
    key = ("peak drive", constants.m, horizons.tobytes())
    kept = ragged.tables.get(key)
    if kept is not None:
        return kept  # type: ignore[no-any-return]
    events = bare_events(ragged)
    parts = np.empty((3, ragged.n_channels))
    values, times = np.empty(horizons.size), np.empty(horizons.size)
    for first, stop in iter_calls(ragged):
        part = events._replace(offsets=ragged.offsets[first : stop + 1])
        here = slice(first, stop)
        fill_max_drives(part, horizons[here], constants.m, parts, values[here], times[here])
    values *= constants.v_norm**2
    remember(ragged, key, (values, times))
    return values, times


def make_chain_data(
    ragged: Ragged,
    targets: Targets,
    constants: NeuronConstants,
    horizons: Floats,
    *,
    learns_delays: bool = False,
) -> ChainData:
    """Return everything about patterns and targets that does not change while learning.

    Where delays are learned, rows at desired times do change, and so do decays.
    """
    times, offsets, counts = flatten_targets(targets)
    if learns_delays:
        k_desired = np.empty((0, ragged.n_channels))
    else:
        k_desired = make_desired_rows(ragged, times, offsets, constants.psp, constants.m)
    z_desired = k_desired
    if constants.window != constants.psp and not learns_delays:
        z_desired = make_desired_rows(ragged, times, offsets, constants.window, constants.m)
    return ChainData(
        events=bare_events(ragged) if learns_delays else events_to_learn(ragged, constants.m),
        horizons=horizons,
        times=times,
        offsets=offsets,
        counts=counts[np.newaxis],
        bounds=bounds_of(ragged.durations, None),
        k_desired=k_desired,
        z_desired=z_desired,
        peak_drive_times=max_drives(ragged, constants, horizons)[1],
        step_factors=np.ones(horizons.size),
        weight_low=np.empty(0),
        weight_high=np.empty(0),
    )


def make_weight_bounds(weight_bounds: Any, n_channels: int, owner: str) -> tuple[Floats, Floats]:
    """Return the bounds of the weights as chains take them: empty arrays if there are none."""
    low, high = check_weight_bounds(weight_bounds, n_channels, owner)
    if np.isinf(low).all() and np.isinf(high).all():
        return np.empty(0), np.empty(0)
    return low, high


def make_desired_rows(
    ragged: Ragged, times: Floats, offsets: Ints, window: Window, m: Membrane
) -> Floats:
    """Return the window sums at the desired times of all patterns."""
    rows = np.empty((times.size, ragged.n_channels))
    if times.size:
        for first, stop, part in iter_blocks(ragged, m):
            fill_desired_rows(events_of(part, m), times, offsets[first : stop + 1], window, m, rows)
    return rows


def bounds_of(durations: Floats, tolerance: float | None) -> Floats:
    """Return what the criterion allows for each pattern: the tolerance, or vRD* without one."""
    if tolerance is not None:
        return np.full(durations.size, float(tolerance))
    return VRD_PER_MS + VRD_PER_DURATION * durations


def make_workspace(data: ChainData, n_channels: int, *, learns_delays: bool = False) -> Workspace:
    """Return scratch arrays that hold four times the desired spikes and some more."""
    width = 2 * n_channels if learns_delays else n_channels
    most = int(max(np.diff(data.offsets).max(), data.counts.max(), 1))
    n_actual = 4 * most + SPARE_SPIKES
    # Given times have rows of their own; times found for a count are one more than there were.
    n_found = n_actual + 2 if data.counts[0, 0] >= 0 else 1
    n = max(most, n_found) + n_actual  # rows of a step
    return Workspace(
        actual=np.empty(n_actual),
        desired=np.empty(n_found),
        change=np.empty(width),
        order=np.empty(data.horizons.size, np.int64),
        outcomes=np.zeros(len(OUTCOMES), np.int64),
        rows_k=np.empty((n_found, n_channels)),
        rows_z=np.empty((n_found, n_channels)),
        work=make_step_workspace(n, width),
        presented=make_presented(data.events, delayed=learns_delays, short=learns_delays),
    )


def parameters_of(rule: Rule, *, counts: bool) -> Floats:
    """Return the settings of a rule in the one form that compiled steps take."""
    found = rule.parameters(counts=counts)
    right = isinstance(found, np.ndarray) and found.dtype == np.float64 and found.ndim == 1
    if not (right and found.flags.c_contiguous):
        domain = "a rule whose parameters() is a one-dimensional array of float64"
        raise ParameterError.of("rule", "Trainer", domain, rule)
    return found


def step_of(rule: Rule) -> tuple[Callable[..., int], bool]:
    """Return the step of a rule, and whether it is compiled."""
    compiled = rule.compiled()
    if compiled is not None:
        return compiled, True

    def plain(*parts: Any) -> int:
        outcome = rule.step(*parts)
        known = isinstance(outcome, (int, np.integer)) and not isinstance(outcome, bool)
        return int(outcome) if known else NO_OUTCOME

    return plain, False


def time_finder_of(rule: Rule, *, counts: bool) -> Any:
    """Return what finds desired times for a rule; it is compiled when it is first needed."""
    return TIME_FINDERS[rule.count_target] if counts and rule.counts_as_times else find_no_times


def bad_outcome(rule: Rule) -> ParameterError:
    """Return the error for a step that returned no outcome of the protocol."""
    domain = "a rule whose step returns an outcome from 0 to 3"
    return ParameterError.of("rule", "Trainer", domain, rule)
