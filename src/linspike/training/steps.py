"""A rule's step and numbers, checked before a chain trusts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError
from linspike.kernels.training.signatures import is_compiled
from linspike.rules.base import Rule

NO_OUTCOME = -1


def check_step(rule: Rule) -> None:
    """Refuse a rule that has no step at all, or one that is not compiled to the protocol."""
    compiled = rule.compiled()
    if compiled is None:
        if type(rule).step is Rule.step:
            domain = "a rule that defines step, or returns one from compiled"
            raise ParameterError.of("rule", "Trainer", domain, rule)
    elif not is_compiled(compiled):
        remedy = "Decorate the function with linspike.rule_step."
        domain = "a rule whose compiled() is a compiled step"
        raise ParameterError.of("rule", "Trainer", domain, rule, remedy)


def step_of(rule: Rule) -> tuple[bool, Callable[..., int]]:
    """Whether the step is compiled, and the step."""
    compiled = rule.compiled()
    if compiled is not None:
        return True, getattr(compiled, "dispatcher", compiled)

    def plain(*parts: Any) -> int:
        outcome = rule.step(*parts)
        known = isinstance(outcome, (int, np.integer)) and not isinstance(outcome, bool)
        return int(outcome) if known else NO_OUTCOME

    return False, plain


def parameters_of(rule: Rule, counts: bool) -> Floats:
    """The numbers of a rule, in the one form that compiled steps take."""
    found = rule.parameters(counts=counts)
    right = isinstance(found, np.ndarray) and found.dtype == np.float64 and found.ndim == 1
    if not (right and found.flags.c_contiguous):
        domain = "a rule whose parameters() is a one-dimensional array of float64"
        raise ParameterError.of("rule", "Trainer", domain, rule)
    return found


def bad_outcome(rule: Rule) -> ParameterError:
    """What to raise for a step that returned nothing of the protocol."""
    domain = "a rule whose step returns an outcome from 0 to 3"
    return ParameterError.of("rule", "Trainer", domain, rule)
