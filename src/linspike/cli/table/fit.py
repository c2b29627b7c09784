"""`linspike fit`: train a classifier on a table of numbers or of events."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from linspike.cli.options import JOBS, JSON, setting, table_options
from linspike.cli.output import STDOUT, as_json, check_place
from linspike.cli.table.assessment import (
    TestSource,
    assess,
    cross_validate,
    make_folds,
    refuse_same_input,
    split_samples,
)
from linspike.cli.table.commands import DATA, PATH, report_table
from linspike.cli.table.csv_table import Table, read_table
from linspike.cli.table.event_model import EventFormat, EventModel
from linspike.cli.table.labels import LabelColumn, Labels, check_divisible, check_folds
from linspike.cli.table.learning import fit_classifier
from linspike.cli.table.lines import Dialect, make_dialect
from linspike.cli.table.settings import POSITIVE, Window, make_classifier, make_event_classifier
from linspike.cli.table.summary import format_fit, summarise_fit
from linspike.cli.table.table_model import SavedModel, TableModel, choose_columns
from linspike.errors import printable
from linspike.rules import REGISTRY
from linspike.spikes.units import TIME_UNITS

OF_NUMBERS = ("drop", "ids", "fields", "beta", "duration")
OF_EVENTS = ("time_unit", "time_column", "channel_column", "sample_column", "window", "folds")
SHORTEST = 0.5  # ms of a sample, below which its unit is doubtful: a tenth of the usual tau_s

EXAMPLE = """\b
Examples:
  linspike fit flowers.csv --target species -o flowers.npz
  linspike predict flowers.npz new_flowers.csv
  linspike fit --spikes events.csv --target label --time-unit us -o touch.npz
"""


class FitCommand(click.Command):
    """Adds to the error for a value after --spikes which option takes it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line."""
        has_flag = "--spikes" in args
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if has_flag and error.message.startswith("Got unexpected extra argument"):
                hint = "--spikes has no value; a number of spikes is --spike-count."
                raise click.UsageError(f"{error.message}. {hint}", ctx) from None
            raise


@click.command(cls=FitCommand, epilog=EXAMPLE)
@DATA
@click.option("--target", required=True, metavar="COL", help="Column with the class of each row.")
@click.option("-o", "--output", type=PATH, required=True, metavar="FILE", help="Model to write.")
@click.option("--drop", multiple=True, metavar="COL", help="Leave out a column; repeatable.")
@click.option(
    "--id", "ids", multiple=True, metavar="COL", help="Column that names the rows; repeatable."
)
@table_options
@click.option(
    "--cv", type=click.IntRange(2, 1000), metavar="K", help="Also print accuracy in K folds."
)
@click.option(
    "--test",
    type=TestSource(),
    metavar="FILE|SHARE",
    help="Also print the accuracy on a file, or on a share of the rows that is not learned.",
)
@click.option("--spikes", is_flag=True, help="DATA holds events: a time, channel and sample a row.")
@click.option("--time-unit", type=click.Choice(TIME_UNITS), help="Unit of times of events.")
@setting("--time", str, "time", "Events: column of times.", "time_column", "COL")
@setting("--channel", str, "channel", "Events: column of channels.", "channel_column", "COL")
@setting("--sample", str, "sample", "Events: column of samples.", "sample_column", "COL")
@click.option(
    "--window",
    type=Window(),
    metavar="MS|START:END",
    help="Events: part of each sample that is used, in milliseconds; all of it unless given.",
)
@setting("--folds", click.IntRange(min=1), 8, "Events: stretches of a sample with own channels.")
@setting("--rule", click.Choice(list(REGISTRY)), "dta", "Learning rule.")
@click.option("--eta", type=POSITIVE, help="Learning rate of the rule; its default unless given.")
@click.option("--bound", type=POSITIVE, help="Bound of the steps of dta; its default unless given.")
@setting(
    "--decay",
    click.FloatRange(min=0.0),
    0.0,
    "Steps shrink as 1 / (1 + decay * epoch); 0.3 for events.",
)
@setting(
    "--code",
    click.Choice(["counts", "times"]),
    "counts",
    "What of the output encodes a class: number of spikes, or spike times.",
)
@setting(
    "--spike-count", click.IntRange(1, 1000), 10, "Spikes of a neuron for its class; 3 for events."
)
@click.option(
    "--exact-counts",
    is_flag=True,
    help="Learn exactly that many spikes, as in the paper; else at least that many.",
)
@setting("--fields", click.IntRange(min=3), 10, "Receptive fields for each column.")
@setting("--beta", POSITIVE, 1.5, "Receptive fields are narrower for larger beta.")
@setting("--duration", POSITIVE, 10.0, "Length of the pattern of a row, in milliseconds.")
@click.option(
    "--weight-low", type=float, metavar="W", help="Lowest weight; 0 lets no input inhibit."
)
@click.option("--weight-high", type=float, metavar="W", help="Highest weight.")
@setting("--epochs", click.IntRange(min=1), 20, "Passes over all rows, at most.")
@click.option(
    "--early-stopping",
    is_flag=True,
    help="Hold out a tenth of the rows, and stop when their accuracy no longer improves.",
)
@setting("--seed", click.IntRange(0, 2**32 - 1), 0, "Random seed: the same seed, the same model.")
@JOBS
@JSON
@click.pass_context
def fit(ctx: click.Context, /, data: Path, output: Path, print_json: bool, **given: Any) -> None:
    """Train a classifier on a table, and write the model to one file.

    DATA is a CSV file whose first line names the columns; - is standard input. One column, the
    target, holds the classes, as texts or integers; all others must hold numbers, name the rows
    (--id), or be left out (--drop). With --spikes each row is an event, and a sample is the rows
    that share its name; they share the target, too.

    The model learns from all rows. Only with --test SHARE it learns from the others alone, and the
    accuracy that is printed is that of the model in the file.
    """
    started = time.perf_counter()
    _check_options(ctx, data, output, given)
    given["chosen"] = {name for name in given if _is_given(ctx, name)}
    dialect = make_dialect(given["delimiter"], given["decimal"], given["comment"])
    try:
        model, found = _learn(data, dialect, given)
        model.save(output)
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; nothing was written.", err=True)
        raise SystemExit(130) from None
    seconds = round(time.perf_counter() - started, 3)
    if print_json:
        click.echo(as_json([found], seconds=seconds, file=str(output)))
        return
    more = {"seconds": f"{seconds:.1f}", "file": printable(output)}
    click.echo(format_fit(found, model, given["epochs"], more))


def _check_options(context: click.Context, data: Path, output: Path, given: Any) -> None:
    """Refuse options that do not go together, and places that cannot be written to."""
    refused = OF_NUMBERS if given["spikes"] else OF_EVENTS
    reason = "is for events: give --spikes, too"
    if given["spikes"]:
        reason = "is for tables of numbers: leave it out with --spikes"
    for parameter in context.command.params:
        if parameter.name in refused and _is_given(context, parameter.name):
            raise click.UsageError(f"{parameter.opts[0]} {reason}.")
    if given["spikes"] and given["time_unit"] is None:
        choices = ", ".join(TIME_UNITS)
        raise click.UsageError(f"--spikes needs --time-unit, one of {choices}.")
    refuse_same_input(data, given["test"])
    if str(output) == STDOUT:
        raise click.UsageError("A model is no text: give -o the name of a file, not '-'.")
    inputs = [data, given["test"]] if isinstance(given["test"], Path) else [data]
    check_place(output, *inputs)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def _learn(data: Path, dialect: Dialect, given: Any) -> tuple[SavedModel, dict[str, Any]]:
    """Return a model that has learned, and its results."""
    make_model = _make_event_model if given["spikes"] else _make_table_model
    model, table = make_model(data, dialect, given)
    report_table(table, model, fitting=True)
    column, inputs = model.label_column(table), model.read_inputs(table, drop_option="--drop")
    del table  # large
    labels, test, tested = column.read(), given["test"], None
    if isinstance(test, float):
        check_divisible(column, labels, test, "Give --test another share, or a file.")
        learned, rest = split_samples(labels, test, given["seed"])
        tested = inputs[rest], labels[rest]
        inputs, labels = inputs[learned], labels[learned]
    elif test is not None:
        tested = _read_test(model, labels, test, dialect)
    folds = _make_folds(model, column, labels, given)
    found: dict[str, Any] = {}
    if folds:
        found["cross_validation"] = cross_validate(model, inputs, labels, folds, fit_classifier)
    fit_classifier(model.classifier, inputs, labels)
    found = {**summarise_fit(model, inputs, labels), **found}
    if tested is not None:
        held_out = isinstance(test, float)
        found["test"] = {**assess(tested[1], model.predict(tested[0])), "held_out": held_out}
    return model, found


def _make_table_model(data: Path, dialect: Dialect, given: Any) -> tuple[SavedModel, Table]:
    """Return a model of the columns of a table, which has learned nothing yet, and the table."""
    classifier = make_classifier(**given)
    target, ids = given["target"], given["ids"]
    table = read_table(data, dialect, (target, *ids))
    columns = choose_columns(table, target, given["drop"], ids)
    return TableModel(classifier, target, columns, ids), table


def _make_event_model(data: Path, dialect: Dialect, given: Any) -> tuple[SavedModel, Table]:
    """Return a model of the events in a table, which has learned nothing yet, and the table."""
    names = [given[f"{part}_column"] for part in ("time", "channel", "sample")]
    target = given["target"]
    if len({*names, target}) < 4:
        raise click.UsageError("Time, channel, sample and target must be four different columns.")
    table = read_table(data, dialect, (*names[1:], target))
    for name in (*names, target):
        table.index_of(name)
    time, channel, sample = names
    form = EventFormat(time, channel, sample, given["time_unit"], given["window"]).learn(table)
    start, end = form.window or (0.0, 0.0)
    if end - start < SHORTEST:
        text = f"samples are {end - start:g} ms long. Check --time-unit, which is {form.unit!r}."
        click.echo(f"linspike: {text}", err=True)
    return EventModel(make_event_classifier(end - start, **given), target, form), table


def _read_test(
    model: SavedModel, labels: Labels, path: Path, dialect: Dialect
) -> tuple[Any, Labels]:
    """Return inputs and labels of a file, before anything is learned: it may be refused."""
    table = read_table(path, dialect, model.text_columns)
    return model.read_inputs(table), model.label_column(table).match(np.unique(labels))


def _make_folds(model: SavedModel, column: LabelColumn, labels: Labels, given: Any) -> list[Any]:
    """Return the folds of --cv, if there are any; each must have room for early stopping."""
    folds: list[Any] = []
    if given["cv"] is not None:
        check_folds(column, labels, given["cv"])
        folds = make_folds(labels, given["cv"], given["seed"])
    if given["early_stopping"]:
        share = model.classifier.validation_fraction
        for part in (labels, *(labels[learned] for learned, _ in folds)):
            check_divisible(column, part, share, "Leave out --early-stopping.")
    return folds
