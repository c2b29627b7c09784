"""Large tables: memory for the spikes once, for the decays of small sets, and little else."""

import tracemalloc

import numpy as np
import pytest
from tests.support.flowers import run, write
from tests.support.process import run_python

from linspike.cli.table import table_model
from linspike.neuron import decay_tables

ROWS, COLUMNS, FIELDS = 5000, 10, 10
SPIKES = ROWS * COLUMNS * FIELDS
STORED, DECAYS = 8 + 4, 8 + 8  # bytes of a spike: time and channel; two decays


# Prints the most bytes that the command line ever took in a process of its own. On Linux ru_maxrss
# would count those of the process that started it too.
PEAK = """
import pathlib, resource, sys
from linspike.cli import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        peak = 1024 * int(status.read_text().split("VmHWM:")[1].split()[0])
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("peak", peak)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table, and the file of a model of it."""
    folder = tmp_path_factory.mktemp("large")
    values = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
    rows = [[*row, "ab"[row[0] > 0.0]] for row in values.tolist()]
    table = write(folder / "t.csv", [*(f"x{i}" for i in range(COLUMNS)), "kind"], rows)
    small = write(folder / "s.csv", [*(f"x{i}" for i in range(COLUMNS)), "kind"], rows[:20])
    assert fit(small, folder / "s.npz").code == 0  # compiles
    return table, folder / "m.npz"


def fit(table, path):
    return run(*options_of_fit(table, path))


def options_of_fit(table, path):
    return "fit", table, "--target", "kind", "-o", path, "--epochs", 1, "--jobs", 2


def peak_of(command, *arguments):
    tracemalloc.start()
    done = command(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert done.code == 0, done.err
    return peak


def test_fit_and_predict(large, monkeypatch):
    assert peak_of(fit, *large) < 1.6 * (STORED + DECAYS) * SPIKES
    whole = run("predict", *large[::-1], "--scores").out
    monkeypatch.setattr(table_model, "ROWS", ROWS // 10)
    assert peak_of(run, "predict", *large[::-1], "--scores") < 0.5 * (STORED + DECAYS) * SPIKES
    assert run("predict", *large[::-1], "--scores").out == whole


def test_fit_without_tables_of_decays(large, monkeypatch):
    tables = fit(*large).out
    monkeypatch.setattr(decay_tables, "MOST_BYTES", 0)
    monkeypatch.setattr(decay_tables, "MOST_PER_BLOCK", SPIKES // 20)
    assert peak_of(fit, *large) < 2.3 * STORED * SPIKES
    without = fit(*large).out
    assert without.split("seconds")[0] == tables.split("seconds")[0]


def test_fit_of_a_hundred_thousand_rows(tmp_path, monkeypatch):
    pytest.importorskip("resource")  # not on Windows
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 100_000)
    values = (rng.normal(size=(kinds.size, COLUMNS)) + 0.8 * kinds[:, np.newaxis]).tolist()
    rows = [[*row, "abc"[kind]] for row, kind in zip(values, kinds, strict=True)]
    header = [*(f"x{i}" for i in range(COLUMNS)), "kind"]
    few, many = (write(tmp_path / f"{n}.csv", header, rows[:n]) for n in (300, 100_000))
    for most in (decay_tables.MOST_BYTES, 0):  # compiles, also what learns without tables
        monkeypatch.setattr(decay_tables, "MOST_BYTES", most)
        assert fit(few, tmp_path / "few.npz").code == 0
    small, large = (
        int(run_python("-c", PEAK, *options_of_fit(path, tmp_path / "m.npz")).stdout.split()[-1])
        for path in (few, many)
    )
    # 480 MiB, less 282 that Python and its libraries take: these differ between machines.
    assert large - small < (480 - 282) * 2**20
