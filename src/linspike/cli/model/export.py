"""`linspike export`: a saved model as a NIR graph, or as a program for another simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from linspike.cli.output import STDOUT, check_place, making_folders, write_text
from linspike.errors import FileFormatError, printable

# What cannot be read ends with status 1.
PATH = click.Path(path_type=Path, readable=False, allow_dash=True)
KINDS = ("nir", "brian2", "nest")

EXAMPLE = """\b
Example:
  linspike export model.npz model.nir --to nir
  linspike export model.npz run.py --to nest
  python run.py patterns.npz
"""


@click.command(epilog=EXAMPLE)
@click.argument("model", type=PATH)
@click.argument("out", type=PATH)
@click.option(
    "--to", "kind", type=click.Choice(KINDS), required=True, help="Format or simulator of OUT."
)
@click.option(
    "--profile",
    type=click.Choice(["spec", "grid"]),
    help="For nir: spikes as delta functions (spec, the default), or held for a time step (grid).",
)
@click.option(
    "--dt",
    type=click.FloatRange(min=0.0, min_open=True),
    help="Time step of the simulator in milliseconds; needed for --profile grid.",
)
def export(model: Path, out: Path, kind: str, profile: str | None, dt: float | None) -> None:
    """Write a saved model for other programs.

    MODEL is a file that `save` of a model, a classifier or a mapper wrote, or `linspike fit`. OUT
    is a NIR graph, or a Python program for Brian2 or NEST that has the weights in it. The program
    takes a file of patterns (`PatternSet.save`) and prints the spike times; without one it runs a
    small example. - is standard output, for programs.
    """
    if kind != "nir" and profile is not None:
        raise click.UsageError("--profile is for --to nir.")
    if kind == "nir" and (profile == "grid") != (dt is not None):
        needed = "--profile grid needs --dt, the time step of the simulator in milliseconds."
        raise click.UsageError(needed if profile == "grid" else "--dt is for --profile grid.")
    if kind == "nir" and str(out) == STDOUT:
        raise click.UsageError("A NIR graph is no text: give OUT the name of a file, not '-'.")
    check_place(out, model)
    loaded = read_model(model)
    if kind == "nir":
        from linspike.io.nir_graph import to_nir

        with making_folders(out):
            to_nir(loaded, out, profile or "spec", dt)
    else:
        from linspike.io.scripts import make_script

        write_text(out, make_script(loaded, kind, dt))
    click.echo(f"{_describe(loaded)} written to {printable(out)}", err=True)


def read_model(path: Path) -> Any:
    """Return the model in a file; one that cannot be opened is an error of one line."""
    from linspike.estimators import load_model

    try:
        return load_model(path)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror}.") from None


def _describe(loaded: Any) -> str:
    from linspike.estimators.as_model import as_model

    neurons, channels = as_model(loaded, "export").weights.shape
    return f"{neurons} {'neuron' if neurons == 1 else 'neurons'} with {channels} channels"
