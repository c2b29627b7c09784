"""Texts of a table that would steer a terminal: shown escaped, kept as they are."""

import csv
import io
import json

import pytest
from tests.support.flowers import COLUMNS, flowers, refused, run, write

from linspike.errors import printable

RED = "\x1b[31mred\x1b[0m"
LABELS = [RED, "two\nlines", "bell\x07"]
NAMES = ["sepal\x1b[2J", "line\nend", *COLUMNS[2:]]
TARGET = "kind\x1b]0;title\x07"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("escapes")
    return write(folder / "d.csv", [*NAMES, TARGET], flowers(LABELS))


@pytest.fixture(scope="module")
def fitted(table):
    path = table.with_name("m.npz")
    return path, run("fit", table, "--target", TARGET, "-o", path, "--epochs", 2)


def harmless(text):
    return all(mark.isprintable() or mark == "\n" for mark in text)


def test_control_characters_are_escaped():
    assert printable(RED) == r"\x1b[31mred\x1b[0m"
    assert printable("a\nb\tc\r\x7f\x9b\u202e\ud800") == r"a\nb\tc\r\x7f\x9b\u202e\ud800"
    assert printable("Größe 5 µm, 花") == "Größe 5 µm, 花"
    assert printable(3) == "3"


def test_fit_and_evaluate_show_them_escaped(table, fitted):
    path, done = fitted
    assert done.code == 0, done.err
    assert harmless(done.out + done.err)
    assert r"4 (sepal\x1b[2J, line\nend, petal_length, petal_width)" in done.out
    assert r"\x1b[31mred\x1b[0m 10" in done.out
    done = run("evaluate", path, table)
    assert done.code == 0, done.err
    assert harmless(done.out + done.err)
    header, *rows = done.out.splitlines()[2:]
    assert r"two\nlines" in header
    assert len({len(row) for row in (header, *rows)}) == 1  # still aligned
    found = json.loads(run("evaluate", path, table, "--json").out)["rows"][0]
    assert {part["label"] for part in found["classes"]} == set(LABELS)


def test_predictions_are_exact_but_for_a_terminal(table, fitted, tmp_path, monkeypatch):
    path, out = fitted[0], tmp_path / "out.csv"
    assert run("predict", path, table, "--scores", "-o", out).code == 0
    exact = out.read_bytes().decode()
    heading, *rows = csv.reader(io.StringIO(exact, newline=""))
    assert heading == [TARGET, *(f"score_{label}" for label in sorted(LABELS))]
    assert {row[0] for row in rows} <= set(LABELS)
    assert run("predict", path, table, "--scores").out == exact
    monkeypatch.setattr(io, "StringIO", Terminal)
    shown = run("predict", path, table, "--scores").out
    monkeypatch.undo()
    assert harmless(shown)
    assert list(csv.reader(io.StringIO(shown))) == [
        [printable(cell) for cell in row] for row in (heading, *rows)
    ]


def test_refusals_show_them_escaped(table, fitted, tmp_path):
    def check(message, *arguments):
        assert harmless(refused(message, *arguments).err)

    options = ("-o", tmp_path / "m.npz")
    check(r"It has: sepal\x1b[2J, line\nend, petal_length", "fit", table, "--target", "x", *options)
    rows = flowers(LABELS)
    rows[0][0] = rows[1][4] = "\x1b[1mbold"
    data = write(tmp_path / "d.csv", [*NAMES, TARGET], rows)
    message = r"'\x1b[1mbold' is not a number. Leave the column out with --drop 'sepal\x1b[2J'."
    check(message, "fit", data, "--target", TARGET, *options)
    rows[0][0] = 1.0
    data = write(tmp_path / "d.csv", [*NAMES, TARGET], rows)
    check(r"It knows: \x1b[31mred\x1b[0m, bell\x07, two\nlines.", "evaluate", fitted[0], data)
    more = write(tmp_path / "e.csv", [*NAMES, "more\x1b[3m"], flowers(LABELS))
    done = run("predict", fitted[0], more)
    assert done.err == "column not known to the model, ignored: more\\x1b[3m\n"
    check(r"a\nb.csv cannot be read", "evaluate", fitted[0], tmp_path / "a\nb.csv")
