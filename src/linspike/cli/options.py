"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

JSON = click.option("--json", "print_json", is_flag=True, help="Print JSON.")
JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of processes or threads; one per core unless given.",
)
SEED_BLOCK = click.option(
    "--seed",
    type=click.IntRange(min=0, max=100_000),
    default=0,
    show_default=True,
    help="Which sample of trials: another number gives other random data.",
)
DELIMITER = click.option(
    "--delimiter",
    type=click.Choice(["comma", "semicolon", "tab"]),
    help="Character between cells; detected unless given.",
)
DECIMAL = click.option(
    "--decimal",
    type=click.Choice([".", ","]),
    default=".",
    show_default=True,
    help="Character before decimals; with a comma, cells are separated by semicolons or tabs.",
)
COMMENT = click.option(
    "--comment",
    default="#",
    show_default=True,
    metavar="MARK",
    help="Lines that begin with it are skipped; '' reads every line.",
)


def data_dir(*, exists: bool) -> Callable[[Command], Command]:
    """Return the option --data-dir; `exists` says whether the folder must be there."""
    return click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False, exists=exists),
        metavar="DIR",
        help="Folder of the data sets; unless given, $LINSPIKE_DATA_DIR, else a cache folder.",
    )


def setting(
    name: str, kind: Any, default: Any, text: str, *more: str
) -> Callable[[Command], Command]:
    """Return an option that shows its default; more is its parameter's name and its metavar."""
    names, metavar = (name, *more[:1]), more[1] if len(more) > 1 else None
    return click.option(
        *names, type=kind, default=default, show_default=True, help=text, metavar=metavar
    )


def table_options(command: Command) -> Command:
    """Return a command with the options that say how its table is written."""
    for option in (COMMENT, DECIMAL, DELIMITER):  # the last one added is shown first
        command = option(command)
    return command
