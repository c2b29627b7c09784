"""Schedules: the factor of the steps in each epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.errors import ParameterError

FALLING = 0.8  # share of the epochs in which a linear schedule goes from its first to its last


def _numbers(max_epochs: int, done_before: int) -> Floats:
    return np.arange(done_before, done_before + max_epochs, dtype=np.float64)


def _check_factor(schedule: Any, name: str) -> None:
    owner = type(schedule).__name__
    how: dict[str, Any] = {"least": 0.0, "domain": "finite and at least 0"}
    object.__setattr__(schedule, name, check_real(getattr(schedule, name), name, owner, **how))


@dataclass(frozen=True)
class Linear:
    """Factors on a straight line from the first epoch to 80 % of `max_epochs`, constant after it.

    Parameters
    ----------
    first : float
        Factor of the steps in epoch 0.
    last : float
        Factor of the steps in the last fifth of the epochs.

    Examples
    --------
    >>> from linspike.training import Linear
    >>> Linear(1.5, 0.5).factors(5).tolist()
    [1.5, 1.25, 1.0, 0.75, 0.5]
    """

    first: float
    last: float

    def __post_init__(self) -> None:
        _check_factor(self, "first")
        _check_factor(self, "last")

    def factors(self, max_epochs: int, done_before: int = 0) -> Floats:
        """Return one factor per epoch, for `max_epochs` epochs after `done_before` others."""
        return np.asarray(
            self.first + self._done(max_epochs, done_before) * (self.last - self.first)
        )

    def progress(self, max_epochs: int, done_before: int = 0) -> Floats:
        """Return the share of the way from `first` to `last` per epoch; 0 if they are equal."""
        if self.first == self.last:
            return np.zeros(max_epochs)
        return self._done(max_epochs, done_before)

    def _done(self, max_epochs: int, done_before: int) -> Floats:
        return np.minimum(1.0, _numbers(max_epochs, done_before) / (FALLING * max_epochs))


@dataclass(frozen=True)
class Inverse:
    """Factors that fall as 1/(1 + rate e) with the number e of the epoch, counted from 0.

    Parameters
    ----------
    rate : float
        How fast they fall; 0 leaves them at 1.

    Examples
    --------
    >>> from linspike.training import Inverse
    >>> Inverse(0.5).factors(3).tolist()
    [1.0, 0.6666666666666666, 0.5]
    """

    rate: float

    def __post_init__(self) -> None:
        _check_factor(self, "rate")

    def factors(self, max_epochs: int, done_before: int = 0) -> Floats:
        """Return one factor per epoch, for `max_epochs` epochs after `done_before` others."""
        return np.asarray(1.0 / (1.0 + self.rate * _numbers(max_epochs, done_before)))

    def progress(self, max_epochs: int, done_before: int = 0) -> Floats:
        """Return the share of the way from 1 to 0 per epoch."""
        return np.asarray(1.0 - self.factors(max_epochs, done_before))


Schedule = Linear | Inverse
CONSTANT = Linear(1.0, 1.0)
KINDS = {kind.__name__: kind for kind in (Linear, Inverse)}


def make_schedule(value: Any, owner: str) -> Schedule:
    """Return a schedule as it is, or a linear one of a pair of factors."""
    if isinstance(value, Linear | Inverse):
        return value
    domain = "a schedule or a pair of factors, finite and at least 0"
    if not isinstance(value, (tuple, list, np.ndarray)) or np.shape(value)[:1] != (2,):
        raise ParameterError.of("schedule", owner, domain, value)
    first, last = (check_real(each, "schedule", owner, least=0.0, domain=domain) for each in value)
    return Linear(first, last)
