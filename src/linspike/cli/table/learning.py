"""Fit a classifier with progress on stderr."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from linspike._typing import Floats
from linspike.cli.progress import Display
from linspike.errors import RunawayWarning, printable

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier


def fit_classifier(classifier: SpikeClassifier, values: Floats, labels: Any) -> None:
    """Fit with progress on stderr; an interrupt is raised, not turned into half a model."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught, Display("epochs") as display:
        warnings.simplefilter("error", ConvergenceWarning)
        warnings.simplefilter("always", RunawayWarning)
        display.say(f"learning from {values.shape[0]} rows of {values.shape[1]} columns")

        def show(epoch: int, last: int, scores: str) -> None:
            display.update("learning", epoch, last, scores)

        try:
            with redirect_stdout(_EpochLines(show)):
                classifier.fit(values, labels)
        except ConvergenceWarning:
            raise KeyboardInterrupt from None
    _print_warnings(caught)


class _EpochLines(io.TextIOBase):
    """Takes the lines that an estimator prints after each epoch."""

    LINE = re.compile(r"\[\w+\] epoch (\d+) of (\d+): (.*)")

    def __init__(self, show: Callable[[int, int, str], None]) -> None:
        self._show = show

    def write(self, text: str) -> int:
        found = self.LINE.match(text)
        if found:
            self._show(int(found[1]), int(found[2]), found[3])
        return len(text)


def _print_warnings(caught: Sequence[warnings.WarningMessage]) -> None:
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"linspike: {printable(text)}", err=True)
