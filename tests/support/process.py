"""Run Python in a process of its own."""

import os
import subprocess
import sys


def run_python(*arguments, cwd=None, check=True, timeout=None, **environment):
    """Return the finished process of `python *arguments`, with its output as text.

    `environment` is added to the variables of this process. With `check` a process that fails
    fails the test, and its standard error is shown.
    """
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert not check or done.returncode == 0, done.stderr
    return done
