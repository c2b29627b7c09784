"""One self-contained HTML page of everything that was run (needs the `report` extra)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linspike._files import write_whole
from linspike.errors import LinspikeError, MissingExtraError
from linspike.paper.report import tables
from linspike.paper.report.context import make_context
from linspike.paper.report.figures import FORMATS, draw_figure, save_figure
from linspike.paper.report.sections import Section

KINDS = tuple(f".{kind}" for kind in (*FORMATS, "md", "tex", "csv"))  # files of --files


def write_report(
    out: str | Path,
    sections: Sequence[Section],
    provenance: Mapping[str, object],
    *,
    folder: str | Path | None = None,
) -> Path:
    """Write the page, and figures and tables as files if a folder for them is named.

    Parameters
    ----------
    out : path
        The page; folders on the way are made.
    sections : list of Section
        In the order of the page.
    provenance : mapping
        Shown as it is, in its order, without empty entries. "scale", "command" (which runs
        everything again) and "records" (of `Store.origins`) have a place of their own.
    folder : path, optional
        Where to put `<id>.png`, `.svg`, `.pdf`, `.md`, `.tex` and `.csv` of each section, and
        `all.md`, `.tex`, `.csv`; relative to the page.
    """
    page, text = Path(out), render_report(sections, provenance)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, text.encode())
        if folder is not None:
            _write_files(page.parent / folder, sections)
    except OSError as error:
        raise LinspikeError(
            f"{error.filename or page} cannot be written: {error.strerror}. Name another place."
        ) from None
    return page


def render_report(sections: Sequence[Section], provenance: Mapping[str, object]) -> str:
    """Return the page as text; parameters as for `write_report`."""
    text: str = _template().render(**make_context(sections, provenance))
    return text.lstrip()


def _template() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError(
            "Reports need jinja2. Install it with: pip install 'linspike[report]'"
        ) from None
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=PackageLoader("linspike.paper.report", "template"),
    )
    environment.filters.update(
        {name: getattr(tables, name) for name in ("ours", "interval", "claim", "notes_of")}
    )
    return environment.get_template("page.html.j2")


def _write_files(folder: Path, sections: Sequence[Section]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for section in sections:
        if section.panels:
            save_figure(draw_figure(section.panels), folder, section.id)
        if section.results:
            _write_tables(folder, section.id, f"{section.title} ({section.place})", [section])
    _write_tables(folder, "all", "All rows", sections)


def _write_tables(folder: Path, name: str, title: str, sections: Sequence[Section]) -> None:
    results = [result for section in sections for result in section.results]
    commands = [command for section in sections for command in section.commands]
    texts = {
        "md": tables.as_markdown(results, title),
        "tex": tables.as_latex(results, title, f"tab:{name}"),
        "csv": tables.as_csv(results, commands),
    }
    for kind, text in texts.items():
        write_whole(folder / f"{name}.{kind}", text.encode())
