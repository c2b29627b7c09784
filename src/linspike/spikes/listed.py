"""Patterns in whatever form they come: one, several, or a set."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet


def as_patterns(X: Any) -> PatternSet | None:
    """Return the patterns if X is spikes: a set, or a list or array of patterns; else None."""
    if isinstance(X, PatternSet):
        return X
    if isinstance(X, Pattern):
        return PatternSet.from_patterns([X])
    listed = isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.ndim == 1)
    if listed and len(X) and all(isinstance(p, Pattern) for p in X):
        return PatternSet.from_patterns(X)
    return None
