"""Real data: the same samples for every method, settings chosen inside training, absent data."""

import numpy as np
import pytest

from linspike.beyond import realdata
from linspike.datasets import braille as datasets
from linspike.errors import FileFormatError
from linspike.estimators import SpikeClassifier
from linspike.paper.common.methods import PROJECTION
from linspike.paper.report.tables import as_text
from linspike.paper.report.verdicts import compare
from linspike.study.cells import Trial
from linspike.study.rows import RowKey, Status
from linspike.study.runner import select_current

CELLS = {cell.row: cell for cell in realdata.cells("smoke", [])}
WINE = CELLS[RowKey("wine", PROJECTION)]
BRAILLE = CELLS[RowKey("braille7", PROJECTION)]


@pytest.fixture
def recordings(tmp_path, monkeypatch):
    """A small file in the form of the real one: letters differ in what fires when."""
    rng = np.random.default_rng(0)
    y = np.tile(np.arange(7), 12).astype(np.uint8)
    rate = rng.uniform(0.01, 0.2, (7, 16, 12)).repeat(16, axis=1)
    X = (rng.random((84, 256, 12)) < rate[y]).astype(np.uint8)
    folder = tmp_path / "braille7"
    folder.mkdir()
    np.savez_compressed(folder / "braille7.npz", X=X, y=y, split=[56, 70, 84])
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    return folder / "braille7.npz"


def test_every_method_learns_the_same_samples():
    one = realdata.draw_samples(WINE, 3)
    two = realdata.draw_samples(CELLS[RowKey("wine", "RBF SVM")], 3)
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y_test, two.y_test)
    assert not np.array_equal(realdata.draw_samples(WINE, 4).X, one.X)
    folds = [list(part.folds.split(part.X, part.y)) for part in (one, two)]
    np.testing.assert_array_equal(folds[0][0][1], folds[1][0][1])


@pytest.mark.parametrize("method", realdata.METHODS)
def test_every_method_has_four_settings(method):
    model = realdata.METHODS[method]
    for data in ("wine", "braille7"):
        if model in realdata.SPIKING:
            _, settings = realdata.make_spiking(data, model, 0)
        else:
            _, settings = realdata.make_reference(model, 0, 5)
        assert np.prod([len(values) for values in settings.values()]) == 4


def test_an_interrupted_search_is_no_trial(monkeypatch):
    monkeypatch.setattr(SpikeClassifier, "_accuracy", interrupt)
    with pytest.raises(KeyboardInterrupt):
        realdata.trials(WINE, [0])


def interrupt(*_):
    raise KeyboardInterrupt


def test_recordings_are_read_and_learned(recordings):
    rasters, _, bounds = datasets.braille7()
    assert rasters.shape == (84, 256, 12)
    assert bounds == (56, 70)
    cell = BRAILLE.but(small=False)
    part = realdata.draw_samples(cell, 0)
    assert (len(part.X), len(part.X_test)) == (70, 14)
    ((learn, choose),) = part.folds.split()
    assert (len(learn), len(choose)) == (56, 14)
    (record,) = realdata.trials(cell, [0])
    assert record["train"] > 50.0
    assert 0 <= record["setting"] < 4


def test_spikes_are_counted_in_stretches():
    raster = np.zeros((1, 256, 12), np.uint8)
    raster[0, [0, 15, 16], 3] = 1
    counts = realdata.count_spikes(raster).reshape(16, 12)
    assert (counts[0, 3], counts[1, 3], counts.sum()) == (2.0, 1.0, 3.0)


def test_absent_recordings_are_a_row_that_says_so(monkeypatch, tmp_path):
    monkeypatch.delenv("LINSPIKE_DATA_DIR", raising=False)
    assert "is not set" in datasets.braille7_missing()
    with pytest.raises(FileNotFoundError, match="is not set"):
        datasets.braille7()
    coverage = select_current(realdata.EXPERIMENT, "laptop", [])
    assert {cell.data for cell, _ in coverage.missing} == set(realdata.TABLES)
    done = trials_of(realdata.TABLES)
    rows = {row.key: row for row in realdata.summarise("laptop", done).rows}
    assert rows[WINE.row].value == 96.0
    assert rows[WINE.row.but(quantity="gain over RBF SVM")].value == 0.0
    assert rows[BRAILLE.row].value is None
    assert rows[BRAILLE.row].status is Status.SKIPPED
    found = compare("realdata", "laptop", realdata.summarise("laptop", done))
    assert found[-1].verdict == "skipped"
    assert "braille7, DTA (projection): $LINSPIKE_DATA_DIR is not set" in as_text(found)
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    assert "holds no braille7" in datasets.braille7_missing()


def trials_of(sets, n=3):
    return [
        Trial(cell, seed, {"train": 99.0, "test": 95.0 + seed, "setting": 0})
        for cell in realdata.cells("laptop", [])
        for seed in range(n)
        if cell.data in sets
    ]


def test_what_was_learned_of_recordings_stays_where_the_file_is_not(monkeypatch):
    monkeypatch.delenv("LINSPIKE_DATA_DIR", raising=False)
    held = trials_of((*realdata.TABLES, "braille7"), n=10)
    kept, missing = select_current(realdata.EXPERIMENT, "laptop", held)
    assert len(kept) == len(held)
    assert not missing
    rows = {row.key: row for row in realdata.summarise("laptop", kept).rows}
    assert rows[BRAILLE.row.but(quantity="gain over logistic regression")].n == 10


def test_methods_are_compared_in_the_trials_they_share():
    done = trials_of(("wine",), n=6)
    lost = {("svm", 2), ("dta", 4)}
    rest = [trial for trial in done if (trial.cell.model, trial.seed) not in lost]
    rows = {row.key: row for row in realdata.summarise("laptop", rest).rows}
    assert rows[RowKey("wine", "RBF SVM")].n == 5
    gain = rows[WINE.row.but(quantity="gain over RBF SVM")]
    assert (gain.n, gain.value) == (4, 0.0)
    (panel,) = realdata.summarise("laptop", rest).panels
    assert panel.x_names == ("wine",)
    assert realdata.summarise("laptop", []).panels[0].lines == ()


def test_damaged_recordings_are_refused(recordings):
    recordings.write_bytes(recordings.read_bytes()[:500])
    with pytest.raises(FileFormatError, match="damaged"):
        datasets.braille7()


def test_other_arrays_are_refused(recordings):
    np.savez(recordings, X=np.zeros((3, 5, 2)), y=np.zeros(3), split=[1, 2, 3])
    with pytest.raises(FileFormatError, match="does not hold the Braille recordings"):
        datasets.braille7()
