"""Progress: plain lines where nobody watches, a bar in a terminal, times in fitting units."""

import io

import pytest

from linspike.cli import progress


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.2, "3 s"), (89.0, "89 s"), (600.0, "10 min"), (7200.0, "2.0 h")]
)
def test_times(seconds, text):
    assert progress.format_seconds(seconds) == text


def test_plain_lines_come_now_and_then(monkeypatch):
    clock = iter([0.0, 1.0, 6.0, 7.0, 8.0, 13.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    stream = io.StringIO()
    with progress.Display("trials", stream) as display:
        for done in range(1, 5):
            display.update("table1", done, 10, "short, PSD, load 3")
        display.say("that was it")
        for done in range(2):
            display.update("table2", done, 4)
    assert stream.getvalue().splitlines() == [
        "table1: 3 of 10 trials, short, PSD, load 3, 14 s left",
        "that was it",
        "table2: 1 of 4 trials, 15 s left",
    ]


def test_lines_without_a_total_say_what_is_done(monkeypatch):
    clock = iter([0.0, 1.0, 6.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    stream = io.StringIO()
    with progress.Display("rounds", stream) as display:
        for done in range(1, 4):
            display.update("certify", done, None, "420 rows")
    assert stream.getvalue() == "certify: 3 rounds, 420 rows\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_in_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with progress.Display("trials", stream) as display:
        display.update("table1", 1, 10, "short, [PSD], load 3")
        display.say("table1 is [finished]")
        display.update("table1", 2, 10)
        display.update("table2", 3, 4)
    shown = stream.getvalue()
    for text in ("table1", "1 of 10 trials", "short, [PSD], load 3", "table1 is [finished]\n"):
        assert text in shown
    assert "3 of 4 trials" in shown


def test_a_bar_without_a_total_has_no_end(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with progress.Display("rounds", stream) as display:
        display.update("certify", 1, None, "420 rows")
        display.update("certify", 2, None, "440 rows")
    shown = stream.getvalue()
    assert "2 rounds" in shown
    assert "440 rows" in shown
    assert "None" not in shown
