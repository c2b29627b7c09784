"""What `linspike doctor` looks at: versions, threads, cache, data, optional parts."""

from __future__ import annotations

import os
import platform
import sys
import time
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from linspike._threads import available_cores

REQUIRED = ("numpy", "numba", "click", "rich", "platformdirs", "pooch")
OPTIONAL = {
    "report": ("matplotlib",),
    "solvers": ("piqp", "highspy"),
    "cnn": ("torch",),
    "peers": ("brian2", "nest-simulator"),
}
MODULES = {"nest-simulator": "nest"}


@dataclass(frozen=True)
class Finding:
    """One line of the report; ok is None for plain facts and for parts that may be absent."""

    topic: str
    name: str
    value: str
    ok: bool | None = None


def examine() -> list[Finding]:
    """All findings, in the order they are shown."""
    return [*_versions(), *_machine(), *_cache(), _first_spike(), *_data(), *_optional()]


def healthy(findings: list[Finding]) -> bool:
    """Whether nothing that must work failed."""
    return all(finding.ok is not False for finding in findings)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _versions() -> list[Finding]:
    found = [Finding("versions", "python", platform.python_version(), sys.version_info >= (3, 11))]
    for package in ("linspike", *REQUIRED):
        version = _version(package)
        found.append(Finding("versions", package, version or "missing", version is not None))
    return found


def _machine() -> list[Finding]:
    return [
        Finding("machine", "system", f"{platform.system()} {platform.machine()}"),
        Finding("machine", "threads", f"{available_cores()} of {os.cpu_count()} cores usable"),
    ]


def _cache() -> list[Finding]:
    from linspike.kernels import jit

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return [Finding("cache", "compiler", "switched off (NUMBA_DISABLE_JIT): very slow", False)]
    folder = jit.cache_folder()
    if folder is None:
        state = f"none: {jit.cache_root()} is not writable: compiles at every start"
        return [Finding("cache", "LINSPIKE_CACHE_DIR", state, False)]
    files = len(list(folder.glob("*.nbc")))
    return [Finding("cache", "folder", f"{folder}: {files} compiled functions", True)]


def _first_spike() -> Finding:
    from linspike.neuron import SRM
    from linspike.spikes import Pattern

    started = time.perf_counter()
    pattern = Pattern([1.0], [0], n_channels=1, duration=50.0)
    spikes = SRM().respond([2.0], pattern)
    seconds = time.perf_counter() - started
    return Finding("engine", "first spike", f"after {seconds:.2f} s", len(spikes) > 0)


def _data() -> list[Finding]:
    chosen = os.environ.get("LINSPIKE_DATA_DIR")
    if not chosen:
        return [Finding("data", "LINSPIKE_DATA_DIR", "not set"), _mnist()]
    folder = Path(chosen)
    if not folder.is_dir():
        return [Finding("data", "LINSPIKE_DATA_DIR", f"{chosen} is not a folder", False)]
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
    listed = f"{chosen}: {', '.join(names) or 'empty'}"
    return [Finding("data", "LINSPIKE_DATA_DIR", listed), _mnist()]


def _mnist() -> Finding:
    from linspike.datasets.mnist import folder_of, mnist_missing

    absent = "absent (linspike data mnist)"
    return Finding("data", "MNIST", absent if mnist_missing() else str(folder_of()))


def _optional() -> list[Finding]:
    found = []
    for extra, packages in OPTIONAL.items():
        for package in packages:
            present = util.find_spec(MODULES.get(package, package)) is not None
            absent = f"absent (pip install 'linspike[{extra}]')"
            value = (_version(package) or "present") if present else absent
            found.append(Finding(f"extra {extra}", package, value))
    return found
