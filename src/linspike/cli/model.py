"""Commands for a table of numbers: fit a classifier, predict with it, evaluate it."""

from __future__ import annotations

import csv
import io
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linspike._files import check_output
from linspike._threads import available_cores
from linspike._typing import Floats
from linspike.cli.csv_table import DELIMITERS, Table, listed, read_table
from linspike.cli.progress import Display
from linspike.cli.reproduce import as_json
from linspike.cli.table_model import (
    TableModel,
    check_divisible,
    chosen_columns,
    labels_of,
    load,
    write_text,
)
from linspike.cli.table_results import evaluation, evaluation_text, fit_findings, fit_text
from linspike.errors import RunawayWarning, printable
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
    help="What stands between cells; found out unless given.",
)
JSON = click.option("--json", "print_json", is_flag=True, help="Print the results as JSON.")

EXAMPLE = """\b
Example:
  linspike fit flowers.csv --target species -o flowers.npz
  linspike predict flowers.npz new_flowers.csv
"""


def _setting(name: str, kind: Any, default: Any, text: str) -> Callable[[Any], Any]:
    return click.option(name, type=kind, default=default, show_default=True, help=text)


@click.command(epilog=EXAMPLE)
@DATA
@click.option(
    "--target", required=True, metavar="COL", help="The column with the class of each row."
)
@click.option(
    "-o", "--output", type=PATH, required=True, metavar="FILE", help="Where the model goes."
)
@click.option("--drop", multiple=True, metavar="COL", help="Leave out a column; may be repeated.")
@DELIMITER
@_setting("--rule", click.Choice(list(REGISTRY)), "dta", "The learning rule.")
@click.option("--eta", type=POSITIVE, help="Step size of the rule; its own unless given.")
@click.option("--bound", type=POSITIVE, help="Bound on the steps of dta; its own unless given.")
@_setting("--decay", click.FloatRange(min=0.0), 0.0, "How fast steps shrink from epoch to epoch.")
@_setting(
    "--code",
    click.Choice(["counts", "times"]),
    "counts",
    "How neurons name a class: by how many spikes, or by when they come.",
)
@_setting("--spikes", click.IntRange(1, 1000), 10, "Spikes with which a neuron answers its class.")
@click.option(
    "--exact-counts",
    is_flag=True,
    help="Learn that many spikes and no more, as in the paper; else more are right too.",
)
@_setting("--fields", click.IntRange(min=3), 10, "Receptive fields for each column.")
@_setting("--beta", POSITIVE, 1.5, "How narrow the fields are.")
@_setting("--duration", POSITIVE, 10.0, "Length of the pattern a row becomes, in milliseconds.")
@_setting("--epochs", click.IntRange(min=1), 20, "Times that all rows are learned, at most.")
@click.option(
    "--early-stopping",
    is_flag=True,
    help="Set a tenth of the rows aside, and stop when they are classified no better.",
)
@_setting("--seed", click.IntRange(0, 2**32 - 1), 0, "The same seed gives the same model.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads; one per core unless given.")
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
    """Learn to classify the rows of a table, and write the model to one file.

    DATA is a CSV file whose first line names the columns. One column, the target, holds the
    classes, as texts or whole numbers; all others must hold numbers, or be left out with --drop.
    """
    started = time.perf_counter()
    classifier = _new_classifier(**settings)
    check_output(output, data)
    table = read_table(data, DELIMITERS.get(delimiter or ""))
    columns = chosen_columns(table, target, drop)
    labels, values = labels_of(table, target), table.numbers(columns, way_out="--drop")
    if classifier.early_stopping:
        check_divisible(table, target, labels, classifier.validation_fraction)
    try:
        _learn(classifier, values, labels)
        TableModel(classifier, columns, target).save(output)
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; nothing was written.", err=True)
        raise SystemExit(130) from None
    found = fit_findings(classifier, values, labels)
    seconds = round(time.perf_counter() - started, 3)
    if print_json:
        click.echo(as_json([found], seconds=seconds, file=str(output)))
        return
    click.echo(fit_text(found, columns, settings["epochs"]))
    click.echo(f"seconds   {seconds:.1f}\nfile      {output}")


def _new_classifier(**settings: Any) -> SpikeClassifier:
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    rule, code, exact = _chosen_rule(**settings), settings["code"], settings["exact_counts"]
    if code == "times":
        if not rule.learns_times:
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


def _chosen_rule(rule: str, **settings: Any) -> Rule:
    """The rule with those of its settings that were given."""
    given = {name: settings[name] for name in RULE_SETTINGS if settings[name] is not None}
    known = {field.name for field in fields(rule_class(rule))}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise click.UsageError(f"The rule {rule} has no setting {name!r}; leave out --{name}.")
    return rule_of(rule, "fit", **given)


def _learn(classifier: SpikeClassifier, values: Floats, labels: Any) -> None:
    """Fit with a line per epoch on stderr; half a fit is an interrupt, not a result."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught, Display() as display:
        warnings.simplefilter("error", ConvergenceWarning)
        warnings.simplefilter("always", RunawayWarning)
        display.say(f"learning from {values.shape[0]} rows of {values.shape[1]} columns")
        try:
            classifier.fit(values, labels, on_epoch=lambda epoch: display.renew(str(epoch)))
        except ConvergenceWarning:
            raise KeyboardInterrupt from None
    _pass_on(caught)


def _pass_on(caught: Sequence[warnings.WarningMessage]) -> None:
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"linspike: {printable(text)}", err=True)


def _applied(model: Path, data: Path, delimiter: str | None) -> tuple[TableModel, Table, Floats]:
    """A model, a table and the numbers it takes from it; what it leaves is said on stderr."""
    loaded = load(model)
    loaded.classifier.set_params(n_jobs=available_cores())
    table = read_table(data, DELIMITERS.get(delimiter or ""))
    values = loaded.features(table)
    ignored = loaded.ignored(table)
    if ignored:
        noun = "column" if len(ignored) == 1 else "columns"
        click.echo(f"{noun} not known to the model, ignored: {listed(ignored)}", err=True)
    return loaded, table, values


@click.command()
@MODEL
@DATA
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Write there, not to stdout.")
@click.option(
    "--scores",
    is_flag=True,
    help="Also print how much speaks for each class; of two classes, for the second only.",
)
@DELIMITER
def predict(
    model: Path, data: Path, output: Path | None, scores: bool, delimiter: str | None
) -> None:
    """Print the class of each row of a table, as CSV.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from, in any order; the target need not be there, and other columns are ignored.
    """
    if output is not None:
        check_output(output, data, model)
    loaded, _, values = _applied(model, data, delimiter)
    classifier = loaded.classifier
    heading, columns = [loaded.target], [classifier.predict(values).tolist()]
    if scores:
        found = classifier.decision_function(values).reshape(len(values), -1)
        labels = classifier.classes_.tolist()
        heading += [f"score_{label}" for label in labels[-found.shape[1] :]]
        columns += found.T.tolist()
    if output is None and sys.stdout.isatty():  # a file or another program gets them as they are
        heading = [printable(name) for name in heading]
        columns = [[printable(cell) for cell in column] for column in columns]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(zip(*columns, strict=True))
    if output is None:
        sys.stdout.write(text.getvalue())
        return
    write_text(output, text.getvalue())
    click.echo(f"{len(values)} predictions written to {output}", err=True)


@click.command()
@MODEL
@DATA
@DELIMITER
@JSON
def evaluate(model: Path, data: Path, delimiter: str | None, print_json: bool) -> None:
    """Compare what a model predicts with the right classes.

    MODEL is a file that `linspike fit` wrote. DATA is a CSV file with the columns the model
    learned from and the target, in any order. Prints the accuracy and the confusion matrix.
    """
    loaded, table, values = _applied(model, data, delimiter)
    truth, classes = loaded.truth(table), loaded.classifier.classes_
    found = evaluation(truth, loaded.classifier.predict(values), classes)
    if print_json:
        click.echo(as_json([found], model=str(model), file=str(data)))
        return
    click.echo(evaluation_text(found))
