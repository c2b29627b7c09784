"""What fit, predict and evaluate refuse on the command line, and what they say."""

import sys

import pytest
from tests.support.flowers import COLUMNS, NAMES, flowers, refused, run, write

import linspike as ls
from linspike import _files


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        (0, "tall", "d.csv, line 4, column 'sepal_length': 'tall' is not a number."),
        (1, "", "d.csv, line 4, column 'sepal_width': the cell has no value."),
        (2, "nan", "d.csv, line 4, column 'petal_length': the cell has no value (nan)."),
        (3, "inf", "d.csv, line 4, column 'petal_width': inf is not finite."),
        (4, "", "d.csv, line 4, column 'species': the cell has no value."),
    ],
)
def test_cells_that_cannot_be_used(model, tmp_path, column, cell, message):
    rows = flowers(NAMES)
    rows[2][column] = cell
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    refused(message, "fit", data, "--target", "species", "-o", tmp_path / "m.npz")
    refused(message, "evaluate", model, data)
    if column < 4:
        refused(message, "predict", model, data)
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.csv"]


def test_a_column_of_texts_can_be_left_out(model, tmp_path):
    rows = [["red", *row] for row in flowers(NAMES)]
    data = write(tmp_path / "d.csv", ["colour", *COLUMNS, "species"], rows)
    arguments = ("fit", data, "--target", "species", "-o", tmp_path / "m.npz", "--epochs", 1)
    refused("'red' is not a number. Leave the column out with --drop colour.", *arguments)
    assert run(*arguments, "--drop", "colour").code == 0
    rows = [["red", *row[1:]] for row in flowers(NAMES)]
    data = write(tmp_path / "e.csv", [*COLUMNS, "species"], rows)
    done = refused("column 'sepal_length': 'red' is not a number.", "predict", model, data)
    assert "--drop" not in done.err  # which predict does not have


def test_missing_values_are_counted(tmp_path):
    rows = flowers(NAMES)
    for row, column in ((1, 0), (1, 2), (7, 3)):
        rows[row][column] = "NA"
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    message = (
        "d.csv, line 3, column 'sepal_length': the cell has no value (NA). "
        f"Rows with missing values: 2 of {len(rows)}. Fill them in or delete these rows, "
        "or leave the column out with --drop sepal_length."
    )
    refused(message, "fit", data, "--target", "species", "-o", tmp_path / "m.npz")


def test_a_failed_fit_leaves_the_old_file(table, tmp_path):
    path = tmp_path / "m.npz"
    path.write_text("old")
    message = "has no column 'speces'. Did you mean 'species'? It has: sepal_length, "
    refused(message, "fit", table, "--target", "speces", "-o", path)
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--drop", "sepal_with"], "has no column 'sepal_with'. Did you mean 'sepal_width'?"),
        ([f"--drop={name}" for name in COLUMNS], "has no column left to learn from."),
        (["--drop", "species"], "The column 'species' is the target and cannot be left out."),
        (["--beta", "nan"], "The 'beta' parameter of PopulationEncoder must be positive"),
    ],
)
def test_fits_that_cannot_be(table, tmp_path, options, message):
    refused(message, "fit", table, "--target", "species", "-o", tmp_path / "m.npz", *options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rule", "mst", "--code", "times"], "The rule mst cannot learn times"),
        (["--exact-counts", "--code", "times"], "--exact-counts is for --code counts."),
        (["--spike-count", "1", "--code", "times"], "--code times needs --spike-count 2 or more."),
        (["--eta", "0.1"], "The rule dta has no setting 'eta'; leave out --eta."),
        (["--rule", "mst", "--bound", "0.1"], "The rule mst has no setting 'bound'; leave out"),
        (["--rule", "mst", "--eta", "0"], "Invalid value for '--eta'"),
        (["--bound", "-1"], "Invalid value for '--bound'"),
        (["--decay", "-0.1"], "Invalid value for '--decay'"),
        (["--weight-low", "1", "--weight-high", "0"], "--weight-low (1) must be a number and at"),
        (["--weight-low", "nan"], "--weight-low (nan) must be a number"),
        (["--weight-high", "-inf"], "at most --weight-high (-inf)."),
        (["--epochs", "0"], "Invalid value for '--epochs'"),
        (["--rule", "magic"], "Invalid value for '--rule'"),
        (["--delimiter", "x"], "Invalid value for '--delimiter'"),
    ],
)
def test_usage_errors(table, tmp_path, options, message):
    arguments = ("--target", "species", "-o", tmp_path / "m.npz", *options)
    refused(message, "fit", table, *arguments, code=2)
    assert not list(tmp_path.iterdir())


def test_options_that_must_be_there(table):
    refused("Missing option '--target'", "fit", table, "-o", "m.npz", code=2)
    refused("Missing option '-o'", "fit", table, "--target", "species", code=2)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a", "a"], "column 'kind': there is only one class, 'a'. At least two are needed."),
        ([0.5, 1, 2], "d.csv, line 2, column 'kind': 0.5 cannot be a class. Classes are texts or"),
    ],
)
def test_targets_that_cannot_be_learned(tmp_path, labels, message):
    data = write(tmp_path / "d.csv", [*COLUMNS, "kind"], flowers(labels))
    refused(message, "fit", data, "--target", "kind", "-o", tmp_path / "m.npz")
    assert not (tmp_path / "m.npz").exists()


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (21, "the class 'virginica' has a single sample, so no part can be held out."),
        (20, "20 samples are too few for 3 classes, so no part can be held out."),
    ],
)
def test_too_few_rows_to_hold_some_out(tmp_path, count, reason):
    rows = flowers(NAMES)[:count] if count == 21 else flowers(NAMES)[5:25]
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    arguments = ("--target", "species", "-o", tmp_path / "m.npz", "--early-stopping")
    refused(f"{reason} Leave out --early-stopping.", "fit", data, *arguments)
    assert not (tmp_path / "m.npz").exists()


def test_columns_that_the_model_misses(model, tmp_path):
    one = write(tmp_path / "one.csv", COLUMNS[:3], [[1, 2, 3]])
    message = "one.csv lacks the column 'petal_width', which the model learned from. It has: sepal_"
    refused(message, "predict", model, one)
    folded = write(tmp_path / "folded.csv", [*COLUMNS[:3], "Petal_Width"], [[1, 2, 3, 4]])
    message = "which the model learned from. Did you mean 'Petal_Width'? It has: sepal_length"
    refused(message, "evaluate", model, folded)
    two = write(tmp_path / "two.csv", COLUMNS[:2], [[1, 2]])
    refused("lacks the columns 'petal_length', 'petal_width', which", "predict", model, two)
    bare = write(tmp_path / "bare.csv", COLUMNS, [[1, 2, 3, 4]])
    refused("bare.csv has no column 'species'. It has: sepal_length", "evaluate", model, bare)
    assert run("predict", model, bare).code == 0


def test_labels_that_the_model_does_not_know(model, tmp_path):
    rows = flowers(NAMES)
    rows[1][4], rows[3][4], rows[4][4] = "rosa", "tulipa", "rosa"
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    message = (
        "d.csv, column 'species': the model does not know 'rosa' (line 3), 'tulipa' (line 5). "
        "It knows: setosa, versicolor, virginica."
    )
    refused(message, "evaluate", model, data)


def test_files_that_are_not_there(table, model, tmp_path):
    absent = tmp_path / "no.csv"
    message = f"{absent} cannot be read: No such file or directory."
    refused(message, "fit", absent, "--target", "species", "-o", tmp_path / "m.npz")
    refused(message, "predict", model, absent)
    refused(message, "evaluate", absent, table)


def test_a_damaged_model_is_refused(table, model, tmp_path):
    damaged = tmp_path / "m.npz"
    damaged.write_bytes(model.read_bytes()[:-200])
    message = f"linspike: {str(damaged)!r} is not a model that linspike saved.\n"
    assert refused(message, "predict", damaged, table).err == message
    data = bytearray(model.read_bytes())
    data[len(data) // 2] ^= 0xFF
    damaged.write_bytes(data)
    refused("is damaged and cannot be read", "evaluate", damaged, table)
    refused(f"{str(table)!r} is not a model that linspike saved.", "predict", table, model)


def test_models_of_other_kinds(table, tmp_path):
    path = tmp_path / "m.npz"
    ls.Model(ls.SRM(), [[0.1, 0.2]]).save(path)
    refused(f"{path} holds a Model, which names no classes.", "predict", path, table)
    patterns = ls.PatternSet.from_latencies([[1.0, 2.0], [2.0, 1.0]], 10.0)
    trains = [ls.SpikeTrain([5.0]), ls.SpikeTrain([6.0])]
    ls.SpikeMapper(max_iter=1, random_state=0).fit(patterns, trains).save(path)
    refused(f"{path} holds a SpikeMapper, which names no classes.", "predict", path, table)
    for encoder in (None, ls.FirstEvents(1), ls.make_event_classifier(10.0).encoder):
        ls.SpikeClassifier(encoder, max_iter=1, random_state=0).fit(patterns, [0, 1]).save(path)
        message = f"{path} holds a classifier of spikes that `linspike fit --spikes` did not write"
        for command in ("predict", "evaluate"):
            refused(message, command, path, table)


def test_places_that_cannot_be_written(table, model, tmp_path, monkeypatch):
    def both(message, output):
        refused(message, "fit", table, "--target", "species", "-o", output, "--epochs", 1)
        refused(message, "predict", model, table, "-o", output)

    both(f"{tmp_path} cannot be written: it is not a plain file.", tmp_path)
    both(f"{table} would be overwritten by its own results.", table)
    refused("would be overwritten by its own", "predict", model, table, "-o", model)
    if sys.platform == "linux":  # where even root may not write
        both("/proc/file cannot be written: ", "/proc/file")
    monkeypatch.setattr(_files.os, "access", lambda path, mode: False)
    both("cannot be written: Permission denied.", tmp_path / "file")
    assert not list(tmp_path.iterdir())
