"""Run the benchmarks: python -m benchmarks [section ...] [--json FILE].

Every figure is a ratio within this run, or a plain time for orientation; compile time is apart.
Two kept files are set side by side with python -m benchmarks --compare BEFORE AFTER. A section of
a kept file is measured again with python -m benchmarks SECTION --update FILE.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

import linspike as ls
from benchmarks import against, classifier, engine, growth, learning, mnist, rules, startup
from benchmarks.timing import Report

SECTIONS = {
    "engine": engine.measure,
    "growth": growth.measure,
    "start": startup.measure,
    "learning": learning.measure,
    "rules": rules.measure,
    "classifier": classifier.measure,
    "mnist": mnist.measure,
    "peers": against.measure,
}


def machine() -> dict[str, str]:
    """What the figures were measured with."""
    return {
        "linspike": ls.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "cpu": f"{platform.machine()}, {numba.core.config.NUMBA_DEFAULT_NUM_THREADS} cores, "
        f"LLVM calls it {numba.core.codegen.ll.get_host_cpu_name()}",
    }


def show(report: Report) -> None:
    """A plain table; promises that were not kept are marked."""
    marks = {True: "ok", False: "MISSED", None: ""}
    for line in report.lines:
        value = "absent" if math.isnan(line.value) else f"{line.value:.3g} {line.unit}"
        limit = "" if line.limit is None else f"<= {line.limit:g}"
        promise = f"{limit:9} {marks[line.kept]:7}"
        print(f"{line.section:10} {line.name:58} {value:22} {promise} {line.note}")


def compare(before: Path, after: Path) -> None:
    """Print every line that two files share, with the change of its value in percent."""
    old, new = (json.loads(path.read_text()) for path in (before, after))
    values = {(line["section"], line["name"]): line["value"] for line in old["lines"]}
    for path, held in ((before, old), (after, new)):
        print(f"{path}: {', '.join(f'{key} {value}' for key, value in held['machine'].items())}")
    for line in new["lines"]:
        first = values.get((line["section"], line["name"]), math.nan)
        change = f"{100 * (line['value'] / first - 1):+.0f} %" if first else ""
        pair = f"{first:9.3g} {line['value']:9.3g} {line['unit']:12}"
        print(f"{line['section']:10} {line['name']:58} {pair} {change}")


def replace_sections(kept: dict[str, Any], measured: dict[str, Any]) -> dict[str, Any]:
    """Return kept lines with the measured sections in place of theirs.

    What the machine or its versions have differently is noted under the name of the section.
    """
    sections = list(dict.fromkeys(line["section"] for line in measured["lines"]))
    lines = [line for line in kept["lines"] if line["section"] not in sections]
    lines = sorted(
        lines + measured["lines"], key=lambda line: list(SECTIONS).index(line["section"])
    )
    noted = {
        key: value
        for key, value in kept["machine"].items()
        if key.partition(", ")[2] not in sections
    }
    for section in sections:
        for key, value in measured["machine"].items():
            if kept["machine"].get(key) != value:
                noted[f"{key}, {section}"] = value
    return {"schema": kept["schema"], "machine": noted, "lines": lines}


def write(path: Path, measured: dict[str, Any]) -> None:
    """Write lines and machine as JSON."""
    path.write_text(json.dumps(measured, indent=1) + "\n")


def main() -> None:
    """Measure the sections asked for, print them, write them; or compare two files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--json", type=Path, help="also write the lines to this file")
    parser.add_argument("--update", type=Path, metavar="FILE", help="replace the sections in FILE")
    parser.add_argument("--torch-python", help=f"a Python with snnTorch; ${mnist.PYTHON} does too")
    parser.add_argument("--compare", nargs=2, type=Path, metavar="FILE", help="measure nothing")
    options = parser.parse_args()
    if options.compare:
        compare(*options.compare)
        return
    unknown = sorted(set(options.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"unknown section {unknown[0]!r}: choose from {', '.join(SECTIONS)}")
    if options.torch_python:
        os.environ[mnist.PYTHON] = options.torch_python
    report = Report()
    for name, measure in SECTIONS.items():
        if not options.sections or name in options.sections:
            print(f"measuring {name} ...", end=" ", file=sys.stderr, flush=True)
            started = time.perf_counter()
            measure(report)
            print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    show(report)
    measured = {"schema": 1, "machine": machine(), "lines": report.as_rows()}
    if options.json:
        write(options.json, measured)
    if options.update:
        write(options.update, replace_sections(json.loads(options.update.read_text()), measured))


if __name__ == "__main__":
    main()
