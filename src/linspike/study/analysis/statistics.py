"""Tests over paired trials: Friedman and Nemenyi for several methods, and two methods in detail.

Rows of scores are trials, columns methods: one row has the same data, split, order and initial
weights for all methods, so that only differences within a row count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._validation import check_names, check_row, check_scores
from linspike.errors import ParameterError
from linspike.study.analysis.intervals import mean_interval

LEVEL = 0.05
SAME = 1e-12  # differences this close, in units of the largest score, are taken as equal


class Friedman(NamedTuple):
    """Result of `friedman`; `critical` is the value that `f` exceeds by chance in 5 %."""

    n_trials: int
    mean_ranks: tuple[float, ...]
    chi2: float
    chi2_p: float
    f: float
    f_df: tuple[int, int]
    f_p: float
    critical: float

    def sentence(self) -> str:
        """Return one sentence for a report."""
        return (
            f"Friedman over {self.n_trials} trials of {len(self.mean_ranks)} methods: "
            f"chi2({self.f_df[0]}) = {self.chi2:.4g} ({_p(self.chi2_p)}), "
            f"F_F{self.f_df} = {self.f:.4g} ({_p(self.f_p)}), "
            f"5 % critical value {self.critical:.3g}: the methods "
            f"{'differ' if self.f > self.critical else 'are not distinguished'}."
        )


class Nemenyi(NamedTuple):
    """Result of `nemenyi`; row i, column j of `p_values` compares methods i and j."""

    names: tuple[str, ...]
    n_trials: int
    mean_ranks: tuple[float, ...]
    p_values: tuple[tuple[float, ...], ...]
    critical_difference: float

    def sentence(self) -> str:
        """Return a sentence for a report: mean ranks, then the pairs that differ, best first."""
        order = np.argsort(self.mean_ranks, kind="stable").tolist()
        ranks = ", ".join(f"{self.mean_ranks[i]:.2f} {self.names[i]}" for i in order)
        pairs = [(i, j, self.p_values[i][j]) for i, j in combinations(order, 2)]
        found = [(self.names[i], self.names[j], _p(p)) for i, j, p in pairs if p < LEVEL]
        apart = "; ".join(f"{better} before {worse} ({p})" for better, worse, p in found)
        return (
            f"Nemenyi over {self.n_trials} trials: mean ranks {ranks}; 5 % critical difference "
            f"{self.critical_difference:.3g}; {len(found)} of {len(pairs)} pairs differ"
            f"{': ' if apart else ''}{apart}."
        )


class PairedDifference(NamedTuple):
    """Result of `paired_difference`; `lo` and `hi` are the ends of the 95 % t interval."""

    n_trials: int
    mean: float
    lo: float
    hi: float
    p: float

    def sentence(self) -> str:
        """Return one sentence for a report."""
        return (
            f"Mean difference over {self.n_trials} paired trials {self.mean:.3g}, "
            f"95 % interval {self.lo:.3g} to {self.hi:.3g}; Wilcoxon signed-rank {_p(self.p)}."
        )


def friedman(scores: npt.ArrayLike) -> Friedman:
    """Test by Friedman, as chi2 and as F_F, whether all methods are equally good.

    With mean ranks R_j of k methods over N trials, 1 for the best, and tied scores sharing ranks,

        chi2 = (12 N / (k (k + 1))) (sum_j R_j^2 - k (k + 1)^2 / 4) / c
        F_F = (N - 1) chi2 / (N (k - 1) - chi2)

    where c <= 1 corrects for ties as scipy.stats.friedmanchisquare does. F_F has k - 1 and
    (k - 1)(N - 1) degrees of freedom; chi2 is the more cautious one (Demsar, JMLR 7, 2006).
    If all methods tie in every trial, chi2 and F_F are 0 and both p are 1. If all trials have the
    same ranks, F_F is infinite and its p is 0. Of two methods this is a sign test, and
    `paired_difference` sees more.

    Parameters
    ----------
    scores : array_like, (n_trials, n_methods)
        At least two of each; the largest is the best. Infinite scores have a rank; NaN has none.
    """
    from scipy import stats

    ranks = _doubled_ranks(scores, "friedman")
    n, k = ranks.shape
    # Sums of squares of doubled ranks are whole numbers, so that perfect agreement is seen exactly.
    sums, centre = ranks.sum(axis=0), k * (k + 1) ** 2
    between = int((sums**2).sum()) - n**2 * centre
    total = n * (int((ranks**2).sum()) - n * centre)
    chi2 = n * (k - 1) * between / total if total else 0.0
    f = (n - 1) * between / (total - between) if total > between else (np.inf if total else 0.0)
    df = (k - 1, (k - 1) * (n - 1))
    p, f_p = float(stats.chi2.sf(chi2, k - 1)), float(stats.f.sf(f, *df))
    means = tuple((sums / (2 * n)).tolist())
    return Friedman(n, means, chi2, p, f, df, f_p, float(stats.f.isf(LEVEL, *df)))


def nemenyi(scores: npt.ArrayLike, *, names: Sequence[str] = ()) -> Nemenyi:
    """Compare all pairs of methods by Nemenyi, for when Friedman's test says that some differ.

    With k methods over N trials, the p of a pair is that of the studentised range of k values,
    with infinite degrees of freedom, at ``sqrt(2) |R_i - R_j| / sqrt(k (k + 1) / (6 N))``. Mean
    ranks further apart than the critical difference differ at the 5 % level. There is no correction
    for ties, which errs on the cautious side. A method has p = 1 against itself. Scores are as for
    `friedman`; without `names` the methods are "method 1" and so on.
    """
    from scipy.stats import studentized_range

    ranks = _doubled_ranks(scores, "nemenyi")
    (n, k), sums = ranks.shape, ranks.sum(axis=0)
    names = check_names(tuple(names) or [f"method {i + 1}" for i in range(k)], k, "nemenyi")
    unit = np.sqrt(k * (k + 1) / (12 * n))  # one of the studentised range, as a rank difference
    apart, where = np.unique(np.abs(sums[:, None] - sums), return_inverse=True)
    # Numerical integration may leave [0, 1] by a rounding error.
    p = np.clip(studentized_range.sf(apart / (2 * n) / unit, k, np.inf), 0.0, 1.0)
    matrix = tuple(map(tuple, p[where].reshape(k, k).tolist()))
    critical = float(studentized_range.isf(LEVEL, k, np.inf) * unit)
    return Nemenyi(names, n, tuple((sums / (2 * n)).tolist()), matrix, critical)


def paired_difference(a: npt.ArrayLike, b: npt.ArrayLike) -> PairedDifference:
    """Return the mean of a - b with its 95 % t interval, and p of Wilcoxon's signed-rank test.

    `a` and `b` are finite scores of two methods in the same trials, two at least. Equal scores are
    left out of Wilcoxon's test; if all are equal, p is 1. Differences that are equal but for
    rounding, 0.98 - 0.96 and 0.96 - 0.94, tie. scipy.stats.wilcoxon chooses between the exact p
    (few trials) and the normal approximation.
    """
    from scipy.stats import wilcoxon

    owner = "paired_difference"
    first, second = check_row(a, "a", owner), check_row(b, "b", owner)
    if first.size != second.size:
        raise ParameterError.of("b", owner, f"of {first.size} trials, as a is", second.size)
    largest = max(np.abs(first).max(), np.abs(second).max()) or 1.0
    steps = np.round((first / largest - second / largest) / SAME)
    p = float(wilcoxon(steps[steps != 0]).pvalue) if steps.any() else 1.0
    # Differences that only rounding leaves are none: their mean would be shown as 1e-17.
    difference = np.where(steps == 0.0, 0.0, first - second)
    return PairedDifference(first.size, *mean_interval(difference), p)


def _doubled_ranks(scores: Any, owner: str) -> npt.NDArray[np.int64]:
    """Return twice the rank of each method in its trial, 2 for the best; whole despite ties."""
    from scipy.stats import rankdata

    array = check_scores(scores, "scores", owner)
    doubled: npt.NDArray[np.int64] = np.rint(2 * rankdata(-array, axis=1)).astype(np.int64)
    return doubled


def _p(p: float) -> str:
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.3g}"
