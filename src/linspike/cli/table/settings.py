"""Options of `linspike fit` as a classifier."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from linspike._threads import available_cores
from linspike.rules import Rule, rule_class, rule_of

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier

RULE_SETTINGS = ("eta", "bound")
POSITIVE = click.FloatRange(min=0.0, min_open=True)


class Window(click.ParamType):  # type: ignore[type-arg]
    """A length in milliseconds, or START:END."""

    name = "window"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[float, float]:
        """Return start and end."""
        if isinstance(value, tuple):
            return value
        first, colon, last = str(value).partition(":")
        try:
            start, end = (float(first), float(last)) if colon else (0.0, float(first))
        except ValueError:
            self.fail(f"{value!r} is not a length in milliseconds such as 200, nor START:END.")
        if not (math.isfinite(start) and math.isfinite(end) and start < end):
            self.fail(f"{value!r} is empty or without end: START must be below END.")
        return start, end


def make_classifier(**settings: Any) -> SpikeClassifier:
    """Return the classifier that the options describe, not fitted yet."""
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    rule, code, exact = _make_rule(**settings), settings["code"], settings["exact_counts"]
    if code == "times":
        if "times" not in rule.targets:
            raise click.UsageError(f"The rule {rule.key} cannot learn times; use --code counts.")
        if exact:
            raise click.UsageError("--exact-counts is for --code counts.")
        if settings["spike_count"] < 2:
            raise click.UsageError("--code times needs --spike-count 2 or more.")
    encoder = PopulationEncoder(settings["fields"], settings["beta"], settings["duration"])
    return SpikeClassifier(
        None if settings["spikes"] else encoder,
        rule,
        spikes=settings["spike_count"],
        code=code,
        target="exact" if exact else "at_least",
        max_iter=settings["epochs"],
        schedule=Inverse(settings["decay"]) if settings["decay"] else None,
        early_stopping=settings["early_stopping"],
        n_jobs=settings["jobs"] or available_cores(),
        random_state=settings["seed"],
    )


def _make_rule(rule: str, **settings: Any) -> Rule:
    """Return the rule with those of its settings that were given."""
    given = {name: settings[name] for name in RULE_SETTINGS if settings[name] is not None}
    known = {field.name for field in fields(rule_class(rule))}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise click.UsageError(f"The rule {rule} has no setting {name!r}; leave out --{name}.")
    return rule_of(rule, "fit", **given)
