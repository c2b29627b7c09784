"""What the conversions share: rules, their settings, and fields that every cell has."""

from __future__ import annotations

from typing import Any

# Old name of a setting or field: new name.
NAMES = {
    "anneal": "schedule",
    "settle": "skip_below",
    "converged": "match_tolerance",
    "signed": "allow_negative",
    "least": "min_multiplier",
    "plain_step": "fallback_step",
    "plain_per": "fallback_per",
}
# Settings that a rule had and has no more: what the linear program always does.
FIXED_BY_PROGRAM = ("objective", "signed", "absolute")

Fields = dict[str, Any]


def convert_rule(rule: str, settings: Fields) -> tuple[str, Fields]:
    """Return the new key of a rule and its settings under their new names; values are untouched."""
    if rule == "dta" and settings.get("objective") == "feasible":
        kept = {name: value for name, value in settings.items() if name not in FIXED_BY_PROGRAM}
        return "dta_lp", rename(kept)
    kept = {name: value for name, value in settings.items() if name != "objective"}
    return rule, rename(kept)


def rename(fields: Fields) -> Fields:
    """Return fields under their new names."""
    return {NAMES.get(name, name): value for name, value in fields.items()}


def key(**fields: str) -> dict[str, str]:
    """Return a stored `RowKey`: the fields that are not empty."""
    return {name: value for name, value in fields.items() if value}


def base_of(old: Fields) -> Fields:
    """Return the fields that every new cell has."""
    return {"scale": old["scale"], "seed_block": old.get("base", 0)}


def convert_record(record: Fields) -> Fields:
    """Return a record under its new names."""
    return {"desired" if name == "wanted" else name: value for name, value in record.items()}
