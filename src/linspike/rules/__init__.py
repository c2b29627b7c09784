"""Learning rules by name; one file each, the file's name is the key."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from linspike.errors import ParameterError
from linspike.kernels.compiled import rule_step
from linspike.rules.base import Rule
from linspike.rules.dta import DTA

REGISTRY = {
    "dta": "DTA",
}


def rule_of(rule: str | Rule, owner: str, **settings: Any) -> Rule:
    """A rule as it is, or by its name in the registry."""
    if isinstance(rule, Rule):
        return rule
    if not isinstance(rule, str) or rule not in REGISTRY:
        raise ParameterError.of("rule", owner, f"a Rule or one of {tuple(REGISTRY)}", rule)
    made: Rule = getattr(import_module(f"linspike.rules.{rule}"), REGISTRY[rule])(**settings)
    return made


def is_registered(rule: Any) -> bool:
    """Whether a rule can be made anew from its key and settings; a subclass cannot."""
    key = getattr(rule, "key", None)
    if key not in REGISTRY:
        return False
    home = import_module(f"linspike.rules.{key}")
    return type(rule) is getattr(home, REGISTRY[key])


__all__ = ["DTA", "REGISTRY", "Rule", "rule_of", "rule_step"]
