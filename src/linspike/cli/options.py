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


def data_dir(*, exists: bool) -> Callable[[Command], Command]:
    """Return the option --data-dir; `exists` says whether the folder must be there."""
    return click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False, exists=exists),
        metavar="DIR",
        help="Folder of the data sets; unless given, $LINSPIKE_DATA_DIR, else a cache folder.",
    )


def setting(name: str, kind: Any, default: Any, text: str) -> Callable[[Command], Command]:
    """Return an option that shows its default."""
    return click.option(name, type=kind, default=default, show_default=True, help=text)
