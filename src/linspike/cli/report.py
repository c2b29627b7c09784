"""`linspike report`: one page with all results."""

from __future__ import annotations

from pathlib import Path

import click

from linspike._files import check_output
from linspike.cli.experiments import REGISTRY, SCALE, STORE
from linspike.cli.options import SEED_BLOCK, setting
from linspike.cli.output import STDOUT, check_place, write_text
from linspike.errors import FileFormatError, StoreError
from linspike.paper.report.collect import collect
from linspike.paper.report.html import KINDS, render_report, write_report
from linspike.paper.report.sections import Section
from linspike.study.provenance import read_provenance
from linspike.study.store import Store, store_files


@click.command()
@STORE
@setting(
    "--out",
    click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    Path("build") / "report.html",
    "HTML page to write; - is stdout.",
)
@click.option("--scale", type=SCALE, help="Scale to show; the largest of each unless given.")
@click.option(
    "--files",
    is_flag=True,
    help="Also write figures and tables, into a folder named like the page without its suffix.",
)
@SEED_BLOCK
def report(store: Path, out: Path, scale: str | None, files: bool, seed: int) -> None:
    """Write one HTML page with every table, figure and verdict. It needs no network."""
    to_stdout = str(out) == STDOUT
    if files and to_stdout:
        raise click.UsageError("--files needs a page with a name: give --out a file, not '-'.")
    folder = _folder_beside(out) if files else None
    check_place(out, *store_files(store))
    if folder is not None:
        _check_folder(folder, store)
    with Store(store, write=False) as opened:
        sections = collect(opened, REGISTRY.load_all(), scale, seed)
        records = opened.origins()
    about = {
        **read_provenance(),
        "scale": _common_scale(sections),
        "command": f"linspike reproduce all --scale {scale or 'paper'}",
        "records": records,
    }
    if to_stdout:
        write_text(out, render_report(sections, about))
        return
    try:
        write_report(out, sections, about, folder=folder.name if folder else None)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror}.") from None
    click.echo(str(out))


def _folder_beside(page: Path) -> Path:
    """Return the folder for the files of --files; a page without a suffix has its name already."""
    return page.with_name(page.stem if page.suffix else f"{page.name}_files")


def _check_folder(folder: Path, store: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise FileFormatError(
            f"{folder} cannot be made for --files: it is a file. Give --out another name."
        )
    for path in folder.glob("*"):
        if path.suffix in KINDS:
            check_output(path, *store_files(store))


def _common_scale(sections: list[Section]) -> str:
    """Return the scale of most sections; a section of another one says so itself."""
    scales = [section.scale for section in sections if section.scale]
    return max(scales, key=scales.count) if scales else ""
