"""Provenance of a number: versions, commit and machine."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import lru_cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("linspike", "numpy", "numba", "scipy", "piqp", "highspy")


@lru_cache(maxsize=1)
def read_provenance() -> dict[str, str]:
    """Return versions, the commit if this is a checkout, and the kind of processor."""
    from linspike.kernels.jit import host_cpu

    found = {name: _read_version(name) for name in PACKAGES}
    found["python"] = platform.python_version()
    found["commit"] = _read_commit()
    found["cpu"] = f"{platform.machine()}, {host_cpu()}"
    found["cores"] = str(os.cpu_count())
    found["system"] = platform.system()
    return found


def _read_version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


def _read_commit() -> str:
    """Return the checkout's commit, with a plus if files differ; empty without a checkout."""
    folder = Path(__file__).resolve().parent
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty=+", "--abbrev=10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
        inside = ["git", "-C", str(folder), "ls-files", "--error-unmatch", __file__]
        subprocess.run(inside, capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
