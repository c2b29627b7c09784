"""Variables of the page's template: what each section shows, and where it all comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from linspike.paper.report.choices import OPEN
from linspike.paper.report.figures import encode_panels
from linspike.paper.report.findings import FINDINGS
from linspike.paper.report.findings.finding import fill
from linspike.paper.report.findings.opening import plot_capacities, write_opening
from linspike.paper.report.names import TERMS, is_dta
from linspike.paper.report.numbers import number_for
from linspike.paper.report.pivot import Table, arrange
from linspike.paper.report.sections import Section, find_in
from linspike.paper.report.verdicts import Result, Verdict, count_verdicts
from linspike.study.rows import RowKey

SCALES = {
    "smoke": "Smoke scale proves the machinery, not the numbers: sizes and trials are too small to "
    "be compared with the paper.",
    "laptop": "Laptop scale: fewer trials than the paper, and smaller sizes where a section says "
    "so. The intervals show what that costs.",
    "paper": "Paper scale: the paper's own sizes and numbers of trials.",
}


_JUDGED = (
    Verdict.BETTER,
    Verdict.REPRODUCED,
    Verdict.SHORT,
    Verdict.DIFFERS,
    Verdict.UNDECIDED,
)
READINGS = "Readings"  # place of experiments on what the paper leaves open
_SUBJECTS = ("DTA", "other rules", "neither")
_NARROW = 5  # columns
_PACKAGES = ("python", "numpy", "numba")


# Parts of the page that are closed, by the place of their sections: name and summary.
FOLDERS = {
    READINGS: (
        "readings",
        "Readings: what the paper leaves open, and which reading gives its numbers",
    ),
    "Beyond": ("beyond", "Beyond the paper: fixed signs, delays, layers, recorded and other data"),
}


class View(NamedTuple):
    """One section as the page shows it."""

    section: Section
    name: str  # in the contents
    table: Table | None
    pictures: Sequence[str]  # SVG elements
    details: Sequence[str]
    findings: Sequence[tuple[str, str]]
    choices: Sequence[tuple[str, str, str]]  # what is open, what is taken, the parameter
    time: str
    is_table: bool  # its numbers come before its pictures

    @property
    def folder(self) -> str:
        """The part of the page that has the section and is shown on request; empty if none has."""
        return FOLDERS.get(self.section.place, ("", ""))[0]

    @property
    def picture_beside(self) -> bool:
        """Whether its picture has room beside its table."""
        narrow = self.table is not None and self.table.n_columns <= _NARROW
        return self.is_table and narrow and len(self.pictures) == 1


class Origin(NamedTuple):
    """Records of one version on one machine."""

    version: str
    machine: str
    packages: str
    commits: int
    trials: int


def make_context(sections: Sequence[Section], provenance: Mapping[str, object]) -> dict[str, Any]:
    """Return the variables of the template."""
    results = [result for section in sections for result in section.results]
    counts = {verdict: n for verdict, n in count_verdicts(results).items() if n}
    scale = str(provenance.get("scale", ""))
    own = [section for section in sections if not section.source]
    return {
        "opening": write_opening(sections),
        "capacities": encode_panels(plot_capacities(sections)),
        "folders": dict(FOLDERS.values()),
        "views": [_make_view(section, sections) for section in sorted(sections, key=_order)],
        "counts": counts,
        "judged": _JUDGED,
        "terms": TERMS if scale != "smoke" else (),
        "judged_counts": _count_judged(sections),
        "scale": scale,
        "scale_meaning": _explain_scale(scale, sections),
        "command": str(provenance.get("command", "")),
        "facts": _list_facts(provenance),
        "origins": group_origins(provenance.get("records", ())),
        "experiments": sum(bool(section.trials) for section in sections),
        "trials": sum(section.trials for section in own),
        "time": _span(sum(section.seconds for section in own)),
    }


def _explain_scale(scale: str, sections: Sequence[Section]) -> str:
    """Return what a scale means, and which sections have another."""
    others: dict[str, list[str]] = {}
    for section in sections:
        if section.scale not in ("", scale):
            others.setdefault(section.scale, []).append(_shorten(section))
    named = [f"At {other} scale: {', '.join(names)}." for other, names in others.items()]
    return " ".join([SCALES[scale], *named]) if scale in SCALES else ""


def _count_judged(sections: Sequence[Section]) -> dict[str, dict[Verdict, int]]:
    """Return how many rows have each verdict on a number of the paper, by what they are about."""
    found: dict[str, list[Result]] = {subject: [] for subject in _SUBJECTS}
    for section in sections:
        for key, result in section.by_key.items():
            found[_name_subject(section.id, key)].append(result)
    counts = {subject: count_verdicts(results) for subject, results in found.items()}
    judged = {
        subject: {verdict: count[verdict] for verdict in _JUDGED if count[verdict]}
        for subject, count in counts.items()
    }
    return {subject: count for subject, count in judged.items() if count}


def _name_subject(experiment: str, key: RowKey) -> str:
    """Return whose number a row is: DTA's, that of rules it is compared with, or of no rule."""
    if key.method:
        return "DTA" if is_dta(key.method) else "other rules"
    printed = number_for(experiment, key)
    return "other rules" if printed is not None and printed.of_others else "neither"


def _order(section: Section) -> int:
    """Return the place of a section's kind: the paper's tables, its figures, all else, readings."""
    kinds = ("Table", "Figure")
    others = len(kinds) + (section.place == READINGS)
    return next((i for i, kind in enumerate(kinds) if section.place.startswith(kind)), others)


def _shorten(section: Section) -> str:
    """Return the place of a section in the paper, or the start of its title if it has none."""
    named = section.place.startswith(("Table", "Figure"))
    return section.place if named else section.title.split(",")[0].split(":")[0]


def _make_view(section: Section, sections: Sequence[Section]) -> View:
    finding = FINDINGS.get(section.id)
    texts = fill(finding, lambda name, key: find_in(sections, name, key)) if finding else ()
    return View(
        section,
        _shorten(section),
        arrange(section),
        encode_panels(section.panels),
        encode_panels(section.details),
        texts,
        [choice[1:] for choice in OPEN if section.id in choice.experiments],
        f"those of {section.source}" if section.source else _span(section.seconds),
        section.place.startswith("Table"),
    )


def _list_facts(provenance: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return provenance as names and texts, without empty ones and those shown elsewhere."""
    shown = {name: value for name, value in provenance.items() if value}
    return [
        (name, str(value))
        for name, value in shown.items()
        if name not in ("scale", "command", "records")
    ]


def group_origins(records: Any) -> list[Origin]:
    """Return the records by version and machine, from pairs of a provenance and a count."""
    groups: dict[tuple[str, str, str], list[tuple[str, int]]] = {}
    for source, count in records:
        machine = [source.get("system", ""), source.get("cpu", "")]
        if source.get("cores"):
            machine.append(f"{source['cores']} cores")
        packages = [f"{name} {source[name]}" for name in _PACKAGES if source.get(name)]
        key = (source.get("linspike", ""), _join(machine), _join(packages))
        groups.setdefault(key, []).append((source.get("commit", ""), count))
    return [
        Origin(*key, len({commit for commit, _ in own}), sum(count for _, count in own))
        for key, own in groups.items()
    ]


def _join(parts: Sequence[str]) -> str:
    return ", ".join(part for part in parts if part)


def _span(seconds: float) -> str:
    if seconds < 90.0:
        return f"{seconds:.1f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
