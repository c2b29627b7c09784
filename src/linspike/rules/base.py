"""What every rule has: a frozen value with a step, and a few facts the trainer asks for."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

import numpy as np

from linspike.kernels.protocol import Situation, Work
from linspike.spikes.ragged import Floats


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
        Learning window of `situation.z_wanted`; a field or a class attribute.
    settle : float
        A pattern whose response is within this share of the criterion is left alone.
    count_target : str
        How wanted times are found for wanted counts: "halving" or "critical".
    own_counts : bool
        Whether the rule learns counts by itself, without wanted times.
    momentum : float
        Share of the last change that is added to the next.
    extra_rows : int
        Rows the step may need beyond one for each wanted and actual spike.
    """

    key: str = ""
    window: str = "psp"
    settle: float = 1.0
    count_target: str = "halving"
    own_counts: bool = False
    momentum: float = 0.0
    extra_rows: int = 0

    def compiled(self) -> Any:
        """The step as a compiled function of the protocol, or None for a plain Python rule."""
        return None

    def parameters(self, *, counts: bool) -> Floats:
        """Numbers handed to the step; counts says which task is learned."""
        return np.zeros(1)

    def step(
        self,
        situation: Situation,
        parameters: Floats,
        weights: Floats,
        change: Floats,
        work: Work,
    ) -> int:
        """Write the weight change to `change` and return an outcome of `kernels.protocol`."""
        raise NotImplementedError(f"{type(self).__name__} has no step.")

    def settings(self) -> dict[str, Any]:
        """Field names and values, as stored with a model."""
        return asdict(cast(Any, self))
