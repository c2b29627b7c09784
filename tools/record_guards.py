"""Record today's numbers in tests/golden/guards.json, or compare them with what was recorded.

python -m tools.record_guards --data-dir DIR              writes guards.json
python -m tools.record_guards --data-dir DIR --portable   writes guards_portable.json
python -m tools.record_guards --data-dir DIR --panels     writes anew the digests of pictures alone
python -m tools.record_guards --data-dir DIR --check      prints differences; exit 1 if any

DIR holds mnist and braille7; without it, a check leaves out what needs them. Portable is compiled
for any x86 processor with AVX2, so that its last bits are the same on all of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
PORTABLE = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+avx,+avx2,+fma",
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}


def take_arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--panels", action="store_true", help="record pictures, nothing else")
    parser.add_argument("--portable", action="store_true", help="code for any x86 with AVX2")
    parser.add_argument("--threads", type=int, default=2, help="threads and processes")
    parser.add_argument("--data-dir", type=Path, help="folder with mnist and braille7")
    return parser.parse_args()


def become_portable() -> None:
    """Start this script again with every library held to AVX2."""
    if any(os.environ.get(name) != value for name, value in PORTABLE.items()):
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **PORTABLE})


def run_all(threads: int, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Compute chains, answers and smoke runs of these experiments; the cells apart."""
    from tests.support.guard_answers import responses
    from tests.support.guard_chains import chains
    from tests.support.guard_runs import listed

    found: dict[str, Any] = {"list": listed()}
    for part, made in (("chains", chains(threads)), ("answers", responses(threads))):
        found[part] = {name: make() for name, make in made.items()}
    runs, cells = run_experiments(threads, names)
    return {**found, "runs": runs}, cells


def run_experiments(threads: int, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return smoke runs of these experiments, and their cells."""
    from tests.support.guard_runs import run_smoke

    cells: dict[str, Any] = {}
    runs: dict[str, Any] = {}
    for name in names:
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            runs[name], held = run_smoke(name, Path(folder), threads)
        cells.update(held)
        print(f"{name}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
    return runs, cells


def check(threads: int, names: tuple[str, ...]) -> int:
    """Print what differs from the record; return the exit code."""
    from tests import test_guards as guards

    record, exact = guards.read_record()
    how = (
        "to the last bit"
        if exact
        else "by a few digits: it is of another processor or of other versions"
    )
    print(f"compared with {record['name']}.json, {how}")
    found, cells = run_all(threads, names)
    lines: list[str] = []
    for part in ("chains", "answers"):
        for name in {**record[part], **found[part]}:
            pair = record[part].get(name, "-"), found[part].get(name, "-")
            differing = guards.compare(name, *pair, exact)
            lines += [f"{part}, {name}{line}" for line in differing]
    for name, run in found["runs"].items():
        differing = guards.compare_run(name, record["runs"][name], run, exact)
        lines += [f"run, {name}{line}" for line in differing]
    if exact:
        held = guards.read_cells(record["name"])
        lines += [f"cells{line}" for line in guards.compare_cells(held, cells)]
    recorded = json.loads((GOLDEN / "guards.json").read_text())["list"]
    lines += [f"list{line}" for line in guards.differences(recorded, found["list"])]
    print("\n".join([*lines, f"{len(lines)} differences"]))
    return 1 if lines else 0


def record(name: str, threads: int, names: tuple[str, ...]) -> None:
    """Write everything computed, and the cells, compressed, beside it."""
    from tests.support.guard_values import host

    found, cells = run_all(threads, names)
    if name != "guards":
        del found["list"]  # the same everywhere
    option = " --portable" if name == "guards_portable" else ""
    command = f"python -m tools.record_guards --data-dir DIR{option}"
    whole = {"name": name, "command": command, "host": host(), **found}
    (GOLDEN / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n")
    data = json.dumps(cells, sort_keys=True).encode()
    (GOLDEN / f"{name}_cells.json.gz").write_bytes(gzip.compress(data, mtime=0))


def record_panels(threads: int, names: tuple[str, ...]) -> int:
    """Write the digests of pictures anew, if all else is as recorded; return the exit code."""
    from tests import test_guards as guards

    record, exact = guards.read_record()
    if not exact:
        print("There is no record of this processor and these versions.", file=sys.stderr)
        return 2
    runs, _ = run_experiments(threads, names)
    lines: list[str] = []
    for name, run in runs.items():
        held = record["runs"][name]
        same_pictures = {**run, "panels": held["panels"]}
        differing = guards.compare_run(name, held, same_pictures, exact)
        lines += [f"run, {name}{line}" for line in differing]
        held["panels"] = run["panels"]
    print("\n".join([*lines, f"{len(lines)} differences besides pictures"]))
    if lines:
        return 1
    (GOLDEN / f"{record['name']}.json").write_text(json.dumps(record, indent=1) + "\n")
    return 0


def main() -> int:
    """Record or check."""
    asked = take_arguments()
    if asked.portable:
        become_portable()
    if asked.data_dir is not None:
        os.environ["LINSPIKE_DATA_DIR"] = str(asked.data_dir.resolve())
    from tests.support.guard_runs import FAST, SLOW, has_data

    if not has_data() and not asked.check:
        print("Recording needs --data-dir with mnist and braille7.", file=sys.stderr)
        return 2
    if not has_data():
        print(f"left out, their data are not there: {', '.join(SLOW)}")
    names = (*FAST, *SLOW) if has_data() else FAST
    if asked.check:
        return check(asked.threads, names)
    if asked.panels:
        return record_panels(asked.threads, names)
    record("guards_portable" if asked.portable else "guards", asked.threads, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
