"""Fit a classifier with progress on stderr."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from linspike.cli.progress import Display
from linspike.errors import RunawayWarning, printable
from linspike.spikes.pattern_set import PatternSet

if TYPE_CHECKING:
    from linspike.estimators import EpochScores, SpikeClassifier


def fit_classifier(
    classifier: SpikeClassifier, inputs: Any, labels: Any, title: str = "learning"
) -> None:
    """Fit with progress on stderr; an interrupt is raised, not turned into half a model."""
    from linspike.estimators.monitor import raising_interrupts

    with warnings.catch_warnings(record=True) as caught, Display("epochs") as display:
        warnings.simplefilter("always", RunawayWarning)
        display.say(f"{title} from {_describe(inputs)}")

        def show(end: EpochScores) -> None:
            display.update(title, end.epoch, end.last, end.text)

        with raising_interrupts():
            classifier.fit(inputs, labels, on_epoch=show)
    _print_warnings(caught)


def _describe(inputs: Any) -> str:
    if isinstance(inputs, PatternSet):
        spikes, channels = inputs.times.size, inputs.n_channels
        return f"{len(inputs)} samples, {spikes} spikes on {channels} channels"
    return f"{inputs.shape[0]} rows of {inputs.shape[1]} columns"


def _print_warnings(caught: Sequence[warnings.WarningMessage]) -> None:
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"linspike: {printable(text)}", err=True)
