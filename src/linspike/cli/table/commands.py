"""`linspike fit`, `predict` and `evaluate`: a classifier of the rows of a CSV file."""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linspike._files import check_output
from linspike._threads import available_cores
from linspike._typing import Floats
from linspike.cli.options import JOBS, JSON, setting
from linspike.cli.output import as_json
from linspike.cli.table.csv_table import DELIMITERS, Table, join_names, read_table
from linspike.cli.table.learning import fit_classifier
from linspike.cli.table.summary import (
    format_evaluation,
    format_fit,
    summarise_evaluation,
    summarise_fit,
)
from linspike.cli.table.table_model import (
    TableModel,
    check_divisible,
    choose_columns,
    load_table_model,
    read_labels,
    write_text,
)
from linspike.errors import printable
from linspike.rules import REGISTRY, Rule, rule_class, rule_of

if TYPE_CHECKING:
    from linspike.estimators import SpikeClassifier

PATH = click.Path(path_type=Path, readable=False)  # what cannot be read ends with status 1
DATA = click.argument("data", type=PATH)
MODEL = click.argument("model", type=PATH)
RULE_SETTINGS = ("eta", "bound")
POSITIVE = click.FloatRange(min=0.0, min_open=True)
DELIMITER = click.option(
    "--delimiter",
    type=click.Choice(list(DELIMITERS)),
    help="Character between cells; detected unless given.",
)

EXAMPLE = """\b
Example:
  linspike fit flowers.csv --target species -o flowers.npz
  linspike predict flowers.npz new_flowers.csv
"""


@click.command(epilog=EXAMPLE)
@DATA
@click.option("--target", required=True, metavar="COL", help="Column with the class of each row.")
@click.option("-o", "--output", type=PATH, required=True, metavar="FILE", help="Model to write.")
@click.option("--drop", multiple=True, metavar="COL", help="Leave out a column; repeatable.")
@DELIMITER
@setting("--rule", click.Choice(list(REGISTRY)), "dta", "Learning rule.")
@click.option("--eta", type=POSITIVE, help="Learning rate of the rule; its default unless given.")
@click.option("--bound", type=POSITIVE, help="Bound of the steps of dta; its default unless given.")
@setting("--decay", click.FloatRange(min=0.0), 0.0, "Steps shrink as 1 / (1 + decay * epoch).")
@setting(
    "--code",
    click.Choice(["counts", "times"]),
    "counts",
    "What of the output encodes a class: number of spikes, or spike times.",
)
@setting("--spikes", click.IntRange(1, 1000), 10, "Spikes of a neuron for its class.")
@click.option(
    "--exact-counts",
    is_flag=True,
    help="Learn exactly that many spikes, as in the paper; else at least that many.",
)
@setting("--fields", click.IntRange(min=3), 10, "Receptive fields for each column.")
@setting("--beta", POSITIVE, 1.5, "Receptive fields are narrower for larger beta.")
@setting("--duration", POSITIVE, 10.0, "Length of the pattern of a row, in milliseconds.")
@setting("--epochs", click.IntRange(min=1), 20, "Passes over all rows, at most.")
@click.option(
    "--early-stopping",
    is_flag=True,
    help="Hold out a tenth of the rows, and stop when their accuracy no longer improves.",
)
@setting("--seed", click.IntRange(0, 2**32 - 1), 0, "Random seed: the same seed, the same model.")
@JOBS
@JSON
def fit(
    data: Path,
    target: str,
    output: Path,
    drop: tuple[str, ...],
    delimiter: str | None,
    print_json: bool,
    **settings: Any,
) -> None:
    """Train a classifier on the rows of a table, and write the model to one file.

    DATA is a CSV file whose first line names the columns. One column, the target, holds the
    classes, as texts or integers; all others must hold numbers, or be left out with --drop.
    """
    started = time.perf_counter()
    classifier = _make_classifier(**settings)
    check_output(output, data)
    table = read_table(data, DELIMITERS.get(delimiter or ""))
    columns = choose_columns(table, target, drop)
    labels, values = read_labels(table, target), table.numbers(columns, drop_option="--drop")
    if classifier.early_stopping:
        check_divisible(table, target, labels, classifier.validation_fraction)
    try:
        fit_classifier(classifier, values, labels)
        TableModel(classifier, columns, target).save(output)
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; nothing was written.", err=True)
        raise SystemExit(130) from None
    found = summarise_fit(classifier, values, labels)
    seconds = round(time.perf_counter() - started, 3)
    if print_json:
        click.echo(as_json([found], seconds=seconds, file=str(output)))
        return
    more = {"seconds": f"{seconds:.1f}", "file": printable(output)}
    click.echo(format_fit(found, columns, settings["epochs"], more))


def _make_classifier(**settings: Any) -> SpikeClassifier:
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    rule, code, exact = _make_rule(**settings), settings["code"], settings["exact_counts"]
    if code == "times":
        if "times" not in rule.targets:
            raise click.UsageError(f"The rule {rule.key} cannot learn times; use --code counts.")
        if exact:
            raise click.UsageError("--exact-counts is for --code counts.")
        if settings["spikes"] < 2:
            raise click.UsageError("--code times needs --spikes 2 or more.")
    return SpikeClassifier(
        PopulationEncoder(settings["fields"], settings["beta"], settings["duration"]),
        rule,
        spikes=settings["spikes"],
        code=code,
        target="exact" if exact else "at_least",
        max_iter=settings["epochs"],
        schedule=Inverse(settings["decay"]) if settings["decay"] else None,
        early_stopping=settings["early_stopping"],
        n_jobs=settings["jobs"] or available_cores(),
        random_state=settings["seed"],
    )


def _make_rule(rule: str, **settings: Any) -> Rule:
    """Return the rule with those of its settings that were given."""
    given = {name: settings[name] for name in RULE_SETTINGS if settings[name] is not None}
    known = {field.name for field in fields(rule_class(rule))}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise click.UsageError(f"The rule {rule} has no setting {name!r}; leave out --{name}.")
    return rule_of(rule, "fit", **given)


@click.command()
@MODEL
@DATA
@click.option("-o", "--output", type=PATH, metavar="FILE", help="CSV file; stdout unless given.")
@click.option(
    "--scores",
    is_flag=True,
    help="Also print the score of each class; with two classes, of the second alone.",
)
@DELIMITER
def predict(
    model: Path, data: Path, output: Path | None, scores: bool, delimiter: str | None
) -> None:
    """Print the class of each row of a table, as CSV with a header line.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from, in any order. It needs no target column; other columns are ignored.
    """
    if output is not None:
        check_output(output, data, model)
    loaded, _, values = _load(model, data, delimiter)
    classifier = loaded.classifier
    heading, columns = [loaded.target or "label"], [classifier.predict(values).tolist()]
    if scores:
        found = classifier.decision_function(values).reshape(len(values), -1)
        labels = classifier.classes_.tolist()
        heading += [f"score_{label}" for label in labels[-found.shape[1] :]]
        columns += found.T.tolist()
    if output is None and sys.stdout.isatty():  # a file or another program gets the exact text
        heading = [printable(name) for name in heading]
        columns = [[printable(cell) for cell in column] for column in columns]
    text = _format_csv(heading, columns)
    if output is None:
        sys.stdout.write(text)
        return
    write_text(output, text)
    click.echo(f"{len(values)} predictions written to {output}", err=True)


@click.command()
@MODEL
@DATA
@DELIMITER
@JSON
def evaluate(model: Path, data: Path, delimiter: str | None, print_json: bool) -> None:
    """Compare the predictions of a model with the true classes.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from and the target, in any order. Prints the accuracy and the confusion matrix.
    """
    loaded, table, values = _load(model, data, delimiter)
    truth, classes = loaded.read_truth(table), loaded.classifier.classes_
    found = summarise_evaluation(truth, loaded.classifier.predict(values), classes)
    if print_json:
        click.echo(as_json([found], model=str(model), file=str(data)))
        return
    click.echo(format_evaluation(found))


def _load(model: Path, data: Path, delimiter: str | None) -> tuple[TableModel, Table, Floats]:
    """Return a model, a table and the numbers of its columns; name ignored columns on stderr."""
    loaded = load_table_model(model)
    loaded.classifier.set_params(n_jobs=available_cores())
    table = read_table(data, DELIMITERS.get(delimiter or ""))
    values = loaded.read_features(table)
    ignored = loaded.list_ignored(table)
    if ignored:
        noun = "column" if len(ignored) == 1 else "columns"
        click.echo(f"{noun} not known to the model, ignored: {join_names(ignored)}", err=True)
    return loaded, table, values


def _format_csv(heading: Sequence[str], columns: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue()
