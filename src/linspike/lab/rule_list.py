"""All rules with their settings, equations and help, as their docstrings and fields say."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from typing import Any

from linspike.lab.words.hints import hint_of
from linspike.rules import REGISTRY, rule_class
from linspike.rules.base import Rule

ENTRY = re.compile(r"^(\w[\w, ]*) : (.+)$")
CHOICES = re.compile(r"\"([\w-]+)\"")
SHOWN_ELSEWHERE = ("skip_below",)  # the lab has one switch for all rules


def list_rules() -> list[dict[str, Any]]:
    """Return what the page needs to know of every rule of the registry."""
    return [describe_rule(rule_class(key)) for key in REGISTRY]


def describe_rule(kind: type[Rule]) -> dict[str, Any]:
    """Return name, sentence, equation, targets and settings of a rule."""
    text = inspect.cleandoc(kind.__doc__ or kind.__name__)
    return {
        "key": kind.key,
        "name": kind.__name__,
        "summary": text.partition("\n")[0].replace("`", ""),
        "equation": _equation_of(text),
        "targets": sorted(kind().targets),
        "window": kind().window,
        "settings": _settings_of(kind),
    }


def _equation_of(text: str) -> list[str]:
    """Return the lines that stand apart before the parameters: the update in mathematics."""
    head = text.partition("Parameters\n")[0].splitlines()
    return [line.strip() for line in head if line.startswith("    ")]


def _settings_of(kind: type[Rule]) -> list[dict[str, Any]]:
    """Return the settings that the page can change: numbers, flags and words."""
    help_of = _parameters_of(kind)
    found = []
    for field in fields(kind):  # type: ignore[arg-type]
        declared, text = help_of.get(field.name, ("", ""))
        choices = CHOICES.findall(declared) if declared.startswith("{") else []
        default = None if field.default is MISSING else field.default
        is_pair = isinstance(default, tuple) or "pair" in declared
        if field.name in SHOWN_ELSEWHERE or is_pair:
            continue
        found.append(
            {
                "name": field.name,
                "default": default,
                "choices": choices,
                "optional": "optional" in declared,
                "help": hint_of(kind.key, field.name, text),
            }
        )
    return found


def _parameters_of(kind: type[Rule]) -> dict[str, tuple[str, str]]:
    """Return type and description of each parameter in a docstring."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Parameters\n----------\n")[2]
    found: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if entry:
            names = [name.strip() for name in entry[1].split(",")]
            found |= dict.fromkeys(names, (entry[2], ""))
        elif line.startswith("    "):
            for name in names:
                declared, before = found[name]
                found[name] = declared, f"{before} {line.strip()}".strip().replace("`", "")
        elif line and not line.startswith(" "):
            break
    return found
