"""Progress of long work on stderr: a live line in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, TextIO

from linspike.study.runner import Progress

EVERY_SECONDS = 5.0  # between plain lines


def span(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"


class Display:
    """Shows steps of the runner; use it as a context manager and hand on `watch`."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live: Any = None
        self._experiment, self._started, self._shown = "", 0.0, 0.0

    def __enter__(self) -> Display:
        if self._stream.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(file=self._stream), refresh_per_second=4)
            self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def watch(self, step: Progress) -> None:
        """Take note of a step."""
        now = time.monotonic()
        if step.experiment != self._experiment:
            self._experiment, self._started, self._shown = step.experiment, now, now
        if self._live is not None or now - self._shown >= EVERY_SECONDS:
            self._shown = now
            self.renew(self._line(step, now - self._started))

    def renew(self, line: str) -> None:
        """A line that gives way to the next one in a terminal, and stays elsewhere."""
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text(line))
        else:
            self.say(line)

    def say(self, line: str) -> None:
        """A line that stays."""
        if self._live is not None:
            self._live.console.print(line, markup=False, highlight=False)
        else:
            print(line, file=self._stream, flush=True)

    def _line(self, step: Progress, elapsed: float) -> str:
        line = f"{step.experiment}: {step.done} of {step.total} trials, {step.cell.describe()}"
        if elapsed > 0.0:
            rate = step.done / elapsed
            left = (step.total - step.done) / rate
            line += f", {rate:.3g} trials/s, {span(left)} left"
        return line
