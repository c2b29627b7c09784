"""Interpreters that have other simulators and frameworks, which need not be this one.

LINSPIKE_PEERS_PYTHON names a Python with NEST and Brian2 (extra peers), and
LINSPIKE_FRAMEWORKS_PYTHON one with snnTorch and SpikingJelly (extra frameworks).
"""

import functools
import os
import subprocess
import sys

import pytest

VARIABLES = {"peers": "LINSPIKE_PEERS_PYTHON", "frameworks": "LINSPIKE_FRAMEWORKS_PYTHON"}


@functools.cache
def find_version(python, package):
    """Version of a package in an interpreter; empty if it has none."""
    script = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def require(extra, package, pinned=""):
    """The interpreter with this package, or a skip that says how to get one."""
    python = os.environ.get(VARIABLES[extra], sys.executable)
    found = find_version(python, package)
    if not found:
        pytest.skip(f"{package} is not installed: extra {extra}, or {VARIABLES[extra]}")
    if pinned and found != pinned:
        pytest.skip(f"{package} {found} is installed, the test is for {pinned}")
    return python


def run_with(python, *arguments, cwd):
    """Run a program of ours, without linspike on its path."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LINSPIKE"))}
    command = [python, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
