"""Commands that fetch data sets."""

from __future__ import annotations

from pathlib import Path

import click

from linspike.cli.progress import Display
from linspike.datasets.download import fetch_mnist


@click.group("data")
def data_group() -> None:
    """Fetch the data that experiments need."""


@data_group.command("mnist")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the files, or with a subfolder mnist; else $LINSPIKE_DATA_DIR, else a cache.",
)
def mnist(data_dir: Path | None) -> None:
    """Download the MNIST digits (11 MB), or verify those that are there.

    Every file is checked by its SHA-256. Prints where the files are.
    """
    with Display() as display:
        files = fetch_mnist(data_dir, progress=display.renew)
    for path, fetched in files:
        click.echo(f"{'fetched ' if fetched else 'verified'}  {path}")
