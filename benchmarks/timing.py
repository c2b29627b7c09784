"""Timing that survives a noisy machine: candidates take turns, the best turn of each counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

ROUNDS = 15
LEAST_SECONDS = 0.02  # per turn, so that the clock and one interruption weigh little


@dataclass(frozen=True)
class Line:
    """One line of the report; `limit` is what the project promises, None for plain facts."""

    section: str
    name: str
    value: float
    unit: str
    limit: float | None = None
    note: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether the promise was kept in this run."""
        return None if self.limit is None else self.value <= self.limit


@dataclass
class Report:
    """Lines in the order they were measured."""

    lines: list[Line] = field(default_factory=list)

    def add(
        self,
        section: str,
        name: str,
        value: float,
        unit: str,
        limit: float | None = None,
        note: str = "",
    ) -> None:
        """Keep a line and show that it was measured."""
        self.lines.append(Line(section, name, float(value), unit, limit, note))

    def as_rows(self) -> list[dict[str, Any]]:
        """Lines as plain data."""
        return [{**asdict(line), "kept": line.kept} for line in self.lines]


def best_seconds(
    candidates: dict[str, Callable[[], object]],
    rounds: int = ROUNDS,
    least_seconds: float = LEAST_SECONDS,
) -> dict[str, float]:
    """Best time of one call of each candidate; they take turns, so that all meet the same weather.

    The first call of each, which may compile, is not timed.
    """
    repeats = {}
    for name, call in candidates.items():
        call()
        started = time.perf_counter()
        call()
        once = time.perf_counter() - started
        repeats[name] = max(1, round(least_seconds / max(once, 1e-9)))
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, call in candidates.items():
            started = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            seconds = (time.perf_counter() - started) / repeats[name]
            best[name] = min(best[name], seconds)
    return best
