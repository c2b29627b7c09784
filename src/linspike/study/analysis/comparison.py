"""A method beside baselines in the trials that all of them share, as rows of a table.

Methods are compared by their last accuracy on the test part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.study.analysis.intervals import mean_interval, paired
from linspike.study.analysis.learning_curves import last_accuracies
from linspike.study.analysis.statistics import (
    Friedman,
    Nemenyi,
    friedman,
    nemenyi,
    paired_difference,
)
from linspike.study.cells import Trial
from linspike.study.panels import Panel, Ranks
from linspike.study.rows import Row, RowKey, Status


@dataclass(frozen=True)
class Comparison:
    """Tests of whether a method and its baselines differ; their rows have the method's key.

    Attributes
    ----------
    key : RowKey
        Row of the method.
    baselines : tuple of str
        Names of the other methods.
    friedman : Friedman
        Whether any of them differ.
    nemenyi : Nemenyi
        Which of them differ; the method is the first, the baselines follow.
    """

    key: RowKey
    baselines: tuple[str, ...]
    friedman: Friedman
    nemenyi: Nemenyi

    def chi2_rows(self) -> list[Row]:
        """Return Friedman's chi2, which the paper calls Q, and its p."""
        return [
            self._row("Friedman Q", self.friedman.chi2),
            self._row("Friedman p", self.friedman.chi2_p),
        ]

    def f_rows(self) -> list[Row]:
        """Return Friedman's F and the value that it exceeds by chance in 5 %."""
        found = self.friedman
        freedom = f"F with {found.f_df[0]} and {found.f_df[1]} degrees of freedom"
        critical = self._row("Friedman critical value", found.critical, freedom)
        if np.isfinite(found.f):
            return [self._row("Friedman F", found.f, freedom), critical]
        note = "the same order in every trial: F is infinite"
        absent = self._row("Friedman F", None, note)
        return [absent._replace(status=Status.NO_RESULT), critical]

    def nemenyi_rows(self) -> list[Row]:
        """Return Nemenyi's p of the method and each baseline."""
        p = self.nemenyi.p_values[0]
        return [
            self._row(f"Nemenyi p to {name}", p[number])
            for number, name in enumerate(self.baselines, 1)
        ]

    def largest_nemenyi_row(self) -> Row:
        """Return the largest of Nemenyi's p of the method and a baseline."""
        p = self.nemenyi.p_values[0][1:]
        each = ", ".join(f"{p:.3g} to {name}" for p, name in zip(p, self.baselines, strict=True))
        return self._row(f"Nemenyi p to {_joined(self.baselines)}", max(p), f"the larger; {each}")

    def baselines_row(self) -> Row:
        """Return Nemenyi's p of the first two baselines."""
        first, second = self.baselines[:2]
        return self._row(f"Nemenyi p, {first} to {second}", self.nemenyi.p_values[1][2])

    def sentence(self) -> str:
        """Return both tests in words."""
        variant = f"{self.key.variant.capitalize()}: " if self.key.variant else ""
        return f"{variant}{self.friedman.sentence()} {self.nemenyi.sentence()}"

    def _row(self, quantity: str, value: float | None, note: str = "") -> Row:
        n = self.friedman.n_trials
        return Row(self.key.but(quantity=quantity), value, n=n, note=note)


def compare_methods(
    trials: Sequence[Trial], key: RowKey, baselines: Sequence[str]
) -> Comparison | None:
    """Test whether a method and baselines of the same variant differ.

    None if they share fewer than two trials, or are equal in all of them.
    """
    found = _scores(trials, [key, *(key.but(method=name) for name in baselines)])
    if not _differ(found):
        return None
    names = (key.method, *baselines)
    return Comparison(key, tuple(baselines), friedman(found), nemenyi(found, names=names))


def gain_rows(
    trials: Sequence[Trial],
    key: RowKey,
    baselines: Sequence[str],
    part: str,
    *,
    at: str | None = None,
) -> list[Row]:
    """Return the gain of a method over the mean of baselines, trial by trial; [] without trials.

    Baselines have the method's variant or, if given, the variant `at`, which the row then names.
    """
    variant = key.variant if at is None else at
    rows = [key, *(key.but(method=name, variant=variant) for name in baselines)]
    if at is not None:
        key = key.but(variant=f"{_joined(baselines)} at {at}")
    found = _scores(trials, rows, part)
    if not len(found):
        return []
    gain = found[:, 0] - found[:, 1:].mean(axis=1)
    note = "over the mean of the two, trial by trial" if len(baselines) > 1 else ""
    quantity = f"gain over {_joined(baselines)}, {part}"
    return [Row(key.but(quantity=quantity), *mean_interval(gain), gain.size, "points", note)]


def wilcoxon_rows(trials: Sequence[Trial], key: RowKey, reference: RowKey) -> list[Row]:
    """Return Wilcoxon's p of a method and a reference; [] if they share too few trials."""
    both = _scores(trials, [key, reference])
    if len(both) < 2 or np.ptp(both[:, 0] - both[:, 1]) == 0.0:
        return []
    found = paired_difference(both[:, 0], both[:, 1])
    points = f"{found.mean:+.2f} ({found.lo:+.2f} to {found.hi:+.2f}) points"
    note = f"difference to {reference.method} {points}"
    quantity = f"Wilcoxon p to {reference.method}"
    return [Row(key.but(quantity=quantity), found.p, n=len(both), note=note)]


def rank_panels(trials: Sequence[Trial], rows: Sequence[RowKey], title: str) -> list[Panel]:
    """Return the mean ranks of all rows; [] if they share too few trials."""
    found = _scores(trials, rows)
    if not _differ(found):
        return []
    tested = nemenyi(found, names=[row.method for row in rows])
    ranks = Ranks(tested.names, tested.mean_ranks, tested.critical_difference)
    return [Panel(f"Mean rank in testing (1 is best), {title}", "", "", ranks=ranks)]


def _scores(trials: Sequence[Trial], rows: Sequence[RowKey], part: str = "test") -> Floats:
    return paired([last_accuracies(trials, row, part) for row in rows])


def _differ(scores: Floats) -> bool:
    return len(scores) > 1 and bool(np.ptp(scores, axis=1).max() > 0.0)


def _joined(names: Sequence[str]) -> str:
    return " and ".join(names)
