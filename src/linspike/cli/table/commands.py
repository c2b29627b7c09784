"""`linspike predict` and `evaluate`: use a classifier on a table of numbers or of events."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from linspike.cli.options import JSON, table_options
from linspike.cli.output import STDOUT, as_json, check_place, write_text
from linspike.cli.table.cells import count_noun, join_names
from linspike.cli.table.csv_table import Table, read_table
from linspike.cli.table.lines import make_dialect, name_source
from linspike.cli.table.loading import load_saved
from linspike.cli.table.summary import format_evaluation, summarise_evaluation
from linspike.cli.table.table_model import SavedModel, TableModel, refuse_target
from linspike.errors import printable

# What cannot be read ends with status 1.
PATH = click.Path(path_type=Path, readable=False, allow_dash=True)
DATA = click.argument("data", type=PATH)
LABEL = "label"  # heading of the classes if the model does not name its target
MODEL = click.argument("model", type=PATH)
ID = click.option(
    "--id",
    "ids",
    multiple=True,
    metavar="COL",
    help="Column that names the rows; those of `fit` unless given. Repeatable.",
)


@click.command()
@MODEL
@DATA
@click.option("-o", "--output", type=PATH, metavar="FILE", help="CSV file; stdout unless given.")
@click.option(
    "--scores",
    is_flag=True,
    help="Also print the score of each class; with two classes, of the second alone.",
)
@ID
@table_options
def predict(
    model: Path, data: Path, output: Path | None, scores: bool, ids: tuple[str, ...], **form: Any
) -> None:
    """Print the class of each row or sample of a table, as CSV with a header line.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from, in any order; - is standard input. It needs no target column. Columns that name
    the rows are printed before the class; others are ignored.
    """
    check_place(output, data, model)
    loaded, table = _load(model, data, ids, form)
    inputs = loaded.read_inputs(table)
    names = loaded.read_ids(table)
    columns: list[tuple[str, Sequence[Any]]] = [*names.items()]
    columns.append((loaded.target or LABEL, loaded.predict(inputs).tolist()))
    if scores:
        found = loaded.scores(inputs)
        labels = loaded.classifier.classes_.tolist()[-found.shape[1] :]
        for label, column in zip(labels, found.T.tolist(), strict=True):
            columns.append((f"score_{label}", column))
    # A file or another program gets the exact text.
    to_terminal = (output is None or str(output) == STDOUT) and sys.stdout.isatty()
    text = _format_csv(columns, form["decimal"], escaped=to_terminal)
    if write_text(output, text):
        click.echo(f"{len(inputs)} predictions written to {output}", err=True)


@click.command()
@MODEL
@DATA
@ID
@table_options
@JSON
def evaluate(model: Path, data: Path, ids: tuple[str, ...], print_json: bool, **form: Any) -> None:
    """Compare the predictions of a model with the true classes.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from and the target, in any order; - is standard input. Prints the accuracy and the
    confusion matrix.
    """
    loaded, table = _load(model, data, ids, form)
    inputs, truth = loaded.read_inputs(table), loaded.read_truth(table)
    found = summarise_evaluation(truth, loaded.predict(inputs), loaded.classifier.classes_)
    if print_json:
        click.echo(as_json([found], model=str(model), file=name_source(data)))
        return
    click.echo(format_evaluation(found))


def report_table(table: Table, model: SavedModel, *, fitting: bool = False) -> None:
    """Name on stderr what of a table is left out."""
    if table.n_comments:
        lines = count_noun(table.n_comments, "line")
        click.echo(f"{lines} skipped as comments ({table.dialect.comment})", err=True)
    columns = model.columns if isinstance(model, TableModel) else ()
    if table.index is not None and table.index not in (*columns, *model.text_columns) and fitting:
        name = f" {table.index!r}" if table.index else ""
        click.echo(f"the unnamed first column{name} is an index and no feature", err=True)
    if isinstance(model, TableModel):
        for name in model.ids:
            if name not in table.names:
                click.echo(f"no column {name!r}, which names the rows", err=True)
    ignored = model.list_ignored(table)
    if ignored and not (fitting and isinstance(model, TableModel)):  # where --drop says which
        noun = "column" if len(ignored) == 1 else "columns"
        click.echo(f"{noun} not known to the model, ignored: {join_names(ignored)}", err=True)


def _load(
    path: Path, data: Path, ids: tuple[str, ...], form: Mapping[str, Any]
) -> tuple[SavedModel, Table]:
    """Return a model and a table for it; name on stderr what is left out."""
    dialect = make_dialect(**form)
    model = load_saved(path)
    if ids and not isinstance(model, TableModel):
        raise click.UsageError("--id is for tables of numbers; samples of events have names.")
    table = read_table(data, dialect, (*model.text_columns, *ids))
    if ids and isinstance(model, TableModel):
        for name in ids:
            table.index_of(name)
        refuse_target(model.target or LABEL, ids)
        model = replace(model, ids=ids)
    report_table(table, model)
    return model, table


def _format_csv(
    columns: Sequence[tuple[str, Sequence[Any]]], decimal: str, *, escaped: bool
) -> str:
    """Return columns with their names as CSV; decimals with a comma go with semicolons."""
    if escaped:
        columns = [(printable(n), [printable(cell) for cell in cells]) for n, cells in columns]
    if decimal != ".":
        columns = [(n, [_localise(cell, decimal) for cell in cells]) for n, cells in columns]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="," if decimal == "." else ";", lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    writer.writerows(zip(*(cells for _, cells in columns), strict=True))
    return text.getvalue()


def _localise(cell: Any, decimal: str) -> Any:
    return repr(cell).replace(".", decimal) if isinstance(cell, float) else cell
