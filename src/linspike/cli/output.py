"""The forms in which commands print, and the one way in which they write files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linspike._files import check_output, write_whole
from linspike.errors import FileFormatError

if TYPE_CHECKING:
    from linspike.paper.report.verdicts import Result

STDOUT = "-"


def check_place(path: Path | None, *inputs: Path) -> None:
    """Refuse a place that cannot be written to before any work is done for it.

    Folders that are absent are made by `making_folders` when the file is written. "-" and None
    stand for standard output.
    """
    if path is None or str(path) == STDOUT:
        return
    check_output(path, *(each for each in inputs if str(each) != STDOUT), new_folders=True)


@contextmanager
def making_folders(path: Path) -> Iterator[None]:
    """Make the folders on the way to a file that the block writes; name it if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none, with the folders on the way."""
    with making_folders(path):
        write_whole(path, content)


def write_text(path: Path | None, text: str) -> bool:
    """Write a text to a file, or to standard output; return whether it went into a file."""
    if path is None or str(path) == STDOUT:
        sys.stdout.write(text)
        return False
    write_file(path, text.encode())
    return True


def as_json(rows: list[dict[str, Any]], **more: Any) -> str:
    """Return rows as JSON; what may differ between identical runs is under "provenance"."""
    from linspike.study.provenance import read_provenance

    about = {**read_provenance(), **more}
    return json.dumps({"schema": 1, "rows": rows, "provenance": about}, indent=1)


def align(
    rows: Sequence[Sequence[str]], headings: Sequence[str] = (), *, right: Sequence[int] = ()
) -> str:
    """Return rows as aligned columns; those in `right` are set to the right."""
    from tabulate import tabulate

    places = ["right" if column in right else "left" for column in range(len(rows[0]))]
    # As a row, because tabulate makes columns wider than their headings.
    lines = [headings, *rows] if headings else rows
    text: str = tabulate(lines, tablefmt="plain", colalign=places, disable_numparse=True)
    return "\n".join(line.rstrip() for line in text.splitlines())


def print_results(results: Sequence[Result], *, print_json: bool, **more: Any) -> None:
    """Print rows beside those of the paper, as text or JSON."""
    from linspike.paper.report.tables import as_text

    if print_json:
        click.echo(as_json([result._asdict() for result in results], **more))
    else:
        click.echo(as_text(results))
