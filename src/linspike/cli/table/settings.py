"""Options of `linspike fit` as a classifier."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
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
    """Return the classifier of numbers that the options describe, not fitted yet."""
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    rule = _make_rule(**settings)
    _check_code(rule, settings)
    encoder = PopulationEncoder(settings["fields"], settings["beta"], settings["duration"])
    schedule = Inverse(settings["decay"]) if settings["decay"] else None
    common = _list_common(settings)
    return SpikeClassifier(
        encoder, rule, spikes=settings["spike_count"], schedule=schedule, **common
    )


def make_event_classifier(
    length: float, chosen: Collection[str], **settings: Any
) -> SpikeClassifier:
    """Return a classifier of events of this length in ms; options that were chosen go first."""
    from linspike.estimators import make_event_classifier as make
    from linspike.training import Inverse

    changes = _list_common(settings)
    changes["rule"] = _make_rule(**settings)
    if "rule" not in chosen:  # the event classifier's own, with the settings that were given
        changes["rule"] = replace(changes["rule"], count_target="gradient")
    if "spike_count" in chosen:
        changes["spikes"] = settings["spike_count"]
    if "decay" in chosen:
        changes["schedule"] = Inverse(settings["decay"]) if settings["decay"] else None
    classifier = make(length, folds=settings["folds"], **changes)
    _check_code(changes["rule"], {**settings, "spike_count": classifier.spikes})
    return classifier


def _list_common(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters of a classifier that have the same options for numbers and events."""
    return {
        "code": settings["code"],
        "target": "exact" if settings["exact_counts"] else "at_least",
        "max_iter": settings["epochs"],
        "early_stopping": settings["early_stopping"],
        "weight_bounds": _make_bounds(settings["weight_low"], settings["weight_high"]),
        "n_jobs": settings["jobs"] or available_cores(),
        "random_state": settings["seed"],
    }


def _check_code(rule: Rule, settings: Mapping[str, Any]) -> None:
    """Refuse options that do not go with a code of spike times."""
    code, exact = settings["code"], settings["exact_counts"]
    if code == "times":
        if "times" not in rule.targets:
            raise click.UsageError(f"The rule {rule.key} cannot learn times; use --code counts.")
        if exact:
            raise click.UsageError("--exact-counts is for --code counts.")
        if settings["spike_count"] < 2:
            raise click.UsageError("--code times needs --spike-count 2 or more.")


def _make_bounds(low: float | None, high: float | None) -> tuple[float, float] | None:
    """Return the bounds of the weights, or None if there are none."""
    if low is None and high is None:
        return None
    low, high = (-math.inf if low is None else low), (math.inf if high is None else high)
    if not (low <= high and low < math.inf and high > -math.inf):
        raise click.UsageError(
            f"--weight-low ({low:g}) must be a number and at most --weight-high ({high:g})."
        )
    return low, high


def _make_rule(rule: str, **settings: Any) -> Rule:
    """Return the rule with those of its settings that were given."""
    given = {name: settings[name] for name in RULE_SETTINGS if settings[name] is not None}
    known = {field.name for field in fields(rule_class(rule))}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise click.UsageError(f"The rule {rule} has no setting {name!r}; leave out --{name}.")
    return rule_of(rule, "fit", **given)
