"""One self-contained HTML page of everything that was run (needs the `report` extra)."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from linspike._files import write_whole
from linspike.errors import LinspikeError, MissingExtraError
from linspike.paper.report import tables
from linspike.paper.report.choices import OPEN
from linspike.paper.report.figures import FORMATS, draw_figure, encode_figure, save_figure
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import Result, Verdict, count_verdicts

KINDS = tuple(f".{kind}" for kind in (*FORMATS, "md", "tex", "csv"))  # files of --files

SCALES = {
    "smoke": "Small sizes and few trials: this shows that every experiment runs from end to end. "
    "Its numbers say nothing about the paper's.",
    "laptop": "Fewer trials than the paper, and smaller sizes where a section says so. "
    "The intervals show what that costs.",
    "paper": "The paper's own sizes and numbers of trials.",
}


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
        Shown as it is, in its order, without empty entries. "scale" and "command" (which runs
        everything again) also have a place of their own.
    folder : path, optional
        Where to put `<id>.png`, `.svg`, `.pdf`, `.md`, `.tex` and `.csv` of each section, and
        `all.md`, `.tex`, `.csv`; relative to the page.
    """
    page = Path(out)
    template = _template()
    figures = {section.id: draw_figure(section.panels) for section in sections if section.panels}
    images = {name: encode_figure(figure, "svg") for name, figure in figures.items()}
    text = template.render(**_context(sections, provenance, images)).lstrip()
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, text.encode())
        if folder is not None:
            _write_files(page.parent / folder, sections, figures, images)
    except OSError as error:
        raise LinspikeError(
            f"{error.filename or page} cannot be written: {error.strerror}. Name another place."
        ) from None
    return page


def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise MissingExtraError(
            "Reports need jinja2. Install it with: pip install 'linspike[report]'"
        ) from None
    source = resources.files("linspike.paper.report").joinpath("page.html.j2").read_text("utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        {name: getattr(tables, name) for name in ("ours", "interval", "claim", "notes_of")},
        strip=_strip,
    )
    return environment.from_string(source)


def _context(
    sections: Sequence[Section], provenance: Mapping[str, object], images: Mapping[str, bytes]
) -> dict[str, Any]:
    """Return the variables of the template."""
    results = [result for section in sections for result in section.results]
    scale = str(provenance.get("scale", ""))
    return {
        "sections": sections,
        "counts": count_verdicts(results),
        "compared": sum(bool(result.claim) for result in results),
        "measured": sum(bool(result.claim) and result.ours is not None for result in results),
        "meaning": {verdict: verdict.meaning for verdict in Verdict},
        "symbols": {verdict: verdict.symbol for verdict in Verdict},
        "scale": scale,
        "scale_meaning": SCALES.get(scale, ""),
        "command": str(provenance.get("command", "")),
        "facts": _facts(provenance),
        "trials": sum(section.trials for section in sections if not section.source),
        "time": _span(sum(section.seconds for section in sections)),
        "times": {
            section.id: f"those of {section.source}" if section.source else _span(section.seconds)
            for section in sections
        },
        "images": {name: base64.b64encode(image).decode() for name, image in images.items()},
        "choices": {
            section.id: [choice for choice in OPEN if section.id in choice.experiments]
            for section in sections
        },
    }


def _facts(provenance: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return provenance as names and texts; a mapping inside becomes one line."""
    facts = []
    for name, value in provenance.items():
        if isinstance(value, Mapping):
            text = ", ".join(f"{key} {inner}" for key, inner in value.items())
        else:
            text = "" if value is None else str(value)
        if text and name not in ("scale", "command"):
            facts.append((name, text))
    return facts


def _span(seconds: float) -> str:
    if seconds < 90.0:
        return f"{seconds:.1f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


def _strip(result: Result) -> dict[str, float] | None:
    """Return ours and its interval over the paper's as places, in %, from a quarter to four times.

    None where no ratio makes sense.
    """
    value, ours = result.paper or 0.0, result.ours or 0.0
    if result.verdict is Verdict.NOT_COMPARABLE or value <= 0.0 or ours <= 0.0:
        return None
    ends = (ours, result.lo, result.hi)
    at, lo, hi = (_place((ours if end is None else end) / value) for end in ends)
    return {"at": at, "lo": lo, "width": max(hi - lo, 0.0)}


def _place(ratio: float) -> float:
    if ratio <= 0.25:
        return 0.0
    return min(100.0, 50.0 + 50.0 * math.log(ratio) / math.log(4.0))


def _write_files(
    folder: Path,
    sections: Sequence[Section],
    figures: Mapping[str, Any],
    images: Mapping[str, bytes],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        save_figure(figure, folder, name, ("png", "pdf"))
        write_whole(folder / f"{name}.svg", images[name])
    for section in sections:
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
