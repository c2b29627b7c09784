"""Criteria: when a response counts as right."""

from __future__ import annotations

from typing import Any

from linspike._validation import check_choice, check_real
from linspike.errors import ParameterError
from linspike.kernels.trains.distances import PAPER, STRICT
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance

CRITERIA = {"paper": PAPER, "strict": STRICT}
STRICT_TOLERANCE = 1.0  # ms


def check_criterion(criterion: Any, tolerance: Any, owner: str) -> None:
    """Refuse a criterion that does not exist, or a tolerance for one that has none."""
    check_choice(criterion, "criterion", owner, CRITERIA)
    if tolerance is None:
        return
    if criterion != "strict":
        remedy = "Pass criterion='strict' too."
        raise ParameterError.of("tolerance", owner, "None for this criterion", tolerance, remedy)
    check_real(tolerance, "tolerance", owner, above=0.0, domain="None, or positive and finite")


def tolerance_of(criterion: str, tolerance: float | None, neuron: SRM) -> float | None:
    """Return the tolerance of the strict criterion in milliseconds, None for the paper's."""
    if criterion != "strict":
        return None
    return scale_tolerance(STRICT_TOLERANCE, neuron.tau_s) if tolerance is None else tolerance
