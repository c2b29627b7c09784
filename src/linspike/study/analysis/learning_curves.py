"""Accuracy over epochs: what the figures of learning curves share.

An epoch of a claim is the first at which the mean over trials has come so far; its interval is
found by drawing trials anew, the same for all rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linspike._typing import Floats
from linspike.study.experiment import Line, Row, Trial, paired

DRAWS = 500
Curves = dict[str, Floats]  # (trials, epochs) of each rule
Means = dict[str, Floats]  # (epochs,) of each rule
Question = Callable[[Means], float]


def curves_of(trials: Sequence[Trial], names: Sequence[str], part: str) -> Curves:
    """Accuracy over epochs of each row of trials, for the same trials in each."""
    of = [{t.seed: t.record[part] for t in trials if t.cell["row"] == name} for name in names]
    found = paired(of)
    return {name: found[:, number] for number, name in enumerate(names)}


def first_epoch(means: Floats, goal: float) -> float:
    """First epoch, from 1, at which the mean reaches the goal; infinite if none does."""
    there = np.flatnonzero(means >= goal - 1e-9)
    return float(there[0] + 1) if there.size else np.inf


def answered(name: str, question: Question, curves: Curves, unit: str = "epochs") -> Row:
    """The answer for all trials, and its interval over trials drawn anew."""
    n, epochs = next(iter(curves.values())).shape
    value = question({who: curve.mean(axis=0) for who, curve in curves.items()})
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        chosen = rng.integers(n, size=n)
        draws.append(question({who: curve[chosen].mean(axis=0) for who, curve in curves.items()}))
    lo, hi = np.quantile(draws, [0.025, 0.975], method="inverted_cdf")
    never = f"not within {epochs} epochs"
    return Row(
        name,
        value if np.isfinite(value) else None,
        lo=float(lo) if np.isfinite(lo) else float(epochs),
        hi=float(hi) if np.isfinite(hi) else None,
        n=n,
        unit=unit,
        note="" if np.isfinite(value) else never,
    )


def line_of(name: str, curve: Floats) -> Line:
    """The mean over trials, with standard deviations."""
    mean = curve.mean(axis=0)
    spread = curve.std(axis=0, ddof=1) if len(curve) > 1 else np.zeros_like(mean)
    epochs = np.arange(1, mean.size + 1).tolist()
    lo, hi = (mean - spread).tolist(), np.minimum(mean + spread, 100.0).tolist()
    return Line(name, epochs, mean.tolist(), lo, hi)
