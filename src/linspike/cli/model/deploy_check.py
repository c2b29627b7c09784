"""`linspike deploy-check`: what a grid simulator or quantised weights would change."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from zipfile import is_zipfile

import click

from linspike.cli.model.export import read_model
from linspike.cli.options import JSON, table_options
from linspike.cli.output import as_json, check_place, write_file
from linspike.cli.table.cells import join_names
from linspike.cli.table.commands import report_table
from linspike.cli.table.csv_table import read_table
from linspike.cli.table.labels import as_labels
from linspike.cli.table.lines import Dialect, make_dialect
from linspike.cli.table.loading import load_saved
from linspike.errors import FileFormatError, TableError

PATH = click.Path(path_type=Path, readable=False)  # what cannot be read ends with status 1
PICTURES = ("png", "svg", "pdf")
EXAMPLE = """\b
Example:
  linspike deploy-check flowers.npz flowers.csv --dt 1 --dt 0.1 --bits 8 --bits 4
"""


class _Inputs(NamedTuple):
    """A model, its inputs and, if they are known, the classes."""

    model: Any
    patterns: Any
    labels: Any


@click.command("deploy-check", epilog=EXAMPLE)
@click.argument("model", type=PATH)
@click.argument("patterns", type=PATH)
@click.option(
    "--labels", type=PATH, metavar="FILE", help="CSV file with the class of each pattern."
)
@click.option("--dt", "dts", type=float, multiple=True, help="Time step in ms; repeatable.")
@click.option("--bits", type=int, multiple=True, help="Size of a weight, 2 to 24; repeatable.")
@click.option("--plot", type=PATH, metavar="FILE", help="Picture to write: png, svg or pdf.")
@table_options
@JSON
def deploy_check(
    model: Path,
    patterns: Path,
    labels: Path | None,
    dts: tuple[float, ...],
    bits: tuple[int, ...],
    plot: Path | None,
    print_json: bool,
    **form: Any,
) -> None:
    """Print what a grid simulator or quantised weights would change.

    MODEL is a file that `linspike fit` or `save` in Python wrote. PATTERNS is a PatternSet that
    Python saved (.npz), or for a classifier of tables a CSV file as for `evaluate`. Each time step
    is combined with each size of weights. Unless --dt is given, time steps are 1, 0.1 and 0.01 ms.
    """
    from linspike.deploy import deploy_check as check
    from linspike.deploy.check import DTS

    if plot is not None:
        _check_picture(plot, *(path for path in (model, patterns, labels) if path is not None))
    given = _load(model, patterns, labels, make_dialect(**form))
    steps = dts or DTS
    report = check(given.model, given.patterns, labels=given.labels, dts=steps, bits=bits)
    if plot is not None:
        _write_picture(report, plot)
    if print_json:
        rows = [row.to_dict() for row in (report.reference, *report.rows)]
        sizes = {name: getattr(report, name) for name in ("n_patterns", "n_neurons", "n_spikes")}
        click.echo(as_json(rows, model=str(model), file=str(patterns), **sizes))
        return
    click.echo(str(report))


def _load(model: Path, patterns: Path, labels: Path | None, dialect: Dialect) -> _Inputs:
    """Return what the files hold: spikes, or the rows of a table for its own classifier."""
    from linspike.spikes import PatternSet

    if patterns.suffix == ".npz" or is_zipfile(patterns):
        loaded = read_model(model)
        try:
            spikes = PatternSet.load(patterns)
        except OSError as error:
            raise FileFormatError(f"{patterns} cannot be read: {error.strerror}.") from None
        return _Inputs(loaded, spikes, None if labels is None else _read_labels(labels, dialect))
    if labels is not None:
        raise click.UsageError("--labels is for spikes (.npz); a table has a column of classes.")
    named = load_saved(model)
    table = read_table(patterns, dialect, named.text_columns)
    report_table(table, named)
    truth = named.read_truth(table) if named.target in table.names else None
    return _Inputs(named.classifier, named.read_inputs(table), truth)


def _read_labels(path: Path, dialect: Dialect) -> Any:
    """Return the labels in the only column of a CSV file, or in the one named label."""
    names = read_table(path, dialect).names
    name = names[0] if len(names) == 1 else "label"
    if name not in names:
        raise TableError(
            f"{path} needs one column, or one that is named label. It has: {join_names(names)}."
        )
    return as_labels(read_table(path, dialect, [name]).texts(name))


def _check_picture(path: Path, *inputs: Path) -> None:
    if path.suffix[1:].lower() not in PICTURES:
        raise click.UsageError(f"--plot needs a name that ends in {', '.join(PICTURES)}.")
    check_place(path, *inputs)


def _write_picture(report: Any, path: Path) -> None:
    from linspike.paper.report.figures import encode_figure

    write_file(path, encode_figure(report.plot().figure, path.suffix[1:].lower()))
