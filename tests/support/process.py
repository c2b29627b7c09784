"""Run Python in a process of its own."""

import os
import subprocess
import sys

# The head of a script that counts what it compiles, as opposed to loads, as `count.compiled`.
LISTEN = """
from numba.core import event
class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass
count = Count()
event.register("numba:compile", count)
"""
FIRST_FIT = """
import linspike as ls
pattern = ls.Pattern([5.0], [0], n_channels=1, duration=50.0)
result = ls.Trainer(ls.SRM(), "dta").fit([0.1], pattern, ls.SpikeTimes([[7.8]]))
assert result.converged
result = ls.Trainer(ls.SRM(), "dta").fit([0.1], pattern, ls.SpikeCounts([1]))
assert result.converged
print(count.compiled)
"""


def children_seconds():
    """Return the processor time of all finished child processes: load beside does not count."""
    times = os.times()
    return times.children_user + times.children_system


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
