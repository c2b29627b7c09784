"""Can a task be learned, and with which weights: all patterns at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._typing import Floats
from linspike._validation import check_choice, check_real
from linspike.constraints.task.equal_inputs import find_equal_inputs
from linspike.constraints.task.equalities import WeightBounds, solve_equalities
from linspike.constraints.task.exact import MOST_ROUNDS, Outcome, solve_exactly
from linspike.constraints.task.proof import Proof, hold_fixed, list_conflict, make_proof
from linspike.constraints.task.rows import NO_POINTS, Points, TaskRows
from linspike.constraints.task.solution import Constraint, TaskSolution
from linspike.constraints.task.windows import WindowSearch, search_windows
from linspike.errors import ParameterError, SpikeDataError
from linspike.neuron.arguments import check_patterns, check_weight_bounds, warn_units
from linspike.neuron.responses import make_batch_input, respond_all
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.targets import SpikeCounts, SpikeTimes

OBJECTIVES = ("margin", "feasible")
EXACT = 1e-6  # ms, from a desired time with tolerance 0
APPROACH = 1.0  # ms, where tau_s is a usual one
ACTIVE = 1e-6  # a multiplier this small, relative to the largest, is none
MOST_NAMED = 6  # constraints in a sentence
OWNER = "solve_task"

OnProgram = Callable[[int, str], None]


def solve_task(
    neuron: SRM,
    patterns: PatternSet | Pattern,
    targets: SpikeTimes,
    *,
    tolerance: float = 0.0,
    weight_bounds: Any = None,
    objective: str = "margin",
    progress: OnProgram | None = None,
) -> TaskSolution:
    """Return weights for all desired spike times at once, or the proof that there are none.

    Spikes at the desired times fix all resets, so the whole task is linear in the weights. The
    program is solved by cutting planes, and the simulator has the last word. It takes about
    50 bytes for each channel and constraint, and there are two to six times as many constraints
    as channels. Ctrl-C ends it.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    patterns : PatternSet or Pattern
        The inputs.
    targets : SpikeTimes
        Desired times of each pattern.
    tolerance : float
        How far from its desired time a spike may be, in milliseconds. With 0, spikes are within
        1e-6 ms and the answer is exact. Otherwise resets move with the spikes, which is linear
        only nearby: weights that are found are right, but what is not found may exist.
    weight_bounds : pair of float or array of float, optional
        Lower and upper bound of the weights, numbers or one per channel.
    objective : {"margin", "feasible"}
        "margin": the largest distance of V from the threshold, to a twentieth, which is what makes
        a solution robust. "feasible": any weights, found sooner.
    progress : callable, optional
        Called after every linear program with how many there were, and a description.

    Returns
    -------
    TaskSolution
        With `solvable` True, False or None.

    Examples
    --------
    >>> import linspike as ls
    >>> from linspike.constraints import solve_task
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> solution = solve_task(ls.SRM(), pattern, ls.SpikeTimes([[2.8, 12.8]]))
    >>> solution.solvable, ls.SRM().respond(solution.weights, pattern).times.round(6)
    (True, array([ 2.8, 12.8]))
    """
    if isinstance(patterns, Pattern):
        patterns = PatternSet.from_patterns([patterns])
    spikes = _check_task(neuron, patterns, targets)
    limit = _check_tolerance(tolerance, spikes)
    check_choice(objective, "objective", OWNER, OBJECTIVES)
    if progress is not None and not callable(progress):
        raise ParameterError.of("progress", OWNER, "a function", progress)
    low, high = check_weight_bounds(weight_bounds, patterns.n_channels, OWNER)
    bounds = WeightBounds(low / neuron.threshold, high / neuron.threshold)
    approach = scale_tolerance(APPROACH, neuron.tau_s)
    warn_units(patterns._ragged, patterns.durations, neuron.tau_s, OWNER)
    rows = TaskRows(neuron, patterns, spikes, approach)
    task = _Task(neuron, patterns, targets, rows, bounds, progress or _say_nothing)
    solution = task.solve(largest=objective == "margin" and limit == 0.0)
    if limit == 0.0 or solution.solvable:
        return solution
    return task.search(limit, solution)


class _Task:
    """A task that was checked."""

    def __init__(
        self,
        neuron: SRM,
        patterns: PatternSet,
        targets: SpikeTimes,
        rows: TaskRows,
        bounds: WeightBounds,
        progress: OnProgram,
    ) -> None:
        self.neuron, self.patterns, self.targets = neuron, patterns, targets
        self.rows, self.bounds, self.progress = rows, bounds, progress
        self.desired = rows.spikes
        self.last: Outcome | None = None
        most = int(targets.counts.max()) + 1
        self.given = make_batch_input(patterns, None, None, most, neuron, OWNER)
        self.threads = thread_count(None, OWNER)

    def solve(self, *, largest: bool) -> TaskSolution:
        """Return the solution with spikes at the desired times."""
        rows, bounds = self.rows, self.bounds
        pair = find_equal_inputs(self.patterns, self.targets)
        if pair:
            names = " and ".join(str(each.pattern) for each in pair)
            at = f"{pair[0].time:.6g} ms"
            reason = f"patterns {names} are equal, but only one has a spike at {at}"
            nothing = self._clip(np.zeros(rows.n_channels))
            scaled = self._scale(nothing)
            return TaskSolution(False, scaled, 0.0, f"not solvable: {reason}", conflict=pair)
        design = rows.design(self.desired)
        space, multipliers = solve_equalities(design, rows.reset_sums(self.desired), bounds)
        if space is None:
            walls = hold_fixed(bounds, design.T @ multipliers, np.abs(multipliers).max())
            proof = Proof(multipliers, NO_POINTS, np.empty(0), walls, np.inf)
            goals = rows.reset_sums(self.desired)
            weights = np.asarray(np.linalg.lstsq(design, goals, rcond=None)[0], np.float64)
            return self._refuse(proof, self._clip(weights), -np.inf, 0)
        found = solve_exactly(rows, space, bounds, largest=largest, on_round=self.progress)
        self.last = found
        weights = self._clip(found.weights)
        if found.solvable is False:
            parts = (found.points, found.multipliers, found.bound_multipliers)
            proof = make_proof(rows, bounds, *parts)
            if not proof.holds:
                proof = make_proof(rows, bounds, *parts, reduce=False)
            if proof.holds:
                return self._refuse(proof, weights, found.margin, found.rounds)
            return self._undecided(weights, found, "the proof that there are none is not exact")
        if found.solvable is None:
            reason = "the largest margin is 0 to rounding"
            if found.rounds == MOST_ROUNDS:
                reason = f"stopped after {MOST_ROUNDS} linear programs"
            return self._undecided(weights, found, reason)
        trains = self.simulate(weights, EXACT)
        if trains is None:
            weights = self._clip(self.move_from_end(weights))
            trains = self.simulate(weights, EXACT)
        if trains is None:
            return self._undecided(weights, found, "simulated spikes are not at the desired times")
        return self._accept(weights, trains, found.rounds, self._active(found, weights))

    def search(self, tolerance: float, exact: TaskSolution) -> TaskSolution:
        """Return a solution with spikes within the tolerance, if one is found from here."""
        rows = self.rows
        weights = exact.weights / self.neuron.threshold
        points = NO_POINTS if self.last is None else self.last.points
        before = exact.rounds
        search = WindowSearch(rows, self.bounds, tolerance)
        solved, weights, margin, rounds = search_windows(
            search,
            weights,
            points,
            lambda found: self.simulate(self._clip(found), tolerance) is not None,
            lambda number, detail: self.progress(before + number, detail),
        )
        weights = self._clip(weights)
        if not solved:
            reason = f"undecided: no weights were found for spikes within {tolerance:g} ms"
            return TaskSolution(None, self._scale(weights), margin, reason, rounds=before + rounds)
        trains = self.simulate(weights, tolerance)
        assert trains is not None
        where = f"within {tolerance:g} ms of their desired times"
        return self._accept(weights, trains, before + rounds, (), where)

    def simulate(self, weights: Floats, tolerance: float) -> tuple[SpikeTrain, ...] | None:
        """Return the responses if all spikes are within the tolerance, or None."""
        # A spike more than the most that are desired tells enough of weights on their way.
        scaled = self._scale(weights)[np.newaxis]
        responses = respond_all(self.given, scaled, None, self.threads)
        trains = tuple(responses[0, p] for p in range(len(self.patterns)))
        for train, desired in zip(trains, self.targets, strict=True):
            if len(train) != len(desired):
                return None
            if np.abs(train.times - desired.times).max(initial=0.0) > tolerance:
                return None
        return trains

    def move_from_end(self, weights: Floats) -> Floats:
        """Return weights that put spikes desired at the end of a pattern just before it.

        At the end itself, rounding may put them after it.
        """
        rows, free = self.rows, self.bounds.free
        patterns, times = self.desired
        aimed = Points(patterns, np.minimum(times, rows.durations[patterns] - 0.5 * EXACT))
        design = rows.design(aimed)
        missing = rows.reset_sums(aimed) - design @ weights
        moved = weights.copy()
        moved[free] += np.linalg.lstsq(design[:, free], missing, rcond=None)[0]
        return moved

    def _clip(self, weights: Floats) -> Floats:
        """Return weights within their bounds: rounding may leave them a last bit outside."""
        clipped: Floats = np.clip(weights, *self.bounds)
        return clipped

    def _scale(self, weights: Floats) -> Floats:
        scaled: Floats = weights * self.neuron.threshold
        return scaled

    def _accept(
        self,
        weights: Floats,
        trains: tuple[SpikeTrain, ...],
        rounds: int,
        active: tuple[Constraint, ...],
        where: str = "where they are desired",
    ) -> TaskSolution:
        margin = measure_margin(self.rows, weights, trains)
        reason = f"solvable: the simulated spikes are {where}"
        scaled = self._scale(weights)
        return TaskSolution(True, scaled, margin, reason, trains, active=active, rounds=rounds)

    def _active(self, found: Outcome, weights: Floats) -> tuple[Constraint, ...]:
        """Return the constraints with multipliers, those of the desired times included."""
        least = ACTIVE * found.multipliers.max(initial=0.0)
        keep = found.multipliers > least
        parts = (found.points, np.where(keep, found.multipliers, 0.0), found.bound_multipliers)
        return list_conflict(make_proof(self.rows, self.bounds, *parts, reduce=False), self.desired)

    def _refuse(self, proof: Proof, weights: Floats, margin: float, rounds: int) -> TaskSolution:
        conflict = list_conflict(proof, self.desired)
        reason = f"not solvable: {describe_conflict(conflict, self.bounds.free)}"
        scaled = self._scale(weights)
        return TaskSolution(False, scaled, margin, reason, conflict=conflict, rounds=rounds)

    def _undecided(self, weights: Floats, found: Outcome, reason: str) -> TaskSolution:
        reason = f"undecided: {reason}"
        return TaskSolution(None, self._scale(weights), found.margin, reason, rounds=found.rounds)


def describe_conflict(conflict: tuple[Constraint, ...], free: np.ndarray) -> str:
    """Return why constraints cannot be met together."""
    points = [each for each in conflict if each.pattern >= 0]
    n_fixed = sum(each.pattern < 0 and not free[int(each.time)] for each in conflict)
    n, n_weights = len(conflict) - n_fixed, int(free.sum())
    if 2 * n > n_weights and n > MOST_NAMED:
        return f"too many constraints for {n_weights} weights"
    times = [f"{each.time:.6g} ms of pattern {each.pattern}" for each in points]
    named = ", ".join(times[:MOST_NAMED]) + (", ..." if len(times) > MOST_NAMED else "")
    n_bounds = len(conflict) - len(times)
    weights = "a weight" if n_bounds == 1 else f"{n_bounds} weights"
    within = f" within the bounds of {weights}" if n_bounds else ""
    return f"no weights meet the constraints at {named}{within}"


def measure_margin(rows: TaskRows, weights: Floats, trains: tuple[SpikeTrain, ...]) -> float:
    """Return the margin that V keeps with these spikes, in thresholds; at most 1."""
    patterns = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    rows.spikes = Points(patterns, np.concatenate([train.times for train in trains]))
    points, heights = rows.maxima(weights, 0.0)
    before = rows.time_left(points) > 0.0
    return float(((1.0 - heights) / rows.margins(points))[before].min(initial=1.0))


def _say_nothing(done: int, detail: str) -> None:
    pass


def _check_task(neuron: Any, patterns: Any, targets: Any) -> Points:
    """Return the desired times of a task whose parts fit, or raise."""
    if not isinstance(neuron, SRM):
        raise ParameterError.of("neuron", OWNER, "an SRM", neuron)
    ragged = check_patterns(patterns, OWNER)._ragged
    if not isinstance(targets, SpikeTimes):
        remedy = "SpikeTimes([[12.0, 30.0], []]) asks for two spikes of the first pattern."
        if isinstance(targets, SpikeCounts):
            remedy = "Counts do not fix the resets, so that a task of counts is not linear."
        raise ParameterError.of("targets", OWNER, "SpikeTimes", targets, remedy)
    if len(targets) != len(patterns):
        raise SpikeDataError(
            f"The 'targets' parameter of {OWNER} must hold one target per pattern "
            f"({len(patterns)}). Got {len(targets)} instead."
        )
    for p, train in enumerate(targets):
        times = train.times
        if times.size and times[-1] > ragged.durations[p]:
            raise SpikeDataError(
                f"The 'targets' parameter of {OWNER} must ask for times up to the pattern's "
                f"duration ({ragged.durations[p]} ms). Got {times[-1]} for pattern {p} instead."
            )
        if (np.diff(times) == 0.0).any():
            time = times[:-1][np.diff(times) == 0.0][0]
            raise SpikeDataError(
                f"The 'targets' parameter of {OWNER} must ask for one spike at a time. Got two at "
                f"{time} ms for pattern {p} instead."
            )
    return Points(np.repeat(np.arange(len(targets)), targets.counts), targets._times.copy())


def _check_tolerance(tolerance: Any, spikes: Points) -> float:
    """Return the tolerance if windows of that size do not overlap, or raise."""
    limit = check_real(tolerance, "tolerance", OWNER, least=0.0)
    same = np.diff(spikes.patterns) == 0
    gaps = np.diff(spikes.times)[same]
    if gaps.size and limit >= 0.5 * gaps.min():
        domain = f"below {0.5 * gaps.min():g} ms, half the least distance of two desired spikes"
        raise ParameterError.of("tolerance", OWNER, domain, tolerance)
    return limit
