"""From a table to predictions on the command line, as a user goes there."""

import csv
import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from tests.support.flowers import COLUMNS, NAMES, flowers, refused, run, write

import linspike as ls
from linspike.cli import progress

MAIN = [sys.executable, "-c", "from linspike.cli import main; main()"]


def fitted_by_hand(table, **settings):
    rows = list(csv.reader(table.read_text().splitlines()))[1:]
    values = np.array([row[:4] for row in rows], dtype=float)
    classifier = ls.SpikeClassifier(ls.PopulationEncoder(), random_state=0, **settings)
    return classifier.fit(values, [row[4] for row in rows]), values


def test_fit_prints_its_results(table, tmp_path):
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
    assert re.fullmatch(r"\d+\.\d", facts["seconds"])
    assert facts["file"] == str(path)
    assert done.err == "learning from 30 rows of 4 columns\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.npz"]


def test_the_model_is_that_of_the_estimator(table, model):
    classifier, values = fitted_by_hand(table, max_iter=4)
    loaded = ls.load_model(model)
    assert np.array_equal(loaded.weights_, classifier.weights_)
    assert loaded.notes_ == {"columns": COLUMNS, "target": "species"}
    assert loaded.n_jobs is None
    done = run("predict", model, table)
    assert done.out.splitlines() == ["species", *classifier.predict(values)]
    assert done.err == ""


def test_settings_reach_the_estimator(table, tmp_path):
    path = tmp_path / "m.npz"
    options = "--spike-count 3 --fields 5 --beta 2 --duration 20 --exact-counts --epochs 1 --seed 7"
    arguments = (*options.split(), "--rule", "emlc", "--drop", "sepal_length")
    assert run("fit", table, "--target", "species", "-o", path, *arguments).code == 0
    loaded = ls.load_model(path)
    expected = {"spikes": 3, "target": "exact", "max_iter": 1, "random_state": 7, "code": "counts"}
    assert expected.items() <= loaded.get_params(deep=False).items()
    assert (loaded.rule_.key, loaded.early_stopping) == ("emlc", False)
    encoder = loaded.encoder_
    assert (encoder.n_fields, encoder.beta, encoder.duration) == (5, 2.0, 20.0)
    assert loaded.notes_["columns"] == COLUMNS[1:]


def test_settings_of_the_rule(table, tmp_path):
    path = tmp_path / "m.npz"
    arguments = ("fit", table, "--target", "species", "-o", path, "--epochs", 2)
    assert run(*arguments, "--rule", "mst", "--eta", 0.02, "--decay", 0.5).code == 0
    loaded = ls.load_model(path)
    rule, schedule = ls.rules.MST(eta=0.02), ls.training.Inverse(0.5)
    assert (loaded.rule_, loaded.schedule) == (rule, schedule)
    by_hand, _ = fitted_by_hand(table, rule=rule, schedule=schedule, max_iter=2)
    assert np.array_equal(loaded.weights_, by_hand.weights_)
    assert run(*arguments, "--bound", 0.1).code == 0
    assert ls.load_model(path).rule_ == ls.DTA(bound=0.1)


def test_weights_keep_to_the_bounds_given(table, tmp_path):
    path = tmp_path / "m.npz"
    arguments = ("fit", table, "--target", "species", "-o", path, "--epochs", 2)
    assert run(*arguments, "--weight-low", 0, "--weight-high", 1).code == 0
    loaded = ls.load_model(path)
    assert loaded.weight_bounds == (0.0, 1.0)
    assert loaded.weights_.min() == 0.0
    assert loaded.weights_.max() <= 1.0
    assert run(*arguments, "--weight-high", 1).code == 0
    assert ls.load_model(path).weight_bounds == (-np.inf, 1.0)


def test_the_same_seed_gives_the_same_file(table, tmp_path):
    files = [tmp_path / name for name in ("one.npz", "two.npz", "other.npz")]
    for path, seed, jobs in zip(files, (3, 3, 4), (1, 2, 1), strict=True):
        options = ("--epochs", 1, "--seed", seed, "--jobs", jobs)
        assert run("fit", table, "--target", "species", "-o", path, *options).code == 0
    one, two, other = (path.read_bytes() for path in files)
    assert one == two
    assert one != other


def test_results_as_json(table, tmp_path):
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


def test_progress_names_the_scores_of_an_epoch(table, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    arguments = ("--epochs", 3, "--early-stopping", "-o", tmp_path / "m.npz")
    lines = run("fit", table, "--target", "species", *arguments).err.splitlines()
    line = r"learning: 2 of 3 epochs, accuracy [01]\.\d+, validation accuracy [01]\.\d+, \d+ s left"
    assert re.fullmatch(line, lines[1])
    assert lines[2].startswith("learning: 3 of 3 epochs, ")


def test_early_stopping_prints_both_accuracies(table, tmp_path):
    arguments = ("--epochs", 2, "--early-stopping", "-o", tmp_path / "m.npz")
    done = run("fit", table, "--target", "species", *arguments)
    assert " on all samples, " in done.out
    assert " on those held out\n" in done.out


def test_learning_ends_when_all_is_right(tmp_path):
    data = write(tmp_path / "d.csv", ["x", "kind"], [[0, "low"], [1, "high"]])
    done = run("fit", data, "--target", "kind", "-o", tmp_path / "m.npz", "--epochs", 500)
    assert ", until every response was right\n" in done.out
    assert run("predict", tmp_path / "m.npz", data).out == "kind\nlow\nhigh\n"


def test_times_as_code(table, tmp_path):
    path = tmp_path / "m.npz"
    arguments = ("--code", "times", "--spike-count", 2, "--epochs", 1, "-o", path)
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


def test_columns_are_found_by_name(table, model, tmp_path):
    expected = run("predict", model, table, "--scores").out
    rows = [[i, *reversed(row[:4])] for i, row in enumerate(flowers(NAMES))]
    other = write(tmp_path / "o.csv", ["id", *reversed(COLUMNS)], rows, delimiter=";")
    done = run("predict", model, other, "--scores")
    assert done.out == expected
    assert done.err == "column not known to the model, ignored: id\n"
    assert run("predict", model, other, "--scores", "--delimiter", "semicolon").out == expected


def test_scores_decide(table, model):
    lines = run("predict", model, table, "--scores").out.splitlines()
    assert lines[0] == "species,score_setosa,score_versicolor,score_virginica"
    for line in lines[1:]:
        label, *scores = line.split(",")
        assert label == NAMES[np.argmax([float(score) for score in scores])]


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


def test_evaluate(table, model):
    done = run("evaluate", model, table)
    lines = done.out.splitlines()
    report = json.loads(run("evaluate", model, table, "--json").out)
    (row,) = report["rows"]
    predicted = run("predict", model, table).out.splitlines()[1:]
    truth = [flower[4] for flower in flowers(NAMES)]
    right = sum(a == b for a, b in zip(predicted, truth, strict=True))
    assert lines[0] == f"accuracy {right / 30:.3f} ({right} of 30)"
    assert lines[2].split() == ["true", "\\", "predicted", *NAMES, "samples", "right"]
    assert lines[3].split()[:1] == ["setosa"]
    assert (row["right"], row["samples"], row["accuracy"]) == (right, 30, right / 30)
    assert np.trace(row["confusion"]) == right
    for place, (name, part) in enumerate(zip(NAMES, row["classes"], strict=True)):
        assert (part["label"], part["samples"]) == (name, 10)
        assert part["predicted"] == predicted.count(name)
        assert part["right"] == row["confusion"][place][place]
    assert report["provenance"]["model"] == str(model)


def test_evaluate_where_a_class_is_absent(model, tmp_path):
    rows = [row for row in flowers(NAMES) if row[4] != "setosa"]
    done = run("evaluate", model, write(tmp_path / "d.csv", [*COLUMNS, "species"], rows))
    assert done.out.splitlines()[3].split()[-2:] == ["0", "-"]


def test_models_saved_in_python(table, tmp_path):
    path = tmp_path / "m.npz"
    classifier, values = fitted_by_hand(table, max_iter=1)
    classifier.save(path)
    refused(f"{path} does not name the columns it learned from.", "predict", path, table)
    classifier.save(path, notes={"columns": COLUMNS[:2]})
    refused(f"{path} does not name the columns it learned from.", "predict", path, table)
    classifier.save(path, notes={"columns": COLUMNS})
    predicted = classifier.predict(values)
    assert run("predict", path, table).out.splitlines() == ["label", *predicted]
    refused("The model does not name the column of the classes.", "evaluate", path, table)
    classifier.save(path, notes={"columns": COLUMNS, "target": "species"})
    assert run("predict", path, table).out.splitlines() == ["species", *predicted]
    assert run("evaluate", path, table).out.startswith("accuracy ")


def test_models_for_data_frames(table, model):
    pandas = pytest.importorskip("pandas")
    loaded, frame = ls.load_model(model), pandas.read_csv(table)
    assert loaded.feature_names_in_.tolist() == COLUMNS
    predicted = loaded.predict(frame[COLUMNS])
    assert run("predict", model, table).out.splitlines() == ["species", *predicted]
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[COLUMNS[::-1]])


def test_warnings_become_remarks(table, tmp_path, monkeypatch):
    learn = ls.SpikeClassifier.fit

    def warns(self, X, y, **options):
        import warnings

        for _ in range(2):
            warnings.warn("too many spikes", ls.RunawayWarning, stacklevel=1)
        return learn(self, X, y, **options)

    monkeypatch.setattr(ls.SpikeClassifier, "fit", warns)
    done = run("fit", table, "--target", "species", "-o", tmp_path / "m.npz", "--epochs", 1)
    assert done.code == 0
    assert done.err.splitlines()[-1] == "linspike: too many spikes"
    assert done.err.count("too many spikes") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_writes_nothing(table, tmp_path):
    script = "from linspike.cli import main, progress; progress.EVERY_SECONDS = 0.1; main()"
    rows = [[1.0, name] for name in NAMES]  # never learned: all classes look the same
    data = write(table.with_name("alike.csv"), ["x", "species"], rows)
    command = ["fit", str(data), "--target", "species", "-o", str(tmp_path / "m.npz")]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *command, "--epochs", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    lines = iter(process.stderr.readline, "")
    assert any(line.startswith("learning: ") for line in lines)
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
        assert "[default: 10; 1<=x<=1000]" in " ".join(done.out.split())
        assert "\n    linspike fit flowers.csv --target species -o flowers.npz\n" in done.out
