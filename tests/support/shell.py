"""The command line as tests call it: in this process, with what it printed."""

import contextlib
import io
import sys
from typing import NamedTuple

from linspike.cli import main
from linspike.cli.app import COMMANDS, cli


class Done(NamedTuple):
    code: int
    out: str
    err: str


def every_command():
    """All commands with their names, those of groups too."""
    pending = [(name, cli.get_command(None, name)) for name in COMMANDS]
    while pending:
        name, command = pending.pop()
        yield name, command
        pending += [
            (f"{name} {key}", each) for key, each in getattr(command, "commands", {}).items()
        ]


def run(*arguments, stdin=b""):
    """The command line, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["linspike", *map(str, arguments)]
    keyboard, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        sys.argv, sys.stdin = before, keyboard
    return Done(code, out.getvalue(), err.getvalue())
