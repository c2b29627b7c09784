"""`linspike list`: every row of every table and figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from linspike.cli.experiments import ALL_IDS, choose_experiments
from linspike.cli.options import JSON, SEED_BLOCK
from linspike.cli.output import print_results
from linspike.paper.report.collect import collect
from linspike.paper.report.published import published_results, read_published
from linspike.study.store import Store


@click.command(name="list")
@ALL_IDS
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Show the results of this store, not those published with the package.",
)
@JSON
@SEED_BLOCK
def list_rows(ids: tuple[str, ...], store: Path | None, print_json: bool, seed: int) -> None:
    """Show every row of every table and figure: the paper's number, ours, and the verdict."""
    asked = choose_experiments(ids)
    about: dict[str, Any] = {}
    if store is None:
        results = published_results([experiment.id for experiment in asked])
        published = read_published()
        about = {"published": published["provenance"]}
        if not published["rows"]:
            click.echo("Nothing is published yet. --store shows the results of a run.", err=True)
    else:
        with Store(store, write=False) as opened:
            parts = collect(opened, asked, seed_block=seed)
            results = [result for part in parts for result in part.results]
            about = {"records": opened.sources()}
    print_results(results, print_json=print_json, **about)
