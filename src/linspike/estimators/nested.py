"""Settings of rule and neuron as nested parameters, `rule__eta` and `neuron__tau_m`.

Rules and neurons are frozen values: setting one of their settings replaces the whole value.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from linspike.errors import ParameterError
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, Rule, rule_of

FROZEN = ("rule", "neuron")


def nested_settings(part: str, held: Any) -> dict[str, Any]:
    """Return the settings of a rule or neuron; those of a name or of None are the defaults.

    What is no rule or neuron has none: `fit` is where it is refused.
    """
    value = _value_of(part, held)
    if value is None or not is_dataclass(value):
        return {}
    return {field.name: getattr(value, field.name) for field in fields(value) if field.init}


def set_frozen(owner: str, own: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Return parameters in which settings of rule and neuron are made whole values.

    Parameters
    ----------
    owner : str
        Name of the estimator, for messages.
    own : dict
        Its parameters, those that are not nested.
    params : dict
        Parameters to set, nested ones included.
    """
    flat, changes = dict(params), dict[str, dict[str, Any]]()
    for name, value in params.items():
        part, nested, setting = name.partition("__")
        held = params.get(part, own.get(part))
        if not nested or part not in own or hasattr(held, "set_params"):
            continue
        if part not in FROZEN or setting not in nested_settings(part, held):
            why = _explain(part, setting, held, owner)
            raise ParameterError(f"{owner}: cannot set {name!r} because {why}")
        changes.setdefault(part, {})[setting] = value
        del flat[name]
    for part, settings in changes.items():
        held = params.get(part, own[part])
        old = _value_of(part, held)
        new: Any = replace(old, **settings)
        flat[part] = held if new == old else new  # a name or None that still says it stays
    return flat


def _value_of(part: str, held: Any) -> Any:
    """Return the rule or neuron that a parameter stands for, or None if it stands for none."""
    if part == "neuron":
        held = SRM() if held is None else held
        return held if isinstance(held, SRM) else None
    is_rule = isinstance(held, Rule) or (isinstance(held, str) and held in REGISTRY)
    return rule_of(held, "rule") if is_rule else None


def _explain(part: str, setting: str, held: Any, owner: str) -> str:
    """Return why a setting of a part cannot be set, and what to pass instead."""
    if part == "encoder" and held is None:
        return "encoder=None. Pass encoder=ls.PopulationEncoder()."
    if part == "rule":
        rule_of(held, owner)  # refuses what is no rule
        return _explain_rule(setting, held)
    if part == "neuron" and _value_of(part, held) is not None:
        return f"SRM has no {setting!r}. Its settings are {', '.join(nested_settings(part, None))}."
    return f"{part!r} has no parameters of its own."


def _explain_rule(setting: str, held: Any) -> str:
    """Return what settings the rule at hand has, and which rule has the setting."""
    name, settings = type(_value_of("rule", held)).__name__, nested_settings("rule", held)
    own = f"Its settings are {', '.join(settings)}." if settings else "It has no settings."
    why = f"{name} has no {setting!r}. {own}"
    others = [REGISTRY[key] for key in REGISTRY if setting in nested_settings("rule", key)]
    if not others:
        return why
    other = "MST" if "MST" in others else others[0]
    return f"{why} Pass a rule that has it, such as rule=ls.rules.{other}({setting}=...)."
