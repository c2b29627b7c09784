"""Learning rules by name; one file each, the file's name is the key."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from linspike.errors import ParameterError
from linspike.kernels.training.signatures import rule_step
from linspike.rules.base import Rule

# Key and class of every rule. Files are loaded when first asked for, their machine code with them.
REGISTRY = {
    "dta": "DTA",
    "dta_lp": "DTALinearProgram",
    "first_error": "FirstError",
    "resume": "ReSuMe",
    "psd": "PSD",
    "filt": "FILT",
    "fp": "FP",
    "htp": "HTP",
    "e_learning": "ELearning",
    "mst": "MST",
    "eml": "EML",
    "emlc": "EMLC",
}
# Rules for networks (experimental): they learn with no single neuron, and have no key elsewhere.
NETWORK_RULES = {"network.joint_dta": "JointDTA"}


def rule_class(key: str) -> type[Rule]:
    """The class behind a key of the registry."""
    found: type[Rule] = getattr(import_module(f"linspike.rules.{key}"), REGISTRY[key])
    return found


def rule_of(rule: str | Rule, owner: str, **settings: Any) -> Rule:
    """A rule as it is, or by its name in the registry."""
    if isinstance(rule, Rule):
        return rule
    if not isinstance(rule, str) or rule not in REGISTRY:
        name = getattr(rule, "__name__", "")  # of a class
        remedy = f"Use {name}(), with parentheses." if name in REGISTRY.values() else ""
        raise ParameterError.of("rule", owner, f"a Rule or one of {tuple(REGISTRY)}", rule, remedy)
    return rule_class(rule)(**settings)


def is_registered(rule: Any) -> bool:
    """Return whether a rule can be made anew from its key and settings; a subclass cannot."""
    key = getattr(rule, "key", None)
    return key in REGISTRY and type(rule) is rule_class(key)


def __getattr__(name: str) -> type[Rule]:
    for module, class_name in (REGISTRY | NETWORK_RULES).items():
        if name == class_name:
            found: type[Rule] = getattr(import_module(f"linspike.rules.{module}"), class_name)
            return found
    raise AttributeError(f"module 'linspike.rules' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *REGISTRY.values(), *NETWORK_RULES.values()})


__all__ = ["REGISTRY", "Rule", "is_registered", "rule_class", "rule_of", "rule_step"]
