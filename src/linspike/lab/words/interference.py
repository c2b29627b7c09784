"""What the interference matrix says, in words: the largest harm that a correction does."""

from __future__ import annotations

from typing import Any, NamedTuple

from linspike.lab.words.goals import MISSED, Said, find_missed, show

HARDLY = 0.02  # of what a correction does where it is meant: this little elsewhere is nothing
APART = 1.0  # ms; nearer times are about the same spike
RIGHT = ("right", "held", "free", "near")
NAMES = {
    **dict.fromkeys(RIGHT, "right "),
    "missing": "missing ",
    "found": "missing ",
    "wrong": "wrong ",
}


class Effect(NamedTuple):
    """What one correction does at the time of another spike.

    Attributes
    ----------
    row, by : dict
        The spike, and the correction.
    value : float
        The change of V0 there.
    share : float
        Its size, relative to what the correction does where it is meant.
    needed : float
        The change that is needed there; nan if nothing is asked for.
    harm : float
        How much farther from the goal it brings V0.
    """

    row: dict[str, Any]
    by: dict[str, Any]
    value: float
    share: float
    needed: float
    harm: float

    @property
    def spoils(self) -> bool:
        """Whether there is harm enough to speak of."""
        return self.harm >= MISSED and self.share >= HARDLY

    @property
    def needs_nothing(self) -> bool:
        """Whether the spike is right as it is."""
        return self.row["kind"] in RIGHT or abs(self.needed) < MISSED


def list_effects(seen: dict[str, Any]) -> list[Effect]:
    """Return what each correction does to all spikes but its own."""
    rows, matrix, found = seen["rows"], seen["matrix"], []
    for j, by in enumerate(seen["corrections"]):
        if by["row"] is None:
            continue
        meant = max(1e-12, abs(matrix[by["row"]][j] or 0.0))
        for i, row in enumerate(rows):
            value = matrix[i][j]
            if i == by["row"] or value is None or abs(row["time"] - by["time"]) < APART:
                continue
            needed, harm = _harm(row, value)
            found.append(Effect(row, by, value, abs(value) / meant, needed, harm))
    return found


def _harm(row: dict[str, Any], value: float) -> tuple[float, float]:
    """Return the change that is needed at a row, and how much worse some change makes it."""
    if row["goal"] is None or row["now"] is None:
        return float("nan"), abs(value) if row["kind"] in RIGHT else 0.0
    needed = row["goal"] - row["now"]
    if row["equal"]:
        return needed, max(0.0, abs(needed - value) - abs(needed))
    before, after = max(0.0, -needed), max(0.0, value - needed)
    return min(0.0, needed), max(0.0, after - before)


def describe_interference(seen: dict[str, Any], wrong_now: str) -> Said:
    """Return what the corrections do to each other; wrong_now says why they are needed."""
    corrections = seen["corrections"]
    if not corrections:
        return [] if wrong_now else [["Nothing is left to correct.", "met"]]
    effects = list_effects(seen)
    if not effects:
        alone = "One correction, and nothing else to spoil."
        return [[alone, ""]] if len(corrections) == 1 else []
    if max(each.share for each in effects) < HARDLY:
        text = (
            "The corrections hardly touch each other here: the spikes are far apart, or use other "
            "inputs."
        )
        return [[text, "met"]]
    said = [[_name_worst(effects), ""]]
    if seen["stands_still"]:
        return said
    missed = find_missed(seen["rows"])
    if missed:
        return said + _name_balance(seen)
    if len(corrections) > 1:
        text = (
            "The multipliers take this into account: together the corrections meet all goals of "
            "this step."
        )
        said.append([text, "met"])
    return said


def _name_worst(effects: list[Effect]) -> str:
    """Return the largest harm: to spikes that need nothing first, then to others."""
    spoiling = [each for each in effects if each.spoils]
    if not spoiling:
        most = max(effects, key=lambda each: abs(each.value))
        helps = ", in the direction that is needed there" * (most.needed * most.value > 0.0)
        return f"{_name(most, ' also')}{helps}."
    worst = max(spoiling, key=lambda each: (each.needs_nothing, each.harm))
    if worst.needs_nothing:
        why = "where none is needed"
    elif worst.value * worst.needed > 0.0:
        why = f"farther than is needed there ({show(worst.needed)})"
    else:
        why = f"away from what is needed there ({show(worst.needed)})"
    return f"{_name(worst)}, {why}. That is interference."


def _name(effect: Effect, also: str = "") -> str:
    at, spike = show(effect.by["time"], 1), NAMES.get(effect.row["kind"], "")
    there, value = show(effect.row["time"], 1), show(effect.value)
    return f"The correction at {at} ms{also} moves V0 at the {spike}spike at {there} ms by {value}"


def _name_balance(seen: dict[str, Any]) -> Said:
    """Return how the corrections add up to what is needed at the first goal that is met."""
    own = {each["row"] for each in seen["corrections"]}
    for i, row in enumerate(seen["rows"]):
        parts = [x for x in seen["matrix"][i] if x is not None and abs(x) >= MISSED]
        met = row["equal"] and row["left"] is not None and abs(row["left"]) < MISSED
        if not met or i not in own or not 1 < len(parts) <= 5:
            continue
        total = row["after"] - row["now"]
        if abs(sum(parts) - total) < 10.0 * MISSED:
            signs = ["\u2212" if x < 0 else "+" for x in parts]
            terms = [f"{sign} {show(abs(x))}" for sign, x in zip(signs, parts, strict=True)]
            first = terms[0].replace("+ ", "").replace("\u2212 ", "\u2212")
            how = "make up for each other" if len(set(signs)) > 1 else "add up"
            text = (
                f"At {show(row['time'], 1)} ms the corrections {how}: "
                f"{' '.join([first, *terms[1:]])} = {show(total)}, which is what is needed there."
            )
            return [[text, "met"]]
    return []
