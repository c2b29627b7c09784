"""Checks of what a rule declares, which may be a rule of the user's own."""

from __future__ import annotations

from linspike._validation import check_choice, check_flag, check_real
from linspike.errors import ParameterError
from linspike.kernels.training.signatures import is_compiled
from linspike.neuron.windows import WINDOWS
from linspike.rules.base import Rule
from linspike.training.prepare import TIME_FINDERS
from linspike.training.schedule import make_schedule


def check_rule(rule: Rule) -> None:
    """Refuse a rule whose declarations or step cannot be used."""
    owner = type(rule).__name__
    check_real(rule.skip_below, "skip_below", owner, least=0.0, domain="finite and at least 0")
    check_real(rule.momentum, "momentum", owner, least=0.0, below=1.0, domain="in [0, 1)")
    make_schedule(rule.own_schedule(), owner)
    if not rule.own_counts:
        check_choice(rule.count_target, "count_target", owner, TIME_FINDERS)
    check_choice(rule.window, "window", owner, WINDOWS)
    check_flag(rule.learns_times, "learns_times", owner)
    check_flag(rule.own_counts, "own_counts", owner)
    _check_step(rule)


def _check_step(rule: Rule) -> None:
    compiled = rule.compiled()
    if compiled is None:
        if type(rule).step is Rule.step:
            domain = "a rule that defines step, or returns one from compiled"
            raise ParameterError.of("rule", "Trainer", domain, rule)
    elif not is_compiled(compiled):
        remedy = "Decorate the function with linspike.rule_step."
        domain = "a rule whose compiled() is a compiled step"
        raise ParameterError.of("rule", "Trainer", domain, rule, remedy)
