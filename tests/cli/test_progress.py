"""Progress: plain lines where nobody watches, times in fitting units."""

import io

import pytest

from linspike.cli import progress
from linspike.study.runner import Step


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.2, "3 s"), (89.0, "89 s"), (600.0, "10 min"), (7200.0, "2.0 h")]
)
def test_spans(seconds, text):
    assert progress.span(seconds) == text


def test_what_is_being_worked_on():
    step = Step("table1", {"row": "short, PSD", "rule": "psd", "load": 12}, 3, 10)
    assert progress.described(step) == "short, PSD, load 12"
    assert progress.described(Step("fig1", {}, 1, 1)) == ""


def test_plain_lines_come_now_and_then(monkeypatch):
    clock = iter([0.0, 1.0, 6.0, 7.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    stream = io.StringIO()
    with progress.Display(stream) as display:
        for done in range(1, 5):
            display.watch(Step("table1", {"row": "short, PSD", "load": 3}, done, 10))
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
        display.watch(Step("table1", {"row": "short, PSD", "load": 3}, 1, 10))
        display.say("finished")
    assert "finished" in stream.getvalue()
    assert "table1: 1 of 10 trials" in stream.getvalue()
