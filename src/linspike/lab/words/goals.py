"""What is to be said about the goals of a step, and about the response after it."""

from __future__ import annotations

from typing import Any

from linspike._typing import Floats

MISSED = 5e-4  # what is shown as 0 counts as met
MOST_NAMED = 4  # times in a sentence
Said = list[list[str]]  # sentences, each with its mood: "met", "left-over" or none


def show(value: float, digits: int = 3) -> str:
    """Return a number as the page writes it."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\u2212")


def name_times(times: list[float]) -> str:
    """Return times in milliseconds as part of a sentence."""
    named = [f"{time:.0f}" if abs(time - round(time)) < 0.05 else show(time, 1) for time in times]
    if len(named) > MOST_NAMED:
        return f"{', '.join(named[:MOST_NAMED])} ms and more"
    head, last = named[:-1], named[-1]
    return f"{', '.join(head)} and {last} ms" if head else f"{last} ms"


def find_missed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows whose goal is missed after the step."""
    return [row for row in rows if row["left"] is not None and abs(row["left"]) >= MISSED]


def describe_response(spikes: list[float], target: Floats | int, tolerance: float) -> str:
    """Return what is wrong with a response, as the end of a sentence; nothing if it is right."""
    if isinstance(target, int):
        n, few = len(spikes), "is" if len(spikes) == 1 else "are"
        return "" if n == target else f"there {few} {n} of {target} spikes"
    left, absent = list(spikes), []
    for time in target.tolist():
        nearest = min(left, key=lambda spike: abs(spike - time), default=None)
        if nearest is None or abs(nearest - time) > tolerance:
            absent.append(time)
        else:
            left.remove(nearest)
    parts = [f"no spike comes at {name_times(absent)}"] if absent else []
    if left:
        many = "there are other spikes" if len(left) > 1 else "there is another spike"
        parts.append(f"{many}, at {name_times(left)}")
    return "; ".join(parts)


def describe_goals(seen: dict[str, Any], wrong_after: str, *, counts: bool) -> Said:
    """Return how well a step meets its goals, and what keeps it from doing so.

    Parameters
    ----------
    seen : dict
        The look at the step.
    wrong_after : str
        What is wrong with the response after it, from `describe_response`.
    counts : bool
        Whether counts are desired, which cannot be solved at once.
    """
    rows, corrections = seen["rows"], seen["corrections"]
    missed = find_missed(rows)
    if seen["stands_still"] and missed:
        remedy = "" if counts else " Press Solve to see whether any weights meet them."
        text = f"This step changes nothing: these goals contradict each other.{remedy}"
        return [[text, "left-over"]]
    if not corrections or all(row["left"] is None for row in rows):
        return []
    met = "All goals are met at once after this step"
    if not missed:
        return [[f"{met}, but then {wrong_after}.", ""] if wrong_after else [f"{met}.", "met"]]
    return [[_count_missed(missed, rows), ""], *_name_bounded(corrections)]


def _count_missed(missed: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    worst = max(missed, key=lambda row: abs(row["left"]))
    n = sum(row["goal"] is not None for row in rows)
    goals = f"{len(missed)} goals of {n} are" if len(missed) > 1 else f"1 goal of {n} is"
    at, by = show(worst["time"], 1), show(abs(worst["left"]))
    return f"After this step {goals} still missed, most at {at} ms: by {by}."


def _name_bounded(corrections: list[dict[str, Any]]) -> Said:
    bounded = [show(each["time"], 1) for each in corrections if each["at_bound"]]
    if not bounded:
        return []
    text = (
        f"The correction at {', '.join(bounded[:3])} ms is as large as the rule's bound allows; "
        "the rest is left for later steps."
    )
    return [[text, ""]]
