"""Figure 5: a rule and a row in each cell."""

from __future__ import annotations

from tools.conversion.common import Fields, base_of, convert_rule, key

PROJECTION = "DTA (projection)"
GONE = ("bound_per", "extra_points")  # settings that the linear program never used


def rule_of(old: Fields) -> Fields:
    """Return the rule of an old cell and its settings."""
    rule, settings = convert_rule(old["rule"], old["settings"])
    if rule == "dta_lp":
        settings = {name: value for name, value in settings.items() if name not in GONE}
    return {"rule": rule, "settings": settings, "tuning": False}


def cell_of(old: Fields) -> Fields:
    """Return the new cell: the label became the row's method."""
    method = PROJECTION if old["label"] == "ours" else old["label"]
    return {**base_of(old), **rule_of(old), "row": key(method=method)}


def label_of(old: str) -> str:
    """Return the label with the new name of the projection."""
    return old.replace("ours", PROJECTION)
