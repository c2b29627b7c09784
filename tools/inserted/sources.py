"""Where inserted numbers come from: published results, benchmarks, recorded checks."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.inserted.formats import format_interval, format_number

PUBLISHED = "src/linspike/paper/report/published.json"
BENCHMARKS = "benchmarks/results"
EXACTNESS = "tests/golden/exactness.txt"
LEARNING = "tests/golden/learning.txt"
# Rows of the marker, lines of the file.
CHECKS = {
    "cases": "patterns",
    "spikes": "spikes",
    "wrong": "wrong counts",
    "error": "largest error of a spike time, ms",
}
# Missed and extra spikes as a share of the desired ones stand in the note of a row alone.
OFF = re.compile(r"missed and extra spikes are ([\d.]+) % of the desired")


class UnknownNumberError(LookupError):
    """A marker names a source, row or field that does not exist."""


@dataclass(frozen=True)
class Sources:
    """The files under a root that hold numbers."""

    root: Path

    @cached_property
    def published(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Rows by experiment and label."""
        found: dict[str, dict[str, dict[str, Any]]] = {}
        for row in json.loads((self.root / PUBLISHED).read_text())["rows"]:
            found.setdefault(row["id"], {})[row["row"]] = row
        return found

    @cached_property
    def benchmark(self) -> dict[str, Any]:
        """The file of the newest release: machine and lines."""
        files = sorted((self.root / BENCHMARKS).glob("*.json"), key=_version_of)
        if not files:
            raise UnknownNumberError(f"no file in {BENCHMARKS}")
        found: dict[str, Any] = json.loads(files[-1].read_text())
        return found

    @cached_property
    def checks(self) -> dict[str, str]:
        """Values of the recorded exactness by line."""
        lines = (self.root / EXACTNESS).read_text().splitlines()
        pairs = (re.split(r"\s{2,}", line) for line in lines)
        return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}

    @cached_property
    def epochs(self) -> dict[str, str]:
        """Median epochs of the recorded learning by task."""
        lines = (self.root / LEARNING).read_text().splitlines()
        found = (re.fullmatch(r"(.+?)\s{2,}.*median epochs +(\d+) .*", line) for line in lines)
        return {match[1]: match[2] for match in found if match}

    def row(self, experiment: str, label: str) -> dict[str, Any]:
        """Return a published row."""
        rows = self.published.get(experiment)
        if rows is None:
            raise UnknownNumberError(f"no source {experiment!r}")
        if label not in rows:
            raise UnknownNumberError(f"no row {label!r} in {experiment}")
        return rows[label]

    def lines(self, section: str) -> list[dict[str, Any]]:
        """Return the measured lines of a section of the benchmarks; absent peers have none."""
        lines = [line for line in self.benchmark["lines"] if line["section"] == section]
        if not lines:
            raise UnknownNumberError(f"no section {section!r} in {BENCHMARKS}")
        return [line for line in lines if not math.isnan(line["value"])]

    def number(self, source: str, row: str, field: str, digits: int | None = None) -> str:
        """Return the text that a marker stands for."""
        if source == "exactness":
            return self._check(row, field, digits)
        if source == "learning":
            return _only(self.epochs, row, field, "epochs", source)
        if source == "bench:machine":
            return _only(self.benchmark["machine"], row, field, "value", source)
        if source.startswith("bench:"):
            lines = {line["name"]: line for line in self.lines(source.removeprefix("bench:"))}
            line = _only(lines, row, field, "value", source)
            return format_number(line["value"], digits=digits)
        return format_field(self.row(source, row), field, digits)

    def _check(self, row: str, field: str, digits: int | None) -> str:
        lines = {name: self.checks[line] for name, line in CHECKS.items()}
        return format_number(float(_only(lines, row, field, "value", "exactness")), digits=digits)


def format_field(row: dict[str, Any], field: str, digits: int | None = None) -> str:
    """Return a field of a published row: ours, interval, paper, n, verdict or off."""
    if field in ("n", "verdict"):
        return str(row[field])
    if field == "off":
        off = OFF.search(row["note"])
        if off is None:
            raise UnknownNumberError(f"row {row['row']!r} has no share of missed and extra spikes")
        return format_number(round(float(off[1])), digits=digits)
    if field not in ("ours", "interval", "paper"):
        raise UnknownNumberError(
            f"no field {field!r}: choose ours, interval, paper, n, verdict, off"
        )
    needed = [row["ours"], row["lo"], row["hi"]] if field == "interval" else [row[field]]
    if None in needed:
        raise UnknownNumberError(f"row {row['row']!r} has no {field}")
    if field == "interval":
        return format_interval(*needed, row["unit"], digits)
    if field == "paper" and digits is None:
        return f"{row['paper']:.6g}"
    return format_number(row[field], row["unit"], digits)


def _only(rows: dict[str, Any], row: str, field: str, name: str, source: str) -> Any:
    if row not in rows:
        raise UnknownNumberError(f"no row {row!r} in {source}")
    if field != name:
        raise UnknownNumberError(f"no field {field!r} in {source}: it has {name}")
    return rows[row]


def _version_of(path: Path) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", path.stem)]
