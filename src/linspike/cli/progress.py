"""Progress of long work on stderr: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

EVERY_SECONDS = 5.0  # between plain lines


def format_seconds(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"


class Display:
    """Shows how far work is. Use it as a context manager and call `update`.

    Parameters
    ----------
    unit : str
        What is counted, such as "trials".
    stream : text stream, optional
        Where to write; stderr unless given.
    """

    def __init__(self, unit: str, stream: TextIO | None = None) -> None:
        self._unit, self._stream = unit, stream or sys.stderr
        self._bar: Any = None
        self._task: Any = None
        self._label, self._started, self._shown = "", 0.0, 0.0

    def __enter__(self) -> Display:
        if self._stream.isatty():
            self._bar = _make_bar(self._stream)
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, label: str, done: int, total: int | None, detail: str = "") -> None:
        """Show that `done` of `total` are done; a new label starts the clock anew.

        Without a total nobody knows how much is left: then the number done is all there is to show.
        """
        if self._bar is not None:
            self._update_bar(label, done, total, detail)
            return
        now = time.monotonic()
        if label != self._label:
            self._label, self._started, self._shown = label, now, now
        elif now - self._shown >= EVERY_SECONDS:
            self._shown = now
            parts = [f"{label}: {self._count(done, total)}", detail]
            if total is not None:
                rate = done / (now - self._started)
                left = format_seconds((total - done) / rate) if rate else "unknown time"
                parts.append(f"{left} left")
            self.say(", ".join(part for part in parts if part))

    def say(self, line: str) -> None:
        """Write a line that stays."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=self._stream, flush=True)

    def _count(self, done: int, total: int | None) -> str:
        return f"{done} {self._unit}" if total is None else f"{done} of {total} {self._unit}"

    def _update_bar(self, label: str, done: int, total: int | None, detail: str) -> None:
        count = self._count(done, total)
        state = {"completed": done, "total": total, "count": count, "detail": detail}
        if label == self._label:
            self._bar.update(self._task, **state)
            return
        self._label = label
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(label, **state)


def _make_bar(stream: TextIO) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[count]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[detail]}", markup=False),
        console=Console(file=stream),
        transient=True,
    )
