"""`linspike reproduce`: run experiments, and show what they found beside the paper."""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from linspike._threads import at_most, available_cores
from linspike.cli import options
from linspike.cli.experiments import ALL_IDS, SCALE, STORE, choose_experiments, choose_rows
from linspike.cli.output import print_results
from linspike.cli.progress import Display, format_seconds
from linspike.datasets.mnist import FOLDER
from linspike.paper.report.collect import collect
from linspike.study.experiment import Experiment
from linspike.study.runner import Progress, estimate_seconds, find_missing, run
from linspike.study.store import DEFAULT_PATH, Store
from linspike.study.workers import open_workers


@dataclass(frozen=True)
class Request:
    """Options of a run that decide about its results."""

    ids: tuple[str, ...]
    scale: str
    store: Path
    seed: int
    data_dir: Path | None
    rows: tuple[str, ...]

    def experiments(self) -> list[Experiment]:
        """Return the experiments asked for, with the rows asked for."""
        return choose_rows(choose_experiments(self.ids), self.rows, self.scale)

    def command(self) -> str:
        """Return the command line that asks for the same."""
        parts = ["linspike", "reproduce", *(self.ids or ("all",)), "--scale", self.scale]
        parts += ["--store", str(self.store)] if self.store != DEFAULT_PATH else []
        parts += ["--seed", str(self.seed)] if self.seed else []
        parts += ["--data-dir", str(self.data_dir)] if self.data_dir else []
        parts += [part for row in self.rows for part in ("--rows", row)]
        return shlex.join(parts)


@click.command()
@ALL_IDS
@options.setting("--scale", SCALE, "smoke", "Sizes and numbers of trials.")
@options.JOBS
@click.option("--cluster", metavar="ADDRESS", help="Dask scheduler (tcp://host:port), or local.")
@STORE
@options.SEED_BLOCK
@options.data_dir(exists=True)
@click.option(
    "--rows",
    multiple=True,
    metavar="PATTERN",
    help="Run only rows like 'short, *'; 'paper': rows with a number in the paper. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be run and how long it takes.")
@options.JSON
def reproduce(
    jobs: int | None, cluster: str | None, dry_run: bool, print_json: bool, **asked: Any
) -> None:
    """Run tables and figures of the paper, and show the results beside the paper's.

    Without an ID, or with "all", every experiment is run. Trials that are in the store are not
    run again: stop with Ctrl-C and start again at any time.
    """
    request = Request(**asked)
    experiments, count = request.experiments(), jobs or available_cores()
    if request.data_dir is not None:
        os.environ[FOLDER] = str(request.data_dir.resolve())  # for worker processes, too
    if dry_run:
        _forecast(request, experiments, count)
        return
    try:
        with at_most(jobs):
            _run(request, experiments, count, cluster)
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; what was finished is in the store.", err=True)
        click.echo(f"Go on with: {request.command()}", err=True)
        raise SystemExit(130) from None
    _show(request, choose_experiments(request.ids), print_json)


def _run(
    request: Request, experiments: Sequence[Experiment], jobs: int, cluster: str | None
) -> None:
    with (
        Store(request.store) as store,
        open_workers(jobs, cluster) as workers,
        Display("trials") as display,
    ):

        def watch(step: Progress) -> None:
            display.update(step.experiment, step.done, step.total, step.cell.describe())

        for experiment in experiments:
            reason = experiment.needs()
            if reason:
                display.say(f"{experiment.id}: skipped, {reason}")
                continue
            started = time.perf_counter()
            count = run(experiment, request.scale, store, workers, watch, request.seed)
            seconds = format_seconds(time.perf_counter() - started)
            display.say(f"{experiment.id}: {count} trials run in {seconds}")


def _show(request: Request, experiments: Sequence[Experiment], print_json: bool) -> None:
    with Store(request.store, write=False) as store:
        sections = collect(store, experiments, request.scale, request.seed)
        sources = store.sources()
    results = [result for section in sections for result in section.results]
    print_results(results, print_json=print_json, scale=request.scale, records=sources)


def _forecast(request: Request, experiments: Sequence[Experiment], jobs: int) -> None:
    """Print the cells that are missing and a rough time; nothing is written."""
    total = 0.0
    # Experiment, cell and seeds: a figure may ask for the trials of a table.
    counted: set[tuple[str, str, tuple[int, ...]]] = set()
    with tempfile.TemporaryDirectory() as folder:
        exists = request.store.is_file()
        path = request.store if exists else Path(folder) / "empty.sqlite"
        with Store(path, write=not exists) as store:
            for experiment in experiments:
                reason = experiment.needs()
                if reason:
                    click.echo(f"{experiment.id}: would be skipped, {reason}")
                    continue
                known = find_missing(experiment, request.scale, store, request.seed)
                names = [(experiment.store_id, each.cell.digest, each.seeds) for each in known]
                batches = [b for b, name in zip(known, names, strict=True) if name not in counted]
                counted.update(names)
                total += estimate_seconds(batches, experiment, jobs)
                trials = sum(len(batch.seeds) for batch in batches)
                cells = dict.fromkeys(batch.cell.describe() for batch in batches)
                click.echo(f"{experiment.id}: {trials} trials in {len(cells)} cells to begin with")
                for text in cells:
                    click.echo(f"  {text}")
    click.echo(
        f"at least {format_seconds(total)} on {jobs} cores: searches go on to other loads, six to "
        "twelve rounds of them, and tuned rows come after their tuning"
    )
