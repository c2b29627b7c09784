"""A close look at one pattern: its potentials, and the step that a rule would take."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.constraints import assemble
from linspike.kernels.training.outcomes import DEAD, FALLBACK, SOLVED, UNCHANGED
from linspike.lab.corrections import Correction, assemble_rows, find_corrections, has_rows
from linspike.lab.document import LARGEST, MOST_COUNT, Document
from linspike.lab.plain import DIGITS, as_plain
from linspike.lab.state import State
from linspike.lab.step import Step, take_step
from linspike.lab.words.goals import describe_goals, describe_response
from linspike.lab.words.interference import describe_interference
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern
from linspike.spikes.targets import SpikeCounts
from linspike.training.criterion import tolerance_of

PER_MS, FEWEST, MOST = 1.5, 300, 1000  # times at which potentials are drawn
MOST_SPIKES = 500  # of a response that is drawn
MOST_ROWS = 60  # of a step that is shown
JUST_AFTER = 1e-6  # ms; there a reset is drawn
SAME_TIME = 1e-9
NOISE = 1e-9  # a change this small, relative to the weights, is rounding
THERE = ("right", "kept")  # kinds of rows where a spike is already
STILL = 0.01  # corrections that leave this share of themselves cancel
OUTCOMES = {SOLVED: "solved", FALLBACK: "fallback", DEAD: "dead", UNCHANGED: "unchanged"}


class Row(NamedTuple):
    """A line of the step's table: a time, and where V0 is to be at it."""

    kind: str  # one of KINDS in static/lab.js
    time: float
    goal: float  # nan if there is none
    is_equal: bool


def look(document: Document, rule: int, p: int, state: State) -> dict[str, Any]:
    """Return what is to be seen of a pattern, and the step that a rule would take at it."""
    step = take_step(document, rule, p, state)
    taken, potentials = step.taken, _potentials(step)
    now, after = (_wrong_with(potentials[name], document, p) for name in ("spikes", "spikes_after"))
    corrections = list_corrections(step, is_right=not now)
    seen = {
        "pattern": p,
        "outcome": OUTCOMES[taken.outcome],
        "desired": as_plain([] if _has_right_count(step) else taken.step_input.desired),
        **potentials,
        **_table(step, find_rows(step, document), corrections),
        "stands_still": stands_still(step, corrections),
        "change": as_plain(step.weights_after - step.weights),
        "critical": _critical(step),
    }
    if step.learns_delays:
        seen["delays_after"] = as_plain(step.delays_after)
    seen["sentences"] = describe_step(seen, step)
    seen["goals"] = describe_goals(seen, after, counts=document.counts)
    seen["verdicts"] = describe_interference(seen, now)
    return seen


def _wrong_with(spikes: list[float], document: Document, p: int) -> str:
    """Return what is wrong with a response to a pattern, in words; nothing if it is right."""
    tolerance = tolerance_of("strict", None, document.neuron)
    assert tolerance is not None
    if isinstance(document.targets, SpikeCounts):
        return describe_response(spikes, int(document.targets.counts[p]), tolerance)
    return describe_response(spikes, document.targets[p].times, tolerance)


def list_corrections(step: Step, *, is_right: bool) -> list[Correction]:
    """Return the corrections of a step; none if it leaves a right response as it is."""
    change, weights = (np.abs(each).max(initial=0.0) for each in (step.taken.change, step.weights))
    return [] if is_right and change <= NOISE * weights else find_corrections(step)


def stands_still(step: Step, corrections: list[Correction]) -> bool:
    """Return whether the corrections of DTA cancel each other: later steps would do the same."""
    if len(corrections) < 2 or not has_rows(step.rule, step.taken.step_input):
        return False
    sizes = [float(np.linalg.norm(each.change)) for each in corrections]
    total = np.sum([each.change for each in corrections], axis=0)
    return bool(np.linalg.norm(total) <= STILL * sum(sizes))


def _potentials(step: Step) -> dict[str, Any]:
    """Return the curves before and after the step, and the spikes of both."""
    neuron, pattern, s = step.neuron, step.pattern, step.taken.step_input
    both = [(step.weights, step.delays), (step.weights_after, step.delays_after)]
    # Resets of the moving threshold.
    goals = (s.actual if _has_right_count(step) else s.desired)[:MOST_SPIKES].copy()
    before, after = (respond(neuron, w, pattern, late) for w, late in both)
    n = int(np.clip(PER_MS * pattern.duration, FEWEST, MOST))
    grid = np.linspace(0.0, pattern.duration, n)
    marks = [before, before + JUST_AFTER, after, after + JUST_AFTER, goals]
    if len(pattern) < n:  # among so many inputs none has a corner of its own
        marks += [_arrivals(pattern, late) for _, late in both]
    at = np.unique(np.concatenate([grid, *marks]))
    at = at[at <= pattern.duration]
    free, free_after = (
        neuron.potential(w, pattern, at, delays=late, reset=False) for w, late in both
    )
    curves = {
        "v": free - (neuron.moving_threshold(before, at) - neuron.threshold),
        "v_after": free_after - (neuron.moving_threshold(after, at) - neuron.threshold),
        "v0": free,
        "v0_after": free_after,
        "theta": neuron.moving_threshold(goals, at),
    }
    drawn = {name: as_plain(values, DIGITS) for name, values in curves.items()}
    return {
        "spikes": as_plain(before),
        "spikes_after": as_plain(after),
        "truncated": bool(before.size == MOST_SPIKES),
        "curves": {"t": as_plain(at, 6), **drawn},
    }


def _arrivals(pattern: Pattern, delays: Floats | None) -> Floats:
    """Return when the inputs of a pattern arrive."""
    return pattern.times if delays is None else pattern.times + delays[pattern.channels]


def _critical(step: Step) -> dict[str, Any] | None:
    """Return the critical threshold that a step for a count moves, before and after it."""
    s, neuron = step.taken.step_input, step.neuron
    if s.target_count < 0 or s.actual.size == s.target_count:
        return None
    more = bool(s.actual.size < s.target_count)
    k = int(s.actual.size) + (1 if more else 0)
    both = [(step.weights, step.delays), (step.weights_after, step.delays_after)]
    if not all(np.isfinite(w).all() and np.abs(w).max() < LARGEST for w, _ in both):
        return None
    found = [neuron.critical_threshold(w, step.pattern, k, delays=late) for w, late in both]
    values = [as_plain(each.value) for each in found]
    return {"k": k, "more": more, "now": values[0], "after": values[1], "goal": neuron.threshold}


def _has_right_count(step: Step) -> bool:
    """Return whether a count is desired and right: then no times are."""
    s = step.taken.step_input
    return bool(s.target_count >= 0 and s.actual.size == s.target_count)


def respond(neuron: SRM, weights: Floats, pattern: Pattern, delays: Floats | None) -> Floats:
    """Return the spike times that are drawn; none where weights are not finite."""
    if not np.isfinite(weights).all():
        return np.empty(0)
    return neuron.respond(weights, pattern, delays=delays, max_spikes=MOST_SPIKES).times


def find_rows(step: Step, document: Document) -> list[Row]:
    """Return the constraints of a step, and the spikes that it leaves alone, in order of time."""
    s = step.taken.step_input
    if s.target_count >= 0 and (_has_right_count(step) or not has_rows(step.rule, s)):
        rows = _count_rows(step)
    elif has_rows(step.rule, s):
        rows = _program_rows(step, document)
    else:
        rows = _time_rows(step, document)
    return sorted(rows, key=lambda row: row.time)[:MOST_ROWS]


def _time_rows(step: Step, document: Document) -> list[Row]:
    """Return all desired times and all spikes, with the resets at the desired times."""
    s = step.taken.step_input
    actual = s.actual[:MOST_SPIKES].copy()
    parts = (step.neuron, step.weights, step.pattern, s.desired.copy(), actual)
    problem = assemble(*parts, delays=step.delays)
    rows = []
    for i, (time, goal) in enumerate(zip(problem.times, problem.theta, strict=True)):
        is_desired = i < problem.n_desired
        others = actual if is_desired else s.desired
        right = _is_near(time, others, document)
        kind = ("right" if right else "missing") if is_desired else ("near" if right else "wrong")
        rows.append(Row(kind, float(time), float(goal), is_desired))
    return rows


def _program_rows(step: Step, document: Document) -> list[Row]:
    """Return the constraints of DTA, and right spikes that are free to move a little."""
    s = step.taken.step_input
    found = assemble_rows(step)
    rows = []
    for i, (time, goal) in enumerate(zip(found.times, found.goals, strict=True)):
        kind = "wrong" if s.target_count < 0 else "moved"
        if kind == "wrong" and _is_near(time, s.desired, document):
            kind = "near"
        if i < found.n_equal:
            near, counts = _is_near(time, s.actual, document), s.target_count >= 0
            kind = ("kept" if near else "found") if counts else "missing"
            if near and not counts:
                kind = "right" if np.abs(s.desired - time).min() < SAME_TIME else "held"
        rows.append(Row(kind, float(time), float(goal), i < found.n_equal))
    for o in s.actual:
        if not found.times.size or np.abs(found.times - o).min() > SAME_TIME:
            near = _is_near(o, s.desired, document)
            if near and not any(row.kind in THERE and abs(row.time - o) < 1.0 for row in rows):
                rows.append(Row("free", float(o), np.nan, False))
    return rows


def _is_near(time: float, others: Floats, document: Document) -> bool:
    tolerance = tolerance_of("strict", None, document.neuron)
    assert tolerance is not None
    return bool(others.size and np.abs(others - time).min() <= tolerance)


def _count_rows(step: Step) -> list[Row]:
    """Return the spikes there are; the critical time is that of the correction."""
    kind = "spike" if _has_right_count(step) else "counted"
    spikes = step.taken.step_input.actual[:MOST_COUNT]
    return [Row(kind, float(o), np.nan, False) for o in spikes]


def _table(step: Step, rows: list[Row], corrections: list[Correction]) -> dict[str, Any]:
    """Return the rows with what the step does to them, and the interference matrix.

    Entry (i, j) of the matrix is the change of V0 at the time of row i by correction j alone, of
    which the part by delays is in proportion to them.
    """
    corrections = sorted(corrections, key=lambda each: each.time)[:MOST_ROWS]
    made_for = [each.time for each in corrections]
    rows = [row for row in rows if row.kind != "near" or _is_at(row.time, made_for)]
    at = [row.time for row in rows]
    for each in corrections:
        if np.isfinite(each.time) and not _is_at(each.time, at):
            kind = "critical" if step.taken.step_input.target_count >= 0 else "other"
            rows = [*rows, Row(kind, each.time, np.nan, False)]
            at.append(each.time)
    rows = sorted(rows, key=lambda row: row.time)
    times = np.array([row.time for row in rows])
    now, then = step.free_potentials(times)
    changes = np.array([each.change for each in corrections]).reshape(-1, step.taken.change.size)
    listed = []
    for i, row in enumerate(rows):
        after = then[i]
        left = after - row.goal if row.is_equal else max(0.0, after - row.goal)
        listed.append(
            {
                "kind": row.kind,
                "time": row.time,
                "equal": row.is_equal,
                "now": as_plain(now[i]),
                "goal": as_plain(row.goal),
                "after": as_plain(after),
                "left": as_plain(left if np.isfinite(row.goal) else np.nan),
                "multiplier": None,
            }
        )
    made = []
    for each in corrections:
        place = np.flatnonzero(np.abs(times - each.time) < SAME_TIME)
        row_number = int(place[0]) if place.size else None
        multiplier = as_plain(each.multiplier)
        if row_number is not None and multiplier is not None:
            listed[row_number]["multiplier"] = (
                listed[row_number]["multiplier"] or 0.0
            ) + multiplier
        made.append(
            {
                "time": as_plain(each.time),
                "row": row_number,
                "multiplier": multiplier,
                "at_bound": each.at_bound,
                "recalls": each.recalls,
            }
        )
    return {"rows": listed, "corrections": made, "matrix": as_plain(step.rows(times) @ changes.T)}


def _is_at(time: float, others: list[float]) -> bool:
    return any(abs(time - other) < SAME_TIME for other in others)


def describe_step(seen: dict[str, Any], step: Step) -> list[str]:
    """Return what is worth saying about a step, in sentences."""
    said = []
    outcome = seen["outcome"]
    if outcome == "unchanged":
        right = "The response is right, so it is left alone."
        said.append(right if step.taken.is_right else "This rule has nothing to correct here.")
    if outcome == "fallback":
        said.append("The constraints could not be met; the rule took its fallback step.")
    if outcome == "dead":
        said.append("No threshold gives a spike: the inputs are raised where they drive V most.")
    if seen["truncated"]:
        said.append(f"The response was cut off after {MOST_SPIKES} spikes.")
    if step.learns_delays and seen["corrections"]:
        said.append(
            "V0 follows a delay only nearly in proportion. The matrix counts the delays as if it "
            "did; what is after the step is exact."
        )
    if not np.isfinite(step.weights).all():
        said.append("Weights are no longer finite: the steps are too large.")
    return said
