"""Fit a classifier with progress on stderr."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from linspike.cli.progress import Display
from linspike.cli.table.cells import count_noun
from linspike.errors import RunawayWarning, UnitWarning, printable
from linspike.spikes.pattern_set import PatternSet

if TYPE_CHECKING:
    from linspike.estimators import EpochScores, SpikeClassifier


def fit_classifier(classifier: SpikeClassifier, inputs: Any, labels: Any, title: str = "") -> None:
    """Fit with progress on stderr; an interrupt is raised, not turned into half a model."""
    from linspike.estimators.monitor import raising_interrupts

    with warnings.catch_warnings(record=True) as caught, Display("epochs") as display:
        for kind in (RunawayWarning, UnitWarning):
            warnings.simplefilter("always", kind)
        start = f"{title}: " if title else ""
        display.say(f"{start}learning from {_describe(inputs)}")

        def show(end: EpochScores) -> None:
            display.update(title or "learning", end.epoch, end.last, end.text)

        with raising_interrupts():
            classifier.fit(inputs, labels, on_epoch=show)
    _print_warnings(caught)


def _describe(inputs: Any) -> str:
    if isinstance(inputs, PatternSet):
        spikes = count_noun(inputs.times.size, "spike")
        channels = count_noun(inputs.n_channels, "channel")
        return f"{count_noun(len(inputs), 'sample')}, {spikes} on {channels}"
    rows, columns = inputs.shape
    return f"{count_noun(rows, 'row')} of {count_noun(columns, 'column')}"


def _print_warnings(caught: Sequence[warnings.WarningMessage]) -> None:
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"linspike: {printable(text)}", err=True)
