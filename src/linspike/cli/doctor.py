"""`linspike doctor`: versions, threads, cache, data, optional packages; compile everything."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import sys
import time
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

import click

from linspike._threads import available_cores
from linspike.cli.options import JOBS, JSON
from linspike.cli.output import align

NOT_SHOWN = ("dev",)  # extras that users do not need
MODULES = {"nest-simulator": "nest"}  # may be installed without a record of its version
STATES = {True: "ok", False: "PROBLEM", None: ""}


@dataclass(frozen=True)
class Finding:
    """One line of the report; ok is None for plain facts and for optional packages."""

    topic: str
    name: str
    value: str
    ok: bool | None = None


@click.command()
@click.option(
    "--warm",
    is_flag=True,
    help="First compile everything for this machine, so that nothing is compiled later.",
)
@JOBS
@JSON
def doctor(warm: bool, jobs: int | None, print_json: bool) -> None:
    """Show versions, threads, cache, data and optional packages.

    Ends with status 1 if something that must work does not.
    """
    if warm:
        from linspike.cli.warm import compile_everything

        compile_everything(jobs or available_cores())
    findings = examine()
    if print_json:
        rows = [dataclasses.asdict(finding) for finding in findings]
        click.echo(json.dumps({"schema": 1, "findings": rows}, indent=1))
    else:
        click.echo(_format(findings))
    if not is_healthy(findings):
        raise SystemExit(1)


def examine() -> list[Finding]:
    """Return all findings, in the order they are shown."""
    return [*_versions(), *_machine(), *_cache(), _first_spike(), *_data(), *_optional()]


def is_healthy(findings: list[Finding]) -> bool:
    """Return whether nothing that must work failed."""
    return all(finding.ok is not False for finding in findings)


def _format(findings: list[Finding]) -> str:
    """Return the findings as a table; a topic is named once."""
    topics = [""] + [finding.topic for finding in findings]
    rows = [
        ["" if found.topic == before else found.topic, found.name, found.value, STATES[found.ok]]
        for before, found in zip(topics, findings, strict=False)
    ]
    return align(rows)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _versions() -> list[Finding]:
    found = [Finding("versions", "python", platform.python_version(), sys.version_info >= (3, 11))]
    for package in ("linspike", *_requirements().get("", [])):
        version = _version(package)
        found.append(Finding("versions", package, version or "missing", version is not None))
    return found


def _requirements() -> dict[str, list[str]]:
    """Return the packages that linspike declares, by extra; those it always needs under ""."""
    found: dict[str, list[str]] = {}
    for line in metadata.requires("linspike") or ():
        name, _, condition = line.partition(";")
        package = re.match(r"[\w.-]+", name)
        extra = re.search(r"extra == ['\"]([\w-]+)", condition)
        if package and package[0] != "linspike":
            found.setdefault(extra[1] if extra else "", []).append(package[0])
    return found


def _machine() -> list[Finding]:
    return [
        Finding("machine", "system", f"{platform.system()} {platform.machine()}"),
        Finding("machine", "threads", f"{available_cores()} of {os.cpu_count()} cores usable"),
    ]


def _cache() -> list[Finding]:
    from linspike.kernels import cache

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return [Finding("cache", "compiler", "switched off (NUMBA_DISABLE_JIT): very slow", False)]
    folder = cache.cache_folder()
    if folder is None:
        state = f"none: {cache.cache_root()} is not writable: compiles at every start"
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
    content = f"{chosen}: {', '.join(names) or 'empty'}"
    return [Finding("data", "LINSPIKE_DATA_DIR", content), _mnist()]


def _mnist() -> Finding:
    from linspike.datasets.mnist import folder_of, mnist_missing

    absent = "absent (linspike data mnist)"
    return Finding("data", "MNIST", absent if mnist_missing() else str(folder_of()))


def _optional() -> list[Finding]:
    return [
        Finding(f"extra {extra}", package, _optional_version(package, extra))
        for extra, packages in _requirements().items()
        for package in packages
        if extra not in ("", *NOT_SHOWN)
    ]


def _optional_version(package: str, extra: str) -> str:
    if package in MODULES and util.find_spec(MODULES[package]) is not None:
        return _version(package) or "present"
    return _version(package) or f"absent (pip install 'linspike[{extra}]')"
