"""Accuracy on samples that were not learned: --cv and --test of `linspike fit`."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from tests.support.flowers import COLUMNS, NAMES, flowers, refused, run, write

import linspike as ls
from linspike.cli.table.assessment import assess

SETTINGS = ("--target", "species", "--epochs", 4)


def classifier():
    return ls.SpikeClassifier(ls.PopulationEncoder(), max_iter=4, random_state=0)


@pytest.fixture(scope="module")
def samples():
    rows = flowers(NAMES)
    return np.array([row[:4] for row in rows]), np.array([row[4] for row in rows])


def fitted(table, path, *options):
    """The results of a fit, as text and as plain values."""
    text = run("fit", table, *SETTINGS, "-o", path, *options)
    assert text.code == 0, text.err
    (row,) = json.loads(run("fit", table, *SETTINGS, "-o", path, *options, "--json").out)["rows"]
    return text, row


def test_cross_validation(table, model, samples, tmp_path):
    text, row = fitted(table, tmp_path / "m.npz", "--cv", 5)
    found = row["cross_validation"]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_score(classifier(), *samples, cv=folds)
    assert found["scores"] == scores.tolist()
    assert found["folds"] == 5
    assert found["accuracy"] == pytest.approx(scores.mean(), abs=1e-12)
    assert found["deviation"] == pytest.approx(scores.std(ddof=1), abs=1e-12)
    line = f"{scores.mean():.3f} +- {scores.std(ddof=1):.3f} in 5 folds "
    assert f"cross-validation  {line}({scores.min():.3f} to {scores.max():.3f})\n" in text.out
    assert "fold 5 of 5: learning from 24 rows of 4 columns\n" in text.err
    # The model in the file has learned from all rows.
    assert (tmp_path / "m.npz").read_bytes() == model.read_bytes()


def test_a_share_is_held_out(table, samples, tmp_path):
    text, row = fitted(table, tmp_path / "m.npz", "--test", 0.3)
    X, y = samples
    learned, tested = train_test_split(np.arange(30), test_size=0.3, stratify=y, random_state=0)
    learned, tested = np.sort(learned), np.sort(tested)
    by_hand = classifier().fit(X[learned], y[learned])
    assert np.array_equal(ls.load_model(tmp_path / "m.npz").weights_, by_hand.weights_)
    assert row["samples"] == 21
    found, score = row["test"], by_hand.score(X[tested], y[tested])
    assert (found["samples"], found["accuracy"], found["held_out"]) == (9, score, True)
    assert f"test      {score:.3f} on 9 samples that were held out (95 % interval " in text.out


def test_a_file_is_tested(table, model, tmp_path):
    rows = [row[::-1] for row in flowers(NAMES)[::2]]
    other = write(tmp_path / "other.csv", ["species", *COLUMNS[::-1]], rows, delimiter=";")
    text, row = fitted(table, tmp_path / "m.npz", "--test", other)
    assert (tmp_path / "m.npz").read_bytes() == model.read_bytes()
    found = json.loads(run("evaluate", model, other, "--json").out)["rows"][0]
    assert row["test"]["right"] == found["right"]
    assert row["test"]["samples"] == 15
    assert row["test"]["held_out"] is False
    assert " on 15 other samples (95 % interval " in text.out


def test_both_at_once(table, tmp_path):
    text, row = fitted(table, tmp_path / "m.npz", "--test", "0.3", "--cv", 3, "--seed", 2)
    assert len(row["cross_validation"]["scores"]) == 3
    assert row["test"]["samples"] == 9
    assert "fold 3 of 3: learning from 14 rows of 4 columns\n" in text.err


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_wilsons(case):
    right, n = case
    found = assess(np.zeros(n), np.arange(n) >= right)
    expected = stats.binomtest(right, n).proportion_ci(method="wilson")
    assert found["interval"] == pytest.approx([expected.low, expected.high], abs=1e-9)
    assert (found["right"], found["accuracy"]) == (right, right / n)


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (
            ["--cv", 11],
            "class 'setosa' has 10 of 30 samples, too few for 11 folds. Give --cv 10",
            1,
        ),
        (["--cv", 1], "Invalid value for '--cv': 1 is not in the range", 2),
        (["--test", "0"], "Invalid value for '--test': 0 is not between 0 and 1. Give a share", 2),
        (["--test", "20"], "20 is not between 0 and 1. Give a share such as 0.2, or a file.", 2),
        (["--test", "nan"], "nan is not between 0 and 1.", 2),
        (
            ["--test", "0.05"],
            "30 samples are too few for 3 classes, so no part can be held out.",
            1,
        ),
        (["--test", "0.05"], "Give --test another share, or a file.", 1),
        (["--test", "no.csv"], "no.csv cannot be read: No such file or directory.", 1),
        (["--cv", 10, "--early-stopping"], "27 samples are too few for 3 classes", 0),
        (["--cv", 2, "--early-stopping"], "15 samples are too few for 3 classes, so no part", 1),
    ],
)
def test_parts_that_cannot_be_made(table, tmp_path, options, message, code):
    arguments = ("fit", table, *SETTINGS, "-o", tmp_path / "m.npz", *options)
    if code == 0:
        assert run(*arguments).code == 0
        return
    refused(message, *arguments, code=code)
    assert not list(tmp_path.iterdir())


def test_a_class_of_one_sample(tmp_path):
    data = write(tmp_path / "d.csv", ["x", "kind"], [[0, "a"], [1, "b"], [2, "a"]])
    arguments = ("fit", data, "--target", "kind", "-o", tmp_path / "m.npz")
    message = "the class 'b' has 1 of 3 samples, too few for 2 folds. Leave out --cv."
    refused(message, *arguments, "--cv", 2)
    message = "the class 'b' has a single sample, so no part can be held out. Give --test another"
    refused(message, *arguments, "--test", 0.5)


def test_the_table_that_is_learned_tests_nothing(table, tmp_path, monkeypatch):
    message = f"--test {table} is the table that is learned. Give another one, or a share such"
    arguments = (*SETTINGS, "-o", tmp_path / "m.npz", "--test", table)
    refused(message, "fit", table, *arguments, code=2)
    monkeypatch.chdir(table.parent)
    refused(message, "fit", table.name, *arguments, code=2)


def test_files_are_read_before_anything_is_learned(table, tmp_path):
    arguments = ("fit", table, *SETTINGS, "-o", tmp_path / "m.npz", "--test")
    rows = [[1, 2, 3, 4, "rosa"]]
    other = write(tmp_path / "other.csv", [*COLUMNS, "species"], rows)
    done = refused("column 'species': the model does not know 'rosa' (line 2).", *arguments, other)
    assert "learning" not in done.err
    other = write(tmp_path / "other.csv", COLUMNS[1:], [[1, 2, 3]])
    done = refused("other.csv lacks the column 'sepal_length', which", *arguments, other)
    assert "learning" not in done.err
    message = f"{other} would be overwritten by its own results."
    refused(message, "fit", table, *SETTINGS, "-o", other, "--test", other)
