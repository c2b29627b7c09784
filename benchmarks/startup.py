"""Start of a process: import, and the first spike with a warm cache."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.timing import Report

ROUNDS = 7
FIRST_SPIKE = (
    "import linspike as ls;"
    "pattern = ls.Pattern([1.0, 2.0], [0, 0], n_channels=1, duration=50.0);"
    "assert len(ls.SRM().respond([1.5], pattern)) > 0"
)


def seconds_of(code: str) -> float:
    """Best wall time of a fresh interpreter that runs this."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, time.perf_counter() - started)
    return best


def measure(report: Report) -> None:
    """Whole process to the first spike, and what the import adds to NumPy's."""
    seconds_of(FIRST_SPIKE)
    report.add("start", "python -c to the first spike", seconds_of(FIRST_SPIKE), "s", limit=1.5)
    numpy = seconds_of("import numpy")
    both = seconds_of("import numpy, linspike")
    report.add("start", "import linspike beyond numpy", both - numpy, "s", limit=0.3)
    names = seconds_of("import numpy, linspike; linspike.SRM, linspike.PatternSet")
    report.add("start", "the same with SRM and PatternSet loaded", names - numpy, "s")
