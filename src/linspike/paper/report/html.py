"""One self-contained HTML page of everything that was run (needs the `report` extra)."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from linspike._files import write_whole
from linspike.errors import LinspikeError, MissingExtraError
from linspike.paper.report import figures as draw
from linspike.paper.report import tables, verdicts
from linspike.paper.report.verdicts import Result
from linspike.study.experiment import Panel

SYMBOLS = {
    verdicts.BETTER: "▲",
    verdicts.REPRODUCED: "●",
    verdicts.SHORT: "▼",
    verdicts.DIFFERS: "≠",
    verdicts.UNDECIDED: "~",
    verdicts.NOT_COMPARABLE: "○",
    verdicts.NO_NUMBER: "+",
    verdicts.NO_RESULT: "?",
    verdicts.QUOTED: "§",
    verdicts.SHOWN: "∥",
    verdicts.SKIPPED: "⊘",
    verdicts.NOT_RUN: "·",
}

KINDS = tuple(f".{kind}" for kind in (*draw.FORMATS, "md", "tex", "csv"))  # files of --files

SCALES = {
    "smoke": "Small sizes and few trials: this shows that every experiment runs from end to end. "
    "Its numbers say nothing about the paper's.",
    "laptop": "Fewer trials than the paper, and smaller sizes where a section says so. "
    "The intervals show what that costs.",
    "paper": "The paper's own sizes and numbers of trials.",
}


class Choice(NamedTuple):
    """Something the paper does not say, and what is taken (docs/adr/0013)."""

    experiments: tuple[str, ...]
    left_open: str
    taken: str
    parameter: str


_LEARNED = ("table1", "fig5", "table2", "fig6", "fig7", "claims", "ablation")
_TIMES = ("table1", "fig5", "claims", "ablation")
_COUNTS = ("fig4", "table2", "fig6", "claims")

OPEN = (
    Choice(_LEARNED, "threshold", "1; only ratios to it matter", "SRM(threshold=)"),
    Choice(
        _LEARNED,
        "initial weights",
        "normal, mean 0.01 and deviation 0.01, as for MNIST",
        "experiments.tasks",
    ),
    Choice(
        _TIMES,
        "distances of desired spikes",
        "5 ms apart and 10 ms after the start, at the stated rate",
        "encoding(min_gap=, min_onset=)",
    ),
    Choice(
        _LEARNED,
        "which feasible answer of the program",
        "smallest weight change (ours); a central point (paper's LP)",
        "DTA(), DTA.paper()",
    ),
    Choice(
        _LEARNED,
        "bounds and margin",
        "0.4 and 0.1 thresholds (ours); 0.01 and 1e-6 (paper's LP)",
        "DTA(bound=, margin=)",
    ),
    Choice(
        _TIMES,
        "which spikes are constraints",
        "those beyond 0.5 ms of a desired time (ours); all (paper's LP)",
        "DTA(match_tolerance=)",
    ),
    Choice(
        ("table1", "table2", "fig7", "claims"),
        "length of the steps, epoch by epoch",
        "1.5 times the projection at first, half of it at last (ours); steady (all others)",
        "schedule=",
    ),
    Choice(_LEARNED, "a step on patterns that are right", "none, for every rule", "skip_below="),
    Choice(
        ("table1", "table2", "claims"),
        "step without a feasible answer",
        "0.01/sqrt(rows) a row (paper's LP); the paper prints 0.001 and 0.01",
        "DTA.paper(fallback_step=, fallback_per=)",
    ),
    Choice(
        _COUNTS,
        "which of the thresholds with the desired count",
        'the first that interval halving meets; rows "gradient" need none',
        "DTA(count_target=)",
    ),
    Choice(("table2", "fig7"), "classes of patterns", "in turn, so balanced", "decoding"),
    Choice(
        ("table1", "table2", "fig6", "claims"),
        "step size of the other rules",
        "the paper's 0.01; beside it the best of fourteen, tuned on other seeds",
        "eta=",
    ),
    Choice(
        ("table2", "fig6", "claims"),
        "EML and EMLC in detail",
        "reconstructed; the weakest spike is that with the smallest slope",
        "EMLC(weakest=)",
    ),
    Choice(("table1",), "FP and HTP", "reconstructed; not run by the paper", "tolerance="),
    Choice(
        ("fig2", "fig3", "claims"),
        "lag from an input to its desired spike",
        "7 ms; 2.8 ms beside it",
        "experiments.fig3",
    ),
)


@dataclass(frozen=True)
class Section:
    """One experiment of a report.

    Attributes
    ----------
    id, title, place : of the experiment
    command : what to type to run it again
    results : its rows beside the paper's
    panels : its pictures
    notes : what a reader must know
    trials, seconds : number of trials in the store, and the time they took, summed over processes
    source : the experiment whose trials they are, if not its own
    skipped : why it was not run; empty if it was
    """

    id: str
    title: str
    place: str
    command: str
    results: Sequence[Result] = ()
    panels: Sequence[Panel] = ()
    notes: Sequence[str] = ()
    trials: int = 0
    seconds: float = 0.0
    source: str = ""
    skipped: str = ""


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
    figures = {section.id: draw.figure(section.panels) for section in sections if section.panels}
    images = {name: draw.encoded(figure, "svg") for name, figure in figures.items()}
    text = template.render(**_context(sections, provenance, images)).lstrip()
    try:
        _write(page, text.encode())
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
    surroundings = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    surroundings.filters.update(
        {name: getattr(tables, name) for name in ("ours", "interval", "claim", "notes_of")},
        strip=_strip,
    )
    return surroundings.from_string(source)


def _context(
    sections: Sequence[Section], provenance: Mapping[str, object], images: Mapping[str, bytes]
) -> dict[str, Any]:
    """What the template is given."""
    results = [result for section in sections for result in section.results]
    scale = str(provenance.get("scale", ""))
    return {
        "sections": sections,
        "counts": verdicts.counts(results),
        "compared": sum(bool(result.claim) for result in results),
        "measured": sum(bool(result.claim) and result.ours is not None for result in results),
        "meaning": verdicts.MEANING,
        "symbols": SYMBOLS,
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
    """Provenance as name and text; a mapping inside becomes one line."""
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
    """Ours and its interval over the paper's as places, in %, from a quarter to four times.

    None where no ratio makes sense.
    """
    value, ours = result.paper or 0.0, result.ours or 0.0
    if result.verdict == verdicts.NOT_COMPARABLE or value <= 0.0 or ours <= 0.0:
        return None
    ends = (ours, result.lo, result.hi)
    at, lo, hi = (_place((ours if end is None else end) / value) for end in ends)
    return {"at": at, "lo": lo, "width": max(hi - lo, 0.0)}


def _place(ratio: float) -> float:
    if ratio <= 0.25:
        return 0.0
    return min(100.0, 50.0 + 50.0 * math.log(ratio) / math.log(4.0))


def _write(path: Path, content: bytes) -> None:
    """Write a whole file or none; folders on the way are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def _write_files(
    folder: Path,
    sections: Sequence[Section],
    figures: Mapping[str, Any],
    images: Mapping[str, bytes],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        draw.save(figure, folder, name, ("png", "pdf"))
        _write(folder / f"{name}.svg", images[name])
    for section in sections:
        if section.results:
            _write_tables(folder, section.id, f"{section.title} ({section.place})", section.results)
    results = [result for section in sections for result in section.results]
    _write_tables(folder, "all", "All rows", results)


def _write_tables(folder: Path, name: str, title: str, results: Sequence[Result]) -> None:
    _write(folder / f"{name}.md", tables.as_markdown(results, title).encode())
    _write(folder / f"{name}.tex", tables.as_latex(results, title, f"tab:{name}").encode())
    _write(folder / f"{name}.csv", tables.as_csv(results).encode())
