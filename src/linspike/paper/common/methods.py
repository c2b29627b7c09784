"""The methods of the paper's tables: baselines, our projection, and the paper's linear program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linspike.study.methods import Method
from linspike.study.tuning import ABSOLUTE_BOUNDS, BOUNDS, ETAS, TUNING_SEEDS

COMMON_ETA = 0.01  # what the paper trains all rules with
PROJECTION = "DTA (projection)"
LINEAR_PROGRAM = "DTA (paper's linear program)"

# Schedules of the steps, first and last factor; every rule is tuned with both.
STEADY, ANNEALED = (1.0, 1.0), (1.5, 0.5)
SCHEDULES = (STEADY, ANNEALED)


def baseline(name: str, rule: str, **settings: Any) -> Method:
    """Return a rule with a step size, at the paper's unless tuned."""
    return Method(name, rule, settings, "eta", COMMON_ETA, ETAS)


def projection(name: str = PROJECTION, **settings: Any) -> Method:
    """Return DTA with its default bound; where it trains in one go, settings name a schedule."""
    return Method(name, "dta", settings, "bound", 0.4, BOUNDS)


def linear_program(name: str = LINEAR_PROGRAM, **settings: Any) -> Method:
    """Return the paper's linear program with all settings, so that a cell says all of it."""
    fixed = {
        "min_multiplier": 1e-6,
        "margin": 1e-6,
        "fallback_step": 0.01,
        "fallback_per": "step",
        "match_tolerance": 0.0,
        "skip_below": 0.0,
        "schedule": STEADY,
        **settings,
    }
    return Method(name, "dta_lp", fixed, "bound", 0.01, ABSOLUTE_BOUNDS)


def tuning_seeds(count: int) -> Sequence[int]:
    """Return seeds that no table is measured on."""
    return range(TUNING_SEEDS.start, TUNING_SEEDS.start + count)
