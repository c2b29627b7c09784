"""`linspike cite`: what to cite, as BibTeX."""

from __future__ import annotations

import click

from linspike.rules import REGISTRY
from linspike.rules.citation import citation


@click.command()
@click.argument("rule", required=False, type=click.Choice(list(REGISTRY)), metavar="[RULE]")
def cite(rule: str | None) -> None:
    """Print BibTeX: linspike, the paper it implements, and the paper of RULE."""
    click.echo(citation(rule))
