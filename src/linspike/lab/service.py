"""What the lab can do: plain data in, plain data out, or a LinspikeError with a sentence.

Nothing here knows of the web. A request is a dict as JSON has it; `HANDLERS` names what there is.
"""

from __future__ import annotations

import base64
import binascii
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from linspike.errors import FileFormatError, LinspikeError, RunawayWarning, UnitWarning
from linspike.lab.document import Document, read_document
from linspike.lab.draw import draw
from linspike.lab.examples import list_examples, make_example
from linspike.lab.exchange.export import export
from linspike.lab.exchange.opening import complete, open_file
from linspike.lab.learn import MOST_AT_ONCE, evaluate, run
from linspike.lab.look import look
from linspike.lab.plain import as_plain, read_entries, read_flag, read_text, read_whole
from linspike.lab.rule_list import list_rules
from linspike.lab.solution import check_document, explain_conflict, solve_document
from linspike.lab.state import State, read_state

MOST_NAME = 200  # characters of a file's name
Plain = dict[str, Any]
_TURN = threading.RLock()  # filters of warnings belong to the whole process: one request at a time


class TooLongError(LinspikeError):
    """A request that would take longer than is allowed."""


class Clock:
    """The time that a request may take.

    Parameters
    ----------
    seconds : float
        How long.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raise if the time is over."""
        if time.monotonic() > self._end:
            raise TooLongError(
                f"This took longer than the {self.seconds:g} seconds allowed. "
                "Ask for fewer steps, or make the task smaller."
            )


def _read_rule(request: Plain, document: Document) -> int:
    return read_whole(request.get("rule", 0), "rule", 0, len(document.rules) - 1)


def _read_all(request: Plain) -> tuple[Document, int, State]:
    """Return the document of a request, the number of its rule, and where that stands."""
    document = read_document(request.get("document"))
    return document, _read_rule(request, document), read_state(request.get("state"), document)


def _read_pattern(request: Plain, document: Document) -> int:
    return read_whole(request.get("pattern", 0), "pattern", 0, len(document.patterns) - 1)


def handle_about(request: Plain, clock: Clock) -> Plain:
    """Return all rules and the names of the examples."""
    return {"rules": list_rules(), "examples": list_examples()}


def handle_example(request: Plain, clock: Clock) -> Plain:
    """Return the document of an example."""
    return {"document": make_example(read_text(request.get("name"), "name", MOST_NAME))}


def handle_look(request: Plain, clock: Clock) -> Plain:
    """Return a close look at one pattern, and at the step that the rule would take."""
    document, rule, state = _read_all(request)
    return look(document, rule, _read_pattern(request, document), state)


def handle_check(request: Plain, clock: Clock) -> Plain:
    """Return sentences on what cannot be learned, and which responses are right."""
    document, rule, state = _read_all(request)
    sentences = check_document(document)
    sentences += explain_conflict(document, rule, _read_pattern(request, document), state)
    right, distances = evaluate(document, state)
    return {"sentences": sentences, "right": right, "distances": as_plain(distances)}


def handle_read(request: Plain, clock: Clock) -> Plain:
    """Return a document with all its entries, if it can be used."""
    return {"document": complete(request.get("document"))}


def handle_solve(request: Plain, clock: Clock) -> Plain:
    """Return weights for the whole task, or the proof that there are none."""
    return solve_document(read_document(request.get("document")), clock.check)


def handle_draw(request: Plain, clock: Clock) -> Plain:
    """Return random spikes or weights."""
    return draw(request)


def handle_open(request: Plain, clock: Clock) -> Plain:
    """Return the document after a file was opened."""
    name = read_text(request.get("name"), "name", MOST_NAME)
    packed = request.get("base64")
    try:
        content = base64.b64decode(packed, validate=True)  # type: ignore[arg-type]
    except (binascii.Error, TypeError, ValueError):
        raise FileFormatError(f"{name!r} did not arrive whole.") from None
    return {"document": open_file(name, content, read_document(request.get("document")))}


def handle_export(request: Plain, clock: Clock) -> Plain:
    """Return a file."""
    document, rule, state = _read_all(request)
    return dict(export(document, rule, state, request.get("kind")))


HANDLERS: dict[str, Callable[[Plain, Clock], Plain]] = {
    "about": handle_about,
    "check": handle_check,
    "draw": handle_draw,
    "example": handle_example,
    "export": handle_export,
    "look": handle_look,
    "open": handle_open,
    "read": handle_read,
    "solve": handle_solve,
}


@contextmanager
def _catching() -> Iterator[list[warnings.WarningMessage]]:
    """Collect the library's warnings instead of printing them."""
    with _TURN, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for kind in (RunawayWarning, UnitWarning):
            warnings.simplefilter("always", kind)
        yield caught


def handle(name: str, request: Any, clock: Clock) -> Plain:
    """Return the response to a request, with the library's warnings as remarks."""
    with _catching() as caught:
        found = HANDLERS[name](read_entries(request, "request"), clock)
    remarks = sorted({str(each.message) for each in caught})
    return {**found, "remarks": remarks} if remarks else found


def play(request: Any, clock: Clock) -> Iterator[Plain]:
    """Yield the states that a chain goes through; of a request that is refused, none."""
    with _catching():
        entries = read_entries(request, "request")
        document, rule, state = _read_all(entries)
        steps = read_whole(entries.get("steps", 1), "steps", 0, MOST_AT_ONCE)
        looks = read_flag(entries.get("looks", False), "looks")
    frames = run(document, rule, state, steps, looks=looks, check=clock.check)
    while True:
        with _catching():
            frame = next(frames, None)
        if frame is None:
            return
        yield frame
