"""Publish the trials of stores: exports, rows, page and figures under results/ and in the package.

python -m tools.publish_results STORE...       stores or exports; those published come first
python -m tools.publish_results --only STORE... without those published

Then: python -m tools.insert_numbers
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from linspike._files import write_whole
from linspike.cli.app import cli as linspike
from linspike.cli.experiments import REGISTRY
from linspike.paper.report.collect import collect
from linspike.study.cells import hash_cell
from linspike.study.experiment import SCALES
from linspike.study.export import format_trials, pack_trials
from linspike.study.provenance import read_provenance
from linspike.study.runner import select_current
from linspike.study.store import Store

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
PUBLISHED = ROOT / "src" / "linspike" / "paper" / "report" / "published.json"
LAPTOP = ("realdata",)  # experiments that are published at laptop scale alone


def run(*arguments: str | Path) -> None:
    """Run a command of linspike."""
    found = CliRunner().invoke(linspike, [str(each) for each in arguments])
    if found.exit_code:
        raise SystemExit(f"linspike {arguments[0]} failed: {found.output}")


def write_exports(store: Store) -> None:
    """Write the trials that the experiments ask for today, by the folder they belong to."""
    current = set()
    for experiment in REGISTRY.load_all():
        for scale in SCALES:
            found = select_current(experiment, scale, store.trials(experiment, scale)).trials
            current |= {(experiment.store_id, trial.cell.digest, trial.seed) for trial in found}
    lines: dict[str, list[str]] = {"paper": [], "laptop": []}
    for line in format_trials(store.rows()):
        trial = json.loads(line)
        if (trial["experiment"], hash_cell(trial["cell"]), trial["seed"]) in current:
            lines["laptop" if trial["experiment"] in LAPTOP else "paper"].append(line)
    for name, own in lines.items():
        write_whole(RESULTS / name / "trials.jsonl.gz", pack_trials(own, compress=True))


def write_published(store: Store) -> None:
    """Write every row with its verdict into the package."""
    sections = collect(store, REGISTRY.load_all())
    rows = [result._asdict() for section in sections for result in section.results]
    provenance: dict[str, Any] = {**read_provenance(), "records": store.sources()}
    text = json.dumps({"schema": 1, "rows": rows, "provenance": provenance}, indent=1)
    PUBLISHED.write_text(text + "\n")


def write_pages(store: Path, work: Path) -> None:
    """Write the page, all rows as text, and the figures."""
    run("report", "--store", store, "--out", work / "report.html", "--files")
    shutil.copy(work / "report.html", RESULTS / "paper" / "report.html")
    for name in ("md", "csv"):
        shutil.copy(work / "report" / f"all.{name}", RESULTS / "paper" / f"results.{name}")
    for path in (work / "report").glob("*.png"):
        folder = "laptop" if path.stem in LAPTOP else "paper"
        if path.stem != "ablation":
            shutil.copy(path, RESULTS / folder / "figures" / path.name)


def publish(sources: Sequence[Path]) -> None:
    """Publish the trials of these stores and exports."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        path = work / "store.sqlite"
        run("store", "merge", path, *sources)
        with Store(path, write=False) as store:
            write_exports(store)
            write_published(store)
        write_pages(path, work)


def main() -> None:
    """Publish the stores named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="store_true", help="without what is published already")
    parser.add_argument("stores", nargs="*", type=Path)
    options = parser.parse_args()
    before = [] if options.only else [RESULTS / n / "trials.jsonl.gz" for n in ("paper", "laptop")]
    publish([*before, *options.stores])


if __name__ == "__main__":
    main()
