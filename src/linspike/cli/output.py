"""The forms in which commands print: JSON, and tables of aligned columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from linspike.paper.report.verdicts import Result


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
