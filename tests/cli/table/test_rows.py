"""Rows as people have them: named, with an index, with decimal commas, on standard input."""

import io
import sys
from pathlib import Path

import pytest
from tests.support.flowers import COLUMNS, NAMES, flowers, refused, run, write

import linspike as ls
from linspike.cli.table.csv_table import read_table

HEADING = [*COLUMNS, "species"]


def named_rows():
    return [[f"f{i:02d}", *row] for i, row in enumerate(flowers(NAMES))]


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A table whose rows have names, and a model of it."""
    folder = tmp_path_factory.mktemp("named")
    table = write(folder / "named.csv", ["name", *HEADING], named_rows())
    path = folder / "m.npz"
    options = ("--target", "species", "-o", path, "--epochs", 4, "--id", "name")
    done = run("fit", table, *options)
    assert done.code == 0, done.err
    assert "features  4 (sepal_length, " in done.out
    return table, path


def test_names_go_through_predict(named, table, model):
    data, path = named
    assert ls.load_model(path).notes_["id"] == ["name"]
    done = run("predict", path, data, "--scores")
    expected = run("predict", model, table, "--scores").out.splitlines()
    names = ["name", *(row[0] for row in named_rows())]
    lines = [f"{name},{line}" for name, line in zip(names, expected, strict=True)]
    assert done.out.splitlines() == lines
    assert done.err == ""
    assert run("evaluate", path, data).out == run("evaluate", model, table).out


def test_names_may_be_absent_or_others(named, table, tmp_path):
    _, path = named
    done = run("predict", path, table)
    assert done.out.startswith("species\n")
    assert done.err == "no column 'name', which names the rows\n"
    rows = [[i, "x", *row] for i, row in enumerate(flowers(NAMES))]
    other = write(tmp_path / "o.csv", ["plant", "bed", *HEADING], rows)
    done = run("predict", path, other, "--id", "plant", "--id", "bed")
    assert done.out.splitlines()[:2] == ["plant,bed,species", "0,x,setosa"]
    assert done.err == ""
    assert "ignored" not in run("evaluate", path, other, "--id", "plant", "--id", "bed").err
    refused(
        "o.csv has no column 'plnt'. Did you mean 'plant'?", "predict", path, other, "--id=plnt"
    )


def test_names_with_gaps_stay_as_they_are(named, tmp_path):
    rows = [["", *row] for row in flowers(NAMES)[:2]] + [["007", *flowers(NAMES)[2]]]
    other = write(tmp_path / "o.csv", ["name", *HEADING], rows)
    names = [line.split(",")[0] for line in run("predict", named[1], other).out.splitlines()]
    assert names == ["name", "", "", "007"]


def test_the_target_names_no_rows(table, model, tmp_path):
    arguments = ("--target", "species", "--id", "species", "-o", tmp_path / "m.npz")
    message = "The column 'species' is the target and cannot name the rows."
    refused(message, "fit", table, *arguments)
    for command in ("predict", "evaluate"):
        refused(message, command, model, table, "--id", "species")


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_unnamed_index_is_left_out_and_carried_through(name, table, model, tmp_path):
    rows = [[7 * i % 30, *row] for i, row in enumerate(flowers(NAMES))]
    data = write(tmp_path / "d.csv", [name, *HEADING], rows)
    path = tmp_path / "m.npz"
    done = run("fit", data, "--target", "species", "-o", path, "--epochs", 4)
    shown = f" {name!r}" if name else ""
    assert done.err.splitlines()[0] == f"the unnamed first column{shown} is an index and no feature"
    assert ls.load_model(path).notes_["columns"] == COLUMNS
    expected = run("predict", model, table).out.splitlines()
    for each in (path, model):
        found = run("predict", each, data)
        index = [name, *(str(row[0]) for row in rows)]
        lines = [",".join(pair) for pair in zip(index, expected, strict=True)]
        assert found.out.splitlines() == lines
        assert found.err == ""


def test_an_index_may_be_named_or_dropped(tmp_path):
    rows = [[i, *row] for i, row in enumerate(flowers(NAMES))]
    data = write(tmp_path / "d.csv", ["Unnamed: 0", *HEADING], rows)
    arguments = ("fit", data, "--target", "species", "-o", tmp_path / "m.npz", "--epochs", 1)
    for option in ("--drop", "--id"):
        done = run(*arguments, option, "Unnamed: 0")
        assert done.code == 0
        assert ls.load_model(tmp_path / "m.npz").notes_["columns"] == COLUMNS


def test_a_feature_that_looks_like_an_index_stays_one(table, tmp_path):
    classifier = ls.SpikeClassifier(ls.PopulationEncoder(), max_iter=1, random_state=0)
    values = [[i, *row[:4]] for i, row in enumerate(flowers(NAMES))]
    classifier.fit(values, [row[4] for row in flowers(NAMES)])
    path, names = tmp_path / "m.npz", ["Unnamed: 0", *COLUMNS]
    classifier.save(path, notes={"columns": names})
    data = write(tmp_path / "d.csv", names, values)
    predicted = run("predict", path, data).out.splitlines()
    assert predicted == ["label", *classifier.predict(values)]


def test_standard_input(table, model, tmp_path):
    content = table.read_bytes()
    path = tmp_path / "m.npz"
    done = run("fit", "-", "--target", "species", "-o", path, "--epochs", 4, stdin=content)
    assert done.code == 0, done.err
    assert path.read_bytes() == model.read_bytes()
    assert run("predict", path, "-", stdin=content).out == run("predict", model, table).out
    assert run("evaluate", path, "-", stdin=content).out == run("evaluate", model, table).out
    done = run("fit", table, "--target", "species", "-o", path, "--test", "-", stdin=content)
    assert " on 30 other samples (95 % interval " in done.out


def test_standard_input_that_cannot_be_read(table, model, tmp_path, monkeypatch):
    refused("linspike: standard input is empty.", "predict", model, "-")
    message = "standard input, line 2, column 'sepal_length': 'x' is not a number."
    refused(message, "predict", model, "-", stdin=f"{','.join(COLUMNS)}\nx,1,1,1\n".encode())
    message = "standard input, line 2: the text is not in UTF-8 (byte 0xff)."
    refused(message, "predict", model, "-", stdin=b"a,b\n\xff,1\n")
    arguments = ("--target", "species", "-o", tmp_path / "m.npz", "--test", "-")
    message = "Standard input can be read only once, but both DATA and --test are '-'."
    refused(message, "fit", "-", *arguments, code=2)
    message = "A model cannot be read from standard input. Give its file."
    refused(message, "predict", "-", table)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ls.LinspikeError, match="standard input cannot be read: it is closed."):
        read_table(Path("-"))


def test_standard_input_stays_open(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n1\n")))
    assert read_table(Path("-")).cells.tolist() == [[1.0]]
    assert not sys.stdin.closed


def test_decimal_commas(table, model, tmp_path):
    rows = [[*(str(x).replace(".", ",") for x in row[:4]), row[4]] for row in flowers(NAMES)]
    data = write(tmp_path / "d.csv", HEADING, rows, delimiter=";")
    path = tmp_path / "m.npz"
    arguments = ("fit", data, "--target", "species", "-o", path, "--epochs", 4)
    refused("'5,1' is not a number. Give --decimal , for decimals with a comma.", *arguments)
    assert run(*arguments, "--decimal", ",").code == 0
    assert path.read_bytes() == model.read_bytes()
    expected = run("predict", model, table, "--scores").out
    found = run("predict", path, data, "--scores", "--decimal", ",").out
    assert found == expected.replace(",", ";").replace(".", ",")
    message = "Decimals and cells cannot both have a comma: with --decimal , the delimiter is"
    refused(message, *arguments, "--decimal", ",", "--delimiter", "comma", code=2)
    message = "with --decimal , cells must be separated by semicolons or tabs"
    refused(message, "predict", model, table, "--decimal", ",")


def test_classes_with_decimal_commas(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("x;kind\n0,5;1,0\n2;3\n")
    arguments = ("--target", "kind", "-o", tmp_path / "m.npz", "--decimal", ",")
    assert run("fit", data, *arguments, "--epochs", 1).code == 0
    assert ls.load_model(tmp_path / "m.npz").classes_.tolist() == [1, 3]
    data.write_text("x;kind\n0,5;1,5\n2;3\n")
    refused("line 2, column 'kind': 1,5 cannot be a class.", "fit", data, *arguments)


def test_comments_are_counted(table, model, tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("# flowers\n" + table.read_text() + "# end\n")
    done = run("predict", model, data)
    assert done.out == run("predict", model, table).out
    assert done.err == "2 lines skipped as comments (#)\n"
    data.write_text(data.read_text().replace("#", "%"))
    assert run("predict", model, data, "--comment", "%").out == done.out


@pytest.mark.parametrize("mark", ["1", "a", " ", '"', "-", "#,"])
def test_marks_that_could_begin_a_cell(table, model, mark):
    message = f"--comment {mark!r} could begin a cell. Use a mark such as # or %."
    refused(message, "predict", model, table, "--comment", mark, code=2)
