"""Progress: plain lines where nobody watches, times in fitting units."""

import io

import pytest
from tests.support.toy_experiment import ToyCell

from linspike.cli import progress
from linspike.study.rows import RowKey
from linspike.study.runner import Progress

CELL = ToyCell(scale="smoke", row=RowKey("short", "PSD"), load=3)


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.2, "3 s"), (89.0, "89 s"), (600.0, "10 min"), (7200.0, "2.0 h")]
)
def test_spans(seconds, text):
    assert progress.span(seconds) == text


def test_plain_lines_come_now_and_then(monkeypatch):
    clock = iter([0.0, 1.0, 6.0, 7.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    stream = io.StringIO()
    with progress.Display(stream) as display:
        for done in range(1, 5):
            display.watch(Progress("table1", CELL, done, 10))
        display.say("that was it")
    lines = stream.getvalue().splitlines()
    assert lines == [
        "table1: 3 of 10 trials, short, PSD, load 3, 0.5 trials/s, 14 s left",
        "that was it",
    ]


def test_a_live_line_in_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    with progress.Display(stream) as display:
        display.watch(Progress("table1", CELL, 1, 10))
        display.say("finished")
    assert "finished" in stream.getvalue()
    assert "table1: 1 of 10 trials" in stream.getvalue()
