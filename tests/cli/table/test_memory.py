"""Large tables: memory for the spikes once and for their decays, and little else."""

import tracemalloc

import numpy as np
import pytest
from tests.support.flowers import run, write

from linspike.cli.table import table_model

ROWS, COLUMNS, FIELDS = 5000, 10, 10
SPIKES = ROWS * COLUMNS * FIELDS
STORED, DECAYS = 8 + 4, 8 + 8  # bytes of a spike: time and channel; two decays


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
    return run("fit", table, "--target", "kind", "-o", path, "--epochs", 1, "--jobs", 2)


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
