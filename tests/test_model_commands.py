"""From a table to predictions on the command line, as a user goes there."""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.datasets import load_iris

import linspike as ls
from linspike import table_model
from linspike.cli import main

MAIN = [sys.executable, "-c", "from linspike.cli import main; main()"]
COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


class Done(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments):
    """The command line, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["linspike", *map(str, arguments)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        sys.argv = before
    return Done(code, out.getvalue(), err.getvalue())


def refused(message, *arguments, code=1):
    """Run what must fail with this one line; nothing may come out on stdout."""
    done = run(*arguments)
    assert message in done.err
    assert (done.code, done.out) == (code, "")
    assert "Traceback" not in done.err
    if code == 1:
        assert done.err.splitlines()[-1].startswith("linspike: ")
    return done


def write(path, heading, rows, delimiter=","):
    with open(path, "w", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerow(heading)
        writer.writerows(rows)
    return path


def flowers(labels):
    """Every fifth flower, as rows of a table."""
    iris = load_iris()
    rows = zip(iris.data[::5].tolist(), iris.target[::5].tolist(), strict=True)
    return [[*values, labels[kind]] for values, kind in rows]


@pytest.fixture(scope="module")
def names():
    return ["setosa", "versicolor", "virginica"]


@pytest.fixture(scope="module")
def table(tmp_path_factory, names):
    folder = tmp_path_factory.mktemp("flowers")
    return write(folder / "iris.csv", [*COLUMNS, "species"], flowers(names))


@pytest.fixture(scope="module")
def model(table):
    path = table.with_name("iris.npz")
    done = run("fit", table, "--target", "species", "-o", path, "--epochs", 4)
    assert done.code == 0, done.err
    return path


def fitted_by_hand(table, **settings):
    rows = list(csv.reader(table.read_text().splitlines()))[1:]
    values = np.array([row[:4] for row in rows], dtype=float)
    classifier = ls.SpikeClassifier(ls.PopulationEncoder(), random_state=0, **settings)
    return classifier.fit(values, [row[4] for row in rows]), values


def test_fit_says_what_came_of_it(table, tmp_path):
    path = tmp_path / "m.npz"
    done = run("fit", table, "--target", "species", "-o", path, "--epochs", 3, "--jobs", 1)
    assert done.code == 0
    facts = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert facts["samples"] == "30"
    assert facts["features"] == "4 (sepal_length, sepal_width, petal_length, petal_width)"
    assert facts["classes"] == "3 (setosa 10, versicolor 10, virginica 10)"
    assert facts["channels"] == "40"
    assert facts["epochs"] == "3 of 3"
    assert facts["accuracy"].endswith("on the training samples")
    assert float(facts["seconds"]) > 0.0
    assert facts["file"] == str(path)
    assert "learning from 30 rows of 4 columns\nepoch 1 of 3: accuracy 0." in done.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.npz"]


def test_the_model_is_that_of_the_estimator(table, model):
    classifier, values = fitted_by_hand(table, max_iter=4)
    loaded = ls.load_model(model)
    assert np.array_equal(loaded.weights_, classifier.weights_)
    assert loaded.notes_ == {"columns": COLUMNS, "target": "species"}
    assert (loaded.n_jobs, loaded.verbose) == (None, 0)
    done = run("predict", model, table)
    assert done.out.splitlines() == ["species", *classifier.predict(values)]
    assert done.err == ""


def test_settings_reach_the_estimator(table, tmp_path):
    path = tmp_path / "m.npz"
    options = "--spikes 3 --fields 5 --beta 2 --duration 20 --exact-counts --epochs 1 --seed 7"
    arguments = (*options.split(), "--rule", "emlc", "--drop", "sepal_length")
    assert run("fit", table, "--target", "species", "-o", path, *arguments).code == 0
    loaded = ls.load_model(path)
    expected = {"spikes": 3, "target": "exact", "max_iter": 1, "random_state": 7, "code": "counts"}
    assert expected.items() <= loaded.get_params(deep=False).items()
    assert (loaded.rule_.key, loaded.early_stopping) == ("emlc", False)
    encoder = loaded.encoder_
    assert (encoder.n_fields, encoder.beta, encoder.duration) == (5, 2.0, 20.0)
    assert loaded.notes_["columns"] == COLUMNS[1:]


def test_the_same_seed_gives_the_same_file(table, tmp_path):
    files = [tmp_path / name for name in ("one.npz", "two.npz", "other.npz")]
    for path, seed, jobs in zip(files, (3, 3, 4), (1, 2, 1), strict=True):
        options = ("--epochs", 1, "--seed", seed, "--jobs", jobs)
        assert run("fit", table, "--target", "species", "-o", path, *options).code == 0
    one, two, other = (path.read_bytes() for path in files)
    assert one == two
    assert one != other


def test_findings_as_json(table, tmp_path):
    arguments = ("--epochs", 3, "--early-stopping", "--json")
    done = [
        run("fit", table, "--target", "species", "-o", tmp_path / f"{i}.npz", *arguments)
        for i in range(2)
    ]
    one, two = (json.loads(each.out) for each in done)
    assert one["schema"] == 1
    assert one["rows"] == two["rows"]
    (row,) = one["rows"]
    assert row["classes"][0] == {"label": "setosa", "samples": 10}
    assert (row["samples"], row["features"], row["channels"]) == (30, 4, 40)
    assert 0.0 <= row["validation_accuracy"] <= 1.0
    assert one["provenance"]["file"].endswith("0.npz")
    assert {"seconds", "linspike"} <= set(one["provenance"])
    assert "validation accuracy" in done[0].err


def test_early_stopping_tells_both_accuracies(table, tmp_path):
    arguments = ("--epochs", 2, "--early-stopping", "-o", tmp_path / "m.npz")
    done = run("fit", table, "--target", "species", *arguments)
    assert " on all samples, " in done.out
    assert " on those set aside\n" in done.out


def test_learning_ends_when_all_is_right(tmp_path):
    data = write(tmp_path / "d.csv", ["x", "kind"], [[0, "low"], [1, "high"]])
    done = run("fit", data, "--target", "kind", "-o", tmp_path / "m.npz", "--epochs", 500)
    assert ", until every answer was right\n" in done.out
    assert run("predict", tmp_path / "m.npz", data).out == "kind\nlow\nhigh\n"


def test_times_as_code(table, tmp_path):
    path = tmp_path / "m.npz"
    arguments = ("--code", "times", "--spikes", 2, "--epochs", 1, "-o", path)
    assert run("fit", table, "--target", "species", *arguments).code == 0
    done = run("predict", path, table, "--scores")
    assert done.code == 0
    assert float(done.out.splitlines()[1].split(",")[1]) <= 0.0


def test_another_process_predicts_the_same(table, model):
    here = run("predict", model, table, "--scores")
    there = subprocess.run(
        [*MAIN, "predict", model, table, "--scores"], capture_output=True, text=True, check=True
    )
    assert there.stdout == here.out
    assert there.stderr == ""


def test_columns_are_found_by_name(table, model, tmp_path, names):
    expected = run("predict", model, table, "--scores").out
    rows = [[i, *reversed(row[:4])] for i, row in enumerate(flowers(names))]
    other = write(tmp_path / "o.csv", ["id", *reversed(COLUMNS)], rows, delimiter=";")
    done = run("predict", model, other, "--scores")
    assert done.out == expected
    assert done.err == "column not known to the model, ignored: id\n"
    assert run("predict", model, other, "--scores", "--delimiter", "semicolon").out == expected


def test_scores_decide(table, model, names):
    lines = run("predict", model, table, "--scores").out.splitlines()
    assert lines[0] == "species,score_setosa,score_versicolor,score_virginica"
    for line in lines[1:]:
        label, *scores = line.split(",")
        assert label == names[np.argmax([float(score) for score in scores])]


def test_predictions_into_a_file(table, model, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("old")
    done = run("predict", model, table, "-o", path)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"30 predictions written to {path}\n"
    assert path.read_text() == run("predict", model, table).out
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.csv"]


def test_whole_numbers_stay_whole_numbers(tmp_path):
    rows = [row for row in flowers([1, 2, 3]) if row[4] != 3]
    data = write(tmp_path / "d.csv", [*COLUMNS, "kind"], rows)
    path = tmp_path / "m.npz"
    assert run("fit", data, "--target", "kind", "-o", path, "--epochs", 2).code == 0
    lines = run("predict", path, data, "--scores").out.splitlines()
    assert lines[0] == "kind,score_2"
    for line in lines[1:]:
        label, score = line.split(",")
        assert label == ("2" if float(score) > 0.0 else "1")
    as_floats = write(tmp_path / "f.csv", [*COLUMNS, "kind"], [[*r[:4], f"{r[4]}.0"] for r in rows])
    exact, floats = (run("evaluate", path, name, "--json") for name in (data, as_floats))
    assert json.loads(exact.out)["rows"] == json.loads(floats.out)["rows"]
    assert json.loads(exact.out)["rows"][0]["classes"][0]["label"] == 1


def test_evaluate(table, model, names):
    done = run("evaluate", model, table)
    lines = done.out.splitlines()
    report = json.loads(run("evaluate", model, table, "--json").out)
    (row,) = report["rows"]
    predicted = run("predict", model, table).out.splitlines()[1:]
    truth = [flower[4] for flower in flowers(names)]
    right = sum(a == b for a, b in zip(predicted, truth, strict=True))
    assert lines[0] == f"accuracy {right / 30:.3f} ({right} of 30)"
    assert lines[2].split() == ["true", "\\", "predicted", *names, "samples", "right"]
    assert lines[3].split()[:1] == ["setosa"]
    assert (row["right"], row["samples"], row["accuracy"]) == (right, 30, right / 30)
    assert np.trace(row["confusion"]) == right
    for place, (name, part) in enumerate(zip(names, row["classes"], strict=True)):
        assert (part["label"], part["samples"]) == (name, 10)
        assert part["predicted"] == predicted.count(name)
        assert part["right"] == row["confusion"][place][place]
    assert report["provenance"]["model"] == str(model)


def test_evaluate_where_a_class_is_absent(model, tmp_path, names):
    rows = [row for row in flowers(names) if row[4] != "setosa"]
    done = run("evaluate", model, write(tmp_path / "d.csv", [*COLUMNS, "species"], rows))
    assert done.out.splitlines()[3].split()[-2:] == ["0", "-"]


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
def test_cells_that_cannot_be_used(model, tmp_path, names, column, cell, message):
    rows = flowers(names)
    rows[2][column] = cell
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    refused(message, "fit", data, "--target", "species", "-o", tmp_path / "m.npz")
    refused(message, "evaluate", model, data)
    if column < 4:
        refused(message, "predict", model, data)
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.csv"]


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
        (["a", "a", "a"], "column 'kind': there is only one class, 'a'. Two at least are needed."),
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
        (21, "the class 'virginica' has a single row, so that no part can be set aside."),
        (20, "20 rows are too few for 3 classes, so that no part can be set aside."),
    ],
)
def test_too_few_rows_to_set_some_aside(tmp_path, names, count, reason):
    rows = flowers(names)[:count] if count == 21 else flowers(names)[5:25]
    data = write(tmp_path / "d.csv", [*COLUMNS, "species"], rows)
    arguments = ("--target", "species", "-o", tmp_path / "m.npz", "--early-stopping")
    refused(f"{reason} Leave out --early-stopping.", "fit", data, *arguments)
    assert not (tmp_path / "m.npz").exists()


def test_columns_that_the_model_misses(model, tmp_path):
    one = write(tmp_path / "one.csv", COLUMNS[:3], [[1, 2, 3]])
    message = "one.csv lacks the column 'petal_width', which the model learned from. It has: sepal_"
    refused(message, "predict", model, one)
    two = write(tmp_path / "two.csv", COLUMNS[:2], [[1, 2]])
    refused("lacks the columns 'petal_length', 'petal_width', which", "predict", model, two)
    bare = write(tmp_path / "bare.csv", COLUMNS, [[1, 2, 3, 4]])
    refused("bare.csv has no column 'species'. It has: sepal_length", "evaluate", model, bare)
    assert run("predict", model, bare).code == 0


def test_labels_that_the_model_does_not_know(model, tmp_path, names):
    rows = flowers(names)
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
    ls.SpikeClassifier(max_iter=1, random_state=0).fit(patterns, [0, 1]).save(path)
    refused(f"{path} holds a classifier of spikes, not of tables", "evaluate", path, table)


def test_models_saved_in_python(table, tmp_path):
    path = tmp_path / "m.npz"
    classifier, values = fitted_by_hand(table, max_iter=1)
    classifier.save(path)
    refused(f"{path} does not name the columns it learned from.", "predict", path, table)
    classifier.save(path, notes={"columns": COLUMNS[:2]})
    refused(f"{path} does not name the columns it learned from.", "predict", path, table)
    classifier.save(path, notes={"columns": COLUMNS})
    assert run("predict", path, table).out.splitlines() == ["label", *classifier.predict(values)]


def test_places_that_cannot_be_written(table, model, tmp_path, monkeypatch):
    def both(message, output):
        refused(message, "fit", table, "--target", "species", "-o", output, "--epochs", 1)
        refused(message, "predict", model, table, "-o", output)

    absent = tmp_path / "no" / "file"
    both(f"{absent} cannot be written: there is no folder {absent.parent}.", absent)
    both(f"{tmp_path} cannot be written: it is not a plain file.", tmp_path)
    both(f"{table} would be overwritten by its own results.", table)
    refused("would be overwritten by its own", "predict", model, table, "-o", model)
    if sys.platform == "linux":  # where even root may not write
        both("/proc/file cannot be written: ", "/proc/file")
    monkeypatch.setattr(table_model.os, "access", lambda path, mode: False)
    both("cannot be written: Permission denied.", tmp_path / "file")
    assert not list(tmp_path.iterdir())


def test_warnings_become_remarks(table, tmp_path, monkeypatch):
    learn = ls.SpikeClassifier.fit

    def warns(self, X, y):
        import warnings

        for _ in range(2):
            warnings.warn("too many spikes", ls.RunawayWarning, stacklevel=1)
        return learn(self, X, y)

    monkeypatch.setattr(ls.SpikeClassifier, "fit", warns)
    done = run("fit", table, "--target", "species", "-o", tmp_path / "m.npz", "--epochs", 1)
    assert done.code == 0
    assert done.err.splitlines()[-1] == "linspike: too many spikes"
    assert done.err.count("too many spikes") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_writes_nothing(table, tmp_path):
    command = [*MAIN, "fit", str(table), "--target", "species", "-o", str(tmp_path / "m.npz")]
    process = subprocess.Popen(
        [*command, "--epochs", "1000000", "--exact-counts"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    lines = iter(process.stderr.readline, "")
    assert any(line.startswith("epoch 2 of") for line in lines)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "linspike: interrupted; nothing was written."
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate"])
def test_help(command):
    done = run(command, "--help")
    assert done.code == 0
    assert "DATA is a CSV file" in done.out
    if command == "fit":
        assert "[default: 10; 1<=x<=1000]" in done.out
        assert "\n    linspike fit flowers.csv --target species -o flowers.npz\n" in done.out
