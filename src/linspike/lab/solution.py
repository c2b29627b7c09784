"""Whether the task of a document can be learned at all, and what stands in its way."""

from __future__ import annotations

import re
from typing import Any

from linspike.constraints import assemble, solve, solve_task
from linspike.constraints.task.solution import TaskSolution
from linspike.errors import MissingExtraError, SpikeDataError
from linspike.lab.document import Document
from linspike.lab.learn import Check
from linspike.lab.look import respond
from linspike.lab.plain import as_plain
from linspike.lab.state import State
from linspike.neuron.arrivals import arrived_set
from linspike.rules.dta import MATCH_TOLERANCE
from linspike.spikes.targets import SpikeTimes

MOST_SHOWN = 20  # constraints of a conflict
MOST_ROWS = 40  # of a step whose conflict is looked for


def solve_document(document: Document, check: Check) -> dict[str, Any]:
    """Return weights for all patterns at once with the given delays, or the proof of none."""
    if not isinstance(document.targets, SpikeTimes):
        raise SpikeDataError(
            "Only desired times can be solved at once: a count leaves open where the spikes are. "
            "Let a rule learn them step by step."
        )
    found = solve_task(
        document.neuron,
        arrived_set(document.patterns, document.delays),
        document.targets,
        progress=lambda rounds, detail: check(),
    )
    conflict = sorted(found.conflict, key=lambda each: -abs(each.multiplier))
    return {
        "solvable": found.solvable,
        "reason": say_impossible(found) if found.solvable is False else found.reason,
        "margin": as_plain(found.margin),
        "weights": as_plain(found.weights) if found.solvable else None,
        "conflict": [
            {"pattern": each.pattern, "time": as_plain(each.time), "multiplier": each.multiplier}
            for each in conflict[:MOST_SHOWN]
        ],
        "more": max(0, len(conflict) - MOST_SHOWN),
    }


def check_document(document: Document) -> list[str]:
    """Return a sentence for each target that no weights can meet."""
    # They are those of the task, whatever the rule.
    found = document.trainer(0).check(document.patterns, document.targets, delays=document.delays)
    return [count_from_one(sentence) for sentence in found]


def count_from_one(sentence: str) -> str:
    """Return a sentence of the library with the numbers of patterns as the page counts them."""

    def renumber(found: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda number: str(int(number[0]) + 1), found[0])

    return re.sub(r"\bpatterns? \d+(?:, \d+)*(?: and \d+)?\b", renumber, sentence)


def say_impossible(found: TaskSolution) -> str:
    """Return in plain words that no weights solve a task."""
    if "are equal" in found.reason:
        return count_from_one(f"No weights can do this: {found.reason.partition(': ')[2]}.")
    patterns = sorted({each.pattern + 1 for each in found.conflict if each.pattern >= 0})
    of = f" of pattern {patterns[0]}" if len(patterns) == 1 else ""
    n = len(found.conflict)
    these = f"these {n} constraints{of} together" if n > 1 else f"this constraint{of}"
    return f"No weights can meet {these}."


def explain_conflict(document: Document, rule: int, p: int, state: State) -> list[str]:
    """Return why the constraints of the step at a pattern contradict each other, if they do.

    Weights alone must do it: nothing is said of a rule that learns delays, too.
    """
    if not isinstance(document.targets, SpikeTimes) or document.rules[rule].learns_delays:
        return []
    pattern, desired = document.patterns[p], document.targets[p]
    spikes = respond(document.neuron, state.weights, pattern, state.delays)
    if not 0 < len(desired) + spikes.size <= MOST_ROWS:
        return []
    parts = (document.neuron, state.weights, pattern, desired, spikes)
    problem = assemble(*parts, delays=state.delays, match_tolerance=MATCH_TOLERANCE)
    try:
        found = solve(problem, "min_norm")
    except MissingExtraError:
        return []
    return [] if found.solved else [found.reason]
