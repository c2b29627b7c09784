"""What a step of a rule consists of: corrections, each for one time, that add up to the change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training.held_delays import scale_delays
from linspike.kernels.training.outcomes import UNCHANGED
from linspike.kernels.training.projection import unpack as unpack_projection
from linspike.kernels.training.protocol import StepInput
from linspike.kernels.training.step_problem import (
    add_equalities,
    assemble_held,
    assemble_times,
    make_step_workspace,
)
from linspike.lab.step import Step
from linspike.rules.base import Rule
from linspike.rules.dta import DTA, HOLD_FIRST
from linspike.rules.dta_lp import DTALinearProgram
from linspike.rules.dta_lp import unpack as unpack_program
from linspike.rules.e_learning import ELearning
from linspike.rules.emlc import EMLC
from linspike.rules.htp import HTP
from linspike.rules.toolkit.families import CorrelationRule
from linspike.spikes.distances import victor_purpura

ALIKE = 1.0 - 1e-9  # cosine of a change and a row that are the same but for a factor
GRID = 2001  # times at which the row of a change is looked for
AT_BOUND = 1e-9  # a multiplier this near to its bound, relatively, is at it
NEGLIGIBLE = 1e-12  # a multiplier this small, relative to the largest, is none


class Correction(NamedTuple):
    """A part of the change that is made for one time.

    Attributes
    ----------
    time : float
        The time; nan if it belongs to none.
    multiplier : float
        Factor of the row at that time; nan if the change is no multiple of it.
    change : array of float
        The part of the change of the weights; then that of learned delays.
    at_bound : bool
        Whether the multiplier is as large as its bound allows.
    recalls : bool
        Whether delays are shortened because all inputs arrive too late.
    """

    time: float
    multiplier: float
    change: Floats
    at_bound: bool = False
    recalls: bool = False


class StepRows(NamedTuple):
    """The constraints that a form of DTA assembled for a step."""

    times: Floats
    n_equal: int
    goals: Floats  # V0 is to be there, or below
    directions: Floats  # the change of weights and learned delays by a multiplier of 1


def has_rows(rule: Rule, step_input: StepInput) -> bool:
    """Return whether a rule meets one constraint per time, and not one for the count."""
    counts = step_input.target_count >= 0
    return isinstance(rule, DTA | DTALinearProgram) and (rule.counts_as_times or not counts)


def assemble_rows(step: Step) -> StepRows:
    """Return the constraints of a step of DTA; the work arrays of the step stay as they are."""
    s, w = step.taken.step_input, step.weights
    work = make_step_workspace(step.work.times.size, w.size + s.delays.size)
    if isinstance(step.rule, DTA):
        options = unpack_projection(step.parameters)
        margin = options.margin * (1.0 if options.absolute else step.neuron.threshold)
        near, hold = options.match_tolerance, options.hold_tolerance * HOLD_FIRST
        if hold > 0.0 and step.rule.count_target != "gradient":  # its step moves all spikes
            n_equal, n = assemble_held(s, w, margin, near, hold, work)
        else:
            n_equal, n = assemble_times(s, w, margin, near, work)
    else:
        given = unpack_program(step.parameters)
        n_equal, n = assemble_times(s, w, given.margin, given.match_tolerance, work)
    goals = work.rhs[:n] + work.rows_k[:n, : w.size] @ w
    if step.learns_delays:
        unit = scale_delays(s, options.delay_share, n, work)
        work.rows_k[:n, w.size :] *= unit
        directions = work.rows_k[:n]
    else:
        directions = step.design(work.times[:n], step.rule.window)
    return StepRows(work.times[:n], n_equal, goals, directions)


def find_corrections(step: Step) -> list[Correction]:
    """Return the corrections of a step; their changes add up to that of the step."""
    if step.taken.outcome == UNCHANGED or not step.taken.change.any():
        return []
    s = step.taken.step_input
    if has_rows(step.rule, s):
        return _hold_delays(step, _of_program(step))
    if isinstance(step.rule, CorrelationRule):
        return _of_correlation(step)
    if isinstance(step.rule, ELearning):
        return _of_alignment(step)
    if isinstance(step.rule, HTP):
        return _of_high_threshold(step)
    return _hold_delays(step, [_whole_change(step)])


def _hold_delays(step: Step, corrections: list[Correction]) -> list[Correction]:
    """Return the corrections with what is left of the change of delays within their range.

    A delay that may not move so far takes the same share of every correction.
    """
    if step.delays is None or step.delays_after is None or not step.learns_delays:
        return corrections
    asked, share = step.taken.change[step.weights.size :], np.ones(step.taken.change.size)
    done = np.zeros_like(asked)
    np.divide(step.delays_after - step.delays, asked, out=done, where=asked != 0.0)
    share[step.weights.size :] = done
    return [each._replace(change=share * each.change) for each in corrections]


def _make(step: Step, times: Floats, multipliers: Floats) -> list[Correction]:
    """Return one correction per time with a multiplier, by the rule's window."""
    return _combine(times, multipliers, step.design(times, step.rule.window))


def _combine(times: Floats, multipliers: Floats, directions: Floats) -> list[Correction]:
    """Return one correction per time with a multiplier."""
    keep = np.abs(multipliers) > NEGLIGIBLE * np.abs(multipliers).max(initial=0.0)
    parts = zip(times[keep].tolist(), multipliers[keep].tolist(), directions[keep], strict=True)
    return [Correction(t, m, m * row) for t, m, row in parts]


def _of_program(step: Step) -> list[Correction]:
    found, work = assemble_rows(step), step.work
    times = found.times
    multipliers = work.multipliers[: times.size].copy()
    nearly = 1.0 - AT_BOUND
    bounded = (multipliers >= nearly * work.upper[: times.size]) & (multipliers > 0.0)
    bounded |= (multipliers <= nearly * work.lower[: times.size]) & (multipliers < 0.0)
    at_bound = set(times[bounded].tolist())
    made = _combine(times, multipliers, found.directions)
    made = [each._replace(at_bound=each.time in at_bound) for each in made]
    late = times[: found.n_equal][work.unit[: found.n_equal] <= 0.0]
    if step.learns_delays and late.size:  # all inputs arrive after a desired time
        rest = _rest(step, made)
        made += [] if rest is None else [Correction(float(late[0]), np.nan, rest, recalls=True)]
    return made


def _rest(step: Step, made: list[Correction]) -> Floats | None:
    """Return what corrections leave of the change, if that is more than rounding."""
    change = step.taken.change
    rest = change - sum((each.change for each in made), np.zeros(change.size))
    return rest if np.abs(rest).max() > 1e-9 * np.abs(change).max() else None


def _of_correlation(step: Step) -> list[Correction]:
    s, eta = step.taken.step_input, step.parameters[0]
    signs = np.concatenate([np.ones(s.desired.size), -np.ones(s.actual.size)])
    return _make(step, np.concatenate([s.desired, s.actual]), eta * signs)


def _of_alignment(step: Step) -> list[Correction]:
    s, rule, tau_m = step.taken.step_input, step.rule, step.neuron.tau_m
    assert isinstance(rule, ELearning)
    tau_q = tau_m if rule.tau_q is None else rule.tau_q
    gamma_r = tau_m if rule.gamma_r is None else rule.gamma_r
    found = victor_purpura(s.actual.copy(), s.desired.copy(), tau_q, squared=True)
    actual = np.full(s.actual.size, -1.0)
    desired = np.zeros(s.desired.size)
    desired[list(found.added)] = 1.0
    for i, j in found.moved:
        actual[i] = gamma_r / tau_q**2 * (s.actual[i] - s.desired[j])
    shares = rule.eta * np.concatenate([desired, actual])
    return _make(step, np.concatenate([s.desired, s.actual]), shares)


def _of_high_threshold(step: Step) -> list[Correction]:
    """Return the projection onto the desired times, and the push before it, which is the rest."""
    s = step.taken.step_input
    n = add_equalities(s, step.weights, make_step_workspace(s.desired.size + 1, step.weights.size))
    made = _make(step, s.desired[:n].copy(), step.work.multipliers[:n].copy()) if n else []
    push = _rest(step, made)
    return made if push is None else [*made, _locate(step, push)]


def _whole_change(step: Step) -> Correction:
    """Return the change as one correction, at the time that the rule made it for."""
    change = step.taken.change
    # EMLC looks at no critical threshold: its time is that of a maximum or of a spike.
    if step.taken.step_input.target_count >= 0 and not isinstance(step.rule, EMLC):
        time = _critical_time(step)
        if np.isfinite(time):
            row = step.design(np.array([time]))[0]
            if _cosine(row, change) < ALIKE:  # with the spikes before it, as in MST
                return Correction(time, np.nan, change)
    return _locate(step, change)


def _critical_time(step: Step) -> float:
    """Return the critical time of the next spike, or of the last one if there are too many."""
    s = step.taken.step_input
    more = s.actual.size < s.target_count
    k = s.actual.size + 1 if more else s.actual.size
    if isinstance(step.rule, DTA | DTALinearProgram):
        k = s.target_count if more else s.target_count + 1
    return step.neuron.critical_threshold(step.weights, step.pattern, k, delays=step.delays).time


def _locate(step: Step, change: Floats) -> Correction:
    """Return a change that is a multiple of one row, with the time of that row."""
    s, end = step.taken.step_input, step.pattern.duration
    near = np.concatenate([s.desired, s.actual, [s.peak_drive_time]])
    tolerance = getattr(step.rule, "tolerance", 0.0)
    given = np.concatenate([near, np.minimum(s.desired + tolerance, end)])
    # Times that a rule names come first: of several rows that fit, the first one counts.
    times = np.concatenate([given, np.linspace(0.0, end, GRID)])
    rows = step.design(times)
    fits = np.array([abs(_cosine(row, change)) for row in rows])
    best = int(np.argmax(fits > fits.max() - 1e-12))
    if fits[best] < ALIKE:
        best = _refine(step, times, rows, fits, change)
    row = rows[best]
    size = float(row @ row)
    by = float(change[: row.size] @ row) / size if size else np.nan
    return Correction(float(times[best]), by, change)


def _refine(step: Step, times: Floats, rows: Floats, fits: Floats, change: Floats) -> int:
    """Move the last time and its row to where the row fits best between the times of the grid."""
    middle, width = times[int(np.argmax(fits))], step.pattern.duration / (GRID - 1)
    for _ in range(4):
        near = np.linspace(max(0.0, middle - width), middle + width, 41)
        found = step.design(near)
        place = int(np.argmax([abs(_cosine(row, change)) for row in found]))
        middle, width = near[place], width / 20.0
        times[-1], rows[-1] = near[place], found[place]
    return times.size - 1


def _cosine(row: Floats, change: Floats) -> float:
    """Return the cosine between a row and a change of the weights; that of delays is left out."""
    weights = change[: row.size]
    size = float(np.linalg.norm(row) * np.linalg.norm(weights))
    return float(row @ weights) / size if size > 0.0 else 0.0
