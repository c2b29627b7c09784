"""Fit a classifier with progress on stderr."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from linspike._typing import Floats
from linspike.cli.progress import Display
from linspike.errors import RunawayWarning, printable

if TYPE_CHECKING:
    from linspike.estimators import EpochScores, SpikeClassifier


def fit_classifier(classifier: SpikeClassifier, values: Floats, labels: Any) -> None:
    """Fit with progress on stderr; an interrupt is raised, not turned into half a model."""
    from linspike.estimators.monitor import raising_interrupts

    with warnings.catch_warnings(record=True) as caught, Display("epochs") as display:
        warnings.simplefilter("always", RunawayWarning)
        display.say(f"learning from {values.shape[0]} rows of {values.shape[1]} columns")

        def show(end: EpochScores) -> None:
            display.update("learning", end.epoch, end.last, end.text)

        with raising_interrupts():
            classifier.fit(values, labels, on_epoch=show)
    _print_warnings(caught)


def _print_warnings(caught: Sequence[warnings.WarningMessage]) -> None:
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"linspike: {printable(text)}", err=True)
