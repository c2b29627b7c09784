"""What the command line does with experiments: run them, and tell what came of it."""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from linspike._files import check_output, write_whole
from linspike._threads import at_most, available_cores
from linspike.cli.experiments import REGISTRY
from linspike.cli.progress import Display, span
from linspike.datasets.mnist import FOLDER
from linspike.errors import StoreError
from linspike.study.cells import canonical
from linspike.study.experiment import SCALES, Experiment
from linspike.study.export import format_trials, pack_trials, read_trials
from linspike.study.provenance import read_provenance
from linspike.study.runner import estimate_seconds, find_missing, run, select_current
from linspike.study.selection import list_rows as row_labels
from linspike.study.selection import select_rows
from linspike.study.store import DEFAULT_PATH, Store, store_files
from linspike.study.workers import open_workers

SCALE = click.Choice(SCALES)
STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    default=DEFAULT_PATH,
    show_default=True,
    help="The file with all results.",
)


SEED = click.option(
    "--seed",
    type=click.IntRange(min=0, max=100_000),
    default=0,
    help="Another sample of trials.",
)


def chosen(names: Sequence[str]) -> list[Experiment]:
    """Experiments of these ids, or a usage error that lists them."""
    unknown = [name for name in names if name not in (*REGISTRY.ids, "all")]
    if unknown:
        listed = ", ".join((*REGISTRY.ids, "all"))
        raise click.UsageError(f"There is no experiment '{unknown[0]}'. There are: {listed}.")
    return REGISTRY.load_all(names)


def as_json(rows: list[dict[str, Any]], **more: Any) -> str:
    """The one form of JSON output: what may differ between identical runs stands apart."""
    about = {**read_provenance(), **more}
    return json.dumps({"schema": 1, "rows": rows, "provenance": about}, indent=1)


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID ...|all]")
@click.option("--scale", type=SCALE, default="smoke", show_default=True, help="How large.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Processes, or threads where a trial uses them; one per core unless given.",
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler (tcp://host:port), or local.")
@STORE
@SEED
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Folder with mnist and braille7; else $LINSPIKE_DATA_DIR, else a cache.",
)
@click.option(
    "--rows",
    multiple=True,
    metavar="PATTERN",
    help="Run only rows like 'short, *'; 'paper' for those with a number in the paper. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be run, and for how long.")
@click.option("--json", "print_json", is_flag=True, help="Print the rows as JSON.")
def reproduce(
    ids: tuple[str, ...],
    scale: str,
    jobs: int | None,
    cluster: str | None,
    store: Path,
    seed: int,
    data_dir: Path | None,
    rows: tuple[str, ...],
    dry_run: bool,
    print_json: bool,
) -> None:
    """Run tables and figures of the paper; what the store already holds is not run again.

    Without an ID, or with "all", every one. Stop it with Ctrl-C and start it again at any time.
    """
    count = jobs or available_cores()
    asked = [part_of(experiment, rows, scale) for experiment in chosen(ids)]
    if rows:
        _check_rows(asked, ids, scale)
    if data_dir is not None:
        os.environ[FOLDER] = str(data_dir.resolve())  # for the processes, too
    if dry_run:
        _foretell(asked, scale, store, seed, count)
        return
    try:
        with (
            Store(store) as opened,
            open_workers(count, cluster) as crew,
            at_most(jobs),
            Display() as display,
        ):
            for experiment in asked:
                reason = experiment.needs()
                if reason:
                    click.echo(f"{experiment.id}: skipped, {reason}", err=True)
                    continue
                started = time.perf_counter()
                count_run = run(experiment, scale, opened, crew, display.watch, seed)
                seconds = span(time.perf_counter() - started)
                display.say(f"{experiment.id}: {count_run} trials run in {seconds}")
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; what was finished is in the store.", err=True)
        click.echo(f"Go on with: {_again(ids, scale, store, seed, data_dir, rows)}", err=True)
        raise SystemExit(130) from None
    show(chosen(ids), scale, store, seed, print_json)


def part_of(experiment: Experiment, rows: Sequence[str], scale: str = "paper") -> Experiment:
    """The rows asked for: all without a pattern; "paper" are those the paper has a number for."""
    from linspike.paper.report.numbers import rows_of

    if not rows:
        return experiment
    patterns = [row for row in rows if row != "paper"]
    if "paper" in rows:
        named = rows_of(experiment.id)
        printed = [key.but(quantity="").label for key in named]
        if named and not select_rows(experiment, printed).cells(scale, []):
            return experiment  # numbers that come of all its trials together
        patterns += printed
    return select_rows(experiment, patterns)


def _check_rows(asked: Sequence[Experiment], ids: Sequence[str], scale: str) -> None:
    """A usage error if no row is like any of the patterns, with the names there are."""
    if any(part.cells(scale, []) for part in asked):
        return
    names = sorted({name for each in chosen(ids) for name in row_labels(each, scale)})
    listed = ": " + "; ".join(names) if names else ", and there are no rows to choose from"
    raise click.UsageError(f"No row is like that of --rows{listed}.")


def _again(
    ids: Sequence[str],
    scale: str,
    store: Path,
    seed: int,
    data: Path | None,
    rows: Sequence[str] = (),
) -> str:
    parts = ["linspike", "reproduce", *(ids or ("all",)), "--scale", scale]
    parts += ["--store", str(store)] if store != DEFAULT_PATH else []
    parts += ["--seed", str(seed)] if seed else []
    parts += ["--data-dir", str(data)] if data else []
    parts += [part for row in rows for part in ("--rows", row)]
    return shlex.join(parts)


def _foretell(asked: list[Experiment], scale: str, store: Path, seed: int, jobs: int) -> None:
    """Cells that are missing and a rough time; nothing is written."""
    import tempfile

    total = 0.0
    counted: set[tuple[str, str, tuple[int, ...]]] = (
        set()
    )  # a figure may ask for the trials of a table
    with tempfile.TemporaryDirectory() as folder:
        exists = store.is_file()
        path = store if exists else Path(folder) / "empty.sqlite"
        with Store(path, write=not exists) as opened:
            for experiment in asked:
                reason = experiment.needs()
                if reason:
                    click.echo(f"{experiment.id}: would be skipped, {reason}")
                    continue
                known = find_missing(experiment, scale, opened, seed)
                names = [(experiment.store_id, each.cell.digest, each.seeds) for each in known]
                batches = [b for b, name in zip(known, names, strict=True) if name not in counted]
                counted.update(names)
                seconds = estimate_seconds(batches, experiment, jobs)
                total += seconds
                trials = sum(len(batch.seeds) for batch in batches)
                cells = {batch.cell.describe(): None for batch in batches}
                click.echo(f"{experiment.id}: {trials} trials in {len(cells)} cells to begin with")
                for text in cells:
                    click.echo(f"  {text}")
    click.echo(f"at least {span(total)} on {jobs} cores: searches go on to other loads,")
    click.echo("six to twelve rounds of them, and tuned rows come after their tuning")


def show(asked: Sequence[Experiment], scale: str, store: Path, seed: int, print_json: bool) -> None:
    """Rows of these experiments beside the paper's, as text or JSON."""
    from linspike.paper.report.collect import collect
    from linspike.paper.report.tables import as_text

    with Store(store, write=False) as opened:
        sections = collect(opened, asked, scale, seed)
        sources = opened.sources()
    results = [result for section in sections for result in section.results]
    if print_json:
        rows = [result._asdict() for result in results]
        click.echo(as_json(rows, scale=scale, records=sources))
        return
    click.echo(as_text(results))


@click.command(name="list")
@click.argument("ids", nargs=-1, metavar="[ID ...|all]")
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Take our numbers from this store, not from those published with the package.",
)
@click.option("--json", "print_json", is_flag=True, help="Print the rows as JSON.")
@SEED
def list_rows(ids: tuple[str, ...], store: Path | None, print_json: bool, seed: int) -> None:
    """Show every row of every table and figure: the paper's number, ours, and the verdict."""
    from linspike.paper.report.collect import collect
    from linspike.paper.report.published import published_results, read_published
    from linspike.paper.report.tables import as_text

    asked = chosen(ids)
    names = [experiment.id for experiment in asked]
    about: dict[str, Any] = {}
    if store is None:
        results = published_results(names)
        published = read_published()
        about = {"published": published["provenance"]}
        if not published["rows"]:
            click.echo("Nothing is published yet; --store shows the results of a run.", err=True)
    else:
        with Store(store, write=False) as opened:
            parts = collect(opened, asked, seed_block=seed)
            results = [result for part in parts for result in part.results]
            about = {"records": opened.sources()}
    if print_json:
        click.echo(as_json([result._asdict() for result in results], **about))
        return
    click.echo(as_text(results))


@click.command()
@STORE
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("build") / "report.html",
    show_default=True,
    help="The page to write.",
)
@click.option("--scale", type=SCALE, help="Only this scale; else the largest there is of each.")
@click.option(
    "--files", is_flag=True, help="Also write figures and tables into a folder beside it."
)
@SEED
def report(store: Path, out: Path, scale: str | None, files: bool, seed: int) -> None:
    """Write one page with every table, figure and verdict; it needs no network to be read."""
    from linspike.paper.report.collect import collect
    from linspike.paper.report.html import KINDS, write_report

    check_output(out, *store_files(store), new_folders=True)
    for path in (out.parent / out.stem).glob("*") if files else ():
        if path.suffix in KINDS:
            check_output(path, *store_files(store))
    with Store(store, write=False) as opened:
        sections = collect(opened, REGISTRY.load_all(), scale, seed)
        sources = opened.sources()
    folder = out.stem if files else None
    scales = {result.scale for part in sections for result in part.results if result.n}
    about = {
        **read_provenance(),
        "scale": scales.pop() if len(scales) == 1 else "",
        "command": f"linspike reproduce all --scale {scale or 'paper'}",
        "records": sources,
    }
    try:
        write_report(out, sections, about, folder=folder)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror}.") from None
    click.echo(str(out))


@click.group(name="store")
def store_group() -> None:
    """Join stores, or write one out as text."""


@store_group.command()
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def merge(target: Path, sources: tuple[Path, ...]) -> None:
    """Take over into TARGET all trials of SOURCES that it lacks.

    Sources are stores, or what `linspike store export` wrote (.jsonl or .jsonl.gz).
    """
    with Store(target) as opened:
        for source in sources:
            if source.suffix in (".jsonl", ".gz"):
                taken, contrary = opened.take_over(read_trials(source))
            else:
                with Store(source, write=False) as other:
                    taken, contrary = opened.take_over(list(other.rows()))
            click.echo(f"{source}: {taken} trials taken over")
            if contrary:
                raise StoreError(
                    f"{source} holds {contrary} trials whose records differ from those of {target} "
                    "with the same seeds, as of other versions. Those of the target were kept."
                )


@store_group.command()
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File; else stdout.")
@click.option("--current", "only_current", is_flag=True, help="Leave out trials of older versions.")
@STORE
def export(out: Path | None, only_current: bool, store: Path) -> None:
    """Write all trials as lines of JSON, sorted, with their provenance.

    With --current only those that the experiments ask for as they are now, with the usual seeds.
    """
    if out is not None:
        check_output(out, *store_files(store))
    with Store(store, write=False) as opened:
        asked = _asked_for(opened) if only_current else None
        rows = [row for row in opened.rows() if asked is None or row[:3] in asked]
    lines = format_trials(rows)
    if out is None:
        click.echo("\n".join(lines))
        return
    try:
        write_whole(out, pack_trials(lines, compress=out.suffix == ".gz"))
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror}.") from None
    click.echo(f"{len(lines)} trials written to {out}", err=True)


def _asked_for(store: Store) -> set[tuple[str, str, int]]:
    """Experiment, settings and seed of the trials that experiments ask for now."""
    return {
        (made.store_id, canonical(trial.cell.to_json()), trial.seed)
        for made in REGISTRY.load_all()
        for scale in SCALES
        for trial in select_current(made, scale, store.trials(made, scale)).trials
    }
