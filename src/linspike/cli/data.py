"""Commands that fetch data sets."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from linspike.cli import options


@click.group("data")
def data_group() -> None:
    """Download the data sets that some experiments need."""


@data_group.command("mnist")
@options.data_dir(exists=False)
def mnist(data_dir: Path | None) -> None:
    """Download the MNIST digits (11 MB), or verify the files that are there.

    The files go into the folder itself if it holds one of them, else into its subfolder mnist.
    Every file is checked by its SHA-256. Prints the path of each file.
    """
    from linspike.datasets.download import fetch_mnist

    for path, fetched in fetch_mnist(data_dir, progress=partial(click.echo, err=True)):
        click.echo(f"{'fetched ' if fetched else 'verified'}  {path}")
