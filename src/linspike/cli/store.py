"""Commands for stores: merge several, export one as text."""

from __future__ import annotations

from pathlib import Path

import click

from linspike.cli.experiments import REGISTRY, STORE
from linspike.cli.output import STDOUT, check_place, write_file
from linspike.errors import StoreError
from linspike.study.cells import canonical
from linspike.study.experiment import SCALES
from linspike.study.export import format_trials, pack_trials, read_trials
from linspike.study.runner import select_current
from linspike.study.store import Store, store_files


@click.group(name="store")
def store_group() -> None:
    """Merge stores, or export one as text."""


@store_group.command()
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def merge(target: Path, sources: tuple[Path, ...]) -> None:
    """Copy the trials of SOURCES that TARGET lacks into TARGET.

    Sources are stores, or files that `linspike store export` wrote (.jsonl or .jsonl.gz).
    """
    with Store(target) as opened:
        for source in sources:
            if source.suffix in (".jsonl", ".gz"):
                added, conflicting = opened.take_over(read_trials(source))
            else:
                with Store(source, write=False) as other:
                    added, conflicting = opened.take_over(list(other.rows()))
            click.echo(f"{source}: {added} trials added")
            if conflicting:
                raise StoreError(
                    f"{source} holds {conflicting} trials whose records differ from those of "
                    f"{target} with the same seeds: another version made them. Those of {target} "
                    "were kept."
                )


@store_group.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="File to write, packed if it ends in .gz; stdout unless given.",
)
@click.option("--current", "only_current", is_flag=True, help="Leave out trials of older versions.")
@STORE
def export(out: Path | None, only_current: bool, store: Path) -> None:
    """Write all trials as lines of JSON, sorted, with their provenance.

    With --current, only the trials that the experiments ask for today, with --seed 0.
    """
    check_place(out, *store_files(store))
    with Store(store, write=False) as opened:
        asked = _select_current(opened) if only_current else None
        rows = [row for row in opened.rows() if asked is None or row[:3] in asked]
    lines = format_trials(rows)
    if out is None or str(out) == STDOUT:
        click.echo("\n".join(lines))
        return
    write_file(out, pack_trials(lines, compress=out.suffix == ".gz"))
    click.echo(f"{len(lines)} trials written to {out}", err=True)


def _select_current(store: Store) -> set[tuple[str, str, int]]:
    """Return experiment, cell and seed of the trials that experiments ask for today."""
    return {
        (experiment.store_id, canonical(trial.cell.to_json()), trial.seed)
        for experiment in REGISTRY.load_all()
        for scale in SCALES
        for trial in select_current(experiment, scale, store.trials(experiment, scale)).trials
    }
