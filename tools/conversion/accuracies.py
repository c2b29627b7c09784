"""Labels that the tables and figures of accuracies share."""

from __future__ import annotations

from tools.conversion.common import Fields, base_of, convert_rule

LINEAR_PROGRAM, PROJECTION = "DTA (paper's linear program)", "DTA (projection)"
METHODS = {"DTA (paper's LP)": LINEAR_PROGRAM, "DTA (ours)": PROJECTION}
VARIANTS = {  # by the phrase in front of an old label
    "best: ": "tuned",
    "freed: ": "relaxed",
    "plain halves: ": "random halves",
    "freed, plain halves: ": "relaxed, random halves",
    "gradient: ": "gradient",
    "gradient, plain halves: ": "gradient, random halves",
    "eta 0.001: ": "eta 0.001",
    "kept: ": "tuned, margin 0.5",
    "stopped early: ": "tuned, stopped early",
}
OURS = ", ours"


def method_of(old: str) -> str:
    """Return the new name of a method."""
    return METHODS.get(old, old)


def split_variant(old: str) -> tuple[str, str]:
    """Return the variant of an old label, and the rest of the label."""
    for phrase, variant in VARIANTS.items():
        if old.startswith(phrase):
            return variant, old.removeprefix(phrase)
    return "", old


def split_version(old: str) -> tuple[str, str]:
    """Return the version of DTA that an old label speaks of, and the rest of the label."""
    return (PROJECTION if old.endswith(OURS) else LINEAR_PROGRAM), old.removesuffix(OURS)


def label(*parts: str) -> str:
    """Return a new label: scenario, method, criterion, variant, quantity, if not empty."""
    return ", ".join(part for part in parts if part)


def part_label(old: str) -> str:
    """Return the new label of an accuracy: a row and the part of the data."""
    variant, rest = split_variant(old)
    method, _, part = rest.rpartition(", ")
    return label(method_of(method), variant, part)


def statistic_label(old: str, statistics: dict[str, str]) -> str:
    """Return the new label of a statistic, by its old name without the version; else of a part."""
    variant, rest = split_variant(old)
    method, statistic = split_version(rest)
    if statistic in statistics:
        return label(method, variant, statistics[statistic])
    return part_label(old)


def row_of(old: str) -> tuple[Fields, bool]:
    """Return the stored key of an old row, and whether it is one of tuning."""
    if old.startswith("tuning "):
        method = method_of(old.removeprefix("tuning "))
        return {"method": method, **({} if method == "CNN" else {"variant": "tuned"})}, True
    variant, method = split_variant(old)
    return {"method": method_of(method), **({"variant": variant} if variant else {})}, False


def convert_fields(old: Fields, names: tuple[str, ...]) -> Fields:
    """Return the fields of a cell that trains a rule: some under their old names."""
    row, tuning = row_of(old["row"])
    rule, settings = convert_rule(old["rule"], old["settings"])
    return {
        **base_of(old),
        "row": row,
        "tuning": tuning,
        "rule": rule,
        "settings": settings,
        "decay_rate": old["decay"],
        **{name: old[name] for name in names},
    }
