"""The base of all rules: a frozen value with a step, and what it declares to the trainer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_choice, check_flag, check_real
from linspike.errors import ParameterError
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import is_compiled
from linspike.neuron.srm import SRM
from linspike.neuron.windows import WINDOWS

# Domains of the settings that rules share.
DOMAINS: dict[str, dict[str, Any]] = {
    "eta": {"above": 0.0, "domain": "finite and positive"},
    "momentum": {"least": 0.0, "below": 1.0, "domain": "in [0, 1)"},
    "tolerance": {"above": 0.0, "domain": "finite and positive"},
    "max_delay": {"above": 0.0, "domain": "finite and positive"},
    **{
        name: {"least": 0.0, "domain": "finite and at least 0"}
        for name in ("skip_below", "match_tolerance", "hold_tolerance", "margin", "fallback_step")
    },
}

TARGETS = frozenset({"times", "counts"})
TIME_FINDERS = ("halving", "critical")  # ways to find desired times for a desired count
COUNT_TARGETS = (*TIME_FINDERS, "gradient")  # of both forms of DTA
STEADY = (1.0, 1.0)  # the same steps in all epochs


def check_schedule(value: Any, owner: str, name: str = "schedule") -> tuple[float, float]:
    """Return the two factors of the steps as floats."""
    domain = "a pair of factors, finite and at least 0"
    if not isinstance(value, (tuple, list, np.ndarray)) or np.shape(value)[:1] != (2,):
        raise ParameterError.of(name, owner, domain, value)
    first, last = (check_real(each, name, owner, least=0.0, domain=domain) for each in value)
    return first, last


class Rule:
    """A learning rule: what to change after one response to one pattern.

    A rule of your own derives from this, as a frozen dataclass, and defines `step`. That is a
    plain Python rule, which the trainer runs as it is. For speed, write the same function at
    module level, decorate it with `rule_step`, and return it from `compiled`.

    Attributes
    ----------
    key : str
        Name in the registry.
    window : str
        Learning window of `StepInput.z_desired`; a field or a class attribute.
    skip_below : float
        A pattern whose response is within this share of the criterion is left alone.
    targets : frozenset of {"times", "counts"}
        What the rule can learn.
    counts_as_times : bool
        Whether a desired count is turned into desired times before each step. If not, the step
        gets no desired times for it and goes by `StepInput.target_count`.
    count_target : str
        How these times are found: "halving" or "critical". Not used without `counts_as_times`.
    whitens : bool
        Whether the step for a count needs the metric of the patterns, `NeuronConstants.metric`.
    learns_delays : bool
        Whether the step changes the delays too: `StepInput.delays` has them, and `change` has twice
        as many entries as there are channels, weights first.
    max_delay : float
        The longest delay of such a rule, in milliseconds.
    momentum : float
        Share of the last change that is added to the next.
    schedule : pair of float
        Factor of the steps in the first epoch and in the last ones, see `Trainer`.
    """

    key: str = ""
    window: str = "psp"
    skip_below: float = 1.0
    targets: frozenset[str] = TARGETS
    counts_as_times: bool = True
    count_target: str = "halving"
    whitens: bool = False
    learns_delays: bool = False
    max_delay: float = 20.0
    momentum: float = 0.0
    schedule: tuple[float, float] | None = STEADY

    def __post_init__(self) -> None:
        kind = type(self)
        for name, value in self.settings().items():
            is_default = value is None and getattr(kind, name) is None
            if name in DOMAINS and not is_default:
                check_real(value, name, kind.__name__, **DOMAINS[name])

    def adapt(self, neuron: SRM, tolerance: float | None = None) -> Rule:
        """Return the rule with its defaults for this neuron, where these depend on it.

        tolerance is that of the strict criterion, None for the paper's.
        """
        return self

    def for_patterns(self, independence: Callable[[], float], n_patterns: int) -> Rule:
        """Return the rule with its choices for these patterns, where it leaves some open.

        It is asked where counts are learned. independence returns how near the patterns are to
        independent ones, see `training.measures`.
        """
        return self

    def own_schedule(self) -> tuple[float, float]:
        """Return the factors that the trainer takes unless it has its own."""
        return check_schedule(self.schedule, type(self).__name__)

    def compiled(self) -> Any:
        """Return the step as a compiled function of the protocol, or None for plain Python."""
        return None

    def options(self, *, counts: bool) -> tuple[float, ...]:
        """Return the numbers that the compiled step needs; counts says which task is learned.

        A NamedTuple lets the step unpack them by name.
        """
        return (0.0,)

    def parameters(self, *, counts: bool) -> Floats:
        """Return the options as the array that is passed to the step."""
        return np.array(self.options(counts=counts), dtype=np.float64)

    def step(
        self,
        step_input: StepInput,
        parameters: Floats,
        weights: Floats,
        change: Floats,
        work: StepWorkspace,
    ) -> int:
        """Write the weight change to `change` and return an outcome, see `rules.toolkit`."""
        compiled = self.compiled()
        if compiled is None:
            raise NotImplementedError(f"{type(self).__name__} has no step.")
        return int(compiled(step_input, parameters, weights, change, work))

    def settings(self) -> dict[str, Any]:
        """Field names and values, as stored with a model."""
        if not is_dataclass(self):
            return {}
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's and pairs as lists, which files and texts can hold."""
    if isinstance(value, tuple):
        return list(value)
    return value.item() if isinstance(value, np.generic) else value


def check_rule(rule: Rule) -> None:
    """Refuse a rule, maybe of the user's own, whose declarations or step cannot be used."""
    owner = type(rule).__name__
    for name in ("skip_below", "momentum"):
        check_real(getattr(rule, name), name, owner, **DOMAINS[name])
    check_schedule(rule.own_schedule(), owner)
    check_choice(rule.window, "window", owner, WINDOWS)
    if not isinstance(rule.targets, (set, frozenset)) or not (set() < rule.targets <= TARGETS):
        domain = "a set of 'times', 'counts' or both"
        raise ParameterError.of("targets", owner, domain, rule.targets)
    check_flag(rule.whitens, "whitens", owner)
    if check_flag(rule.learns_delays, "learns_delays", owner):
        check_real(rule.max_delay, "max_delay", owner, **DOMAINS["max_delay"])
    if check_flag(rule.counts_as_times, "counts_as_times", owner):
        check_choice(rule.count_target, "count_target", owner, ("auto", *TIME_FINDERS))
    compiled = rule.compiled()
    if compiled is None and type(rule).step is Rule.step:
        domain = "a rule that defines step, or returns one from compiled"
        raise ParameterError.of("rule", "Trainer", domain, rule)
    if compiled is not None and not is_compiled(compiled):
        remedy = "Decorate the function with linspike.rule_step."
        domain = "a rule whose compiled() is a compiled step"
        raise ParameterError.of("rule", "Trainer", domain, rule, remedy)
