"""The command line as tests call it: in this process, with what it printed."""

import contextlib
import io
import sys
from typing import NamedTuple

from linspike.cli import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments):
    """The command line, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["linspike", *map(str, arguments)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        sys.argv = before
    return Done(code, out.getvalue(), err.getvalue())
