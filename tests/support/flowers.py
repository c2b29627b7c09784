"""Flowers as a table, and the command line as tests go there."""

import csv

from sklearn.datasets import load_iris
from tests.support.shell import run

NAMES = ["setosa", "versicolor", "virginica"]
COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


def refused(message, *arguments, code=1, stdin=b""):
    """Run what must fail with this one line; nothing may come out on stdout."""
    done = run(*arguments, stdin=stdin)
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


def flower_table(folder):
    """The flowers with their names, as a file."""
    return write(folder / "iris.csv", [*COLUMNS, "species"], flowers(NAMES))


def flower_model(table):
    """The file of a classifier that learned from the table for a moment."""
    path = table.with_name("iris.npz")
    done = run("fit", table, "--target", "species", "-o", path, "--epochs", 4)
    assert done.code == 0, done.err
    return path
