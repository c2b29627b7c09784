"""`linspike deploy-check`: for spikes and tables, as text, JSON and picture; and refusals."""

import json

import numpy as np
import pytest
from tests.support.flowers import refused, run

import linspike as ls

PATTERNS = ls.poisson_patterns(12, n_channels=30, duration=100.0, rate=0.02, rng=0)
MODEL = ls.Model(ls.SRM(), np.random.default_rng(0).normal(0.1, 0.2, (2, 30)))
LABELS = [0, 1] * 6


@pytest.fixture
def files(tmp_path):
    PATTERNS.save(tmp_path / "patterns.npz")
    MODEL.save(tmp_path / "model.npz")
    lines = ["label", *map(str, LABELS)]
    (tmp_path / "labels.csv").write_text("\n".join(lines))
    return tmp_path


def test_the_table_is_that_of_python(files):
    arguments = (files / "model.npz", files / "patterns.npz")
    done = run("deploy-check", *arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{ls.deploy_check(MODEL, PATTERNS)}\n"
    done = run(
        "deploy-check", *arguments, "--labels", files / "labels.csv", "--dt", 1, "--dt", 0.5,
        "--bits", 4,
    )  # fmt: skip
    report = ls.deploy_check(MODEL, PATTERNS, labels=LABELS, dts=[1.0, 0.5], bits=[4])
    assert done.out == f"{report}\n"


def test_an_encoder_of_spikes_acts_as_in_python(files):
    clf = ls.make_event_classifier(100.0, folds=2, max_iter=2, random_state=0)
    clf.fit(PATTERNS, LABELS).save(files / "events.npz")
    done = run("deploy-check", files / "events.npz", files / "patterns.npz", "--dt", 0.5)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{ls.deploy_check(clf, PATTERNS, dts=[0.5])}\n"


def test_json(files):
    done = run("deploy-check", files / "model.npz", files / "patterns.npz", "--dt", 1, "--json")
    found = json.loads(done.out)
    report = ls.deploy_check(MODEL, PATTERNS, dts=[1.0])
    assert found["rows"] == [row.to_dict() for row in (report.reference, *report.rows)]
    assert found["provenance"]["n_patterns"] == 12


def test_a_classifier_of_a_table(table, model, tmp_path):
    picture = tmp_path / "check.png"
    done = run("deploy-check", model, table, "--dt", 0.1, "--plot", picture)
    assert done.code == 0, done.err
    clf = ls.load_model(model)
    assert done.out.splitlines()[0].endswith("accuracy")
    assert picture.read_bytes().startswith(b"\x89PNG")
    cells = [line.split(",") for line in table.read_text().splitlines()[1:]]
    values = np.array([row[:4] for row in cells], dtype=float)
    del clf.feature_names_in_
    report = ls.deploy_check(clf, values, labels=[row[4] for row in cells], dts=[0.1])
    assert done.out == f"{report}\n"


def test_tables_with_commas_in_numbers(table, model, files, tmp_path):
    text = table.read_text().replace(",", ";").replace(".", ",")
    (tmp_path / "comma.csv").write_text(f"% measured by hand\n{text}")
    form = ("--decimal", ",", "--comment", "%", "--delimiter", "semicolon")
    done = run("deploy-check", model, tmp_path / "comma.csv", "--dt", 0.1, *form)
    assert (done.code, done.err) == (0, "1 line skipped as comments (%)\n")
    assert done.out == run("deploy-check", model, table, "--dt", 0.1).out
    refused("--decimal", "deploy-check", model, tmp_path / "comma.csv", "--comment", "%")
    lines = ["% by hand", "name;label", *(f"{n},5;{label}" for n, label in enumerate(LABELS))]
    (tmp_path / "named.csv").write_text("\n".join(lines))
    good = ("deploy-check", files / "model.npz", files / "patterns.npz", "--labels")
    done = run(*good, tmp_path / "named.csv", *form)
    assert (done.code, done.out) == (0, run(*good, files / "labels.csv").out)


def test_a_table_without_classes(table, model, tmp_path):
    lines = [line.rpartition(",")[0] for line in table.read_text().splitlines()]
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(lines))
    done = run("deploy-check", model, bare, "--dt", 0.1)
    assert done.code == 0
    assert "accuracy" not in done.out


def test_refusals(files, table, model):
    good = ("deploy-check", files / "model.npz", files / "patterns.npz")
    refused("must be positive and below tau_s = 5 ms. Got 6.0", *good, "--dt", 6)
    refused("'dts' parameter of deploy_check must be positive", *good, "--dt", 0)
    refused("'bits' parameter of deploy_check must be a whole number", *good, "--bits", 1)
    refused("lost.npz cannot be read: No such file", *good[:2], files / "lost.npz")
    refused("lost.npz cannot be read: No such file", good[0], files / "lost.npz", good[2])
    refused("is not a model that linspike saved", good[0], good[2], good[2])
    refused("holds a Model, which names no classes", *good[:2], table)
    refused("needs one column, or one that is named label", *good, "--labels", table)
    (files / "few.csv").write_text("label\n0\n1\n")
    refused("needs a label for each of the 12 patterns", *good, "--labels", files / "few.csv")
    refused("over the 40 channels", good[0], model, good[2])
    refused("would be overwritten by its own", *good, "--plot", link(files, "model.npz"))
    refused("--plot needs a name that ends in png, svg, pdf", *good, "--plot", "x.gif", code=2)
    labels = files / "labels.csv"
    refused("--labels is for spikes", good[0], model, table, "--labels", labels, code=2)
    refused("not a valid float", *good, "--dt", "fine", code=2)
    assert ls.load_model(files / "model.npz").weights.shape == (2, 30)


def link(folder, name):
    """A name for a picture that is another file in truth."""
    path = folder / "link.png"
    path.symlink_to(folder / name)
    return path
